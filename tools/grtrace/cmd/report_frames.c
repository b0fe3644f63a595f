// SPDX-License-Identifier: GPL-2.0
/* report --frames: the frames of a process, which were late, and because of what. */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "error.h"
#include "frames_sink.h"
#include "number.h"
#include "report.h"
#include "stream.h"

#define DEFAULT_WORST	5

struct frames {
	struct report *report;
	const struct grt_frames_sink *sink;
	struct grt_frames frames;
	struct grt_summary_wants wants;
	regex_t mark;
	bool has_mark;
};

static int begin_pass(void *arg, struct grt_model *model)
{
	struct frames *f = arg;
	struct trace *t = &f->report->trace;
	int err;

	f->wants.query.with_synthetic = f->frames.wants.with_synthetic = t->replay.with_synthetic;
	grt_summary_free(&t->summary);
	err = grt_summary_init(&t->summary, model, &f->wants);
	if (!err)
		err = grt_frames_begin(&f->frames, model);
	if (!err && f->frames.has_learnt)
		f->sink->begin(&t->out, &f->frames);
	return err;
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct frames *f = arg;

	return grt_frames_record(&f->frames, rec);
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct frames *f = arg;
	bool is_wanted;
	int err = grt_frames_job(&f->frames, job);

	return err ? err : grt_summary_add(&f->report->trace.summary, job, &is_wanted);
}

static int early(void *arg, const struct grt_job *job)
{
	return grt_frames_early(&((struct frames *)arg)->frames, job);
}

static int end_pass(void *arg)
{
	struct frames *f = arg;
	struct trace *t = &f->report->trace;
	int err = grt_frames_end(&f->frames);

	t->out.unknown_events = grt_stream_stats(t->stream)->unknown_events;
	return err ? err : grt_summary_close(&t->summary);
}

static bool wants_more(void *arg)
{
	struct frames *f = arg;

	return grt_frames_wants_more(&f->frames);
}

static int add_frame(void *arg, const struct grt_frame *frame)
{
	struct frames *f = arg;

	f->sink->row(&f->report->trace.out, &f->frames, frame);
	return 0;
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .early = early, .end = end_pass,
	.wants_more = wants_more,
};

/* "60", "59.94": a display refreshes between once and ten thousand times a second. */
static int parse_refresh(const char *text, uint64_t *refresh_ns)
{
	char *end;
	double hz = strtod(text, &end);

	if (end == text || *end || !(hz >= 1 && hz <= 10000))
		return grt_fail(EINVAL, "a number of Hz, like 60 or 59.94", "'%.32s' is no refresh rate", text);
	*refresh_ns = 1e9 / hz + 0.5;
	return 0;
}

static int parse_mark(const char *text, regex_t *mark)
{
	char why[128];
	int err = regcomp(mark, text, REG_EXTENDED | REG_NOSUB);

	if (!err)
		return 0;
	regerror(err, mark, why, sizeof(why));
	return grt_fail(EINVAL, "an extended regular expression, like 'End Present'",
			"--frame-mark '%.64s': %s", text, why);
}

static int set_wants(struct frames *f)
{
	struct report *r = f->report;
	const struct grt_query *query = &r->trace.wants.query;
	int err = 0;

	f->frames.wants = (struct grt_frames_wants){
		.pid = query->pid, .comm = query->comm, .with_synthetic = query->with_synthetic,
		.per_process = r->trace.out.groups, .with_displays = r->has_displays,
		.window = &r->trace.window,
		.max_worst = r->limit != UINT64_MAX ? (r->limit < GRT_FRAMES_MAX_WORST ? r->limit :
						       GRT_FRAMES_MAX_WORST) : DEFAULT_WORST,
		.frame = f->sink->row && !r->has_displays ? add_frame : NULL, .arg = f,
	};
	if (!query->pid && !query->comm && !r->trace.select->is_all)
		f->frames.wants.pid = r->trace.info.focus_pid;
	if (r->refresh)
		err = parse_refresh(r->refresh, &f->frames.wants.refresh_ns);
	if (err || !r->frame_mark)
		return err;
	err = parse_mark(r->frame_mark, &f->mark);
	f->has_mark = !err;
	f->frames.wants.mark = &f->mark;
	return err;
}

/* Parses them before the trace is read, because what is wrong with them is wrong usage. */
static int check_values(const struct report *r)
{
	uint64_t refresh_ns;
	regex_t mark;
	int err = r->refresh ? parse_refresh(r->refresh, &refresh_ns) : 0;

	if (err || !r->frame_mark)
		return err;
	err = parse_mark(r->frame_mark, &mark);
	if (!err)
		regfree(&mark);
	return err;
}

int report_frames_check(const struct report *r)
{
	const struct grt_query *q = &r->trace.select->query;
	const uint32_t processes = 1u << GRT_BY_PROCESS;

	if (r->has_displays && (r->frame_mark || r->refresh || r->trace.out.groups || q->pid || q->comm))
		return grt_fail(EINVAL, "report --frames has frames and displays",
				"--displays is of the whole machine, without processes and frames");
	if (!r->has_frames && (r->frame_mark || r->refresh))
		return grt_fail(EINVAL, "report --frames", "--frame-mark and --refresh are for --frames");
	if (!r->has_frames)
		return 0;
	if (r->has_jobs || r->has_events || r->trace.why || r->trace.out.tables ||
	    r->trace.out.groups & ~processes)
		return grt_fail(EINVAL, "leave the others out", "--frames prints no other tables but --per-process");
	if (q->ring || q->engines || q->filter || q->slower_ns)
		return grt_fail(EINVAL, "-p and -c choose a process, --since and --until a time",
				"--frames is of whole processes, without other filters of jobs");
	return check_values(r);
}

static int run(struct frames *f)
{
	const struct report *r = f->report;
	struct trace *t = &f->report->trace;
	int err = set_wants(f);

	t->window = t->select->window;
	t->replay = (struct grt_replay){
		.ops = &ops, .arg = f, .window = &t->window,
		.keeps_pieces = true, .watches_events = true,
		.with_synthetic = t->wants.query.with_synthetic,
	};
	if (!err)
		err = grt_replay_run(&t->replay, t->stream);
	if (err)
		return err;
	grt_roots_warn(&f->frames.roots);
	if (f->report->sink != &grt_job_text)
		report_warn_of_losses(f->report);
	if (r->has_displays && f->report->sink != &grt_job_text && !f->frames.crtcs.count)
		grt_warn(NULL, "no vertical blanks in this trace");
	else if (!r->has_displays && f->report->sink != &grt_job_text && !grt_frames_count(&f->frames))
		grt_warn(NULL, "no frames in this trace, or none of this process");
	f->sink->end(&t->out, &f->frames);
	return 0;
}

int report_frames(struct report *r)
{
	struct frames f = { .report = r, .sink = grt_frames_sink_of(r->sink) };
	int err = trace_open(&r->trace);

	f.wants.query.with_synthetic = r->trace.wants.query.with_synthetic;
	if (!err)
		err = run(&f);
	grt_frames_free(&f.frames);
	if (f.has_mark)
		regfree(&f.mark);
	return err;
}
