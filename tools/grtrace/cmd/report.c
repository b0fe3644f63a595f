// SPDX-License-Identifier: GPL-2.0
/* Options of report, and what follows from them. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "colour.h"
#include "commands.h"
#include "control.h"
#include "error.h"
#include "moment.h"
#include "number.h"
#include "options.h"
#include "print.h"

#define DEFAULT_WORST	3

/* Options as they were typed. */
struct typed {
	const char *format, *input, *why, *hist;
	bool groups[GRT_NR_GROUPS];
	bool has_idle, has_blame, has_overhead;
	uint64_t top;
};

/* Without the bars where the locale says that the terminal cannot show them. */
static bool is_ascii(void)
{
	const char *locale = getenv("LC_ALL");

	if (!locale || !*locale)
		locale = getenv("LC_CTYPE");
	if (!locale || !*locale)
		locale = getenv("LANG");
	return locale && *locale && !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
}

/* Nothing was named: the file that `record` makes, or what is still in the kernel. */
static int choose_default(struct report *r)
{
	static char *default_file[] = { GRT_DEFAULT_FILE };

	if (!access(GRT_DEFAULT_FILE, F_OK)) {
		r->nr_files = 1;
		r->files = default_file;
		return 0;
	}
	if (!access(grt_control_dir(), X_OK))
		return 0;
	return grt_fail(ENOENT, "sudo grtrace record",
			"no file named, no '%s' here and no session to read", GRT_DEFAULT_FILE);
}

void report_begin_out(struct report *r)
{
	r->out.file = stdout;
	r->out.summary = &r->summary;
	r->out.info = &r->info;
	r->out.has_colour = grt_may_colour(STDOUT_FILENO);
	r->out.is_ascii = is_ascii();
}

static int report(struct report *r)
{
	uint64_t begin_ns = grt_moment_now(CLOCK_MONOTONIC);
	int err = r->nr_files ? 0 : choose_default(r), code;

	report_begin_out(r);
	if (!err && r->why)
		err = report_read_why(r);
	else if (!err && r->has_jobs && !r->nr_files && grt_control_is_running() == 1)
		err = report_follow(r);
	else if (!err)
		err = report_read(r);
	r->out.cost.own_ns = grt_moment_now(CLOCK_MONOTONIC) - begin_ns;
	code = err ? grt_print_failure(err) : report_print(r);
	report_close(r);
	return code;
}

static int set_hist(struct report *r, const char *text)
{
	static const struct {
		const char *name;
		enum grt_report_table table;
	} kinds[] = {
		{ "lat", GRT_TABLE_LATENCY }, { "size", GRT_TABLE_SIZE },
		{ "result", GRT_TABLE_RESULT },
	};
	const size_t count = sizeof(kinds) / sizeof(kinds[0]);

	do {
		size_t len = strcspn(text, ","), i = 0;

		while (i < count && (strlen(kinds[i].name) != len || strncmp(text, kinds[i].name, len)))
			i++;
		if (i == count)
			return grt_fail(EINVAL, "lat, size or result", "no histogram '%.32s'", text);
		r->out.tables |= 1u << kinds[i].table;
		text += len;
	} while (*text++ == ',');
	return 0;
}

static int set_why(struct report *r, const char *text)
{
	const char *colon = strchr(text, ':');
	uint64_t ctx, seqno;
	char first[32];

	if (!colon || colon - text >= (int)sizeof(first))
		return grt_fail(EINVAL, "as the lists of jobs show it, like 401:78",
				"'%s' is no job", text);
	snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
	if (grt_parse_u64(first, &ctx) || grt_parse_u64(colon + 1, &seqno))
		return grt_fail(EINVAL, "as the lists of jobs show it, like 401:78",
				"'%s' is no job", text);
	r->why = grt_why_create(ctx, seqno);
	return r->why ? 0 : -ENOMEM;
}

