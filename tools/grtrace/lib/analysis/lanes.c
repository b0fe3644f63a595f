// SPDX-License-Identifier: LGPL-2.1
#include "lanes.h"

#include <stdlib.h>
#include <stddef.h>

#include <linux/grtrace.h>

#include "error.h"
#include "model.h"
#include "query.h"
#include "window.h"

/* Whose sums a share is: part of its key. */
enum share { RUNNERS, CULPRITS };

uint64_t grt_lanes_ns(const struct grt_lanes *l, uint32_t column)
{
	return l->from_ns + (uint64_t)((unsigned __int128)(l->to_ns - l->from_ns) * column / l->columns);
}

uint32_t grt_lanes_column(const struct grt_lanes *l, uint64_t ns)
{
	uint32_t column;

	if (ns <= l->from_ns)
		return 0;
	if (ns >= l->to_ns)
		return l->columns - 1;
	column = (unsigned __int128)(ns - l->from_ns) * l->columns / (l->to_ns - l->from_ns);
	/* Begins of columns are rounded down, so the next one may have begun. */
	return column + 1 < l->columns && grt_lanes_ns(l, column + 1) <= ns ? column + 1 : column;
}

uint64_t grt_lane_cell_ns(const struct grt_lane_cell *cell)
{
	uint64_t ns = 0;

	for (int state = 0; state < GRT_LANE_STATES; state++)
		ns += cell->ns[state];
	return ns;
}

int grt_lane_state(const struct grt_lane_cell *cell)
{
	int most = -1;

	for (int state = 0; state < GRT_LANE_STATES; state++)
		if (cell->ns[state] && (most < 0 || cell->ns[state] >= cell->ns[most]))
			most = state;
	return most;
}

static void free_lane(struct grt_lane *lane)
{
	free(lane->cells);
	free(lane->full_waiting);
	free(lane->full_on_ring);
}

static int add_lane(struct grt_lanes *l, uint32_t ring, uint32_t row)
{
	struct grt_lane lane = {
		.ring = ring,
		.cells = calloc(l->columns, sizeof(*lane.cells)),
		.full_waiting = calloc(l->columns + 1, sizeof(*lane.full_waiting)),
		.full_on_ring = calloc(l->columns + 1, sizeof(*lane.full_on_ring)),
	};

	if (lane.cells && lane.full_waiting && lane.full_on_ring &&
	    !grt_keymap_put(&l->rows, ring, 0, row) &&
	    !grt_vec_append(&l->lanes, &lane, sizeof(lane))) {
		for (uint32_t i = 0; i < l->columns; i++)
			lane.cells[i].runner.who = lane.cells[i].culprit.who = GRT_NONE;
		return 0;
	}
	free_lane(&lane);
	return grt_fail_memory();
}

bool grt_lanes_want(const struct grt_lanes *l, uint32_t row)
{
	const struct grt_query *q = l->query;
	const struct grt_ring *ring;

	if (!q || (!q->ring && !q->engines))
		return true;
	ring = grt_names_ring_at(grt_model_names(l->model), row);
	return (!q->ring || grt_query_is_ring(q, ring)) &&
	       (!q->engines || (ring->is_defined && q->engines >> ring->engine & 1));
}

/* Rings that nobody wants take no place.  A ring may be defined later. */
static bool may_want(const struct grt_lanes *l, uint32_t row)
{
	return grt_lanes_want(l, row) || !grt_names_ring_at(grt_model_names(l->model), row)->is_defined;
}

/* The lane of a ring, made if there is none.  NULL: too many, or an error. */
static struct grt_lane *lane_of(struct grt_lanes *l, uint32_t ring, int *err)
{
	uint32_t row = grt_keymap_get(&l->rows, ring, 0);

	*err = 0;
	if (row != GRT_NONE)
		return grt_lane_at(l, row);
	row = grt_lanes_count(l);
	if (row == GRT_LANES_MAX || !may_want(l, ring))
		return NULL;
	*err = add_lane(l, ring, row);
	return *err ? NULL : grt_lane_at(l, row);
}

static void lose(struct grt_lanes *l, struct grt_lane_top *top)
{
	l->is_full = true;
	*top = (struct grt_lane_top){ .who = GRT_NONE, .is_lost = true };
}

