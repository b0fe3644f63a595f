// SPDX-License-Identifier: GPL-2.0
/* grtrace monitor: the events of the scheduler, of a driver or of displays as they come, and statistics. */
#include "monitor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "colour.h"
#include "commands.h"
#include "follow.h"
#include "job_words.h"
#include "model.h"
#include "monitor_nvidia.h"
#include "monitor_sink.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "sources.h"
#include "stream.h"
#include "terminal.h"
#include "trace.h"

#define LEAST_INTERVAL_NS	100000000
#define MANY			512	/* records, until the time is looked at */
#define REST_NS			2000000000ull	/* to read what a source has when it was stopped */
#define PIPE_WIDTH		80	/* where there is no terminal */

static volatile sig_atomic_t is_ended;

static void end_it(int signal)
{
	(void)signal;
	is_ended++;
}

static void catch_signals(void)
{
	const struct sigaction end = { .sa_handler = end_it };	/* no SA_RESTART */

	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
}

struct run {
	uint64_t interval_ns;
	bool is_quiet;
	struct follow follow;
	struct grt_monitor monitor;
	struct grt_monitor_out out;
	uint64_t lap_ns, due_ns;	/* the lap's begin and end; 0: it has not begun */
};

/* --- printing --- */

static int show(void *arg, const struct grt_monitor_row *row)
{
	struct run *r = arg;

	grt_monitor_print_row(&r->out, &r->monitor, row);
	return 0;
}

static void print_stats(struct run *r, uint64_t lap_ns)
{
	const struct grt_model_totals *totals = grt_model_totals(r->follow.replay.model);

	r->out.lost = grt_lost_events(totals);
	r->out.left_out = grt_left_out_events(totals);
	r->out.uncounted = grt_losses_uncounted(totals);
	r->out.has_deps = grt_model_has_deps(r->follow.replay.model);
	grt_monitor_print_stats(&r->out, &r->monitor, lap_ns);
}

static int end_lap(struct run *r, uint64_t now_ns)
{
	int err = grt_monitor_end_lap(&r->monitor);

	if (err)
		return err;
	print_stats(r, now_ns - r->lap_ns);
	r->lap_ns = now_ns;
	return grt_monitor_begin_lap(&r->monitor);
}

/* The last interval is shorter than the others. */
static void print_last_lap(struct run *r)
{
	uint64_t now_ns = r->follow.is_file ? r->monitor.now_ns : grt_snapshot_now(CLOCK_MONOTONIC);

	if (r->interval_ns && r->due_ns)
		print_stats(r, now_ns > r->lap_ns ? now_ns - r->lap_ns : 1);
}

/* In a file, time is that of its events: the interval is over with the first event behind it. */
static int look_at_time(struct run *r, uint64_t now_ns)
{
	uint64_t end_ns;

	if (!r->interval_ns || !now_ns)
		return 0;
	if (!r->due_ns) {
		r->lap_ns = now_ns;
		r->due_ns = grt_time_after(now_ns, r->interval_ns);
	}
	if (now_ns < r->due_ns || r->due_ns == UINT64_MAX)
		return 0;
	end_ns = r->due_ns + (now_ns - r->due_ns) / r->interval_ns * r->interval_ns;
	r->due_ns = grt_time_after(end_ns, r->interval_ns);
	return end_lap(r, end_ns);
}

/* --- reading --- */

