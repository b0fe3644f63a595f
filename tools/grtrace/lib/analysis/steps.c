// SPDX-License-Identifier: LGPL-2.1
#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "model.h"
#include "number.h"
#include "window.h"

static int fail_long(const struct grt_steps *s, uint64_t span_ns)
{
	char count[GRT_NUMBER_MAX], step[GRT_NUMBER_MAX], most[GRT_NUMBER_MAX], hint[96];

	snprintf(hint, sizeof(hint), "--step %" PRIu64 "us, or a part of the time with --since and --until",
		 span_ns / GRT_MAX_STEPS / 1000 + 1);
	return grt_fail(EDOM, hint, "the trace has %s steps of %s, and a report at most %s",
			grt_format_count(count, span_ns / s->step_ns),
			grt_format_ns(step, s->step_ns), grt_format_count(most, GRT_MAX_STEPS));
}

static int fail_many(void)
{
	char most[GRT_NUMBER_MAX];

	return grt_fail(EDOM, "a longer --step, or a part of the time with --since and --until",
			"the report has more than %s rows of time and ring",
			grt_format_count(most, GRT_MAX_STEPS));
}

/* The row of these, made if there is none.  NULL: no room, with a cause. */
static struct grt_step *row_of(struct grt_steps *s, uint64_t nr, uint32_t ring, uint32_t process,
			       int *err)
{
	uint64_t what = (uint64_t)ring << 32 | process;
	uint32_t i = grt_keymap_get(&s->index, nr, what);
	struct grt_step *row;

	if (i != GRT_NONE)
		return grt_vec_at(&s->rows, struct grt_step, i);
	i = grt_steps_count(s);
	*err = i == GRT_MAX_STEPS ? fail_many() : grt_keymap_put(&s->index, nr, what, i);
	if (*err)
		return NULL;
	row = grt_vec_grow(&s->rows, sizeof(*row));
	if (row)
		*row = (struct grt_step){ .nr = nr, .ring = ring, .process = process };
	else
		*err = -ENOMEM;
	return row;
}

/* The step of an instant.  The last event of the trace is in the last step. */
static uint64_t step_of(const struct grt_steps *s, uint64_t ns)
{
	uint64_t nr = (ns - s->from_ns) / s->step_ns;

	return nr < s->count ? nr : s->count - 1;
}

/* Adds a span of time to the row of its ring and to that of @process. */
static int add_time(struct grt_steps *s, const struct grt_ring_stretch *stretch, uint32_t process)
{
	uint64_t from_ns = stretch->from_ns, to_ns = stretch->to_ns;
	uint8_t state = stretch->state;
	int err = 0;

	while (from_ns < to_ns) {
		uint64_t nr = step_of(s, from_ns), end_ns = grt_step_ns(s, nr + 1);
		struct grt_step *row = row_of(s, nr, stretch->ring, process, &err);

		if (!row)
			return err;
		if (end_ns > to_ns || nr + 1 == s->count)
			end_ns = to_ns;
		row->has_time = true;
		*(state == GRT_RING_BUSY ? &row->busy_ns : &row->idle_ns[state]) += end_ns - from_ns;
		row->unexplained_ns += stretch->is_unexplained ? end_ns - from_ns : 0;
		from_ns = end_ns;
	}
	return 0;
}

static int add_stretch(void *arg, const struct grt_ring_stretch *stretch)
{
	struct grt_steps *s = arg;
	int err = add_time(s, stretch, GRT_ALL_PROCESSES);

	if (err || !s->by_process || stretch->client == GRT_NONE)
		return err;
	return add_time(s, stretch, grt_model_client(s->model, stretch->client)->process);
}

int grt_steps_begin(struct grt_steps *s, struct grt_model *model, const struct grt_window *window)
{
	uint64_t span_ns;

	s->model = model;
	s->from_ns = window->from_ns;
	s->to_ns = window->to_ns < window->last_ns ? window->to_ns : window->last_ns;
	s->until_ns = window->to_ns;
	span_ns = s->to_ns > s->from_ns ? s->to_ns - s->from_ns : 0;
	s->count = span_ns / s->step_ns + !!(span_ns % s->step_ns);
	if (s->count > GRT_MAX_STEPS)
		return fail_long(s, span_ns);
	if (!s->count)
		s->count = 1;
	grt_model_watch_rings(model, add_stretch, s);
	return 0;
}

