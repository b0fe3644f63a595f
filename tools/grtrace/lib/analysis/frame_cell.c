// SPDX-License-Identifier: LGPL-2.1
#include "frame_cell.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

const char *grt_frame_part_name(unsigned int part)
{
	static const char *const names[] = {
		[GRT_FRAME_BEFORE] = "before_ns",
#define GRT_X(NAME, name, text) [GRT_FRAME_WAIT + GRT_ROOT_##NAME] = "wait_" #name "_ns",
		GRT_ROOTS(GRT_X)
#undef GRT_X
		[GRT_FRAME_RAN] = "ran_ns", [GRT_FRAME_HELD] = "held_ns",
		[GRT_FRAME_DONE] = "done_ns", [GRT_FRAME_AFTER] = "after_ns",
	};

	return names[part];
}

const char *grt_frame_source_name(enum grt_frame_source source)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_FRAME_SOURCES(GRT_X)
#undef GRT_X
	};

	return names[source];
}

const char *grt_frame_source_text(enum grt_frame_source source)
{
	static const char *const texts[] = {
#define GRT_X(NAME, name, text) text,
		GRT_FRAME_SOURCES(GRT_X)
#undef GRT_X
	};

	return texts[source];
}

const char *grt_frame_verdict_name(enum grt_frame_verdict verdict)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_FRAME_VERDICTS(GRT_X)
#undef GRT_X
	};

	return names[verdict];
}

void grt_frame_cell_init(struct grt_frame_cell *c, uint64_t start_ns)
{
	*c = (struct grt_frame_cell){
		.start_ns = start_ns, .end_ns = UINT64_MAX, .filled_ns = UINT64_MAX, .cover_ns = UINT64_MAX,
	};
}

void grt_frame_cell_free(struct grt_frame_cell *c)
{
	grt_frame_pieces_free(&c->pieces);
	grt_vec_free(&c->causes);
	grt_vec_free(&c->missed);
}

static struct grt_frame_decider decider_of(const struct grt_frame_life *life)
{
	return (struct grt_frame_decider){
		.stay = life->stay, .begun_ns = life->begun_ns,
		.is_upper_bound = life->job->flags & GRT_JOB_UPPER_BOUND,
	};
}

/* Notes that the job is there.  Returns since when. */
static uint64_t enter(struct grt_frame_cell *c, const struct grt_frame_life *life)
{
	c->has_any = true;
	if (life->stay.submit_ns >= c->start_ns && life->stay.submit_ns > c->last_submit_ns)
		c->last_submit_ns = life->stay.submit_ns;
	return life->stay.submit_ns > c->start_ns ? life->stay.submit_ns : c->start_ns;
}

uint64_t grt_frame_cell_meet(struct grt_frame_cell *c, const struct grt_frame_life *life)
{
	uint64_t from_ns = enter(c, life);

	c->jobs++;
	if (!c->is_met || grt_frame_is_earlier(&life->stay, &c->first.stay))
		c->first = decider_of(life);
	if (!c->is_met || !grt_frame_is_earlier(&life->stay, &c->job.stay))
		c->job = decider_of(life);
	c->has_job = c->is_met = true;
	return from_ns;
}

/*
 * Until when the job may count.  Most jobs come in the order in which they complete, so of those that pass the cell, the
 * first one counts.  Where thousands are in flight at the end of a trace, each waits for those before it.
 */
static uint64_t limit_of(struct grt_frame_cell *c, const struct grt_frame_life *life, uint64_t from_ns)
{
	uint64_t limit_ns = c->end_ns;

	if (c->cover_ns != UINT64_MAX && !grt_frame_is_earlier(&life->stay, &c->cover))
		limit_ns = c->cover_ns;
	if (life->stay.complete_ns >= c->end_ns && from_ns < limit_ns && from_ns <= c->cover_ns) {
		c->cover_ns = from_ns;
		c->cover = life->stay;
	}
	return limit_ns;
}

