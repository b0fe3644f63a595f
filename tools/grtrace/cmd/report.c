// SPDX-License-Identifier: GPL-2.0
/* grtrace report: its options. */
#include "quote.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "colour.h"
#include "commands.h"
#include "control.h"
#include "error.h"
#include "export_run.h"
#include "formats.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "session.h"

#define DEFAULT_WORST	3
#define SECOND_NS	1000000000

/* Options as they were typed. */
struct typed {
	const char *format, *input, *why, *hist, *stacks, *html;
	bool groups[GRT_NR_GROUPS];
	bool has_idle, has_blame, has_roots, has_overhead, has_steps, is_all_time;
	uint64_t top, step_ns;
};

/* Whether a session runs, or was stopped and holds events; only root can know. */
static int find_session(bool *is_running)
{
	*is_running = false;
	if (access(grt_control_dir(), X_OK))
		return 0;
	*is_running = grt_control_is_running() == 1;
	return *is_running || grt_session_unread() > 0;
}

/* No file was named.  A session's events are not read without --live, but not ignored either. */
static int choose_default(struct report *r)
{
	static char *default_file[] = { GRT_DEFAULT_FILE };
	bool has_file = !access(GRT_DEFAULT_FILE, F_OK), is_running;

	if (find_session(&is_running))
		return grt_fail(EINVAL, has_file ? "grtrace report " GRT_DEFAULT_FILE :
				is_running ? "sudo grtrace report --live" : "sudo grtrace extract",
				"a session %s: name a file, or take its events with %s",
				is_running ? "runs" : "was stopped and holds events that nobody has read",
				is_running ? "--live" : "extract");
	r->trace.nr_files = 1;
	r->trace.files = default_file;
	if (has_file)
		return 0;
	return grt_fail(ENOENT, "sudo grtrace record",
			"no file named, no '%s' here and no session to read", GRT_DEFAULT_FILE);
}

/* The options and files that hints repeat.  A pipe cannot be read twice, so no hint names one. */
static void set_again(struct report *r)
{
	if (!r->trace.nr_files)
		return;
	select_given(&r->again, r->trace.select);
	if (r->is_all_time)
		grt_shell_plain(&r->again, " --all-time");
	for (int i = 0; i < r->trace.nr_files; i++) {
		struct stat st;

		if (!strcmp(r->trace.files[i], "-") || stat(r->trace.files[i], &st) || !S_ISREG(st.st_mode))
			return;
		grt_shell_file(&r->again, r->trace.files[i]);
		grt_shell_file(&r->again_files, r->trace.files[i]);
	}
	r->trace.out.again = grt_shell_text(&r->again);
	r->trace.out.files = grt_shell_text(&r->again_files);
}

/* Prints a job as soon as it is known. */
static int show_job(void *arg, const struct grt_job *job)
{
	struct report *r = arg;

	if (ferror(stdout))
		return 1;
	if (r->shown >= r->limit)
		return 0;
	r->sink->job(&r->trace.out, job);
	r->shown++;
	r->shown_ns = grt_job_last_ns(job);
	return 0;
}

static int read_it(struct report *r)
{
	struct trace *t = &r->trace;
	bool follows = r->is_live && r->has_jobs && !r->has_events && !t->why &&
		       !grt_window_is_given(&t->select->window) && grt_control_is_running() == 1;
	int err = 0;

	trace_begin_out(t);
	if (r->has_jobs) {
		t->show = show_job;
		t->arg = r;
	}
	if (follows)
		return report_follow(r);
	if (r->is_live)
		err = report_fetch(r);
	if (err)
		return err;
	if (r->has_events)
		return report_events(r);
	set_again(r);
	return r->has_frames ? report_frames(r) : r->has_memory ? report_memory(r) : trace_read(t);
}

static int report(struct report *r)
{
	uint64_t begin_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	int err;

	if (report_has_traces(r)) {
		err = report_traces(r);
		return err ? trace_failure(err) : GRT_EXIT_OK;
	}
	err = read_it(r);
	r->trace.out.cost.own_ns = grt_snapshot_now(CLOCK_MONOTONIC) - begin_ns;
	if (err)
		return trace_failure(err);
	return r->has_events || r->has_frames || r->has_memory ? GRT_EXIT_OK : report_print(r);
}