/* Adds to the sum of @who in a cell, and keeps the greatest.  0 or -errno. */
static int add_share(struct grt_lanes *l, enum share share, uint32_t lane, uint32_t column,
		     uint32_t who, uint64_t ns, struct grt_lane_top *top)
{
	uint64_t where = (uint64_t)share << 56 | (uint64_t)lane << 32 | column, *sum;
	uint32_t row = grt_keymap_get(&l->share_rows, where, who);

	if (row == GRT_NONE) {
		row = grt_vec_count(&l->shares, uint64_t);
		if (row == GRT_LANES_MAX_SHARES) {
			lose(l, top);
			return 0;
		}
		if (grt_vec_append(&l->shares, &(uint64_t){ 0 }, sizeof(uint64_t)) ||
		    grt_keymap_put(&l->share_rows, where, who, row))
			return grt_fail_memory();
	}
	sum = grt_vec_at(&l->shares, uint64_t, row);
	*sum += ns;
	if (*sum > top->ns && !top->is_lost)
		*top = (struct grt_lane_top){ .ns = *sum, .who = who };
	return 0;
}

/* The number of a job or fence; GRT_NONE: there is none, or too many. */
static uint32_t culprit_of(struct grt_lanes *l, const struct grt_ring_stretch *s, int *err)
{
	const struct grt_lane_culprit culprit = { s->ctx, s->seqno, s->client };
	uint32_t row;

	if (!s->ctx)
		return GRT_NONE;
	row = grt_keymap_get(&l->culprit_rows, s->ctx, s->seqno);
	if (row != GRT_NONE)
		return row;
	row = grt_vec_count(&l->culprits, struct grt_lane_culprit);
	if (row == GRT_LANES_MAX_CULPRITS)
		return GRT_NONE;
	if (!grt_vec_append(&l->culprits, &culprit, sizeof(culprit)) &&
	    !grt_keymap_put(&l->culprit_rows, s->ctx, s->seqno, row))
		return row;
	*err = grt_fail_memory();
	return GRT_NONE;
}

static int add_stretch(void *arg, const struct grt_ring_stretch *s)
{
	struct grt_lanes *l = arg;
	uint64_t at_ns = s->from_ns < l->from_ns ? l->from_ns : s->from_ns, end_ns;
	uint64_t to_ns = s->to_ns > l->to_ns ? l->to_ns : s->to_ns;
	int err;
	struct grt_lane *lane = lane_of(l, s->ring, &err);
	uint32_t row, culprit;

	if (!lane || at_ns >= to_ns)
		return err;
	lane->has_time = true;
	row = lane - grt_lane_at(l, 0);
	culprit = s->state == GRT_RING_BUSY ? GRT_NONE : culprit_of(l, s, &err);
	for (uint32_t i = grt_lanes_column(l, at_ns); at_ns < to_ns && !err; i++, at_ns = end_ns) {
		struct grt_lane_cell *cell = &lane->cells[i];

		end_ns = grt_lanes_ns(l, i + 1);
		if (end_ns > to_ns || i + 1 == l->columns)
			end_ns = to_ns;
		cell->ns[s->state] += end_ns - at_ns;
		if (culprit != GRT_NONE)
			err = add_share(l, CULPRITS, row, i, culprit, end_ns - at_ns, &cell->culprit);
		else if (s->ctx && s->state != GRT_RING_BUSY)
			lose(l, &cell->culprit);
	}
	return err;
}

int grt_lanes_begin(struct grt_lanes *l, struct grt_model *model, const struct grt_window *window,
		    const struct grt_query *query, uint32_t columns)
{
	uint64_t span_ns;

	grt_lanes_free(l);
	l->model = model;
	l->query = query;
	l->from_ns = window->from_ns;
	l->to_ns = window->to_ns < window->last_ns ? window->to_ns : window->last_ns;
	if (l->to_ns < l->from_ns)
		l->to_ns = l->from_ns;
	span_ns = l->to_ns - l->from_ns;
	l->columns = span_ns && span_ns < columns ? span_ns : columns;
	grt_model_watch_rings(model, add_stretch, l);
	return 0;
}

/* Part of a job's life, as far as it is in the picture.  False: there is none. */
static bool clip(const struct grt_lanes *l, const struct grt_job *job, enum grt_stamp from,
		 enum grt_stamp to, uint64_t *from_ns, uint64_t *to_ns)
{
	if (!grt_job_has(job, from) || !grt_job_has(job, to))
		return false;
	*from_ns = job->at_ns[from] > l->from_ns ? job->at_ns[from] : l->from_ns;
	*to_ns = job->at_ns[to] < l->to_ns ? job->at_ns[to] : l->to_ns;
	return *from_ns < *to_ns;
}

/*
 * Adds a wait.  Its first and last cells get their time at once.  Those in between are covered, and
 * counting them when the picture is complete takes no time for each job: @full has +1 where the
 * first of them is, and -1 behind the last.
 */
