// SPDX-License-Identifier: GPL-2.0
/* Filters: what they match, what is unknown, and what they refuse. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "filter.h"
#include "rules.h"

#define MS	1000000ull

static struct grt_names names;
static struct grt_rules rules;

/*
 * A job that waited 30 % of 10 ms for a fence; t_sched and START are not known.  It is
 * lossy, failed, and the first rule hits.
 */
static struct grt_job job = {
	.ctx = 401, .seqno = 78, .status = -5, .has_status = true,
	.flags = GRT_JOB_LOSSY | GRT_JOB_KERNEL_JOB,
	.at_ns = { [GRT_AT_SUBMIT] = 1000, [GRT_AT_COMMIT] = 3 * MS },
	.stamps = 1u << GRT_AT_SUBMIT | 1u << GRT_AT_COMMIT,
	.stage_ns = { [GRT_STAGE_DEP] = 3 * MS, [GRT_STAGE_TOTAL] = 10 * MS },
	.stages = 1u << GRT_STAGE_DEP | 1u << GRT_STAGE_TOTAL,
};

static const struct match_case {
	const char *text;
	bool matches;
} match_cases[] = {
	{ "ring == gfx", true }, { "ring = gfx", true }, { "ring==gfx", true },
	{ "ring != gfx", false }, { "ring == \"gfx\"", true }, { "ring == 'gfx'", true },
	{ "ring == gf", false }, { "device == 0000:0b:00.0", true },
	{ "comm == 'a b&&c'", true }, { "comm == a", false },
	{ "engine == GRAPHICS", true }, { "engine == gfx", true }, { "engine == Gfx", true },
	{ "engine == compute", false }, { "engine != sdma", true },
	{ "ctx == 401", true }, { "ctx == 0x191", true }, { "seqno < 78", false },
	{ "seqno <= 78", true }, { "seqno >= 78", true }, { "seqno > 78", false },
	{ "pid == 7", true }, { "pid != 7", false },
	{ "t_dep > 2ms", true }, { "t_dep_ns > 2ms", true }, { "t_dep == 3000000", true },
	{ "t_dep == 3ms", true }, { "t_dep > 3ms", false }, { "t_dep < 3001us", true },
	{ "t_dep < 1.5s", true }, { "total > 9999us", true }, { "total_ns <= 10ms", true },
	{ "t_dep == 30%", true }, { "t_dep > 30%", false }, { "t_dep > 29.99%", true },
	{ "t_dep < 30.01%", true }, { "total == 100%", true }, { "total < 4000000%", true },
	{ "submit == 1000", true }, { "submit_ns == 1us", true }, { "commit > 2ms", true },
	{ "status == -5", true }, { "status == EIO", true }, { "status == eio", true },
	{ "status < 0", true }, { "status == ok", false }, { "status != ok", true },
	{ "flags == lossy", true }, { "flags == kernel_job", true }, { "flags == cut", false },
	{ "flags != cut", true }, { "flags != lossy", false },
	{ "label == stall", true }, { "label != stall", false }, { "label == other", false },
	/* && before ||, side by side is && */
	{ "ring == gfx && pid == 7", true }, { "ring == gfx pid == 7", true },
	{ "ring == gfx pid == 8", false }, { "pid == 8 || pid == 7", true },
	{ "pid == 7 || pid == 8 && ring == no", true },
	{ "(pid == 7 || pid == 8) && ring == no", false },
	{ "pid == 8 && ring == no || ring == gfx", true },
	{ "!pid == 8", true }, { "!(pid == 7)", false }, { "!!(pid == 7)", true },
	{ "pid==7&&!(ring==no)||ring==no", true }, { "((((pid == 7))))", true },
	{ " \t pid == 7 \n ", true },
	/* As the screens print numbers. */
	{ "t_dep > 2 ms", true }, { "t_dep > 3 ms", false }, { "t_dep<3001 us", true },
	{ "t_dep > 2.9 ms pid == 7", true }, { "t_dep > 2 ms&&pid == 8", false },
	{ "(t_dep > 2 ms)", true }, { "t_dep == 30 %", true }, { "t_dep > 30 % or pid == 7", true },
	{ "t_dep > '2 ms'", true }, { "t_dep == 3000000 pid == 7", true },
	/* Words as operators, in any case; as values they are still text. */
	{ "ring == gfx and pid == 7", true }, { "ring == gfx AND pid == 8", false },
	{ "pid == 8 or pid == 7", true }, { "pid == 7 or pid == 8 and ring == no", true },
	{ "(pid == 7 or pid == 8) and ring == no", false }, { "not pid == 8", true },
	{ "not(pid == 7)", false }, { "not not (pid == 7)", true }, { "pid == 7 not pid == 8", true },
	{ "pid == 8 or not (ring == no && pid == 7)", true },
	{ "pid == 7 and (t_dep > 2 ms or ring == no) and not pid == 8", true },
	{ "comm == and or pid == 7", true }, { "comm == not", false }, { "comm != or", true },
	{ "not t_sched > 1ms", false },
	/* Unknown does not match, and its negation does not match either. */
	{ "t_sched > 1ms", false }, { "!(t_sched > 1ms)", false }, { "t_sched <= 1ms", false },
	{ "t_sched > 1ms || pid == 7", true }, { "pid == 7 || t_sched > 1ms", true },
	{ "t_sched > 1ms && pid == 7", false }, { "!(t_sched > 1ms && pid == 8)", true },
	{ "!(pid == 8 && t_sched > 1ms)", true }, { "!(t_sched > 1ms || pid == 8)", false },
	{ "start > 0", false }, { "!(start > 0)", false }, { "t_sched > 1%", false },
};