static int set_hist(struct report *r, const char *text)
{
	static const struct {
		const char *name;
		enum grt_table_choice table;
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
		r->trace.out.tables |= 1u << kinds[i].table;
		text += len;
	} while (*text++ == ',');
	return 0;
}

static int set_stacks(struct report *r, const struct typed *t)
{
	const uint32_t own = 1u << GRT_TABLE_STACKS;
	int weight = grt_stack_weight_find(t->stacks);

	if (weight < 0)
		return grt_fail(EINVAL, "jobs, gpu or wait", "no weight '%.32s'", t->stacks);
	r->trace.out.stack_weight = weight;
	r->trace.out.tables |= own;
	if (r->has_jobs || t->why || (r->sink == &grt_job_text && (r->trace.out.groups || r->trace.out.tables != own)))
		return grt_fail(EINVAL, "leave them out; -f csv and -f json print other tables, too",
				"--stacks prints lines for other programs, and nothing beside them");
	return 0;
}

static int set_why(struct report *r, const char *text)
{
	uint64_t ctx, seqno;
	int err = select_parse_job(text, &ctx, &seqno);

	if (err)
		return err;
	r->trace.why = grt_why_create(ctx, seqno);
	return r->trace.why ? 0 : -ENOMEM;
}

static void set_tables(struct report *r, const struct typed *t)
{
	bool has_worst;

	for (int i = 0; i < GRT_NR_GROUPS; i++)
		r->trace.out.groups |= (uint32_t)t->groups[i] << i;
	r->trace.out.tables |= t->has_idle << GRT_TABLE_IDLE | t->has_blame << GRT_TABLE_BLAME | t->has_roots << GRT_TABLE_ROOTS |
			 t->has_overhead << GRT_TABLE_OVERHEAD;
	if (t->groups[GRT_BY_POD])
		r->trace.out.tables |= t->has_blame << GRT_TABLE_OWNER_BLAME | t->has_roots << GRT_TABLE_OWNER_ROOTS;
	if (t->has_steps) {
		r->trace.out.tables |= 1u << GRT_TABLE_STEPS;
		r->trace.wants.step_ns = t->step_ns == UINT64_MAX ? SECOND_NS : t->step_ns;
		r->trace.wants.has_step_processes = t->groups[GRT_BY_PROCESS];
		r->trace.out.groups &= ~(1u << GRT_BY_PROCESS);
	}
	/* With blame and idle alone, --topn is the number of their rows. */
	if (t->top && (r->trace.out.groups || r->trace.out.tables & ~(1u << GRT_TABLE_IDLE | 1u << GRT_TABLE_BLAME |
							  1u << GRT_TABLE_ROOTS)))
		r->trace.out.tables |= 1u << GRT_TABLE_WORST;
	has_worst = r->trace.out.tables >> GRT_TABLE_WORST & 1;
	r->trace.out.top = t->top;
	r->trace.out.has_span = grt_window_is_given(&r->trace.select->window);
	r->trace.wants.groups = r->trace.out.groups;
	/* Work out quantiles only where they are printed: they cost the most. */
	r->trace.wants.has_quantiles = r->trace.out.groups || r->sink != &grt_job_text ||
				 r->trace.out.tables >> GRT_TABLE_LATENCY & 1;
	r->trace.wants.has_last_events = grt_out_is_screen(&r->trace.out) && r->sink == &grt_job_text &&
					 !r->has_jobs;
	r->trace.wants.has_blame = grt_out_is_screen(&r->trace.out) || t->has_blame || has_worst;
	r->trace.wants.skips_bounds = r->sink != &grt_job_text;
	r->trace.wants.has_long_jobs = grt_out_is_screen(&r->trace.out);
	r->trace.wants.has_roots = t->has_roots || t->has_steps;
	r->trace.wants.has_labels = (r->trace.select->filter && grt_filter_uses_labels(r->trace.select->filter)) ||
			      t->has_overhead ||
			      (grt_out_is_screen(&r->trace.out) && r->sink == &grt_job_json);
	r->trace.wants.has_stacks = t->stacks;
	r->trace.wants.has_sizes = t->has_overhead || r->trace.out.tables >> GRT_TABLE_SIZE & 1;
	if (!r->has_jobs && (has_worst || grt_out_is_screen(&r->trace.out)))
		r->trace.wants.max_worst = r->limit == UINT64_MAX ? (t->top ? t->top : DEFAULT_WORST) :
				     r->limit < GRT_SUMMARY_MAX_WORST ? r->limit :
				     GRT_SUMMARY_MAX_WORST;
}