static void add_wait(struct grt_lanes *l, struct grt_lane *lane, size_t member, int64_t *full,
		     uint64_t from_ns, uint64_t to_ns)
{
	uint32_t first = grt_lanes_column(l, from_ns), last = grt_lanes_column(l, to_ns - 1);
	char *cells = (char *)lane->cells + member;

#define SUM(column)	(*(uint64_t *)(cells + (column) * sizeof(struct grt_lane_cell)))
	if (first == last) {
		SUM(first) += to_ns - from_ns;
		return;
	}
	SUM(first) += grt_lanes_ns(l, first + 1) - from_ns;
	SUM(last) += to_ns - grt_lanes_ns(l, last);
	full[first + 1]++;
	full[last]--;
#undef SUM
}

static int add_run(struct grt_lanes *l, struct grt_lane *lane, const struct grt_job *job,
		   uint64_t at_ns, uint64_t to_ns)
{
	uint32_t row = lane - grt_lane_at(l, 0);
	uint64_t end_ns;
	int err = 0;

	for (uint32_t i = grt_lanes_column(l, at_ns); at_ns < to_ns && !err; i++, at_ns = end_ns) {
		struct grt_lane_cell *cell = &lane->cells[i];

		end_ns = grt_lanes_ns(l, i + 1);
		if (end_ns > to_ns || i + 1 == l->columns)
			end_ns = to_ns;
		cell->runs++;
		if (end_ns - at_ns > cell->run_ns) {
			cell->run_ns = end_ns - at_ns;
			cell->ctx = job->ctx;
			cell->seqno = job->seqno;
		}
		if (job->process != GRT_NONE)
			err = add_share(l, RUNNERS, row, i, job->process, end_ns - at_ns, &cell->runner);
	}
	return err;
}

static int count_more(struct grt_lanes *l, uint32_t ring)
{
	if (!grt_lanes_want(l, ring) || grt_keymap_get(&l->more, ring, 0) != GRT_NONE)
		return 0;
	l->more_rings++;
	return grt_keymap_put(&l->more, ring, 0, 0) ? grt_fail_memory() : 0;
}

int grt_lanes_add(struct grt_lanes *l, const struct grt_job *job)
{
	struct grt_lane *lane;
	uint64_t from_ns, to_ns;
	int err;

	if (job->ring == GRT_NONE)
		return 0;
	lane = lane_of(l, job->ring, &err);
	if (!lane)
		return err ? err : count_more(l, job->ring);
	lane->has_job = true;
	lane->is_fifo = grt_names_ring_at(grt_model_names(l->model), job->ring)->order ==
			GRTRACE_ORDER_FIFO;
	if (clip(l, job, GRT_AT_SUBMIT, GRT_AT_COMMIT, &from_ns, &to_ns)) {
		lane->has_waiting = true;
		add_wait(l, lane, offsetof(struct grt_lane_cell, waiting_ns), lane->full_waiting, from_ns,
			 to_ns);
	}
	if (job->flags & GRT_JOB_NO_HW)
		return 0;
	if (clip(l, job, GRT_AT_COMMIT, GRT_AT_START, &from_ns, &to_ns)) {
		lane->has_on_ring = true;
		add_wait(l, lane, offsetof(struct grt_lane_cell, on_ring_ns), lane->full_on_ring, from_ns,
			 to_ns);
	}
	if (clip(l, job, lane->is_fifo || grt_job_has(job, GRT_AT_START) ? GRT_AT_START : GRT_AT_COMMIT,
		 GRT_AT_END, &from_ns, &to_ns))
		return add_run(l, lane, job, from_ns, to_ns);
	return 0;
}

void grt_lanes_close(struct grt_lanes *l)
{
	for (size_t i = 0; i < grt_lanes_count(l); i++) {
		struct grt_lane *lane = grt_lane_at(l, i);
		int64_t waiting = 0, on_ring = 0;

		for (uint32_t c = 0; c < l->columns; c++) {
			uint64_t ns = grt_lanes_ns(l, c + 1) - grt_lanes_ns(l, c);

			waiting += lane->full_waiting[c];
			on_ring += lane->full_on_ring[c];
			lane->cells[c].waiting_ns += waiting * ns;
			lane->cells[c].on_ring_ns += on_ring * ns;
		}
	}
	grt_vec_free(&l->shares);
	grt_keymap_free(&l->share_rows);
}

void grt_lanes_free(struct grt_lanes *l)
{
	for (size_t i = 0; i < grt_lanes_count(l); i++)
		free_lane(grt_lane_at(l, i));
	grt_vec_free(&l->lanes);
	grt_vec_free(&l->culprits);
	grt_vec_free(&l->shares);
	grt_keymap_free(&l->rows);
	grt_keymap_free(&l->more);
	grt_keymap_free(&l->culprit_rows);
	grt_keymap_free(&l->share_rows);
	*l = (struct grt_lanes){ .columns = 0 };
}