static void test_match(void **state)
{
	const struct match_case *c = *state;
	struct grt_view view = { .job = &job, .names = &names, .rules = &rules, .labels = 1 };
	struct grt_filter *f = NULL;

	if (grt_filter_create(&f, c->text, strlen(c->text), &rules))
		fail_msg("%s: %s", c->text, grt_cause());
	assert_int_equal(grt_filter_matches(f, &view), c->matches);
	assert_int_equal(grt_filter_uses_labels(f), !!strstr(c->text, "label"));
	grt_filter_destroy(f);
}

static const struct refuse_case {
	const char *text, *cause, *hint;
} refuse_cases[] = {
	{ "", "column 1: a field is missing", "write it like" },
	{ "   ", "column 4: a field is missing", "write it like" },
	{ "t_depp > 1ms", "column 1: no field 't_depp'", "fields: device ring engine ctx" },
	{ "pid == 7 && rng == gfx", "column 13: no field 'rng'", "t_dep" },
	{ "ring", "column 5: an operator is missing", "==" },
	{ "ring ~ gfx", "column 6: an operator is missing", "==" },
	{ "ring ==", "column 8: a value is missing", "" },
	{ "ring > gfx", "column 8: 'ring' has no order", "!=" },
	{ "flags > cut", "'flags' has no order", "!=" },
	{ "flags == cutt", "no flag 'cutt'", "flags: cut|lossy" },
	{ "engine == gpu", "no engine 'gpu'", "GRAPHICS" },
	{ "status == EFOO", "no status", "EIO" },
	{ "pid == game", "not a number", "" },
	{ "t_dep > 1.5", "not a number|no time", "" },
	{ "t_dep > 5parsecs", "no time", "5ms" },
	{ "t_dep > -5", "no time", "5ms" },
	{ "t_dep > x%", "no time|no share", "" },
	{ "submit > 30%", "no time|only a stage", "" },
	{ "(pid == 7", "column 1: this bracket is not closed", "" },
	{ "pid == 7)", "column 9: this cannot stand here", "&&" },
	{ "pid == 7 & pid == 8", "column 10: a field is missing", "" },
	{ "pid == 7 | pid == 8", "column 10: this cannot stand here", "&&" },
	{ "pid == 7 ||", "a field is missing", "" },
	{ "pid == 7 and", "a field is missing", "" },
	{ "pid == 7 or", "a field is missing", "" },
	{ "or pid == 7", "column 1: no field 'or'", "fields:" },
	{ "not", "a field is missing", "" },
	{ "t_dep > 5 parsecs", "no field 'parsecs'", "" },
	{ "pid > 5 ms", "no field 'ms'", "" },
	{ "comm == \"x", "column 9: this quote is not closed", "" },
	{ "label == nosuch", "no label 'nosuch'", "labels: stall other" },
};

