// SPDX-License-Identifier: LGPL-2.1
#include "roots.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "piece.h"
#include "roots_private.h"

/* When a job that hung had its ring. */
struct grt_root_hang {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;
	uint32_t ring, client;
	bool is_synthetic;
};

/* More spans of a job go to a log, once another job waits for it. */
#define MAX_OWN		32

static struct grt_root_job *job_at(const struct grt_roots *r, uint64_t i)
{
	return &r->jobs[i % GRT_ROOTS_JOBS];
}

static int prepare(struct grt_roots *r)
{
	if (r->logs)
		return 0;
	r->jobs = r->jobs ? r->jobs : calloc(GRT_ROOTS_JOBS, sizeof(*r->jobs));
	r->hangs = r->hangs ? r->hangs : calloc(GRT_ROOTS_HANGS, sizeof(*r->hangs));
	r->logs = r->jobs && r->hangs ? calloc(1, sizeof(*r->logs)) : NULL;
	return r->logs ? 0 : grt_fail_memory();
}

/* Whether a span goes on with another one, of the same job or fence. */
static bool is_same(const struct grt_root_span *a, const struct grt_root_span *b)
{
	return a->kind == b->kind && a->client == b->client && a->to_ns == b->from_ns && a->ctx == b->ctx &&
	       a->seqno == b->seqno;
}

/* Appends a span to those of the job that is being followed. */
static int add_span(void *arg, const struct grt_root_span *span)
{
	struct grt_roots *r = arg;
	struct grt_root_span *to;

	if (span->from_ns >= span->to_ns)
		return 0;
	/* The life of a job begins with a span of its own, as does its time in flight. */
	if (grt_roots_next(r) > (r->life ? r->life : r->own)) {
		to = grt_roots_span(r, grt_roots_next(r) - 1);
		if (is_same(to, span)) {
			to->to_ns = span->to_ns;
			return 0;
		}
	}
	to = grt_vec_grow(&r->spans.vec, sizeof(*to));
	if (!to)
		return grt_fail_memory();
	*to = *span;
	return 0;
}

static int add_unknown(struct grt_roots *r, uint64_t from_ns, uint64_t to_ns)
{
	return add_span(r, &(struct grt_root_span){
		.from_ns = from_ns, .to_ns = to_ns, .client = GRT_NONE, .kind = GRT_ROOT_UNKNOWN,
	});
}

/* Adds a part of a log: as it is, or its spans if they are few. */
static int add_part(struct grt_roots *r, const struct grt_root_span *part)
{
	if (part->from_ns >= part->to_ns)
		return 0;
	if (grt_root_part_count(r->logs, part) >= GRT_ROOT_FEW)
		return add_span(r, part);
	return grt_root_part_walk(r->logs, part, false, add_span, r);
}

/* --- a wait for another job --- */

/*
 * Moves the spans of a job to a log that others may share.  In a chain of jobs, each goes on with the log of the
 * one before, if that is the first to do so.
 */
static int move_to_log(struct grt_roots *r, struct grt_root_job *job)
{
	struct grt_root_span *first = grt_roots_span(r, job->first_span), *last = first + job->count - 1;
	bool goes_on = grt_root_part_is_end(r->logs, first);
	uint64_t number = goes_on ? first->ctx : grt_root_log_new(r->logs, true);

	if (!number)
		return grt_fail_memory();
	for (uint32_t i = goes_on; i < job->count; i++)
		if (grt_root_log_add(r->logs, number, &first[i]))
			return grt_fail_memory();
	*first = (struct grt_root_span){
		.from_ns = first->from_ns, .to_ns = last->to_ns, .ctx = number, .client = GRT_NONE,
		.kind = GRT_ROOT_IN_LOG,
	};
	job->count = 1;
	return 0;
}

/* Adds a span of another job, or a part of its life that is in a log. */
static int add_copy(struct grt_roots *r, struct grt_root_span span)
{
	if (!grt_root_is_part(&span))
		return add_span(r, &span);
	return add_part(r, &span);
}