static void set_tables(struct report *r, const struct typed *t)
{
	for (int i = 0; i < GRT_NR_GROUPS; i++)
		r->out.groups |= (uint32_t)t->groups[i] << i;
	r->out.tables |= t->has_idle << GRT_TABLE_IDLE | t->has_blame << GRT_TABLE_BLAME |
			 t->has_overhead << GRT_TABLE_OVERHEAD;
	r->out.top = t->top;
	r->wants.groups = r->out.groups;
	/* What nobody asked for is not worked out: it would cost the most. */
	r->wants.has_quantiles = r->out.groups || r->sink != &grt_job_text ||
				 r->out.tables >> GRT_TABLE_LATENCY & 1;
	r->wants.has_blame = grt_out_is_screen(&r->out) || t->has_blame;
	r->wants.has_labels = (r->select->filter && grt_filter_uses_labels(r->select->filter)) ||
			      t->has_overhead ||
			      (grt_out_is_screen(&r->out) && r->sink == &grt_job_json);
	r->wants.has_sizes = t->has_overhead || r->out.tables >> GRT_TABLE_SIZE & 1;
	if (!r->has_jobs && grt_out_is_screen(&r->out))
		r->wants.max_worst = r->limit == UINT64_MAX ? (t->top ? t->top : DEFAULT_WORST) :
				     r->limit < GRT_SUMMARY_MAX_WORST ? r->limit :
				     GRT_SUMMARY_MAX_WORST;
}

static int apply(struct report *r, const struct typed *t)
{
	int err = select_apply(r->select);

	r->sink = grt_job_sink_find(t->format);
	if (!err && !r->sink)
		err = -EINVAL;
	if (!err && t->hist)
		err = set_hist(r, t->hist);
	if (!err && t->why)
		err = set_why(r, t->why);
	r->wants.query = r->select->query;
	r->wants.rules = &r->select->rules;
	if (!err)
		set_tables(r, t);
	return err;
}

static int run(struct report *r, const struct typed *t, int argc, char **argv)
{
	char **files = calloc(argc + 1, sizeof(*files));
	int code;

	if (!files)
		return grt_print_failure(grt_fail_memory());
	r->files = files;
	if (t->input)
		files[r->nr_files++] = (char *)t->input;
	for (int i = 0; i < argc; i++)
		files[r->nr_files++] = argv[i];
	code = report(r);
	free(files);
	return code;
}

int cmd_report(int argc, char **argv)
{
	struct select select = { .query = { .pid = 0 } };
	struct report r = { .limit = UINT64_MAX, .select = &select };
	struct typed t = { .format = "text" };
	const struct grt_option options[] = {
		OPT_STRING('i', "input", &t.input, "FILE",
			   "the trace; " GRT_DEFAULT_FILE " by default"),
		OPT_STRING('f', "format", &t.format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL('j', "jobs", &r.has_jobs, "a row per job; of a session that runs, as it is over"),
		OPT_STRING('w', "why", &t.why, "CTX:SEQNO", "what this job waited for, and why"),
		OPT_BOOL(0, "per-ring", &t.groups[GRT_BY_RING], "every stage, per ring"),
		OPT_BOOL(0, "per-device", &t.groups[GRT_BY_DEVICE], "the same per GPU"),
		OPT_BOOL(0, "per-engine", &t.groups[GRT_BY_ENGINE], "per kind of engine"),
		OPT_BOOL(0, "per-process", &t.groups[GRT_BY_PROCESS], "per process"),
		OPT_BOOL(0, "per-client", &t.groups[GRT_BY_CLIENT], "per open file of a process"),
		OPT_BOOL(0, "per-ctx", &t.groups[GRT_BY_CTX], "per fence context"),
		OPT_BOOL(0, "idle", &t.has_idle, "who rings were idle for"),
		OPT_BOOL(0, "blame", &t.has_blame, "who held up whom, all of it"),
		OPT_STRING(0, "hist", &t.hist, "KINDS", "histograms: lat, size, result; commas between"),
		OPT_BOOL(0, "overhead", &t.has_overhead, "rates, drops, rules, and what it cost"),
		OPT_U64('t', "topN", &t.top, "N", "N rows of the worst jobs, of blame and of idle"),
		OPT_U64('n', "limit", &r.limit, "N", "N jobs with --jobs, else the N worst; 3 by default"),
		SELECT_OPTIONS(&select),
		OPT_STRING(0, "na", &r.out.na, "TEXT", "what stands where nothing is known"),
		OPT_END()
	};
	int code;

	argc = grt_parse_options(argc, argv, options, "report [options] [FILE...]");
	if (!apply(&r, &t)) {
		code = run(&r, &t, argc, argv);
	} else {
		code = grt_print_usage("report");
		report_close(&r);
	}
	select_free(&select);
	return code;
}