static int begin_pass(void *arg, struct grt_model *model)
{
	struct run *r = arg;

	r->monitor.with_synthetic = r->follow.replay.with_synthetic;
	r->monitor.skips_bounds = r->out.is_json;
	return grt_monitor_begin(&r->monitor, model);
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct run *r = arg;
	int err = 0;

	if (r->follow.is_file && rec->type < GRTRACE_NR_EVENTS)
		err = look_at_time(r, rec->ts);
	return err ? err : grt_monitor_record(&r->monitor, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	return grt_monitor_job(&((struct run *)arg)->monitor, job);
}

static int end_pass(void *arg)
{
	return grt_monitor_end(&((struct run *)arg)->monitor);
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .end = end_pass,
};

/* No event came for a moment: what is over is over. */
static int pass(struct run *r)
{
	uint64_t safe_ns = grt_stream_safe_ns(r->follow.stream);

	grt_model_pass(r->follow.replay.model, safe_ns);
	return grt_monitor_pass(&r->monitor, safe_ns);
}

/* Reads for a moment.  1; 0 at the end; -EAGAIN: nothing comes now; another -errno with a cause. */
static int read_on(struct run *r)
{
	int got = follow_look(&r->follow), err = 0;

	if (got)
		return got;
	got = 1;
	for (int i = 0; i < MANY && got == 1; i++)
		got = follow_next(&r->follow);
	if (r->follow.is_file || (got < 0 && got != -EAGAIN && got != -EINTR) || !got)
		return got;
	grt_model_forget_losses(r->follow.replay.model);
	if (got == -EAGAIN)
		err = pass(r);
	if (!err)
		err = look_at_time(r, grt_snapshot_now(CLOCK_MONOTONIC));
	fflush(stdout);
	return err ? err : got == -EINTR ? 1 : got;
}

/* The stream holds back events until all CPUs have come so far.  Now it gives them: no earlier ones will come. */
static int show_what_came(struct run *r)
{
	uint64_t until_ns = grt_snapshot_now(CLOCK_MONOTONIC) + REST_NS;
	int got;

	grt_stream_wait_no_more(r->follow.stream);
	do
		got = read_on(r);
	while (got == 1 && grt_snapshot_now(CLOCK_MONOTONIC) < until_ns);
	return got == 1 ? grt_replay_end(&r->follow.replay) : got;
}

/*
 * The user ends it: what was recorded until now counts.  The recorder at the other end of a pipe often
 * ends with the same Ctrl-C; a second one ends at once.
 */
static int read_rest(struct run *r)
{
	uint64_t until_ns = grt_snapshot_now(CLOCK_MONOTONIC) + REST_NS;
	int got = follow_stop(&r->follow);

	if (got)
		return got;
	do
		got = read_on(r);
	while ((got == 1 || got == -EAGAIN) && is_ended < 2 && grt_snapshot_now(CLOCK_MONOTONIC) < until_ns);
	if (got == 1 || got == -EAGAIN)
		return show_what_came(r);
	return got;
}

static int run(struct run *r)
{
	int err = follow_open(&r->follow), got = 1;

	if (err)
		return err;
	catch_signals();
	err = grt_replay_begin(&r->follow.replay, r->follow.stream);
	if (err)
		return err;
	if (!r->is_quiet)
		grt_monitor_print_header(&r->out);
	while ((got == 1 || got == -EAGAIN) && !is_ended && !ferror(stdout))
		got = read_on(r);
	if (got < 0 && got != -EAGAIN)
		return got;
	err = got ? read_rest(r) : 0;
	if (err)
		return err;
	print_last_lap(r);
	print_stats(r, 0);
	return 0;
}

/* --- options --- */

/* True: @word names what to monitor. */
static bool find_kind(enum grt_monitor_kind *kind, const char *word)
{
	for (int i = 0; i < GRT_NR_MONITOR_KINDS; i++) {
		if (strcmp(word, grt_monitor_abouts[i].name) != 0)
			continue;
		*kind = i;
		return true;
	}
	return false;
}

/* Its driver has no events that a trace could have. */
static bool is_nvidia(const char *word)
{
	return !strcmp(word, "nvidia");
}

static int check(struct run *r, int operands, char **argv, const struct grt_option *options)
{
	if (!operands)
		return grt_usage(options, "monitor what? drm, i915, amdgpu, vblank or nvidia");
	if (!is_nvidia(argv[0]) && !find_kind(&r->monitor.kind, argv[0]))
		return grt_usage(options, "cannot monitor '%s'; drm, i915, amdgpu, vblank or nvidia", argv[0]);
	if (is_nvidia(argv[0]) && (operands > 1 || r->follow.source))
		return grt_usage(options, "nvidia probes functions of the driver: it has no file and no --source");
	if (operands > 2)
		return grt_usage(options, "monitor shows one file");
	if (r->interval_ns && r->interval_ns < LEAST_INTERVAL_NS)
		return grt_usage(options, "--interval is 100ms or more");
	if (r->follow.source && operands == 2)
		return grt_usage(options, "either --source or a file, not both");
	return 0;
}

static const char usage[] =
	"monitor [options] drm|i915|amdgpu|vblank [FILE | -]\n"
	"       grtrace monitor [options] nvidia\n"
	"\n"
#define GRT_X(NAME, name, title, driver, parts, text) "  " #name ": " text "\n"
	GRT_MONITOR_KINDS(GRT_X)
#undef GRT_X
	"  nvidia: " MONITOR_NVIDIA_TEXT "\n"
	"\n"
	"Ctrl-C ends it, and prints the statistics of all.  - reads a stream, like that of\n"
	"grtrace record --live.";

int cmd_monitor(int argc, char **argv)
{
	struct run r = { .follow = { .ops = &ops }, .monitor = { .show = show }, .out = { .file = stdout } };
	const struct grt_option options[] = {
		OPT_SOURCE(&r.follow.source),
		OPT_NS('i', "interval", &r.interval_ns, "print statistics of each TIME, too"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "only statistics, no row per event"),
		OPT_BOOL(0, "json", &r.out.is_json, "a line with an object for each row and for the statistics"),
		OPT_END()
	};
	int code, err;

	r.follow.arg = r.monitor.arg = &r;
	argc = grt_parse_options(argc, argv, options, usage);
	code = check(&r, argc, argv, options);
	if (code)
		return code;
	if (is_nvidia(argv[0])) {
		catch_signals();
		return monitor_nvidia(&(struct monitor_nvidia_options){
			.interval_ns = r.interval_ns, .is_quiet = r.is_quiet, .is_json = r.out.is_json,
			.is_ended = &is_ended,
		});
	}
	r.follow.file = argc == 2 ? argv[1] : NULL;
	r.monitor.has_rows = !r.is_quiet;
	r.monitor.has_laps = r.interval_ns;
	r.out.has_colour = grt_may_colour(STDOUT_FILENO);
	r.out.width = grt_terminal_width(STDOUT_FILENO);
	if (!r.out.width)
		r.out.width = PIPE_WIDTH;
	if (!r.follow.file)
		code = follow_choose(&r.follow);
	if (code)
		return code;
	err = run(&r);
	grt_monitor_free(&r.monitor);
	follow_close(&r.follow);
	return err ? trace_failure(err) : GRT_EXIT_OK;
}