/* The job whose fence was waited for: what it did then.  Time outside its life is unknown. */
static int follow_life(struct grt_roots *r, const struct grt_root_job *job, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t end = job->first_span + job->count;
	int err = 0;

	for (uint64_t i = job->first_span; i < end && from_ns < to_ns && !err; i++) {
		struct grt_root_span part = *grt_roots_span(r, i);

		if (part.to_ns <= from_ns)
			continue;
		if (part.from_ns >= to_ns)
			break;
		if (part.from_ns > from_ns)
			err = add_unknown(r, from_ns, part.from_ns);
		else
			part.from_ns = from_ns;
		if (part.to_ns > to_ns)
			part.to_ns = to_ns;
		if (!err)
			err = add_copy(r, part);
		from_ns = part.to_ns;
	}
	return err ? err : add_unknown(r, from_ns, to_ns);
}

static int follow(struct grt_roots *r, struct grt_root_job *job, uint64_t from_ns, uint64_t to_ns)
{
	int err = 0;

	if (job->has_submit && from_ns < job->submit_ns) {
		struct grt_root_span early = {
			.from_ns = from_ns,
			.to_ns = job->submit_ns < to_ns ? job->submit_ns : to_ns,
			.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
			.kind = GRT_ROOT_NOT_SUBMITTED,
		};

		err = add_span(r, &early);
		from_ns = early.to_ns;
	}
	if (!err && job->count > MAX_OWN)
		err = move_to_log(r, job);
	return err ? err : follow_life(r, job, from_ns, to_ns);
}

static struct grt_root_job *find(const struct grt_roots *r, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&r->rows[r->is_synthetic], ctx, seqno);

	return row == GRT_NONE ? NULL : &r->jobs[row];
}

bool grt_roots_know(const struct grt_roots *r, uint64_t ctx, uint64_t seqno)
{
	return find(r, ctx, seqno);
}

/* The root of a piece of a wait that leads to no other wait. */
static enum grt_root root_of(const struct grt_charge *c)
{
	switch (c->reason) {
	case GRT_BLAME_FENCE:
		return c->is_foreign ? GRT_ROOT_FOREIGN : GRT_ROOT_UNKNOWN;
	case GRT_BLAME_RING:
		/* A job waits behind another one of its context until that one is handed over. */
		return c->is_hung ? GRT_ROOT_HANG :
		       c->stage == GRT_STAGE_QUEUE ? GRT_ROOT_RUN : GRT_ROOT_FULL;
	case GRT_BLAME_RECOVERY:
		return GRT_ROOT_HANG;
	case GRT_BLAME_SCHEDULER:
		return GRT_ROOT_SCHEDULER;
	default:
		return GRT_ROOT_UNKNOWN;
	}
}

static int add_single(struct grt_roots *r, const struct grt_charge *c)
{
	struct grt_root_job *job = c->reason == GRT_BLAME_FENCE && !c->is_foreign ?
				   find(r, c->ctx, c->seqno) : NULL;
	struct grt_root_span span = {
		.from_ns = c->from_ns, .to_ns = c->from_ns + c->ns,
		.ctx = c->ctx, .seqno = c->seqno, .client = c->client, .kind = root_of(c),
	};

	if (job)
		return follow(r, job, span.from_ns, span.to_ns);
	if (c->reason == GRT_BLAME_FENCE && !c->is_foreign &&
	    grt_vec_append(&r->open, &(struct grt_root_open){ c->from_ns, c->from_ns + c->ns, c->ctx, c->seqno },
			   sizeof(struct grt_root_open)))
		return -ENOMEM;
	if (span.kind == GRT_ROOT_UNKNOWN) {
		/* A job of this trace: it may be one of those that are forgotten. */
		if (c->reason == GRT_BLAME_FENCE && c->client != GRT_NONE && r->first_job)
			r->logs->met_limit = true;
		return add_unknown(r, span.from_ns, span.to_ns);
	}
	return add_span(r, &span);
}

/*
 * What the jobs in front waited for.  One of them may have waited for a job that came later than it: by now, it is
 * known what that job did.
 */
