// SPDX-License-Identifier: GPL-2.0
/*
 * Compares every output of one trace, which has everything in it, with golden files that a
 * person has checked.  GOLDEN=write in the environment writes the files anew.
 */
#include <stdbool.h>
#include <stdio.h>

#include "quote.h"
#include "job_sink.h"
#include "job_table.h"
#include "model-script.h"

/* Times are in ns from 1 s on.  The comment after a job says what it is for. */
static const char script[] =
	"P7@1:game P8@1:llama,\"srv\" "
	"C1.1@1000000100 E1.1@1000020000 D1.1@1000020500 "		/* cut at the start */
	/* 1.2 is behind 2.1 */
	"S1.2@1000021000 S2.1@1000022000#8/3 C2.1@1000023000/3 C1.2@1000024000 "
	"E2.1@1000040000/3 D2.1@1000041000/3 E1.2@1003000000 D1.2@1003004000 "
	"S3.1@1003100000#8/2 C3.1@1003110000/2 B3.1@1003120000/2 E3.1@1004000000/2 "
	"D3.1@1004000700/2 "						/* START was seen */
	"S4.1@1004000800#8/4 C4.1@1004001000/4 E4.1@1004900000/4 D4.1@1004900100/4 " /* firmware */
	"S1.3@1005000000 D1.3@1006000000=-3 "				/* killed */
	"S1.4@1006000100 C1.4@1006000200 E1.4@1006000300=-12!n D1.4@1006000400=-12 "
	"P7@1006500000:ga\033[1me "
	"S1.5@1007000000 C1.5@1007000100 E1.5@1009000100=-5 D1.5@1009000200 "	/* failed */
	"S9.1@1009000300!s C9.1@1009000400!s E9.1@1009000500!s D9.1@1009000600!s "
	"S5.1@1010000000!k C5.1@1010000100 E5.1@1010000200 D5.1@1010000300 "
	"S1.6@1010050000 C1.6@1010060000 L@1010100000-1010200000 "
	"E1.6@1010300000 D1.6@1010310000 "				/* lossy */
	"S1.7@1011000000 C1.7@1011000500 "				/* cut at the end */
	"C6.1@1011100000/0";						/* nothing known */

struct scene {
	struct grt_summary summary;
	struct grt_job_out out;
	const struct grt_job_sink *sink;
	bool has_jobs;
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct scene *s = arg;
	bool is_wanted;

	assert_true(grt_job_adds_up(job));
	assert_int_equal(grt_summary_add(&s->summary, job, &is_wanted), 0);
	if (is_wanted && s->has_jobs)
		s->sink->job(&s->out, job);
}

static const struct report_case {
	const char *name;	/* of the golden file too */
	const char *format;
	bool has_jobs, is_ascii, has_colour, is_empty;
	uint32_t groups, tables;
	const char *na;
	struct grt_query query;
} report_cases[] = {
	{ .name = "summary.txt", .format = "text" },
	{ .name = "summary-ascii.txt", .format = "text", .is_ascii = true },
	{ .name = "summary-colour.txt", .format = "text", .has_colour = true },
	{ .name = "summary-per-ring.txt", .format = "text", .groups = 1u << GRT_BY_RING },
	{ .name = "summary-pid.txt", .format = "text", .query.pid = 8 },
	{ .name = "summary-ring.txt", .format = "text", .query.ring = "gfx_low" },
	{ .name = "summary-nobody.txt", .format = "text", .query.pid = 12345 },
	{ .name = "summary-empty.txt", .format = "text", .is_empty = true },
	{ .name = "summary.csv", .format = "csv" },
	{ .name = "summary.json", .format = "json" },
	{ .name = "summary-empty.json", .format = "json", .is_empty = true },
	{ .name = "jobs.txt", .format = "text", .has_jobs = true },
	{ .name = "jobs.csv", .format = "csv", .has_jobs = true },
	{ .name = "jobs.json", .format = "json", .has_jobs = true },
	{ .name = "jobs-synthetic.csv", .format = "csv", .has_jobs = true,
	  .query.with_synthetic = true },
	{ .name = "jobs-ring-number.csv", .format = "csv", .has_jobs = true, .query.ring = "2" },
	{ .name = "jobs-empty.csv", .format = "csv", .has_jobs = true, .is_empty = true },
	{ .name = "jobs-empty.txt", .format = "text", .has_jobs = true, .is_empty = true },
};

