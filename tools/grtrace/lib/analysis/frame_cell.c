// SPDX-License-Identifier: LGPL-2.1
#include "frame_cell.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "keymap.h"

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

/* What is known of a cell, while it is summed up. */
struct sum {
	struct grt_frame_cell *cell;
	const struct grt_losses *unsure;
	uint64_t at_ns;			/* the time up to here is summed up */
	struct grt_keymap rows;		/* of the cell's causes, by part and client, if they are many */
	uint32_t nr_mapped;		/* causes that are in it */
};

#define FEW_CAUSES	16

/* The cell's cause of this part and client; NULL: it has none yet. */
static struct grt_frame_cause *find_cause(const struct sum *s, const struct grt_frame_cause *like)
{
	struct grt_frame_cause *causes = s->cell->causes.data;
	uint32_t row = grt_keymap_get(&s->rows, like->part, like->client);

	if (row != GRT_NONE)
		return &causes[row];
	for (row = s->nr_mapped; row < grt_vec_count(&s->cell->causes, struct grt_frame_cause); row++)
		if (causes[row].part == like->part && causes[row].client == like->client)
			return &causes[row];
	return NULL;
}

static int append_cause(struct sum *s, const struct grt_frame_cause *cause)
{
	struct grt_vec *causes = &s->cell->causes;
	uint32_t count = grt_vec_count(causes, struct grt_frame_cause);
	int err = 0;

	for (; count - s->nr_mapped >= FEW_CAUSES && !err; s->nr_mapped++) {
		const struct grt_frame_cause *row = grt_vec_at(causes, struct grt_frame_cause, s->nr_mapped);

		err = grt_keymap_put(&s->rows, row->part, row->client, s->nr_mapped);
	}
	return err || grt_vec_append(causes, cause, sizeof(*cause)) ? grt_fail_memory() : 0;
}

/* The pieces come in the order of time, so a cause names its first job. */
static int add_piece(struct sum *s, uint64_t to_ns, struct grt_frame_cause cause)
{
	struct grt_frame_cause *known;

	if (to_ns <= s->at_ns)
		return 0;
	cause.ns = to_ns - s->at_ns;
	s->at_ns = to_ns;
	s->cell->part_ns[cause.part] += cause.ns;
	known = find_cause(s, &cause);
	if (!known)
		return append_cause(s, &cause);
	known->ns += cause.ns;
	known->is_upper_bound |= cause.is_upper_bound;
	return 0;
}

static int add_own(struct sum *s, uint64_t to_ns, unsigned int part)
{
	return add_piece(s, to_ns, (struct grt_frame_cause){ .client = GRT_NONE, .part = part });
}

/* No job was there. */
static int add_none(struct sum *s, uint64_t to_ns)
{
	uint64_t last_ns = s->cell->has_any ? s->cell->last_submit_ns : to_ns;
	int err = add_own(s, last_ns < to_ns ? last_ns : to_ns, GRT_FRAME_BEFORE);

	return err ? err : add_own(s, to_ns, GRT_FRAME_AFTER);
}

/* No job was seen there. */
static int add_gap(struct sum *s, uint64_t to_ns)
{
	int err = 0;

	while (s->at_ns < to_ns && !err) {
		const struct grt_span *span = s->unsure ? grt_losses_from(s->unsure, s->at_ns) : NULL;

		err = add_none(s, span && span->from_ns < to_ns ? span->from_ns : to_ns);
		if (!err && span)
			err = add_own(s, span->to_ns < to_ns ? span->to_ns : to_ns, GRT_FRAME_UNKNOWN);
	}
	return err;
}

static int sum_piece(void *arg, const struct grt_frame_piece *piece)
{
	struct sum *s = arg;
	uint64_t end_ns = s->cell->end_ns;
	int err;

	/* Where time ran backwards, a job may have been met behind the end. */
	if (piece->from_ns >= end_ns)
		return 0;
	err = add_gap(s, piece->from_ns);
	return err ? err : add_piece(s, piece->to_ns < end_ns ? piece->to_ns : end_ns, piece->cause);
}

static int compare_causes(const struct grt_frame_cause *a, const struct grt_frame_cause *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->client > b->client) - (a->client < b->client);
}

static int sort_causes(const void *a, const void *b)
{
	return compare_causes(a, b);
}

int grt_frame_cell_close(struct grt_frame_cell *c, const struct grt_losses *unsure)
{
	struct sum s = { .cell = c, .unsure = unsure, .at_ns = c->start_ns };
	int err = 0;

	if (c->is_closed)
		return 0;
	err = grt_frame_pieces_walk(&c->pieces, sum_piece, &s);
	if (!err)
		err = add_gap(&s, c->end_ns);
	grt_keymap_free(&s.rows);
	if (err)
		return err;
	if (c->causes.bytes)
		qsort(c->causes.data, grt_vec_count(&c->causes, struct grt_frame_cause),
		      sizeof(struct grt_frame_cause), sort_causes);
	grt_frame_pieces_free(&c->pieces);
	c->is_closed = true;
	return 0;
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
