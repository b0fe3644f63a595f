// SPDX-License-Identifier: LGPL-2.1
#include "piece.h"

#include <errno.h>
#include <stdlib.h>

#include "sorted.h"

#define OWN_STAGE	-1	/* a piece has its own */

struct walk {
	grt_piece_fn *fn;
	void *arg;
};

static uint64_t end_of(const struct grt_piece *p)
{
	return p->charge.from_ns + p->charge.ns;
}

int grt_front_add(struct grt_front *front, const struct grt_piece *piece)
{
	struct grt_piece part = *piece;
	const struct grt_piece *last;

	if (!grt_deque_is_empty(&front->pieces)) {
		last = grt_deque_end(&front->pieces, struct grt_piece) - 1;
		if (end_of(piece) <= end_of(last))
			return 0;
		if (part.charge.from_ns < end_of(last)) {
			part.charge.from_ns = end_of(last);
			part.charge.ns = end_of(piece) - part.charge.from_ns;
		}
	}
	return grt_vec_append(&front->pieces.vec, &part, sizeof(part));
}

void grt_front_drop(struct grt_front *front, uint64_t ns, size_t max_spans)
{
	size_t count = front ? grt_deque_count(&front->pieces, struct grt_piece) : 0, gone = 0;

	while (gone < count && (end_of(grt_deque_at(&front->pieces, struct grt_piece, gone)) <= ns ||
				count - gone > GRT_MAX_PIECES))
		gone++;
	if (gone)
		grt_deque_drop(&front->pieces, gone * sizeof(struct grt_piece));
	if (!front)
		return;
	front->gone += gone;
	grt_spans_keep(&front->spans, ns, max_spans);
}

void grt_front_free(struct grt_front **front)
{
	if (!*front)
		return;
	grt_deque_free(&(*front)->pieces);
	grt_spans_free(&(*front)->spans);
	free(*front);
	*front = NULL;
}

/* Gives a part of a piece, which is not empty. */
static int give(const struct walk *w, const struct grt_charge *c, enum grt_stage stage, uint64_t from_ns,
		uint64_t to_ns)
{
	struct grt_charge part = *c;

	part.from_ns = from_ns;
	part.ns = to_ns - from_ns;
	part.stage = stage;
	return w->fn(w->arg, &part);
}

static int give_unknown(const struct walk *w, enum grt_stage stage, uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_charge nobody = { .client = GRT_NONE, .reason = GRT_BLAME_UNKNOWN };

	return from_ns < to_ns ? give(w, &nobody, stage, from_ns, to_ns) : 0;
}

/* What the ring ran.  Time in which it ran nothing is unknown. */
static int walk_jobs(const struct walk *w, const struct grt_spans *jobs, enum grt_stage stage,
		     uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_span_by *end = grt_spans_end(jobs);
	const struct grt_span_by *by = grt_spans_find(jobs, grt_spans_begin(jobs), from_ns);
	int err = 0;

	for (; by < end && by->from_ns < to_ns && !err; by++) {
		const struct grt_charge c = {
			.ctx = by->ctx, .seqno = by->seqno, .client = by->client, .reason = by->reason,
			.is_foreign = by->is_foreign, .is_hung = by->is_hung,
		};
		uint64_t end_ns = by->to_ns < to_ns ? by->to_ns : to_ns;

		if (from_ns < by->from_ns) {
			err = give_unknown(w, stage, from_ns, by->from_ns);
			from_ns = by->from_ns;
		}
		if (!err)
			err = give(w, &c, stage, from_ns, end_ns);
		from_ns = end_ns;
	}
	return err ? err : give_unknown(w, stage, from_ns, to_ns);
}

/* The first piece that ends after @ns. */
static size_t find(const struct grt_front *front, uint64_t ns)
{
	const struct grt_piece *pieces = grt_deque_at(&front->pieces, struct grt_piece, 0);
	size_t i = grt_sorted_behind(pieces, grt_deque_count(&front->pieces, struct grt_piece), struct grt_piece,
				     charge.from_ns, ns);

	return i && end_of(&pieces[i - 1]) > ns ? i - 1 : i;
}

static int walk_piece(const struct walk *w, const struct grt_piece *p, int stage, uint64_t from_ns,
		      uint64_t to_ns);

/*
 * What the jobs in front waited for, or those that were ready.  Time without a piece is unknown.  @stage: of all
 * pieces, or OWN_STAGE.  Recurses once: what a job in front waited for may be a part of what ready jobs did.
 */
static int walk_front(const struct walk *w, const struct grt_front *front, int stage, uint64_t from_ns,
		      uint64_t to_ns)
{
	size_t count = front ? grt_deque_count(&front->pieces, struct grt_piece) : 0;
	int err = 0;

	for (size_t i = front ? find(front, from_ns) : 0; i < count && !err; i++) {
		const struct grt_piece *p = grt_deque_at(&front->pieces, struct grt_piece, i);
		uint64_t end_ns = end_of(p) < to_ns ? end_of(p) : to_ns;

		if (p->charge.from_ns >= to_ns)
			break;
		if (from_ns < p->charge.from_ns) {
			err = give_unknown(w, stage == OWN_STAGE ? p->charge.stage : stage, from_ns,
					   p->charge.from_ns);
			from_ns = p->charge.from_ns;
		}
		if (!err)
			err = walk_piece(w, p, stage, from_ns, end_ns);
		from_ns = end_ns;
	}
	return err ? err : give_unknown(w, stage == OWN_STAGE ? GRT_STAGE_RING : stage, from_ns, to_ns);
}

static int walk_piece(const struct walk *w, const struct grt_piece *p, int stage, uint64_t from_ns,
		      uint64_t to_ns)
{
	enum grt_stage own = stage == OWN_STAGE ? p->charge.stage : stage;

	switch (p->charge.reason) {
	case GRT_PIECE_RING:
		return walk_jobs(w, p->jobs, own, from_ns, to_ns);
	case GRT_PIECE_FRONT:
		return walk_front(w, p->front, GRT_STAGE_ORDER, from_ns, to_ns);
	case GRT_PIECE_ROOM:
		return walk_front(w, p->front, stage, from_ns, to_ns);
	default:
		return give(w, &p->charge, own, from_ns, to_ns);
	}
}

int grt_pieces_walk(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, grt_piece_fn *fn, void *arg)
{
	const struct walk w = { fn, arg };
	int err = 0;

	for (uint32_t i = 0; i < grt_job_all_pieces(job) && !err; i++) {
		const struct grt_piece *p = &job->pieces[i];
		uint64_t begin_ns = p->charge.from_ns > from_ns ? p->charge.from_ns : from_ns;
		uint64_t end_ns = end_of(p) < to_ns ? end_of(p) : to_ns;

		if (begin_ns < end_ns)
			err = walk_piece(&w, p, OWN_STAGE, begin_ns, end_ns);
	}
	return err;
}

uint64_t grt_pieces_end_ns(const struct grt_job *job)
{
	return job->nr_pieces ? end_of(&job->pieces[job->nr_pieces - 1]) : 0;
}

static int append(void *arg, const struct grt_charge *piece)
{
	return grt_vec_append(arg, piece, sizeof(*piece));
}

int grt_pieces_list(const struct grt_job *job, uint64_t from_ns, uint64_t to_ns, struct grt_vec *list)
{
	return grt_pieces_walk(job, from_ns, to_ns, append, list);
}
