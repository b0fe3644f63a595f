// SPDX-License-Identifier: LGPL-2.1
#include "export.h"

#include <errno.h>

#include "error.h"
#include "origin.h"
#include "outfile.h"
#include "stream.h"

#define PROGRESS_RECORDS	65536	/* between two calls of progress() */

static bool needs(const struct grt_export *x, enum grt_export_need need)
{
	return x->format->needs & need;
}

int grt_export_check(const struct grt_export *x)
{
	if (!ferror(x->file))
		return 0;
	if (!errno)
		errno = EIO;
	return grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", x->path);
}

static int watch_ring(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_export *x = arg;

	return x->format->stretch(x, s);
}

/* The span that is written: that of the window, as far as there are events. */
static void set_span(struct grt_export *x)
{
	const struct grt_window *w = &x->window;

	x->from_ns = w->is_narrow && w->from_ns > w->first_ns ? w->from_ns : w->first_ns;
	/* A window ends before to_ns. */
	x->to_ns = w->is_narrow && w->to_ns <= w->last_ns ? w->to_ns - 1 : w->last_ns;
}

/* With frames, the first pass finds out what frames can be known from, and writes nothing. */
static int begin_pass(void *arg, struct grt_model *model)
{
	struct grt_export *x = arg;
	int err;

	x->wants.query.with_synthetic = x->replay.with_synthetic;
	x->wants.query.window = &x->window;
	x->model = model;
	grt_summary_free(&x->summary);
	grt_early_free(&x->early);
	err = grt_summary_init(&x->summary, model, &x->wants);
	if (!err && needs(x, GRT_EXPORT_FRAMES)) {
		x->frames.wants.with_synthetic = x->replay.with_synthetic;
		err = grt_frames_begin(&x->frames, model);
		x->is_writing = x->frames.has_learnt;
	} else {
		x->is_writing = true;
	}
	if (err || !x->is_writing)
		return err;
	set_span(x);
	if (x->replay.earlier)
		x->nr_rings = grt_vec_count(&grt_model_names(x->replay.earlier)->rings, struct grt_ring);
	if (needs(x, GRT_EXPORT_RINGS))
		grt_model_watch_rings(model, watch_ring, x);
	return x->format->begin(x);
}

static void show_progress(struct grt_export *x, uint64_t ns)
{
	if (!x->progress || ++x->since_progress < PROGRESS_RECORDS || x->to_ns <= x->from_ns)
		return;
	x->since_progress = 0;
	if (ns > x->from_ns && ns < x->to_ns)
		x->progress((ns - x->from_ns) / ((x->to_ns - x->from_ns) / 999 + 1));
}

/* Definitions count for any time; a loss counts if a part of it is in the span. */
static bool is_in_span(const struct grt_export *x, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const struct grtrace_loss *)rec;

	/* In a damaged trace, events may be earlier than the first one. */
	if (!x->window.is_narrow)
		return true;
	if (rec->type == GRTRACE_LOSS)
		return loss->from_ns <= x->to_ns && loss->to_ns >= x->from_ns;
	return rec->type >= GRTRACE_STREAM_BASE || needs(x, GRT_EXPORT_OUTSIDE) ||
	       (rec->ts >= x->from_ns && rec->ts <= x->to_ns);
}

/* Writes the early records from before @ns. */
static int add_early(struct grt_export *x, uint64_t ns)
{
	const struct grtrace_hdr *rec;
	int err = 0;

	while (!err && (rec = grt_early_take(&x->early, ns)))
		err = x->format->record(x, rec);
	return err;
}

/* Names hold for the whole trace, whatever their time. */
static bool comes_in_time(const struct grtrace_hdr *rec)
{
	switch (rec->type) {
	case GRTRACE_LOSS:
	case GRTRACE_POLICY:
	case GRTRACE_CLOCK:
	case GRTRACE_STATS:
	case GRTRACE_PEER:
		return true;
	default:
		return rec->type < GRTRACE_STREAM_BASE;
	}
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct grt_export *x = arg;
	int err = needs(x, GRT_EXPORT_FRAMES) ? grt_frames_record(&x->frames, rec) : 0;

	if (!err)
		err = grt_summary_record(&x->summary, rec);
	if (err || !x->is_writing)
		return err;
	show_progress(x, rec->ts);
	if (!x->format->record)
		return 0;
	if (rec->type == GRTRACE_SNAPSHOT || rec->type == GRTRACE_NOTE)
		return grt_early_add(&x->early, rec);
	if (comes_in_time(rec))
		err = add_early(x, rec->ts);
	return !err && is_in_span(x, rec) ? x->format->record(x, rec) : err;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct grt_export *x = arg;
	bool is_wanted;
	int err = grt_summary_add(&x->summary, job, &is_wanted);

	if (!err && needs(x, GRT_EXPORT_FRAMES))
		err = grt_frames_job(&x->frames, job);
	if (err || !is_wanted || !x->is_writing || !x->format->job)
		return err;
	x->jobs++;
	return x->format->job(x, job);
}

