// SPDX-License-Identifier: LGPL-2.1
#include "frame_pieces.h"

#include <stdlib.h>

#include "error.h"
#include "heap.h"

#define FEW	64

/* Goes through the life of a job, from @at_ns to @to_ns. */
struct walk {
	struct grt_frame_pieces *pieces;
	const struct grt_frame_life *life;
	uint64_t at_ns, to_ns;
	bool is_met;
	int err;
};

/* Neighbours that are alike are one piece. */
static int append(struct grt_vec *rows, const struct grt_frame_piece *piece)
{
	size_t count = grt_vec_count(rows, struct grt_frame_piece);
	struct grt_frame_piece *last = count ? grt_vec_at(rows, struct grt_frame_piece, count - 1) : NULL;

	if (last && last->to_ns == piece->from_ns && last->cause.part == piece->cause.part &&
	    last->cause.client == piece->cause.client && last->is_met == piece->is_met &&
	    last->stay.ctx == piece->stay.ctx && last->stay.seqno == piece->stay.seqno &&
	    last->stay.complete_ns == piece->stay.complete_ns && last->stay.submit_ns == piece->stay.submit_ns) {
		last->to_ns = piece->to_ns;
		return 0;
	}
	return grt_vec_append(rows, piece, sizeof(*piece));
}

/* The job did this until @until_ns. */
static void go(struct walk *w, uint64_t until_ns, struct grt_frame_cause cause)
{
	uint64_t to_ns = until_ns < w->to_ns ? until_ns : w->to_ns;
	struct grt_frame_piece piece = {
		.from_ns = w->at_ns, .to_ns = to_ns, .cause = cause, .is_met = w->is_met,
		.stay = w->life->stay,
	};

	if (to_ns <= w->at_ns || w->err)
		return;
	piece.cause.is_upper_bound = w->life->job->flags & GRT_JOB_UPPER_BOUND;
	w->at_ns = to_ns;
	if (append(&w->pieces->rows, &piece))
		w->err = grt_fail_memory();
}

static void go_own(struct walk *w, uint64_t until_ns, unsigned int part)
{
	go(w, until_ns, (struct grt_frame_cause){ .client = GRT_NONE, .part = part });
}

static void go_to(struct walk *w, enum grt_stamp stamp, unsigned int part)
{
	if (grt_job_has(w->life->job, stamp))
		go_own(w, w->life->job->at_ns[stamp], part);
}

static int go_span(void *arg, const struct grt_root_span *span)
{
	struct walk *w = arg;

	go_own(w, span->from_ns, GRT_FRAME_UNKNOWN);
	go(w, span->to_ns, (struct grt_frame_cause){
		.client = span->client, .ctx = span->ctx, .seqno = span->seqno,
		.part = GRT_FRAME_WAIT + span->kind,
	});
	return w->err;
}

/* What is known of a job in flight when the trace ends. */
static void go_through_flight(struct walk *w)
{
	const struct grt_job *job = w->life->job;
	uint64_t until_ns = job->inflight.until_ns;

	if (grt_job_has(job, GRT_AT_END)) {
		go_own(w, until_ns, GRT_FRAME_DONE);
	} else if (job->inflight.run_ns) {
		go_own(w, job->inflight.run_ns, GRT_FRAME_UNKNOWN);
		go_own(w, until_ns, GRT_FRAME_RAN);
	} else if (grt_job_has(job, GRT_AT_COMMIT) && !grt_job_has(job, GRT_AT_START)) {
		go_own(w, until_ns, GRT_FRAME_HELD);
	}
}

int grt_frame_pieces_add(struct grt_frame_pieces *p, const struct grt_frame_life *life,
			 uint64_t from_ns, uint64_t to_ns, bool is_met)
{
	const struct grt_job *job = life->job;
	bool has_start = grt_job_has(job, GRT_AT_START), has_end = grt_job_has(job, GRT_AT_END);
	bool is_on_ring = has_start || grt_job_has(job, GRT_AT_COMMIT);
	struct walk w = {
		.pieces = p, .life = life, .at_ns = from_ns, .to_ns = to_ns, .is_met = is_met,
	};

	w.err = grt_frame_life_walk(life, from_ns, to_ns, go_span, &w);
	go_to(&w, has_start ? GRT_AT_START : GRT_AT_COMMIT, GRT_FRAME_UNKNOWN);
	go_to(&w, GRT_AT_END, !is_on_ring ? GRT_FRAME_UNKNOWN : has_start ? GRT_FRAME_RAN : GRT_FRAME_HELD);
	if (has_end)
		go_to(&w, GRT_AT_COMPLETE, GRT_FRAME_DONE);
	if (!grt_job_has(job, GRT_AT_COMPLETE))
		go_through_flight(&w);
	go_own(&w, to_ns, GRT_FRAME_UNKNOWN);
	if (!w.err && grt_frame_pieces_count(p) >= p->many && p->many)
		w.err = grt_frame_pieces_choose(p);
	if (p->many < FEW)
		p->many = FEW;
	return w.err;
}