int grt_frame_cell_pass(struct grt_frame_cell *c, const struct grt_frame_life *life)
{
	uint64_t from_ns = enter(c, life);
	uint64_t limit_ns = limit_of(c, life, from_ns);
	uint64_t to_ns = life->stay.complete_ns < limit_ns ? life->stay.complete_ns : limit_ns;
	bool is_over = grt_job_has(life->job, GRT_AT_COMPLETE);

	if (is_over && !c->is_met && (!c->has_job || grt_frame_is_earlier(&life->stay, &c->job.stay))) {
		c->job = decider_of(life);
		c->has_job = true;
	}
	if (is_over && from_ns < c->filled_ns)
		c->filled_ns = from_ns;
	return from_ns < to_ns ? grt_frame_pieces_add(&c->pieces, life, from_ns, to_ns, false) : 0;
}

/* Time in which no job was seen is a piece, too. */
static int add_piece(struct grt_frame_cell *c, uint64_t from_ns, uint64_t to_ns, unsigned int part)
{
	struct grt_frame_piece piece = {
		.from_ns = from_ns, .to_ns = to_ns, .cause = { .client = GRT_NONE, .part = part },
	};

	if (from_ns >= to_ns)
		return 0;
	return grt_vec_append(&c->pieces.rows, &piece, sizeof(piece)) ? grt_fail_memory() : 0;
}

/* No job was there. */
static int add_none(struct grt_frame_cell *c, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t last_ns = c->has_any ? c->last_submit_ns : to_ns;
	uint64_t middle_ns = last_ns < from_ns ? from_ns : last_ns < to_ns ? last_ns : to_ns;
	int err = add_piece(c, from_ns, middle_ns, GRT_FRAME_BEFORE);

	return err ? err : add_piece(c, middle_ns, to_ns, GRT_FRAME_AFTER);
}

/* No job was seen there. */
static int add_gap(struct grt_frame_cell *c, uint64_t from_ns, uint64_t to_ns,
		   const struct grt_losses *unsure)
{
	int err = 0;

	while (from_ns < to_ns && !err) {
		const struct grt_span *span = unsure ? grt_losses_from(unsure, from_ns) : NULL;
		uint64_t unsure_ns = span && span->from_ns < to_ns ? span->from_ns : to_ns;

		if (unsure_ns < from_ns)
			unsure_ns = from_ns;
		err = add_none(c, from_ns, unsure_ns);
		from_ns = span && span->to_ns < to_ns ? span->to_ns : to_ns;
		if (!err)
			err = add_piece(c, unsure_ns, from_ns, GRT_FRAME_UNKNOWN);
	}
	return err;
}

static int fill_gaps(struct grt_frame_cell *c, const struct grt_losses *unsure)
{
	size_t count = grt_frame_pieces_count(&c->pieces);
	uint64_t at_ns = c->start_ns;
	int err = 0;

	for (size_t i = 0; i < count && !err; i++) {
		struct grt_frame_piece *piece = grt_frame_piece_at(&c->pieces, i);
		uint64_t from_ns = piece->from_ns, gap_ns = at_ns;

		/* Where time ran backwards, a job may have been met behind the end. */
		if (piece->to_ns > c->end_ns)
			piece->to_ns = from_ns < c->end_ns ? c->end_ns : from_ns;
		if (piece->to_ns == from_ns)
			continue;
		at_ns = piece->to_ns;
		err = add_gap(c, gap_ns, from_ns, unsure);	/* this may move the pieces */
	}
	return err ? err : add_gap(c, at_ns, c->end_ns, unsure);
}

static int compare_causes(const struct grt_frame_cause *a, const struct grt_frame_cause *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->client > b->client) - (a->client < b->client);
}