static void test_refuse(void **state)
{
	const struct refuse_case *c = *state;
	struct grt_filter *f = NULL;
	char first[64];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(c->cause, "|"), c->cause);
	assert_int_not_equal(grt_filter_create(&f, c->text, strlen(c->text), &rules), 0);
	assert_null(f);
	if (!strstr(grt_cause(), first) &&
	    (!strchr(c->cause, '|') || !strstr(grt_cause(), strchr(c->cause, '|') + 1)))
		fail_msg("'%s' says: %s", c->text, grt_cause());
	if (*c->hint && (!grt_hint() || !strstr(grt_hint(), c->hint)))
		fail_msg("'%s' hints: %s", c->text, grt_hint() ? grt_hint() : "nothing");
}

/* Any text is accepted or refused, in bounded memory and depth. */
static void test_bounds(void **state)
{
	static char text[8192];
	struct grt_filter *f = NULL;

	(void)state;
	memset(text, '(', sizeof(text));
	assert_int_not_equal(grt_filter_create(&f, text, 4000, NULL), 0);
	memset(text, '!', sizeof(text));
	assert_int_not_equal(grt_filter_create(&f, text, 4000, NULL), 0);
	assert_int_not_equal(grt_filter_create(&f, text, sizeof(text), NULL), 0);
	memset(text, 'a', sizeof(text));
	assert_int_not_equal(grt_filter_create(&f, text, 4000, NULL), 0);
	for (size_t i = 0; i + 8 <= sizeof(text); i += 8)
		memcpy(text + i, "pid==77 ", 8);
	assert_int_not_equal(grt_filter_create(&f, text, 4096, NULL), 0);
	assert_int_equal(grt_filter_create(&f, text, 800, NULL), 0);
	grt_filter_destroy(f);
}

static void test_garbage(void **state)
{
	static const char alphabet[] = "ring pid t_dep total flags=!<>&|()\"'30%ms.5 label";
	struct grt_view view = { .job = &job, .names = &names, .rules = &rules };
	char text[48];

	(void)state;
	srandom(4);
	for (int i = 0; i < 200000; i++) {
		struct grt_filter *f = NULL;
		size_t len = random() % sizeof(text);

		for (size_t j = 0; j < len; j++)
			text[j] = random() % 16 ? alphabet[random() % (sizeof(alphabet) - 1)] :
				  (char)random();
		if (!grt_filter_create(&f, text, len, &rules))
			grt_filter_matches(f, &view);
		grt_filter_destroy(f);
	}
}

static int set_up(void **state)
{
	struct grtrace_ring ring = {
		.hdr = { .type = GRTRACE_RING, .size = sizeof(ring) }, .ring = 1, .hw_ring = 1,
		.name = "gfx", .device = "0000:0b:00.0",
	};
	struct grtrace_process process = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(process) }, .tgid = 7,
		.comm = "a b&&c",
	};

	(void)state;
	assert_int_equal(grt_names_ring(&names, &ring), 0);
	assert_int_equal(grt_names_process(&names, &process), 0);
	job.ring = grt_names_ring_row(&names, 1);
	job.process = grt_names_process_row(&names, 7, 1);
	return grt_rules_read(&rules, "pid == 7 label=stall\npid == 8 label=other\n", "here");
}

static int tear_down(void **state)
{
	(void)state;
	grt_names_free(&names);
	grt_rules_free(&rules);
	return 0;
}

#define NR_MATCHES	(sizeof(match_cases) / sizeof(match_cases[0]))
#define NR_REFUSES	(sizeof(refuse_cases) / sizeof(refuse_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_MATCHES + NR_REFUSES + 2] = {
		cmocka_unit_test(test_bounds), cmocka_unit_test(test_garbage),
	};
	struct CMUnitTest *t = tests + 2;

	for (size_t i = 0; i < NR_MATCHES; i++)
		*t++ = (struct CMUnitTest){
			.name = match_cases[i].text, .test_func = test_match,
			.initial_state = (void *)&match_cases[i],
		};
	for (size_t i = 0; i < NR_REFUSES; i++)
		*t++ = (struct CMUnitTest){
			.name = refuse_cases[i].cause, .test_func = test_refuse,
			.initial_state = (void *)&refuse_cases[i],
		};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