static int apply(struct report *r, const struct typed *t)
{
	int err = select_apply(r->trace.select);

	r->sink = grt_job_sink_find(t->format);
	if (!err && !r->sink)
		err = -EINVAL;
	if (!err && t->hist)
		err = set_hist(r, t->hist);
	if (!err && t->why)
		err = set_why(r, t->why);
	if (!err && !t->step_ns)
		err = grt_fail(EINVAL, "--step 100ms", "a step of no time");
	r->trace.select->window.skips_incomplete = !t->is_all_time;
	r->is_all_time = t->is_all_time;
	grt_late_is_told = !r->has_events;
	r->trace.wants.query = r->trace.select->query;
	r->trace.wants.rules = &r->trace.select->rules;
	if (!err)
		set_tables(r, t);
	if (!err && t->stacks)
		err = set_stacks(r, t);
	r->has_frames |= r->has_displays;
	if (!err)
		err = report_frames_check(r);
	return err ? err : report_memory_check(r);
}

/* --html FILE is export --to html, which has all tables. */
static int report_html(struct report *r, const struct typed *t)
{
	struct export e = {
		.format = grt_export_format_find("html"), .select = r->trace.select,
		.nr_files = r->trace.nr_files, .files = r->trace.files,
		.output = t->html, .is_all_time = r->is_all_time,
	};

	if (r->has_jobs || r->has_events || r->has_frames || r->has_memory || r->is_live || r->trace.why ||
	    r->trace.out.groups || r->trace.out.tables || r->sink != &grt_job_text) {
		grt_fail(EINVAL, "grtrace export --to html", "--html is a page with all tables; it takes only filters");
		return grt_print_usage("report");
	}
	return export_run(&e);
}

/* --events is about the whole trace: it takes no filter of jobs, and no table of jobs. */
static bool is_mixed(struct report *r)
{
	struct grt_shell given = { .at = 0 };
	uint64_t session = r->trace.select->session;

	r->trace.select->session = 0;		/* it chooses streams, not jobs */
	select_given(&given, r->trace.select);
	r->trace.select->session = session;
	return given.at || r->has_jobs || r->trace.why || r->trace.out.groups || r->trace.out.tables;
}

static int run(struct report *r, const struct typed *t, int argc, char **argv)
{
	char **files = calloc(argc + 1, sizeof(*files));
	int err = 0, code;

	if (!files)
		return grt_print_failure(grt_fail_memory());
	r->trace.files = files;
	if (t->input)
		files[r->trace.nr_files++] = (char *)t->input;
	for (int i = 0; i < argc; i++)
		files[r->trace.nr_files++] = argv[i];
	if (r->has_events && is_mixed(r))
		err = grt_fail(EINVAL, NULL, "--events is of the whole trace, without other tables and filters");
	else if (r->is_live && r->trace.nr_files)
		err = grt_fail(EINVAL, NULL, "either --live or a file, not both");
	else if (r->live_file && !r->is_live)
		err = grt_fail(EINVAL, NULL, "--output is for what --live takes, which is missing");
	else if (!r->is_live && !r->trace.nr_files)
		err = choose_default(r);
	if (!err && t->html)
		code = report_html(r, t);
	else if (!err)
		code = report(r);
	else
		code = err == -EINVAL ? grt_print_usage("report") : grt_print_failure(err);
	free(files);
	return code;
}