static int compare_pieces(const void *a, const void *b)
{
	const struct grt_frame_piece *x = a, *y = b;
	int order = compare_causes(&x->cause, &y->cause);

	return order ? order : (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Adds to the last cause, if it is the same: that one names the first job. */
static int add_cause(struct grt_vec *causes, const struct grt_frame_cause *cause)
{
	size_t count = grt_vec_count(causes, struct grt_frame_cause);
	struct grt_frame_cause *last = count ? grt_vec_at(causes, struct grt_frame_cause, count - 1) : NULL;

	if (!last || compare_causes(last, cause))
		return grt_vec_append(causes, cause, sizeof(*cause)) ? grt_fail_memory() : 0;
	last->ns += cause->ns;
	last->is_upper_bound |= cause->is_upper_bound;
	return 0;
}

int grt_frame_cell_close(struct grt_frame_cell *c, const struct grt_losses *unsure)
{
	int err = 0;

	if (c->is_closed)
		return 0;
	err = grt_frame_pieces_choose(&c->pieces);
	if (!err)
		err = fill_gaps(c, unsure);
	if (err)
		return err;
	qsort(c->pieces.rows.data, grt_frame_pieces_count(&c->pieces), sizeof(struct grt_frame_piece),
	      compare_pieces);
	for (size_t i = 0; i < grt_frame_pieces_count(&c->pieces) && !err; i++) {
		struct grt_frame_piece *piece = grt_frame_piece_at(&c->pieces, i);

		piece->cause.ns = piece->to_ns - piece->from_ns;
		c->part_ns[piece->cause.part] += piece->cause.ns;
		err = piece->cause.ns ? add_cause(&c->causes, &piece->cause) : 0;
	}
	grt_frame_pieces_free(&c->pieces);
	c->is_closed = true;
	return err;
}

/* Adds the causes of @more to @sum, whose time comes before. */
static int merge_causes(struct grt_vec *sum, const struct grt_vec *more)
{
	size_t a = 0, b = 0, nr_a = grt_vec_count(sum, struct grt_frame_cause);
	size_t nr_b = grt_vec_count(more, struct grt_frame_cause);
	struct grt_vec all = { NULL };
	int err = 0;

	while (!err && (a < nr_a || b < nr_b)) {
		bool is_first = b == nr_b ||
				(a < nr_a && compare_causes(grt_vec_at(sum, struct grt_frame_cause, a),
							    grt_vec_at(more, struct grt_frame_cause, b)) <= 0);

		err = add_cause(&all, is_first ? grt_vec_at(sum, struct grt_frame_cause, a++) :
						 grt_vec_at(more, struct grt_frame_cause, b++));
	}
	grt_vec_free(sum);
	*sum = all;
	return err;
}

int grt_frame_cell_join(struct grt_frame_cell *next, struct grt_frame_cell *c)
{
	next->start_ns = c->start_ns;
	next->jobs += c->jobs;
	next->has_any |= c->has_any;
	next->is_blind |= c->is_blind;
	for (unsigned int i = 0; i < GRT_NR_FRAME_PARTS; i++)
		next->part_ns[i] += c->part_ns[i];
	/* The first image after the refresh that was missed says why it was missed. */
	if (next->is_met)
		next->job = next->first;
	next->missed = c->missed;
	c->missed = (struct grt_vec){ NULL };
	return merge_causes(&next->missed, &c->causes);
}

/* The greatest cause; what the process did on the CPU before and after the job is one. */
static struct grt_frame_cause greatest(const struct grt_vec *causes, bool has_after)
{
	struct grt_frame_cause most = { .client = GRT_NONE, .part = GRT_FRAME_UNKNOWN }, own = most;

	own.part = GRT_FRAME_BEFORE;
	for (size_t i = 0; i < grt_vec_count(causes, struct grt_frame_cause); i++) {
		const struct grt_frame_cause *cause = grt_vec_at(causes, struct grt_frame_cause, i);

		if (cause->part == GRT_FRAME_BEFORE)
			own.ns += cause->ns;
		else if (cause->part != GRT_FRAME_AFTER && cause->ns > most.ns)
			most = *cause;
		else if (cause->part == GRT_FRAME_AFTER && has_after)
			own.ns += cause->ns;
	}
	return own.ns > most.ns ? own : most;
}

void grt_frame_cell_read(const struct grt_frame_cell *c, bool has_after, struct grt_frame *frame)
{
	frame->start_ns = c->start_ns;
	frame->end_ns = c->end_ns;
	frame->jobs = c->jobs;
	frame->has_job = c->has_job;
	frame->ctx = c->job.stay.ctx;
	frame->seqno = c->job.stay.seqno;
	memcpy(frame->part_ns, c->part_ns, sizeof(frame->part_ns));
	frame->cause = greatest(c->missed.bytes ? &c->missed : &c->causes, has_after);
	frame->is_upper_bound = frame->cause.is_upper_bound || (c->has_job && c->job.is_upper_bound);
}
