// SPDX-License-Identifier: LGPL-2.1
#include "replay.h"

#include <errno.h>

#include "error.h"
#include "input.h"
#include "job.h"
#include "model.h"
#include "stream.h"
#include "window.h"

int grt_replay_feed(struct grt_replay *r, const struct grtrace_hdr *rec)
{
	int err = 0;

	/* Skip events early: most records are events, and most reports watch none. */
	if (r->watches_events || rec->type >= GRTRACE_NR_EVENTS) {
		if (!r->is_scouting && r->ops->record)
			err = r->ops->record(r->arg, rec);
	}
	if (!err)
		err = grt_model_feed(r->model, rec);
	return err ? err : r->err < 0 ? r->err : 0;
}

int grt_replay_next(struct grt_replay *r)
{
	const struct grtrace_hdr *rec;
	int err, got;

	if (r->err == 1)
		return 0;
	got = grt_stream_next(r->stream, &rec);
	if (got != 1)
		return got;
	err = grt_replay_feed(r, rec);
	return err ? err : 1;
}

static void add_job(void *arg, const struct grt_job *job)
{
	struct grt_replay *r = arg;
	bool is_synthetic = job->flags & GRT_JOB_SYNTHETIC;

	if (job->is_early) {
		if (!r->err && !r->is_scouting && r->ops->early)
			r->err = r->ops->early(r->arg, job);
		return;
	}
	r->has_real_job |= !is_synthetic;
	r->has_synthetic_job |= is_synthetic;
	if (!r->err && !r->is_scouting)
		r->err = r->ops->job(r->arg, job);
	else if (r->window)
		grt_window_see(r->window, job);
}

static int begin_pass(struct grt_replay *r)
{
	int err = 0;

	r->err = 0;
	r->model = grt_model_create(add_job, r);
	if (!r->model)
		return grt_fail_memory();
	if (r->keeps_pieces)
		grt_model_keep_pieces(r->model);
	if (r->skips_sums)
		grt_model_skip_sums(r->model);
	if (r->window && r->window->is_narrow)
		grt_model_set_window(r->model, r->window->from_ns, r->window->to_ns);
	grt_model_set_host(r->model, grt_stream_info(r->stream)->host);
	if (!r->is_scouting)
		err = r->ops->begin(r->arg, r->model);
	return err || !r->earlier ? err : grt_model_learn(r->model, r->earlier);
}

int grt_replay_end(struct grt_replay *r)
{
	int err = grt_model_finish(r->model);

	if (!err && r->err < 0)
		err = r->err;
	return err || r->is_scouting || !r->ops->end ? err : r->ops->end(r->arg);
}

static int run_pass(struct grt_replay *r)
{
	int err = begin_pass(r), got = 1;

	while (!err && got == 1) {
		got = grt_replay_next(r);
		err = got < 0 ? got : 0;
	}
	return err ? err : grt_replay_end(r);
}

/* After the first pass: what the later ones are about. */
static int settle(struct grt_replay *r)
{
	return r->window ? grt_window_settle(r->window, r->model) : 0;
}

/* Keeps the model of the first pass: later passes learn from it. */
static int rewind_stream(struct grt_replay *r)
{
	if (!r->earlier)
		r->earlier = r->model;
	else
		grt_model_destroy(r->model);
	r->model = NULL;
	grt_model_forget_jobs(r->earlier);
	r->is_scouting = false;
	return grt_stream_rewind(r->stream);
}

static int run_again(struct grt_replay *r)
{
	grt_warn_fn *handler = grt_warn_to(NULL);	/* the first pass gave all warnings */
	int err = rewind_stream(r);

	if (!err)
		err = run_pass(r);
	grt_warn_to(handler);
	return err;
}

/* Jobs written by hand count where there are no others.  True: they begin to count now. */
static bool count_synthetic(struct grt_replay *r)
{
	if (r->has_real_job || !r->has_synthetic_job || r->with_synthetic)
		return false;
	r->with_synthetic = true;
	return true;
}

static void prepare(struct grt_replay *r, struct grt_stream *stream)
{
	r->stream = stream;
	r->is_scouting = r->is_final || (r->window && grt_window_is_given(r->window));
}

int grt_replay_run(struct grt_replay *r, struct grt_stream *stream)
{
	bool has_scouted;
	int err;

	prepare(r, stream);
	has_scouted = r->is_scouting;
	err = run_pass(r);
	if (!err)
		err = settle(r);
	if (!err && (count_synthetic(r) || has_scouted || grt_model_wants_hindsight(r->model)))
		err = run_again(r);
	while (!err && r->ops->wants_more && r->ops->wants_more(r->arg))
		err = run_again(r);
	return err;
}

int grt_replay_begin(struct grt_replay *r, struct grt_stream *stream)
{
	grt_warn_fn *handler;
	int err;

	prepare(r, stream);
	r->is_scouting &= !grt_stream_info(stream)->is_live;
	if (!r->is_scouting)
		return begin_pass(r);
	err = run_pass(r);
	if (!err)
		err = settle(r);
	if (err)
		return err;
	count_synthetic(r);
	handler = grt_warn_to(NULL);
	err = rewind_stream(r);
	grt_warn_to(handler);
	return err ? err : begin_pass(r);
}

void grt_replay_free(struct grt_replay *r)
{
	grt_model_destroy(r->model);
	grt_model_destroy(r->earlier);
	r->model = r->earlier = NULL;
}