static int add_front(struct grt_roots *r, struct grt_root_span part)
{
	const struct grt_vec *opens = grt_root_log_opens(r->logs, part.ctx);
	uint64_t to_ns = part.to_ns;
	int err = 0;

	for (size_t i = 0; i < grt_vec_count(opens, struct grt_root_open) && !err; i++) {
		const struct grt_root_open open = *grt_vec_at(opens, struct grt_root_open, i);
		struct grt_root_job *job = open.to_ns > part.from_ns && open.from_ns < to_ns ?
					   find(r, open.ctx, open.seqno) : NULL;
		uint64_t end_ns = open.to_ns < to_ns ? open.to_ns : to_ns;

		if (!job)
			continue;
		part.to_ns = open.from_ns;
		err = add_part(r, &part);
		if (part.from_ns < open.from_ns)
			part.from_ns = open.from_ns;
		if (!err)
			err = follow(r, job, part.from_ns, end_ns);
		part.from_ns = end_ns;
	}
	part.to_ns = to_ns;
	return err ? err : add_part(r, &part);
}

/* What ready jobs waited for at a ring, as roots. */
struct grt_root_room {
	const struct grt_front *front;
	uint64_t number;	/* of the log */
	uint64_t next;		/* number of the next piece of @front */
};

static struct grt_root_room *room_of(struct grt_roots *r, const struct grt_front *front)
{
	struct grt_root_room *room = grt_keyrow(&r->rooms, (uintptr_t)front, sizeof(*room));

	if (room)
		room->front = front;
	return room;
}

static int copy_to_log(struct grt_roots *r, uint64_t number, const struct grt_piece *piece)
{
	const struct grt_charge *c = &piece->charge;
	struct grt_root_span span = {
		.from_ns = c->from_ns, .to_ns = c->from_ns + c->ns,
		.ctx = c->ctx, .seqno = c->seqno, .client = c->client,
	};

	if (c->reason == GRT_PIECE_RING) {
		span.ctx = (uintptr_t)piece->jobs;
		span.kind = GRT_ROOT_RAN_FULL;
	} else {
		span.kind = root_of(c);
	}
	return grt_root_log_add(r->logs, number, &span);
}

/* Copies what the model's log got since the last call. */
static int update_room(struct grt_roots *r, struct grt_root_room *room)
{
	const struct grt_deque *pieces = &room->front->pieces;
	uint64_t gone = room->front->gone, end = gone + grt_deque_count(pieces, struct grt_piece);
	int err = 0;

	/* It may have been forgotten, as any log. */
	if (!room->number || !grt_root_log_end(r->logs, room->number)) {
		room->number = grt_root_log_new(r->logs, false);
		room->next = gone;
	}
	if (room->next < gone)
		room->next = gone;
	for (; room->next < end && !err; room->next++)
		err = copy_to_log(r, room->number, grt_deque_at(pieces, struct grt_piece, room->next - gone));
	return room->number ? err : -ENOMEM;
}

static int add_room(struct grt_roots *r, const struct grt_front *front, struct grt_root_span part)
{
	struct grt_root_room *room = room_of(r, front);
	int err = room ? update_room(r, room) : -ENOMEM;

	if (err)
		return err;
	part.kind = GRT_ROOT_IN_LOG;
	part.ctx = room->number;
	return add_part(r, &part);
}

static int add_piece(struct grt_roots *r, const struct grt_job *job, const struct grt_piece *piece)
{
	const struct grt_charge *c = &piece->charge;
	struct grt_root_span part = {
		.from_ns = c->from_ns, .to_ns = c->from_ns + c->ns, .client = GRT_NONE,
	};

	switch (c->reason) {
	case GRT_PIECE_RING:
		part.kind = c->stage == GRT_STAGE_QUEUE ? GRT_ROOT_RAN : GRT_ROOT_RAN_FULL;
		part.ctx = (uintptr_t)piece->jobs;
		return add_part(r, &part);
	case GRT_PIECE_FRONT:
		part.kind = GRT_ROOT_IN_LOG;
		part.ctx = grt_root_log_find(r->logs, job->ctx, r->is_synthetic);
		return part.ctx ? add_front(r, part) : add_unknown(r, part.from_ns, part.to_ns);
	case GRT_PIECE_ROOM:
		return add_room(r, piece->front, part);
	default:
		return add_single(r, c);
	}
}

/* Whether what the job waits for there holds up the jobs behind it in its context, too. */
static bool is_shared(const struct grt_charge *c)
{
	return c->stage != GRT_STAGE_ORDER && c->stage != GRT_STAGE_QUEUE;
}

