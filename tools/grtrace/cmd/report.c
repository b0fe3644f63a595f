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
#define MAX_RULES_BYTES	65536

/* Options as they were typed. */
struct typed {
	const char *format, *input, *engine, *filter, *rules, *no_rule, *why, *hist;
	const char *since, *until, *slower;
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

static int report(struct report *r)
{
	uint64_t begin_ns = grt_moment_now(CLOCK_MONOTONIC);
	int err = r->nr_files ? 0 : choose_default(r), code;

	r->out.file = stdout;
	r->out.summary = &r->summary;
	r->out.info = &r->info;
	r->out.has_colour = grt_may_colour(STDOUT_FILENO);
	r->out.is_ascii = is_ascii();
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

/* "gfx,compute", or a mask with a bit per engine. */
static int set_engines(struct report *r, const char *text)
{
	char name[64];
	uint64_t mask;
	int engine;

	if (*text >= '0' && *text <= '9' && !grt_parse_u64(text, &mask)) {
		if (!mask || mask >> GRTRACE_NR_ENGINES)
			return grt_fail(EINVAL, NULL, "an engine mask is 1..%u",
					(1u << GRTRACE_NR_ENGINES) - 1);
		r->wants.query.engines = mask;
		return 0;
	}
	do {
		size_t len = strcspn(text, ",");

		snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), text);
		engine = grt_engine_find(name);
		if (engine < 0)
			return grt_fail(EINVAL, "GRAPHICS (gfx), COMPUTE, COPY (sdma), "
					"VIDEO_DECODE, VIDEO_ENCODE, OTHER, or a mask",
					"no engine '%s'", name);
		r->wants.query.engines |= 1u << engine;
		text += len;
	} while (*text++ == ',');
	return 0;
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

static int read_rules(struct report *r, const char *path)
{
	char *text = calloc(1, MAX_RULES_BYTES + 1);
	FILE *f = text ? fopen(path, "r") : NULL;
	size_t got;
	int err;

	if (!f) {
		err = text ? grt_fail_errno(NULL, "cannot read '%s'", path) : grt_fail_memory();
		free(text);
		return err;
	}
	got = fread(text, 1, MAX_RULES_BYTES + 1, f);
	if (ferror(f))
		err = grt_fail_errno(NULL, "cannot read '%s'", path);
	else if (strlen(text) < got && got <= MAX_RULES_BYTES)
		err = grt_fail(EINVAL, NULL, "'%s' holds no rules but something else", path);
	else if (got > MAX_RULES_BYTES)
		err = grt_fail(E2BIG, NULL, "'%s' is too long for rules", path);
	else
		err = grt_rules_read(&r->rules, text, path);
	fclose(f);
	free(text);
	return err;
}

static int set_rules(struct report *r, const struct typed *t)
{
	char name[GRT_RULE_NAME_MAX];
	const char *p = t->no_rule;
	int err = grt_rules_read(&r->rules, grt_default_rules, "built-in rules");

	if (!err && t->rules)
		err = read_rules(r, t->rules);
	while (!err && p) {
		size_t len = strcspn(p, ",");

		snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), p);
		err = grt_rules_off(&r->rules, name);
		p = p[len] ? p + len + 1 : NULL;
	}
	r->wants.rules = &r->rules;
	return err;
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
	r->wants.has_labels = (r->filter && grt_filter_uses_labels(r->filter)) || t->has_overhead ||
			      (grt_out_is_screen(&r->out) && r->sink == &grt_job_json);
	r->wants.has_sizes = t->has_overhead || r->out.tables >> GRT_TABLE_SIZE & 1;
	if (!r->has_jobs && grt_out_is_screen(&r->out))
		r->wants.max_worst = r->limit == UINT64_MAX ? (t->top ? t->top : DEFAULT_WORST) :
				     r->limit < GRT_SUMMARY_MAX_WORST ? r->limit :
				     GRT_SUMMARY_MAX_WORST;
}

static int apply(struct report *r, const struct typed *t)
{
	int err = set_rules(r, t);

	r->sink = grt_job_sink_find(t->format);
	if (!err && !r->sink)
		err = -EINVAL;
	if (!err && t->engine)
		err = set_engines(r, t->engine);
	if (!err && t->hist)
		err = set_hist(r, t->hist);
	if (!err && t->why)
		err = set_why(r, t->why);
	if (!err && t->since)
		err = grt_parse_ns(t->since, &r->since_ns);
	if (!err && t->until)
		err = grt_parse_ns(t->until, &r->until_ns);
	if (!err && t->slower)
		err = grt_parse_ns(t->slower, &r->wants.query.slower_ns);
	if (!err && t->filter)
		err = grt_filter_create(&r->filter, t->filter, strlen(t->filter), &r->rules);
	r->wants.query.filter = r->filter;
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
	struct report r = { .limit = UINT64_MAX, .until_ns = UINT64_MAX };
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
		OPT_STRING(0, "slower", &t.slower, "TIME", "only jobs whose total is longer"),
		OPT_STRING(0, "since", &t.since, "TIME", "only events from then on, after the first"),
		OPT_STRING(0, "until", &t.until, "TIME", "only events before that"),
		OPT_STRING('r', "ring", &r.wants.query.ring, "RING",
			   "only jobs of this ring: name or number"),
		OPT_STRING('e', "engine", &t.engine, "ENGINES",
			   "only jobs of these engines: names with commas, or a mask"),
		OPT_STRING(0, "engine-mask", &t.engine, "ENGINES", "the same"),
		OPT_U64('p', "pid", &r.wants.query.pid, "PID", "only jobs of this process"),
		OPT_STRING('c', "comm", &r.wants.query.comm, "NAME", "only jobs of processes of this name"),
		OPT_STRING('F', "filter", &t.filter, "EXPR",
			   "only jobs for which this holds, like 't_dep > 1ms && ring == gfx'"),
		OPT_STRING(0, "rules", &t.rules, "FILE", "rules that give jobs labels"),
		OPT_STRING(0, "no-rule", &t.no_rule, "NAMES", "switch these rules off, commas between"),
		OPT_BOOL('a', "all", &r.is_all,
			 "jobs of all processes, though one alone was to be recorded"),
		OPT_BOOL('s', "synthetic", &r.wants.query.with_synthetic,
			 "also jobs that were written by hand through the file emit"),
		OPT_STRING(0, "na", &r.out.na, "TEXT", "what stands where nothing is known"),
		OPT_U64(0, "session", &r.session, "ID",
			"of raw streams of several sessions only this one"),
		OPT_END()
	};

	argc = grt_parse_options(argc, argv, options, "report [options] [FILE...]");
	if (!apply(&r, &t))
		return run(&r, &t, argc, argv);
	grt_print_error(grt_hint() ? grt_hint() : "grtrace report -h", grt_cause());
	report_close(&r);
	return GRT_EXIT_USAGE;
}
