// SPDX-License-Identifier: GPL-2.0
/* grtrace timeline: what the rings did, as a picture in the terminal. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "error.h"
#include "frames.h"
#include "job_words.h"
#include "lanes_sink.h"
#include "model.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "stream.h"
#include "timeline_list.h"
#include "trace.h"

struct timeline {
	struct trace trace;
	struct grt_summary_wants wants;
	struct grt_lanes lanes;
	struct grt_job_lanes job;
	bool has_job;			/* --around */
	struct grt_tracks tracks;
	struct grt_frames frames;
	bool has_frames;		/* this pass, and those behind it, make frames */
	uint32_t columns;

	/* The options as they were typed. */
	const char *input, *format;
	uint64_t width;
	bool is_ascii, has_latencies, has_list, is_all_time;
	bool lacks_ring;		/* the trace has no ring like the one asked for */
};

/* The first pass finds out whether there are frames.  A last one makes them. */
static bool uses_frames(const struct timeline *tl)
{
	return !tl->frames.has_learnt || tl->has_frames;
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct timeline *tl = arg;
	struct trace *t = &tl->trace;
	int err;

	tl->wants.query.with_synthetic = t->replay.with_synthetic;
	tl->wants.query.window = &t->window;
	grt_summary_free(&t->summary);
	err = grt_summary_init(&t->summary, model, &tl->wants);
	if (!err)
		err = grt_lanes_begin(&tl->lanes, model, &t->window, &t->select->query, tl->columns);
	if (!err && tl->has_job)
		grt_job_lanes_begin(&tl->job, &tl->lanes);
	if (!err)
		err = grt_tracks_begin(&tl->tracks, &tl->lanes);
	if (!err && uses_frames(tl))
		err = grt_frames_begin(&tl->frames, model);
	return err;
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct timeline *tl = arg;
	int err = grt_tracks_record(&tl->tracks, rec);

	if (!err)
		err = grt_summary_record(&tl->trace.summary, rec);
	return err || !uses_frames(tl) ? err : grt_frames_record(&tl->frames, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct timeline *tl = arg;
	bool is_wanted;
	int err = grt_summary_add(&tl->trace.summary, job, &is_wanted);

	if (!err && uses_frames(tl))
		err = grt_frames_job(&tl->frames, job);
	if (err || (job->flags & GRT_JOB_SYNTHETIC && !tl->trace.replay.with_synthetic))
		return err;
	if (tl->has_job)
		err = grt_job_lanes_add(&tl->job, job);
	return err || grt_query_is_outside(&tl->wants.query, job) ? err : grt_lanes_add(&tl->lanes, job);
}

static int early(void *arg, const struct grt_job *job)
{
	struct timeline *tl = arg;

	return uses_frames(tl) ? grt_frames_early(&tl->frames, job) : 0;
}

static int end_pass(void *arg)
{
	struct timeline *tl = arg;
	struct trace *t = &tl->trace;
	int err = uses_frames(tl) ? grt_frames_end(&tl->frames) : 0;

	grt_lanes_close(&tl->lanes);
	grt_tracks_close(&tl->tracks);
	t->out.unknown_events = grt_stream_stats(t->stream)->unknown_events;
	return err ? err : grt_summary_close(&t->summary);
}

/*
 * Frames that the trace tells of.  Those that only pauses between SUBMITs would show may be none.
 */
static bool finds_frames(const struct timeline *tl)
{
	return !tl->has_frames && grt_frames_count(&tl->frames) &&
	       grt_frames_at(&tl->frames, 0)->source != GRT_FRAME_BY_JOBS;
}

static bool wants_more(void *arg)
{
	struct timeline *tl = arg;
	bool wants_jobs = tl->has_job && grt_job_lanes_wants_more(&tl->job);
	bool wants_frames = finds_frames(tl);

	tl->has_frames |= wants_frames;
	tl->trace.replay.keeps_pieces |= wants_frames;
	return wants_jobs || wants_frames;
}

static int add_frame(void *arg, const struct grt_frame *frame)
{
	grt_tracks_frame(&((struct timeline *)arg)->tracks, frame);
	return 0;
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .early = early, .end = end_pass,
	.wants_more = wants_more,
};

/* Text says it in its legend. */
static void warn_of_rest(const struct grt_lanes *l)
{
	if (l->more_rings)
		grt_warn("choose rings with --ring", "%" PRIu64 " more %s left out: there is room for %d", l->more_rings,
			 grt_plural(l->more_rings, "ring is", "rings are"), GRT_LANES_MAX);
	if (l->is_full)
		grt_warn("a part of the time with --since and --until",
			 "pid and idle_for are empty in some rows: there is no room for so many processes and jobs");
}

static int print(struct timeline *tl)
{
	const struct grt_lanes_out out = {
		.out = &tl->trace.out, .lanes = &tl->lanes, .job = tl->has_job ? &tl->job : NULL,
		.tracks = &tl->tracks,
	};

	if (!strcmp(tl->format, "csv")) {
		grt_lanes_csv(&out);
		warn_of_rest(&tl->lanes);
		return 0;
	}
	grt_headline(&tl->trace.out);
	if (!tl->trace.summary.all.jobs) {
		grt_say_no_jobs(&tl->trace.out);
		return 0;
	}
	return grt_lanes_text(&out);
}

static bool has_no_ring(struct timeline *tl)
{
	tl->lacks_ring = trace_check_ring(&tl->trace);
	return tl->lacks_ring;
}

static int draw(struct timeline *tl)
{
	struct trace *t = &tl->trace;
	int err = trace_open(t);

	if (err)
		return err;
	t->wants.query = tl->wants.query = t->select->query;
	t->window = t->select->window;
	tl->has_job = t->window.around.kind;
	tl->job.ctx = t->window.around.ctx;
	tl->job.seqno = t->window.around.seqno;
	tl->frames.wants = (struct grt_frames_wants){
		.with_synthetic = t->select->query.with_synthetic, .window = &t->window,
		.pid = t->info.focus_pid, .frame = add_frame, .arg = tl,
	};
	t->replay = (struct grt_replay){
		.watches_events = true, .ops = &ops, .arg = tl, .window = &t->window, .is_final = true,
		.keeps_pieces = tl->has_job, .with_synthetic = t->select->query.with_synthetic,
	};
	err = grt_replay_run(&t->replay, t->stream);
	return err || has_no_ring(tl) ? err : print(tl);
}

/* Every stage, per ring and per process. */
static int print_latencies(struct timeline *tl)
{
	struct trace *t = &tl->trace;
	int err;

	t->out.groups = t->wants.groups = 1u << GRT_BY_RING | 1u << GRT_BY_PROCESS;
	t->wants.has_quantiles = true;
	t->wants.query = t->select->query;
	err = trace_read(t);
	if (!err && !has_no_ring(tl))
		grt_job_text.summary(&t->out);
	return err;
}

static int run(struct timeline *tl, int argc, char **argv)
{
	static char *default_file[] = { GRT_DEFAULT_FILE };
	char *input[] = { (char *)tl->input };
	struct trace *t = &tl->trace;
	int err;

	t->nr_files = argc;
	t->files = argv;
	if (!argc) {
		t->nr_files = 1;
		t->files = tl->input ? input : default_file;
	}
	trace_begin_out(t);
	t->out.is_ascii |= tl->is_ascii;
	t->out.has_span = grt_window_is_given(&t->select->window);
	if (tl->width)
		t->out.width = tl->width;
	if (!t->out.width && !tl->has_latencies)
		t->out.width = GRT_LANES_WIDTH;
	if (!tl->has_latencies && t->out.width < GRT_LANES_MIN_WIDTH)
		t->out.width = GRT_LANES_MIN_WIDTH;
	if (t->out.width > GRT_LANES_MAX_WIDTH)
		t->out.width = GRT_LANES_MAX_WIDTH;
	tl->columns = grt_lanes_columns(t->out.width);
	if (tl->has_list)
		err = timeline_list(t);
	else
		err = tl->has_latencies ? print_latencies(tl) : draw(tl);
	if (tl->lacks_ring)
		return grt_print_failure(-EINVAL), GRT_EXIT_USAGE;
	return err ? trace_failure(err) : GRT_EXIT_OK;
}

static bool is_of_job(const struct grt_window *w)
{
	return w->around.kind || w->since.kind == GRT_MOMENT_JOB || w->until.kind == GRT_MOMENT_JOB;
}

static int check(const struct timeline *tl, int operands)
{
	int err = select_apply(tl->trace.select);

	if (err)
		return err;
	if (strcmp(tl->format, "text") != 0 && strcmp(tl->format, "csv") != 0)
		return grt_fail(EINVAL, "text or csv", "no format '%.32s'", tl->format);
	if (tl->width && (tl->width < GRT_LANES_MIN_WIDTH || tl->width > GRT_LANES_MAX_WIDTH))
		return grt_fail(EINVAL, "--width 160", "a picture is %d to %d cells wide",
				GRT_LANES_MIN_WIDTH, GRT_LANES_MAX_WIDTH);
	if (tl->input && operands)
		return grt_fail(EINVAL, NULL, "either --input or a file, not both");
	if (tl->has_list && (tl->has_latencies || tl->trace.select->query.ring || tl->trace.select->engine ||
			     tl->trace.select->query.with_synthetic || is_of_job(&tl->trace.select->window)))
		return grt_fail(EINVAL, "grtrace dump chooses events", "--list takes no more than --since and --until, "
				"with times");
	if ((tl->has_latencies || tl->has_list) && strcmp(tl->format, "text") != 0)
		return grt_fail(EINVAL, "grtrace report --per-ring -f csv", "--latency-only and --list print text");
	return 0;
}

int cmd_timeline(int argc, char **argv)
{
	struct select s = { .query = { .pid = 0 } };
	struct timeline tl = { .trace.select = &s, .format = "text" };
	const struct grt_option options[] = {
		OPT_STRING('i', "input", &tl.input, "FILE", "the trace; " GRT_DEFAULT_FILE " by default"),
		OPT_STRING(0, "around", &s.around, "CTX:SEQNO",
			   "the life of this job, as much before and after it, and what it waited for"),
		OPT_STRING(0, "since", &s.since, "TIME",
			   "from TIME on: 1.5s after the first event, @904.057, or a job like 401:78-5ms"),
		OPT_STRING(0, "until", &s.until, "TIME", "up to TIME"),
		OPT_BOOL(0, "all-time", &tl.is_all_time,
			 "also the beginning of a trace where events of some CPUs were overwritten"),
		OPT_STRING('r', "ring", &s.query.ring, "RING", "only this ring: name or number"),
		OPT_STRING('e', "engine", &s.engine, "ENGINES",
			   "only rings of these engines: names with commas, or a mask"),
		OPT_U64('w', "width", &tl.width, "N",
			"lines of N cells; by default as wide as the terminal, or 100"),
		OPT_BOOL(0, "ascii", &tl.is_ascii, "signs of ASCII only"),
		OPT_BOOL(0, "latency-only", &tl.has_latencies,
			 "no picture: every stage of jobs, per ring and per process"),
		OPT_BOOL('l', "list", &tl.has_list,
			 "no picture: the events, as merge lists them, with arrows between those of a job"),
		OPT_STRING('f', "format", &tl.format, "NAME",
			   "text, or csv: a row for each cell of the picture; text by default"),
		OPT_BOOL('s', "synthetic", &s.query.with_synthetic,
			 "also jobs that were written by hand through the file emit"),
		OPT_U64(0, "session", &s.session, "ID", "only this session, if raw streams have several"),
		OPT_BOOL(0, "csv-safe", &grt_csv_is_safe,
			 "CSV for a spreadsheet: ' before texts that begin with = + - or @"),
		OPT_END()
	};
	int code;

	argc = grt_parse_options(argc, argv, options, "timeline [options] [FILE...]");
	s.window.skips_incomplete = !tl.is_all_time;
	if (check(&tl, argc)) {
		code = grt_print_usage("timeline");
	} else {
		s.window.skips_incomplete = !tl.is_all_time;
		grt_late_is_told = true;
		code = run(&tl, argc, argv);
	}
	grt_lanes_free(&tl.lanes);
	grt_tracks_free(&tl.tracks);
	grt_frames_free(&tl.frames);
	grt_job_lanes_free(&tl.job);
	trace_close(&tl.trace);
	select_free(&s);
	return code;
}
