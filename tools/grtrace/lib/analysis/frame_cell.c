// SPDX-License-Identifier: LGPL-2.1
#include "frame_cell.h"

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
	*c = (struct grt_frame_cell){ .start_ns = start_ns, .end_ns = UINT64_MAX };
}

void grt_frame_cell_free(struct grt_frame_cell *c)
{
	grt_losses_free(&c->busy);
	grt_vec_free(&c->steps);
}

static struct grt_frame_step *last_step(const struct grt_frame_cell *c)
{
	size_t count = grt_vec_count(&c->steps, struct grt_frame_step);

	return count ? grt_vec_at(&c->steps, struct grt_frame_step, count - 1) : NULL;
}

/* The causes are known until then. */
static uint64_t covered_ns(const struct grt_frame_cell *c)
{
	return c->steps.bytes ? last_step(c)->to_ns : c->start_ns;
}

static bool is_same(const struct grt_frame_cause *a, const struct grt_frame_cause *b)
{
	return a->part == b->part && a->client == b->client;
}

/* Gives the time that has no cause yet, until @to_ns, to @cause. */
static int cover(struct grt_frame_cell *c, uint64_t to_ns, const struct grt_frame_cause *cause)
{
	struct grt_frame_step step = { to_ns < c->end_ns ? to_ns : c->end_ns, *cause };
	struct grt_frame_step *last = last_step(c);

	if (step.to_ns <= covered_ns(c))
		return 0;
	if (!last || !is_same(&last->cause, cause))
		return grt_vec_append(&c->steps, &step, sizeof(step));
	last->to_ns = step.to_ns;
	return 0;
}

static int cover_own(struct grt_frame_cell *c, uint64_t to_ns, unsigned int part)
{
	return cover(c, to_ns, &(struct grt_frame_cause){ .client = GRT_NONE, .part = part });
}

#define UNKNOWN		(GRT_FRAME_WAIT + GRT_ROOT_UNKNOWN)

static int cover_until(struct grt_frame_cell *c, const struct grt_job *job, enum grt_stamp stamp,
		       unsigned int part)
{
	return grt_job_has(job, stamp) ? cover_own(c, job->at_ns[stamp], part) : 0;
}

/* Forgets the causes from @ns on. */
static void uncover(struct grt_frame_cell *c, uint64_t ns)
{
	while (c->steps.bytes && last_step(c)->to_ns > ns) {
		size_t count = grt_vec_count(&c->steps, struct grt_frame_step);
		uint64_t from_ns = count > 1 ? last_step(c)[-1].to_ns : c->start_ns;

		if (from_ns < ns) {
			last_step(c)->to_ns = ns;
			return;
		}
		c->steps.bytes -= sizeof(struct grt_frame_step);
	}
}

/*
 * Fills in what this job did from its SUBMIT to its COMPLETE, where no cause is known yet.  Between
 * the COMPLETE of the job before and this SUBMIT, the process had no job.
 */
static int overlay(struct grt_frame_cell *c, const struct grt_job *job,
		   const struct grt_root_span *spans, uint32_t count)
{
	bool has_start = grt_job_has(job, GRT_AT_START), has_end = grt_job_has(job, GRT_AT_END);
	bool is_on_ring = has_start || grt_job_has(job, GRT_AT_COMMIT);
	int err = cover_until(c, job, GRT_AT_SUBMIT, GRT_FRAME_BEFORE);

	for (uint32_t i = 0; i < count && !err; i++) {
		const struct grt_root_span *span = &spans[i];

		err = cover_own(c, span->from_ns, UNKNOWN);
		if (!err)
			err = cover(c, span->to_ns, &(struct grt_frame_cause){
				.client = span->client, .ctx = span->ctx, .seqno = span->seqno,
				.part = GRT_FRAME_WAIT + span->kind,
			});
	}
	if (!err)
		err = cover_until(c, job, has_start ? GRT_AT_START : GRT_AT_COMMIT, UNKNOWN);
	if (!err && is_on_ring)
		err = cover_until(c, job, GRT_AT_END, has_start ? GRT_FRAME_RAN : GRT_FRAME_HELD);
	return err ? err : cover_until(c, job, GRT_AT_COMPLETE, has_end ? GRT_FRAME_DONE : UNKNOWN);
}

static int add_run(struct grt_frame_cell *c, const struct grt_job *job)
{
	uint64_t from_ns = job->at_ns[GRT_AT_START], to_ns = job->at_ns[GRT_AT_END];

	if (job->flags & (GRT_JOB_KILLED | GRT_JOB_NO_HW))
		return 0;
	if (!grt_job_has(job, GRT_AT_START) || !grt_job_has(job, GRT_AT_END)) {
		c->has_unknown_run = true;
		return 0;
	}
	if (from_ns < c->start_ns)
		from_ns = c->start_ns;
	if (to_ns > c->end_ns)
		to_ns = c->end_ns;
	return from_ns < to_ns ? grt_losses_add(&c->busy, from_ns, to_ns) : 0;
}