static int compare_from(const void *a, const void *b)
{
	const struct grt_frame_piece *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Whether @a counts at the times that both cover. */
static bool is_before(const struct grt_frame_piece *a, const struct grt_frame_piece *b)
{
	if (a->is_met != b->is_met)
		return a->is_met;
	return a->is_met ? grt_frame_is_earlier(&b->stay, &a->stay) : grt_frame_is_earlier(&a->stay, &b->stay);
}

static int compare_rank(const void *a, const void *b)
{
	const struct grt_frame_piece *const *x = a, *const *y = b;

	if (is_before(*x, *y) || is_before(*y, *x))
		return is_before(*x, *y) ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Goes through the pieces in the order of time.  Of those that have begun, the first in rank counts. */
struct choice {
	const struct grt_frame_piece *rows;	/* sorted by their begin */
	const struct grt_frame_piece **ranked;	/* owned */
	uint64_t *ranks;			/* owned: of each row */
	size_t count, next;
	struct grt_heap begun;			/* ids: rows; @ns: their ranks */
	struct grt_vec chosen;
	size_t last;				/* the row of the last one */
};

static int rank(struct choice *c)
{
	c->ranked = malloc(c->count * sizeof(*c->ranked));
	c->ranks = malloc(c->count * sizeof(*c->ranks));
	if (!c->ranked || !c->ranks)
		return -1;
	for (size_t i = 0; i < c->count; i++)
		c->ranked[i] = &c->rows[i];
	qsort(c->ranked, c->count, sizeof(*c->ranked), compare_rank);
	for (size_t i = 0; i < c->count; i++)
		c->ranks[c->ranked[i] - c->rows] = i;
	return 0;
}

static int choose_until(struct choice *c, uint64_t from_ns, uint64_t to_ns)
{
	size_t row = grt_heap_first(&c->begun)->id, count = grt_vec_count(&c->chosen, struct grt_frame_piece);
	struct grt_frame_piece *last = count ? grt_vec_at(&c->chosen, struct grt_frame_piece, count - 1) : NULL;
	struct grt_frame_piece piece = c->rows[row];

	if (last && c->last == row && last->to_ns == from_ns) {
		last->to_ns = to_ns;
		return 0;
	}
	c->last = row;
	piece.from_ns = from_ns;
	piece.to_ns = to_ns;
	return grt_vec_append(&c->chosen, &piece, sizeof(piece));
}

static int choose(struct choice *c)
{
	uint64_t at_ns = 0;
	int err = 0;

	while (!err && (c->next < c->count || grt_heap_count(&c->begun))) {
		const struct grt_due *first = grt_heap_first(&c->begun);
		uint64_t to_ns;

		if (first && c->rows[first->id].to_ns <= at_ns) {
			grt_heap_pop(&c->begun);
			continue;
		}
		if (!first && c->rows[c->next].from_ns > at_ns)
			at_ns = c->rows[c->next].from_ns;
		if (c->next < c->count && c->rows[c->next].from_ns <= at_ns) {
			err = grt_heap_put(&c->begun, c->ranks[c->next], c->next);
			c->next++;
			continue;
		}
		to_ns = c->rows[first->id].to_ns;
		if (c->next < c->count && c->rows[c->next].from_ns < to_ns)
			to_ns = c->rows[c->next].from_ns;
		err = choose_until(c, at_ns, to_ns);
		at_ns = to_ns;
	}
	return err;
}

int grt_frame_pieces_choose(struct grt_frame_pieces *p)
{
	struct choice c = { .rows = p->rows.data, .count = grt_frame_pieces_count(p) };
	int err;

	if (!c.count)
		return 0;
	qsort(p->rows.data, c.count, sizeof(struct grt_frame_piece), compare_from);
	err = rank(&c);
	if (!err)
		err = choose(&c);
	free(c.ranked);
	free(c.ranks);
	grt_heap_free(&c.begun);
	if (err) {
		grt_vec_free(&c.chosen);
		return grt_fail_memory();
	}
	grt_vec_free(&p->rows);
	p->rows = c.chosen;
	p->many = 2 * grt_frame_pieces_count(p) + FEW;
	return 0;
}

void grt_frame_pieces_free(struct grt_frame_pieces *p)
{
	grt_vec_free(&p->rows);
	p->many = 0;
}