/* The time that @job ran, where its ring runs one after the other. */
static int add_run(struct grt_steps *s, const struct grt_job *job)
{
	struct grt_ring_stretch run = {
		.from_ns = job->at_ns[GRT_AT_START], .to_ns = job->at_ns[GRT_AT_END],
		.ring = job->ring, .state = GRT_RING_BUSY,
	};
	int err = 0;

	if (!grt_job_has(job, GRT_AT_END) || job->flags & GRT_JOB_NO_HW || job->ring == GRT_NONE ||
	    grt_names_ring_at(grt_model_names(s->model), job->ring)->order != GRTRACE_ORDER_FIFO)
		return 0;
	if (run.to_ns > s->to_ns)
		run.to_ns = s->to_ns;
	if (run.from_ns < s->from_ns)
		run.from_ns = s->from_ns;
	if (grt_job_has(job, GRT_AT_START))
		return add_time(s, &run, job->process);
	if (run.to_ns >= s->from_ns) {
		struct grt_step *row = row_of(s, step_of(s, run.to_ns), job->ring, job->process, &err);

		if (row)
			row->lacks_start = true;
	}
	return err;
}

static int add_total(struct grt_step *row, const struct grt_job *job, bool skips_bounds)
{
	bool is_bound = grt_flags_bound(job->flags, GRT_STAGE_TOTAL);

	if (!grt_job_knows(job, GRT_STAGE_TOTAL) || (is_bound && skips_bounds))
		return 0;
	row->total_bounds += is_bound;
	return grt_hist_add(&row->total, job->stage_ns[GRT_STAGE_TOTAL]);
}

static int count_job(struct grt_steps *s, const struct grt_job *job, uint32_t process,
		     const struct grt_root_total *totals, uint32_t count)
{
	int err = 0;
	struct grt_step *row = row_of(s, step_of(s, job->at_ns[GRT_AT_COMPLETE]), job->ring, process, &err);

	if (!row)
		return err;
	row->jobs++;
	if (job->flags & GRT_JOB_CUT)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		row->wait_ns[totals[i].kind] += totals[i].ns;
	row->bounds += !!(job->flags & GRT_JOB_UPPER_BOUND);
	return add_total(row, job, s->skips_bounds);
}

int grt_steps_add(struct grt_steps *s, const struct grt_job *job, struct grt_roots *roots)
{
	const struct grt_root_total *totals;
	uint32_t count;
	uint64_t ns = job->at_ns[GRT_AT_COMPLETE];
	bool is_here = grt_job_has(job, GRT_AT_COMPLETE) && ns >= s->from_ns && ns < s->until_ns;
	int err = grt_roots_totals(roots, &totals, &count);

	if (!err && grt_keymap_get(&s->rings, job->ring, 0) == GRT_NONE)
		err = grt_keymap_put(&s->rings, job->ring, 0, 0);
	if (!err && is_here)
		err = count_job(s, job, GRT_ALL_PROCESSES, totals, count);
	if (!err && s->by_process && is_here)
		err = count_job(s, job, job->process, totals, count);
	return err || !s->by_process ? err : add_run(s, job);
}

/* By time, then by ring: all its processes first, then each. */
static int compare(const void *a, const void *b)
{
	const struct grt_step *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	/* GRT_ALL_PROCESSES + 2 is 0. */
	return (x->process + 2 > y->process + 2) - (x->process + 2 < y->process + 2);
}

void grt_steps_close(struct grt_steps *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < grt_steps_count(s); i++) {
		struct grt_step *row = grt_vec_at(&s->rows, struct grt_step, i);

		if (grt_keymap_get(&s->rings, row->ring, 0) != GRT_NONE)
			*grt_vec_at(&s->rows, struct grt_step, kept++) = *row;
	}
	s->rows.bytes = kept * sizeof(struct grt_step);
	if (kept)
		qsort(s->rows.data, kept, sizeof(struct grt_step), compare);
	grt_keymap_free(&s->index);
}

void grt_steps_free(struct grt_steps *s)
{
	for (size_t i = 0; i < grt_steps_count(s); i++)
		grt_hist_free(&grt_vec_at(&s->rows, struct grt_step, i)->total);
	grt_vec_free(&s->rows);
	grt_keymap_free(&s->index);
	grt_keymap_free(&s->rings);
}

uint64_t grt_step_wall_ns(const struct grt_step *row)
{
	uint64_t ns = row->busy_ns;

	for (int cause = 0; cause < GRT_NR_IDLES; cause++)
		ns += row->idle_ns[cause];
	return ns;
}

uint64_t grt_step_known_ns(const struct grt_step *row)
{
	return grt_step_wall_ns(row) - row->idle_ns[GRT_IDLE_UNKNOWN] + row->unexplained_ns;
}