int grt_frame_cell_job(struct grt_frame_cell *c, const struct grt_job *job,
		       const struct grt_root_span *spans, uint32_t count, uint64_t begun_ns)
{
	bool is_over = grt_job_has(job, GRT_AT_COMPLETE);
	uint64_t complete_ns = job->at_ns[GRT_AT_COMPLETE];
	bool is_met = is_over && complete_ns <= c->end_ns;

	/* Of the jobs that complete in the cell, the last one decides; else the first one behind it. */
	if (is_met || (is_over && !c->has_job)) {
		c->has_job = true;
		c->is_met = is_met;
		c->jobs += is_met;
		c->job = (struct grt_frame_decider){ job->ctx, job->seqno, complete_ns, begun_ns };
	}
	if (is_met && grt_job_has(job, GRT_AT_SUBMIT))
		uncover(c, job->at_ns[GRT_AT_SUBMIT]);
	else if (is_met)
		uncover(c, c->start_ns);
	if (is_over && overlay(c, job, spans, count))
		return grt_fail_memory();
	return add_run(c, job) ? grt_fail_memory() : 0;
}

static void add_cause(struct grt_frame_causes *to, const struct grt_frame_cause *cause)
{
	for (unsigned int i = 0; i < to->count; i++) {
		if (!is_same(&to->row[i], cause))
			continue;
		to->row[i].ns += cause->ns;
		return;
	}
	if (to->count < GRT_FRAME_CAUSES)
		to->row[to->count++] = *cause;
}

int grt_frame_cell_close(struct grt_frame_cell *c)
{
	uint64_t from_ns = c->start_ns;

	if (c->is_closed)
		return 0;
	if (cover_own(c, c->end_ns, c->has_job ? GRT_FRAME_AFTER : GRT_FRAME_BEFORE))
		return grt_fail_memory();
	for (size_t i = 0; i < grt_vec_count(&c->steps, struct grt_frame_step); i++) {
		struct grt_frame_step *step = grt_vec_at(&c->steps, struct grt_frame_step, i);

		step->cause.ns = step->to_ns - from_ns;
		c->part_ns[step->cause.part] += step->cause.ns;
		add_cause(&c->causes, &step->cause);
		from_ns = step->to_ns;
	}
	c->is_closed = true;
	return 0;
}

int grt_frame_cell_join(struct grt_frame_cell *next, const struct grt_frame_cell *c)
{
	next->start_ns = c->start_ns;
	next->jobs += c->jobs;
	next->is_blind |= c->is_blind;
	next->has_unknown_run |= c->has_unknown_run;
	for (unsigned int i = 0; i < GRT_NR_FRAME_PARTS; i++)
		next->part_ns[i] += c->part_ns[i];
	for (unsigned int i = 0; i < c->missed.count; i++)
		add_cause(&next->missed, &c->missed.row[i]);
	for (unsigned int i = 0; i < c->causes.count; i++)
		add_cause(&next->missed, &c->causes.row[i]);
	if (c->has_job && next->has_job) {
		/* Its chain says why the refresh was missed. */
		next->job.ctx = c->job.ctx;
		next->job.seqno = c->job.seqno;
		next->job.begun_ns = c->job.begun_ns;
	}
	return grt_losses_copy(&next->busy, &c->busy) ? grt_fail_memory() : 0;
}

/* The greatest cause; what the process did on the CPU before and after the job is one. */
static struct grt_frame_cause greatest(const struct grt_frame_causes *causes, bool has_after)
{
	struct grt_frame_cause most = { .client = GRT_NONE, .part = UNKNOWN }, own = most;

	own.part = GRT_FRAME_BEFORE;
	for (unsigned int i = 0; i < causes->count; i++) {
		const struct grt_frame_cause *cause = &causes->row[i];

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
	size_t runs = grt_losses_count(&c->busy);

	frame->start_ns = c->start_ns;
	frame->end_ns = c->end_ns;
	frame->jobs = c->jobs;
	frame->has_job = c->has_job;
	frame->ctx = c->job.ctx;
	frame->seqno = c->job.seqno;
	frame->has_busy = !c->has_unknown_run;
	for (size_t i = 0; i < runs; i++)
		frame->busy_ns += grt_losses_at(&c->busy, i)->to_ns - grt_losses_at(&c->busy, i)->from_ns;
	if (runs)
		frame->wait_ns = grt_losses_at(&c->busy, runs - 1)->to_ns -
				 grt_losses_at(&c->busy, 0)->from_ns - frame->busy_ns;
	memcpy(frame->part_ns, c->part_ns, sizeof(frame->part_ns));
	frame->cause = greatest(c->missed.count ? &c->missed : &c->causes, has_after);
}
