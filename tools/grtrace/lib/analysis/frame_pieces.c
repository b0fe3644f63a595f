// SPDX-License-Identifier: LGPL-2.1
#include "frame_pieces.h"

#include <stdlib.h>

#include "error.h"
#include "heap.h"
#include "sorted.h"

#define FEW	64

/* Goes through the life of a job, from @at_ns to @to_ns. */
struct walk {
	struct grt_frame_pieces *pieces;
	const struct grt_frame_life *life;
	uint64_t at_ns, to_ns;
	size_t first;		/* the step that the stretch begins with */
	int err;
};

static struct grt_frame_stretch *stretch_at(const struct grt_frame_pieces *p, size_t i)
{
	return grt_vec_at(&p->stretches, struct grt_frame_stretch, i);
}

static size_t nr_stretches(const struct grt_frame_pieces *p)
{
	return grt_vec_count(&p->stretches, struct grt_frame_stretch);
}

static struct grt_frame_step *step_at(const struct grt_frame_pieces *p, size_t i)
{
	return grt_vec_at(&p->steps, struct grt_frame_step, i);
}

/* Neighbours that are alike are one step. */
static int add_step(struct walk *w, const struct grt_frame_step *step)
{
	size_t count = grt_frame_pieces_count(w->pieces);
	struct grt_frame_step *last = count > w->first ? step_at(w->pieces, count - 1) : NULL;

	if (last && last->part == step->part && last->client == step->client) {
		last->to_ns = step->to_ns;
		return 0;
	}
	return grt_vec_append(&w->pieces->steps, step, sizeof(*step));
}

/* The job did this until then. */
static void go(struct walk *w, struct grt_frame_step step)
{
	if (step.to_ns > w->to_ns)
		step.to_ns = w->to_ns;
	if (step.to_ns <= w->at_ns || w->err)
		return;
	w->at_ns = step.to_ns;
	if (add_step(w, &step))
		w->err = grt_fail_memory();
}