/* For the jobs behind it: what this one waited for since it was the first of its context. */
static int share(struct grt_roots *r, const struct grt_job *job)
{
	uint64_t from_ns = UINT64_MAX, to_ns = 0, number;

	for (uint32_t i = 0; i < grt_job_all_pieces(job); i++) {
		const struct grt_charge *c = &job->pieces[i].charge;

		if (!is_shared(c))
			continue;
		if (c->from_ns < from_ns)
			from_ns = c->from_ns;
		to_ns = c->from_ns + c->ns;
	}
	if (from_ns >= to_ns)
		return 0;
	number = grt_root_log_of(r->logs, job->ctx, r->is_synthetic);
	if (!number)
		return grt_fail_memory();
	for (uint64_t i = r->own; i < r->life; i++) {
		struct grt_root_span span = *grt_roots_span(r, i);

		if (span.from_ns < from_ns)
			span.from_ns = from_ns;
		if (span.to_ns > to_ns)
			span.to_ns = to_ns;
		if (span.from_ns < span.to_ns && grt_root_log_add(r->logs, number, &span))
			return grt_fail_memory();
	}
	for (size_t i = 0; i < grt_vec_count(&r->open, struct grt_root_open); i++) {
		const struct grt_root_open *open = grt_vec_at(&r->open, struct grt_root_open, i);

		if (open->from_ns >= from_ns && grt_root_log_open(r->logs, number, open))
			return grt_fail_memory();
	}
	return 0;
}

/* Adds time that @job spent on its ring without being seen to run; a job there may have hung. */
static int add_on_ring(struct grt_roots *r, const struct grt_job *job, struct grt_root_span span)
{
	uint64_t i = r->nr_hangs < GRT_ROOTS_HANGS ? 0 : r->nr_hangs - GRT_ROOTS_HANGS;
	uint64_t end_ns = span.to_ns;
	int err = 0;

	/* Jobs of one ring hang one after the other. */
	for (; i < r->nr_hangs && !err && job->ring != GRT_NONE; i++) {
		const struct grt_root_hang *h = &r->hangs[i % GRT_ROOTS_HANGS];
		struct grt_root_span hung = {
			.from_ns = h->from_ns, .to_ns = h->to_ns < end_ns ? h->to_ns : end_ns,
			.ctx = h->ctx, .seqno = h->seqno, .client = h->client,
			.kind = GRT_ROOT_HANG,
		};

		if (hung.from_ns < span.from_ns)
			hung.from_ns = span.from_ns;
		if (h->ring != job->ring || h->is_synthetic != r->is_synthetic || hung.from_ns >= hung.to_ns)
			continue;
		span.to_ns = hung.from_ns;
		err = add_span(r, &span);
		if (!err)
			err = add_span(r, &hung);
		span.from_ns = hung.to_ns;
	}
	span.to_ns = end_ns;
	return err ? err : add_span(r, &span);
}

static void note_hang(struct grt_roots *r, const struct grt_job *job, const struct grt_root_span *run)
{
	r->hangs[r->nr_hangs++ % GRT_ROOTS_HANGS] = (struct grt_root_hang){
		.from_ns = run->from_ns, .to_ns = run->to_ns,
		.ctx = job->ctx, .seqno = job->seqno, .ring = job->ring, .client = job->client,
		.is_synthetic = r->is_synthetic,
	};
}

/* Adds the life of the job after its wait, for jobs that wait for it. */
static int add_life(struct grt_roots *r, const struct grt_job *job)
{
	struct grt_root_span span = {
		.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
		.kind = job->flags & GRT_JOB_HUNG ? GRT_ROOT_HANG : GRT_ROOT_RUN,
	};
	int err = 0;

	if (grt_job_knows(job, GRT_STAGE_EXEC)) {
		span.from_ns = job->at_ns[GRT_AT_START];
		span.to_ns = job->at_ns[GRT_AT_END];
		err = add_span(r, &span);
		if (span.kind == GRT_ROOT_HANG)
			note_hang(r, job, &span);
	} else if (job->inflight.run_ns) {
		span.from_ns = job->inflight.run_ns;
		span.to_ns = job->inflight.until_ns;
		err = add_span(r, &span);
		if (span.kind == GRT_ROOT_HANG)
			note_hang(r, job, &span);
	} else if (grt_job_knows(job, GRT_STAGE_HW)) {
		if (span.kind == GRT_ROOT_RUN)
			span.kind = GRT_ROOT_ON_RING;
		span.from_ns = job->at_ns[GRT_AT_COMMIT];
		span.to_ns = job->at_ns[GRT_AT_END];
		err = add_on_ring(r, job, span);
	}
	if (err || !grt_job_knows(job, GRT_STAGE_COMPLETE))
		return err;
	span.kind = GRT_ROOT_SIGNAL;
	span.from_ns = job->at_ns[GRT_AT_END];
	span.to_ns = job->at_ns[GRT_AT_COMPLETE];
	return add_span(r, &span);
}