static char *render(const struct report_case *c)
{
	const struct grt_trace_info info = {
		.name = "trace.grt", .host = "kestrel", .kernel = "6.1.0-56-amd64",
		.command = "./game --fast", .is_file = true,
	};
	char *text = NULL;
	size_t bytes = 0;
	struct scene s = { .has_jobs = c->has_jobs };
	struct grt_model *m = grt_model_create(take_job, &s);
	struct grt_rules rules = { 0 };
	struct grt_summary_wants wants = {
		.rules = &rules, .max_worst = 4, .has_blame = true, .has_labels = true, .groups = c->groups,
		.has_quantiles = c->groups || strcmp(c->format, "text"),
	};

	s.sink = grt_job_sink_find(c->format);
	assert_non_null(s.sink);
	s.out = (struct grt_job_out){
		.file = open_memstream(&text, &bytes), .summary = &s.summary, .info = &info,
		.has_colour = c->has_colour, .is_ascii = c->is_ascii,
		.groups = c->groups, .tables = c->tables, .na = c->na,
		.again = " --engine gfx trace.grt", .files = " trace.grt",
	};
	wants.query = c->query;
	assert_int_equal(grt_rules_read(&rules, grt_default_rules, "built-in"), 0);
	assert_int_equal(grt_summary_init(&s.summary, m, &wants), 0);
	script_rings(m);
	/* As a second pass would know it. */
	assert_int_equal(grt_model_add_loss(m, 1010100000, 1010200000), 0);
	if (!c->is_empty)
		script_feed(m, script);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(grt_summary_close(&s.summary), 0);
	if (c->has_jobs)
		s.sink->end(&s.out);
	else
		s.sink->summary(&s.out);
	grt_summary_free(&s.summary);
	grt_rules_free(&rules);
	grt_model_destroy(m);
	fclose(s.out.file);
	return text;
}

static void test_golden(void **state)
{
	const struct report_case *c = *state;
	static char expected[1 << 16];
	char path[128];
	char *text = render(c);
	FILE *f;

	snprintf(path, sizeof(path), "test/golden/report/%s", c->name);
	if (getenv("GOLDEN")) {
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(text, f);
	} else {
		f = fopen(path, "r");
		assert_non_null(f);
		expected[fread(expected, 1, sizeof(expected) - 1, f)] = '\0';
		assert_string_equal(text, expected);
	}
	fclose(f);
	free(text);
}

static const struct quote_case {
	const char *name, *text, *csv, *json, *plain;
} quote_cases[] = {
	{ "plain", "game", "game", "\"game\"", "game" },
	{ "empty", "", "", "\"\"", "" },
	{ "comma and quotes", "a,\"b\"", "\"a,\"\"b\"\"\"", "\"a,\\\"b\\\"\"", "a,\"b\"" },
	{ "lines", "a\nb\r", "a\\nb\\x0d", "\"a\\u000ab\\u000d\"", "a?b?" },
	{ "backslash", "a\\b", "a\\\\b", "\"a\\\\b\"", "a\\b" },
	{ "escape", "\033[2J", "\\x1b[2J", "\"\\u001b[2J\"", "?[2J" },
	{ "UTF-8", "jeu·é", "jeu·é", "\"jeu·é\"", "jeu·é" },
	{ "broken UTF-8", "a\xc3", "a\\xc3", "\"a\\ufffd\"", "a?" },
	{ "over-long", "\xc0\xaf", "\\xc0\\xaf", "\"\\ufffd\\ufffd\"", "??" },
	{ "surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", "\"\\ufffd\\ufffd\\ufffd\"", "???" },
	{ "C1 control", "\xc2\x9b", "\\xc2\\x9b", "\"\\u009b\"", "??" },
	{ "turned text", "\xe2\x80\xae", "\\xe2\\x80\\xae", "\"\\u202e\"", "???" },
	{ "formula", "=1+1", "=1+1", "\"=1+1\"", "=1+1" },
	{ "too long for its place", "aaaaaaaaaaaaaaaaaaaaaaé", "aaaaaaaaaaaaaaaaaaaaaaé",
	  "\"aaaaaaaaaaaaaaaaaaaaaaé\"", "aaaaaaaaaaaaaaaaaaaaaa" },
};

