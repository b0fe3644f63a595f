// SPDX-License-Identifier: LGPL-2.1
#include "roots.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

/* A job whose spans are remembered: those of its wait, then those of its life on the ring. */
struct grt_root_job {
	uint64_t ctx, seqno;
	uint64_t submit_ns;
	uint64_t first_span;
	uint32_t count;
	uint32_t client;
	bool has_submit;
};

/* When a job that hung had its ring. */
struct grt_root_hang {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;
	uint32_t ring, client;
};

const char *grt_root_name(enum grt_root root)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_ROOT_##NAME] = #name,
		GRT_ROOTS(GRT_X)
#undef GRT_X
	};

	return names[root];
}

static struct grt_root_span *span_at(const struct grt_roots *r, uint64_t number)
{
	return grt_deque_at(&r->spans, struct grt_root_span, number - r->first_span);
}

/* The number of the next span. */
static uint64_t next_span(const struct grt_roots *r)
{
	return r->first_span + grt_deque_count(&r->spans, struct grt_root_span);
}

static struct grt_root_job *job_at(const struct grt_roots *r, uint64_t i)
{
	return &r->jobs[i % GRT_ROOTS_JOBS];
}

static int prepare(struct grt_roots *r)
{
	if (r->hangs)
		return 0;
	r->jobs = calloc(GRT_ROOTS_JOBS, sizeof(*r->jobs));
	r->hangs = calloc(GRT_ROOTS_HANGS, sizeof(*r->hangs));
	return r->jobs && r->hangs ? 0 : grt_fail_memory();
}

/* Whether a span goes on with the root of another one. */
static bool is_like(const struct grt_root_span *a, const struct grt_root_span *b)
{
	if (a->kind != b->kind || a->client != b->client || a->to_ns != b->from_ns)
		return false;
	if (a->kind != GRT_ROOT_HANG && a->kind != GRT_ROOT_FOREIGN)
		return true;
	return a->ctx == b->ctx && a->seqno == b->seqno;
}

/* Appends a span to those of the job that is being followed. */
static inline int add_span(struct grt_roots *r, const struct grt_root_span *span)
{
	struct grt_root_span *to;

	if (span->from_ns >= span->to_ns)
		return 0;
	/* The life of a job begins with a span of its own, as does its time in flight. */
	if (next_span(r) > (r->life ? r->life : r->own)) {
		to = span_at(r, next_span(r) - 1);
		if (is_like(to, span)) {
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

/* The job whose fence was waited for: what it did then.  Time outside its life is unknown. */
static int follow(struct grt_roots *r, const struct grt_root_job *job, uint64_t from_ns,
		  uint64_t to_ns)
{
	uint64_t i = job->first_span, end = i + job->count;
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
	/* A job behind many others has many spans: find the first one by halves. */
	for (uint64_t count = job->count; count; count /= 2) {
		uint64_t middle = i + count / 2;

		if (span_at(r, middle)->to_ns <= from_ns) {
			i = middle + 1;
			count--;
		}
	}
	for (; i < end && from_ns < to_ns && !err; i++) {
		struct grt_root_span part = *span_at(r, i);

		if (part.from_ns >= to_ns)
			break;
		if (part.from_ns > from_ns)
			err = add_unknown(r, from_ns, part.from_ns);
		else
			part.from_ns = from_ns;
		if (part.to_ns > to_ns)
			part.to_ns = to_ns;
		if (!err)
			err = add_span(r, &part);
		from_ns = part.to_ns;
	}
	return err ? err : add_unknown(r, from_ns, to_ns);
}

static const struct grt_root_job *find(const struct grt_roots *r, uint64_t ctx, uint64_t seqno)
{
	uint32_t row = grt_keymap_get(&r->rows, ctx, seqno);

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

static int add_wait(struct grt_roots *r, const struct grt_charge *c)
{
	const struct grt_root_job *job = c->reason == GRT_BLAME_FENCE && !c->is_foreign ?
					 find(r, c->ctx, c->seqno) : NULL;
	struct grt_root_span span = {
		.from_ns = c->from_ns, .to_ns = c->from_ns + c->ns,
		.ctx = c->ctx, .seqno = c->seqno, .client = c->client, .kind = root_of(c),
	};

	if (job)
		return follow(r, job, span.from_ns, span.to_ns);
	if (span.kind == GRT_ROOT_UNKNOWN)
		return add_unknown(r, span.from_ns, span.to_ns);
	return add_span(r, &span);
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
		if (h->ring != job->ring || hung.from_ns >= hung.to_ns)
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
	uint64_t end = job->first_span + job->count;

	grt_keymap_del(&r->rows, job->ctx, job->seqno);
	grt_deque_drop(&r->spans, (end - r->first_span) * sizeof(struct grt_root_span));
	r->first_span = end;
}

/* Remembers the spans of the latest job. */
static int remember(struct grt_roots *r, const struct grt_job *job)
{
	while (r->next_job > r->first_job && (r->next_job - r->first_job == GRT_ROOTS_JOBS ||
					      next_span(r) - r->first_span > GRT_ROOTS_SPANS))
		forget_oldest(r);
	if (grt_keymap_put(&r->rows, job->ctx, job->seqno, r->next_job % GRT_ROOTS_JOBS))
		return grt_fail_memory();
	*job_at(r, r->next_job++) = (struct grt_root_job){
		.ctx = job->ctx, .seqno = job->seqno, .client = job->client,
		.submit_ns = job->at_ns[GRT_AT_SUBMIT],
		.has_submit = grt_job_has(job, GRT_AT_SUBMIT),
		.first_span = r->own, .count = grt_roots_count(r),
	};
	return 0;
}

/* If a key comes twice, the first job counts: forgets the spans of the latest one. */
static void drop_repeated(struct grt_roots *r)
{
	if (r->is_repeated)
		r->spans.vec.bytes -= grt_roots_count(r) * sizeof(struct grt_root_span);
	r->is_repeated = false;
}

int grt_roots_add(struct grt_roots *r, const struct grt_job *job,
		  const struct grt_root_span **spans, uint32_t *count)
{
	int err = prepare(r);

	drop_repeated(r);
	r->own = next_span(r);
	r->life = 0;
	for (uint32_t i = 0; i < job->nr_charges && !err; i++)
		err = add_wait(r, &job->charges[i]);
	r->life = next_span(r);
	*count = r->life - r->own;
	for (uint32_t i = job->nr_charges; i < grt_job_all_charges(job) && !err; i++)
		err = add_wait(r, &job->charges[i]);
	r->life = next_span(r);
	if (!err)
		err = add_life(r, job);
	r->is_repeated = find(r, job->ctx, job->seqno);
	if (!err && !r->is_repeated)
		err = remember(r, job);
	*spans = span_at(r, r->own);
	return err;
}

void grt_roots_free(struct grt_roots *r)
{
	grt_deque_free(&r->spans);
	grt_keymap_free(&r->rows);
	free(r->jobs);
	free(r->hangs);
	*r = (struct grt_roots){ 0 };
}