int cmd_report(int argc, char **argv)
{
	struct select select = { .query = { .pid = 0 } };
	struct report r = { .limit = UINT64_MAX, .trace.select = &select };
	struct typed t = { .format = "text", .step_ns = UINT64_MAX };
	const struct grt_option options[] = {
		OPT_STRING('i', "input", &t.input, "FILE",
			   "the trace; " GRT_DEFAULT_FILE " by default"),
		OPT_BOOL('l', "live", &r.is_live,
			 "take what the session holds out of its buffers, and keep it in a file"),
		OPT_STRING('o', "output", &r.live_file, "FILE",
			   "the file for --live; live.grt by default, or live-2.grt and so on"),
		OPT_STRING(0, "html", &t.html, "FILE",
			   "write all of it as a page for a browser, with a picture, as export --to html"),
		OPT_STRING('f', "format", &t.format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL('j', "jobs", &r.has_jobs, "a row per job; with --live, as soon as the job is over"),
		OPT_BOOL('E', "events", &r.has_events,
			 "the types of events in the trace, how many, and their fields"),
		OPT_STRING('w', "why", &t.why, "CTX:SEQNO", "what this job waited for, and why"),
		OPT_BOOL(0, "steps", &r.trace.out.has_steps,
			 "with --why: each step of this job, and of the jobs that it waited for"),
		OPT_BOOL(0, "per-ring", &t.groups[GRT_BY_RING], "every stage, per ring"),
		OPT_BOOL(0, "per-device", &t.groups[GRT_BY_DEVICE], "the same per GPU"),
		OPT_BOOL(0, "per-engine", &t.groups[GRT_BY_ENGINE], "per kind of engine"),
		OPT_BOOL(0, "per-process", &t.groups[GRT_BY_PROCESS], "per process"),
		OPT_BOOL(0, "per-cgroup", &t.groups[GRT_BY_CGROUP], "per cgroup of the processes"),
		OPT_BOOL(0, "per-pod", &t.groups[GRT_BY_POD],
			 "per pod, or per Slurm job, container or unit outside of pods; with --blame and --roots, between them"),
		OPT_BOOL(0, "per-client", &t.groups[GRT_BY_CLIENT], "per open file of a process"),
		OPT_BOOL(0, "per-ctx", &t.groups[GRT_BY_CTX], "per fence context"),
		OPT_BOOL(0, "per-second", &t.has_steps,
			 "what rings did in each second, and the jobs that completed; also per process"),
		OPT_NS(0, "step", &t.step_ns, "the same for steps of TIME"),
		OPT_BOOL(0, "idle", &t.has_idle, "who rings were idle for"),
		OPT_BOOL(0, "blame", &t.has_blame, "who waited for whom, all of it"),
		OPT_BOOL(0, "roots", &t.has_roots,
			 "who waited for whom in the end: waits, followed to what really happened then"),
		OPT_STRING(0, "hist", &t.hist, "KINDS", "histograms: lat, size, result; commas between"),
		OPT_STRING(0, "stacks", &t.stacks, "WEIGHT",
			   "by call stack, as lines for flame graphs: jobs, gpu or wait"),
		OPT_BOOL(0, "frames", &r.has_frames,
			 "which frames of a process were late, and because of what"),
		OPT_BOOL(0, "displays", &r.has_displays,
			 "how often each display refreshes, and which clients missed a vertical blank"),
		OPT_STRING(0, "frame-mark", &r.frame_mark, "REGEX",
			   "with --frames: a mark or an event with such a text begins a frame"),
		OPT_STRING(0, "refresh", &r.refresh, "HZ",
			   "with --frames: how often the display refreshes; the trace says by default"),
		OPT_BOOL(0, "memory", &r.has_memory,
			 "which memory of GPUs is live, moves, and may leak"),
		OPT_BOOL(0, "overhead", &t.has_overhead, "rates, drops, rules, and what it cost"),
		OPT_U64('t', "topn", &t.top, "N",
			"N rows of the worst jobs, of blame and of idle, also beside other tables"),
		OPT_U64(0, "topN", &t.top, "N", "the same"),
		OPT_U64('n', "limit", &r.limit, "N", "N jobs with --jobs, else the N worst; 3 by default"),
		OPT_BOOL(0, "all-time", &t.is_all_time,
			 "also the beginning of a trace where events of some CPUs were overwritten"),
		SELECT_OPTIONS(&select),
		OPT_BOOL(0, "csv-safe", &grt_csv_is_safe,
			 "CSV for a spreadsheet: ' before texts that begin with = + - or @"),
		OPT_STRING(0, "na", &r.trace.out.na, "TEXT", "the text for unknown values"),
		OPT_END()
	};
	int code;

	argc = grt_parse_options(argc, argv, options, "report [options] [FILE...]");
	t.has_steps |= t.step_ns != UINT64_MAX;
	code = apply(&r, &t) ? grt_print_usage("report") : run(&r, &t, argc, argv);
	trace_close(&r.trace);
	select_free(&select);
	return code;
}