static void quoted(void (*quote)(FILE *f, const char *text, size_t bytes), const char *text,
		   const char *expected)
{
	char *got = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&got, &bytes);

	quote(f, text, strlen(text));
	fclose(f);
	assert_string_equal(got, expected);
	free(got);
}

static void test_cells(void **state)
{
	(void)state;
	assert_int_equal(grt_text_cells(""), 0);
	assert_int_equal(grt_text_cells("game[7]"), 7);
	assert_int_equal(grt_text_cells("\u2588\u258a \u00e9"), 4);
	assert_int_equal(grt_text_cells("\u65e5\u672c\u8a9e"), 6);	/* two cells each */
	assert_int_equal(grt_text_cells("e\u0301"), 1);			/* an accent takes none */
	assert_int_equal(grt_text_cells("a\xff" "b"), 3);		/* no character */
	assert_int_equal(grt_text_cells("a\xe6\x97"), 3);		/* cut amid a character */
}

static void test_quote(void **state)
{
	const struct quote_case *c = *state;
	char buf[24];

	quoted(grt_quote_csv, c->text, c->csv);
	quoted(grt_quote_json, c->text, c->json);
	assert_string_equal(grt_quote_text(buf, sizeof(buf), c->text), c->plain);
}

static void test_formulas(void **state)
{
	static const char *const cells[][2] = {
		{ "=1+1", "'=1+1" }, { "@SUM(1)", "'@SUM(1)" }, { "-2+3", "'-2+3" },
		{ "+1,2", "\"'+1,2\"" }, { "1=1", "1=1" }, { "", "" },
	};

	(void)state;
	grt_csv_is_safe = true;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		quoted(grt_quote_csv, cells[i][0], cells[i][1]);
	grt_csv_is_safe = false;
}

static void test_no_such_format(void **state)
{
	(void)state;
	assert_null(grt_job_sink_find("xml"));
	assert_null(grt_job_sink_find(""));
}

#define NR_REPORT_CASES	(sizeof(report_cases) / sizeof(report_cases[0]))
#define NR_QUOTE_CASES	(sizeof(quote_cases) / sizeof(quote_cases[0]))

/* Texts come back from one line as they were; what looks like an escape, too. */
static void test_escape(void **state)
{
	static const char *const texts[] = {
		"", "plain", "two\nlines\n", "\\", "\\n", "run-u1\\x2d.scope", "\\x1b", "\x1b[31m", "\\\\\n\\", "\xc3\xa9 \xff\x80",
		"\xe2\x80\xae", "a\x7f",
	};
	char escaped[128];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		grt_escape_text(escaped, sizeof(escaped), texts[i], strlen(texts[i]));
		for (const char *c = escaped; *c; c += grt_shown_bytes(c, strlen(c)))
			assert_true(grt_shown_bytes(c, strlen(c)));
		escaped[grt_unescape_text(escaped, strlen(escaped))] = '\0';
		assert_string_equal(escaped, texts[i]);
	}
	/* Cut before a character without room; what an older version wrote stays. */
	assert_int_equal(grt_escape_text(escaped, 5, "abc\n", 4), 3);
	assert_string_equal(escaped, "abc");
	memcpy(escaped, "run-u1\\x2d", 11);
	assert_int_equal(grt_unescape_text(escaped, 10), 10);
}

int main(void)
{
	struct CMUnitTest tests[NR_REPORT_CASES + NR_QUOTE_CASES + 3] = {
		cmocka_unit_test(test_no_such_format),
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_cells),
	};
	struct CMUnitTest *t = tests + 3;

	for (size_t i = 0; i < NR_REPORT_CASES; i++)
		*t++ = (struct CMUnitTest){
			.name = report_cases[i].name, .test_func = test_golden,
			.initial_state = (void *)&report_cases[i],
		};
	for (size_t i = 0; i < NR_QUOTE_CASES; i++)
		*t++ = (struct CMUnitTest){
			.name = quote_cases[i].name, .test_func = test_quote,
			.initial_state = (void *)&quote_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