static void go_own(struct walk *w, uint64_t until_ns, unsigned int part)
{
	go(w, (struct grt_frame_step){ .to_ns = until_ns, .client = GRT_NONE, .part = part });
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
	go(w, (struct grt_frame_step){
		.to_ns = span->to_ns, .client = span->client, .ctx = span->ctx, .seqno = span->seqno,
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

static void go_through_life(struct walk *w)
{
	const struct grt_job *job = w->life->job;
	bool has_start = grt_job_has(job, GRT_AT_START), has_end = grt_job_has(job, GRT_AT_END);
	bool is_on_ring = has_start || grt_job_has(job, GRT_AT_COMMIT);

	w->err = grt_frame_life_walk(w->life, w->at_ns, w->to_ns, go_span, w);
	go_to(w, has_start ? GRT_AT_START : GRT_AT_COMMIT, GRT_FRAME_UNKNOWN);
	go_to(w, GRT_AT_END, !is_on_ring ? GRT_FRAME_UNKNOWN : has_start ? GRT_FRAME_RAN : GRT_FRAME_HELD);
	if (has_end)
		go_to(w, GRT_AT_COMPLETE, GRT_FRAME_DONE);
	if (!grt_job_has(job, GRT_AT_COMPLETE))
		go_through_flight(w);
	go_own(w, w->to_ns, GRT_FRAME_UNKNOWN);
}

static int compare_from(const void *a, const void *b)
{
	const struct grt_frame_stretch *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Whether @a counts at the times that both cover. */
static bool is_before(const struct grt_frame_stretch *a, const struct grt_frame_stretch *b)
{
	if (a->is_met != b->is_met)
		return a->is_met;
	return a->is_met ? grt_frame_is_earlier(&b->stay, &a->stay) : grt_frame_is_earlier(&a->stay, &b->stay);
}

static int compare_rank(const void *a, const void *b)
{
	const struct grt_frame_stretch *const *x = a, *const *y = b;

	if (is_before(*x, *y) || is_before(*y, *x))
		return is_before(*x, *y) ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Goes through the stretches in the order of time.  Of those that have begun, the first in rank counts. */
struct choice {
	const struct grt_frame_stretch *rows;	/* sorted by their begin */
	const struct grt_frame_stretch **ranked;	/* owned */
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
	size_t row = grt_heap_first(&c->begun)->id, count = grt_vec_count(&c->chosen, struct grt_frame_stretch);
	struct grt_frame_stretch *last = count ? grt_vec_at(&c->chosen, struct grt_frame_stretch, count - 1) : NULL;
	struct grt_frame_stretch stretch = c->rows[row];

	if (last && c->last == row && last->to_ns == from_ns) {
		last->to_ns = to_ns;
		return 0;
	}
	c->last = row;
	stretch.from_ns = from_ns;
	stretch.to_ns = to_ns;
	return grt_vec_append(&c->chosen, &stretch, sizeof(stretch));
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

/* Of the steps of a stretch, those that are in its time. */
static void narrow(const struct grt_frame_pieces *p, struct grt_frame_stretch *s)
{
	const struct grt_frame_step *steps = step_at(p, s->first);
	size_t from = grt_sorted_behind(steps, s->count, struct grt_frame_step, to_ns, s->from_ns);
	size_t last = grt_sorted_by(steps, s->count, struct grt_frame_step, to_ns, s->to_ns);

	s->first += from;
	s->count = last + 1 - from;
}

/* Drops the steps that do not count, once they are the larger part. */
static int drop_steps(struct grt_frame_pieces *p)
{
	struct grt_vec steps = { NULL };
	size_t count = 0;
	int err;

	for (size_t i = 0; i < nr_stretches(p); i++) {
		narrow(p, stretch_at(p, i));
		count += stretch_at(p, i)->count;
	}
	if (2 * count > grt_frame_pieces_count(p))
		return 0;
	err = grt_vec_reserve(&steps, count * sizeof(struct grt_frame_step));
	for (size_t i = 0; i < nr_stretches(p) && !err; i++) {
		struct grt_frame_stretch *s = stretch_at(p, i);
		size_t first = grt_vec_count(&steps, struct grt_frame_step);

		err = grt_vec_append(&steps, step_at(p, s->first), s->count * sizeof(struct grt_frame_step));
		s->first = first;
	}
	grt_vec_free(&p->steps);
	p->steps = steps;
	return err;
}

static int choose_stretches(struct grt_frame_pieces *p)
{
	struct choice c = { .rows = p->stretches.data, .count = nr_stretches(p) };
	int err;

	qsort(p->stretches.data, c.count, sizeof(struct grt_frame_stretch), compare_from);
	err = rank(&c);
	if (!err)
		err = choose(&c);
	free(c.ranked);
	free(c.ranks);
	grt_heap_free(&c.begun);
	if (err) {
		grt_vec_free(&c.chosen);
		return err;
	}
	grt_vec_free(&p->stretches);
	p->stretches = c.chosen;
	return 0;
}

/* Whether all stretches count: they are sorted and do not overlap.  Most jobs come in such an order. */
static bool is_chosen(const struct grt_frame_pieces *p)
{
	for (size_t i = 1; i < nr_stretches(p); i++)
		if (stretch_at(p, i)->from_ns < stretch_at(p, i - 1)->to_ns)
			return false;
	return true;
}

/* Removes what does not count. */
static int choose_all(struct grt_frame_pieces *p)
{
	int err = is_chosen(p) ? 0 : choose_stretches(p);

	if (!err)
		err = drop_steps(p);
	p->many = 2 * grt_frame_pieces_count(p) + FEW;
	return err ? grt_fail_memory() : 0;
}

/* The stretch that was added last, if it is of the same job and ends where this one begins; else NULL. */
static struct grt_frame_stretch *find_before(const struct grt_frame_pieces *p, const struct grt_frame_stretch *s)
{
	struct grt_frame_stretch *last = nr_stretches(p) ? stretch_at(p, nr_stretches(p) - 1) : NULL;

	return last && last->first + last->count == grt_frame_pieces_count(p) && last->to_ns == s->from_ns &&
	       last->is_met == s->is_met && last->stay.ctx == s->stay.ctx && last->stay.seqno == s->stay.seqno &&
	       last->stay.complete_ns == s->stay.complete_ns && last->stay.submit_ns == s->stay.submit_ns ?
	       last : NULL;
}

int grt_frame_pieces_add(struct grt_frame_pieces *p, const struct grt_frame_life *life,
			 uint64_t from_ns, uint64_t to_ns, bool is_met)
{
	struct grt_frame_stretch own = {
		.from_ns = from_ns, .to_ns = to_ns, .stay = life->stay, .first = grt_frame_pieces_count(p),
		.is_met = is_met, .is_upper_bound = life->job->flags & GRT_JOB_UPPER_BOUND,
	}, *last = find_before(p, &own);
	struct walk w = {
		.pieces = p, .life = life, .at_ns = from_ns, .to_ns = to_ns,
		.first = last ? last->first : own.first,
	};

	if (from_ns >= to_ns)
		return 0;
	go_through_life(&w);
	own.count = grt_frame_pieces_count(p) - own.first;
	if (last) {
		last->to_ns = to_ns;
		last->count += own.count;
	} else if (!w.err && grt_vec_append(&p->stretches, &own, sizeof(own))) {
		w.err = grt_fail_memory();
	}
	if (!w.err && grt_frame_pieces_count(p) >= p->many && p->many)
		w.err = choose_all(p);
	if (p->many < FEW)
		p->many = FEW;
	return w.err;
}

/* Gives @fn the steps of a stretch. */
static int walk_stretch(const struct grt_frame_pieces *p, struct grt_frame_stretch s, grt_frame_piece_fn *fn,
			void *arg)
{
	struct grt_frame_piece piece = { .to_ns = s.from_ns };
	int err = 0;

	for (size_t i = 0; i < s.count && !err; i++) {
		const struct grt_frame_step *step = step_at(p, s.first + i);

		piece.from_ns = piece.to_ns;
		piece.to_ns = step->to_ns < s.to_ns ? step->to_ns : s.to_ns;
		piece.cause = (struct grt_frame_cause){
			.ctx = step->ctx, .seqno = step->seqno, .client = step->client, .part = step->part,
			.is_upper_bound = s.is_upper_bound,
		};
		err = fn(arg, &piece);
	}
	return err;
}

int grt_frame_pieces_walk(struct grt_frame_pieces *p, grt_frame_piece_fn *fn, void *arg)
{
	int err = choose_all(p);

	for (size_t i = 0; i < nr_stretches(p) && !err; i++)
		err = walk_stretch(p, *stretch_at(p, i), fn, arg);
	return err;
}

void grt_frame_pieces_free(struct grt_frame_pieces *p)
{
	grt_vec_free(&p->stretches);
	grt_vec_free(&p->steps);
	p->many = 0;
}