static void forget_oldest(struct grt_roots *r)
{
	const struct grt_root_job *job = job_at(r, r->first_job++);
	uint64_t end = job->first_span + job->room;

	grt_keymap_del(&r->rows[job->is_synthetic], job->ctx, job->seqno);
	grt_deque_drop(&r->spans, (end - r->first_span) * sizeof(struct grt_root_span));
	r->first_span = end;
}

/* Remembers the spans of the latest job. */
static int remember(struct grt_roots *r, const struct grt_job *job)
{
	while (r->next_job > r->first_job && (r->next_job - r->first_job == GRT_ROOTS_JOBS ||
					      grt_roots_next(r) - r->first_span > GRT_ROOTS_SPANS))
		forget_oldest(r);
	if (grt_keymap_put(&r->rows[r->is_synthetic], job->ctx, job->seqno, r->next_job % GRT_ROOTS_JOBS))
		return grt_fail_memory();
	*job_at(r, r->next_job++) = (struct grt_root_job){
		.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
		.submit_ns = job->at_ns[GRT_AT_SUBMIT],
		.has_submit = grt_job_has(job, GRT_AT_SUBMIT), .is_synthetic = r->is_synthetic,
		.first_span = r->own, .count = grt_roots_next(r) - r->own, .room = grt_roots_next(r) - r->own,
	};
	return 0;
}

/* If a key comes twice, the first job counts: forgets the spans of the latest one. */
static void drop_repeated(struct grt_roots *r)
{
	if (r->is_repeated)
		r->spans.vec.bytes -= (grt_roots_next(r) - r->own) * sizeof(struct grt_root_span);
	r->is_repeated = false;
}

/* --- a job --- */

static int add_all(struct grt_roots *r, const struct grt_job *job)
{
	int err = 0;

	for (uint32_t i = 0; i < job->nr_pieces && !err; i++)
		err = add_piece(r, job, &job->pieces[i]);
	r->wait = r->life = grt_roots_next(r);
	for (uint32_t i = job->nr_pieces; i < grt_job_all_pieces(job) && !err; i++)
		err = add_piece(r, job, &job->pieces[i]);
	r->life = grt_roots_next(r);
	if (!err && job->has_follower)
		err = share(r, job);
	return err ? err : add_life(r, job);
}

int grt_roots_add(struct grt_roots *r, const struct grt_job *job)
{
	int err = prepare(r);

	grt_roots_drop_given(r);
	r->is_synthetic = job->flags & GRT_JOB_SYNTHETIC;
	if (job->was_early && grt_roots_take_held(r, job))
		return 0;
	drop_repeated(r);
	r->has_totals = false;
	r->open.bytes = 0;
	r->own = grt_roots_next(r);
	r->life = 0;
	if (!err) {
		err = grt_root_logs_drop(r->logs, job->oldest_ns);
		r->logs->met_limit = false;
	}
	if (!err)
		err = add_all(r, job);
	if (!err && r->logs->met_limit)
		r->forgotten++;
	r->is_repeated = find(r, job->ctx, job->seqno);
	if (!err && !r->is_repeated)
		err = remember(r, job);
	if (!err && job->is_early)
		err = grt_roots_hold(r, job);
	return err == -ENOMEM ? grt_fail_memory() : err;
}

void grt_roots_free(struct grt_roots *r)
{
	grt_roots_free_held(r);
	if (r->logs)
		grt_root_logs_free(r->logs);
	free(r->logs);
	grt_deque_free(&r->spans);
	grt_keymap_free(&r->rows[0]);
	grt_keymap_free(&r->rows[1]);
	grt_vec_free(&r->list);
	grt_vec_free(&r->open);
	grt_keyrows_free(&r->rooms);
	grt_vec_free(&r->totals);
	free(r->jobs);
	free(r->hangs);
	*r = (struct grt_roots){ 0 };
}