static int early(void *arg, const struct grt_job *job)
{
	struct grt_export *x = arg;
	int err = grt_summary_early(&x->summary, job);

	return !err && needs(x, GRT_EXPORT_FRAMES) ? grt_frames_early(&x->frames, job) : err;
}

static int end_pass(void *arg)
{
	struct grt_export *x = arg;
	int err = needs(x, GRT_EXPORT_FRAMES) ? grt_frames_end(&x->frames) : 0;

	/* A raw stream has the kernel's release in its definitions. */
	if (!*x->own_info.kernel)
		grt_origin_find(grt_model_names(x->model)->metadata, "kernel", x->own_info.kernel,
				sizeof(x->own_info.kernel));
	x->out.unknown_events = grt_stream_stats(x->replay.stream)->unknown_events;
	if (!err)
		err = add_early(x, UINT64_MAX);
	if (!err)
		err = grt_summary_close(&x->summary);
	return err || !x->is_writing ? err : x->format->end(x);
}

static bool wants_more(void *arg)
{
	struct grt_export *x = arg;

	return needs(x, GRT_EXPORT_FRAMES) && grt_frames_wants_more(&x->frames);
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .early = early, .end = end_pass,
	.wants_more = wants_more,
};

static int add_frame(void *arg, const struct grt_frame *frame)
{
	struct grt_export *x = arg;

	return x->is_writing ? x->format->frame(x, frame) : 0;
}

static void set_wants(struct grt_export *x, const struct grt_stream *stream)
{
	const struct grt_query *query = &x->wants.query;
	bool has_report = needs(x, GRT_EXPORT_REPORT);

	if (!x->wants.query.pid && x->focus_pid)
		x->wants.query.pid = x->focus_pid;
	x->wants.has_quantiles = x->wants.has_blame = x->wants.has_labels = has_report;
	x->wants.has_sizes = x->wants.has_long_jobs = x->wants.skips_bounds = has_report;
	x->wants.has_last_events = has_report && grt_stream_has(stream, GRTRACE_SNAPSHOT);
	if (has_report)
		x->wants.groups = 1u << GRT_BY_PROCESS;
	x->wants.has_roots = needs(x, GRT_EXPORT_ROOTS);
	if (has_report && !x->wants.max_worst)
		x->wants.max_worst = 3;
	x->frames.wants = (struct grt_frames_wants){
		.pid = query->pid, .comm = query->comm, .per_marker = true,
		.window = &x->window, .max_worst = 5,
		.roots = needs(x, GRT_EXPORT_ROOTS) ? &x->summary.roots : NULL,
		.frame = x->format->frame ? add_frame : NULL, .arg = x,
	};
	x->out.file = x->file;
	x->out.summary = &x->summary;
	x->out.info = x->info;
}

int grt_export_run(struct grt_export *x, struct grt_stream *stream)
{
	x->own_info = *grt_stream_info(stream);
	x->info = &x->own_info;
	set_wants(x, stream);
	x->replay = (struct grt_replay){
		.ops = &ops, .arg = x, .window = &x->window,
		.is_final = !needs(x, GRT_EXPORT_FRAMES),
		.keeps_pieces = needs(x, GRT_EXPORT_ROOTS),
		.watches_events = x->format->needs & (GRT_EXPORT_EVENTS | GRT_EXPORT_FRAMES),
		.with_synthetic = x->wants.query.with_synthetic,
	};
	return grt_replay_run(&x->replay, stream);
}

void grt_export_free(struct grt_export *x)
{
	if (x->state && x->format->free)
		x->format->free(x);
	grt_summary_free(&x->summary);
	grt_frames_free(&x->frames);
	grt_early_free(&x->early);
	grt_replay_free(&x->replay);
}
