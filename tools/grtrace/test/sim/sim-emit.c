// SPDX-License-Identifier: GPL-2.0
/* Writes the events of the tracepoints. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/* Submitters move between CPUs; interrupts and schedulers each have a CPU. */
static uint16_t any_cpu(struct sim *s)
{
	return sim_random(s, s->nr_cpus);
}

static uint16_t sched_cpu(const struct sim *s, uint32_t ring)
{
	return s->rings[ring].hw % s->nr_cpus;
}

static uint16_t irq_cpu(const struct sim *s, uint32_t ring)
{
	return (s->rings[ring].hw + 1) % s->nr_cpus;
}

static union sim_record *add(struct sim *s, uint16_t type, size_t bytes, uint16_t cpu, uint32_t job)
{
	struct sim_event *e = &s->events[s->nr_events++];

	if (s->nr_events > SIM_MAX_EVENTS)
		abort();
	/* An event takes some time, so no two have the same time. */
	if (!s->has_ties && s->now_ns <= s->last_ns)
		s->now_ns = s->last_ns + 1;
	s->last_ns = s->now_ns;
	memset(e, 0, sizeof(*e));
	e->job = job;
	e->rec.hdr = (struct grtrace_hdr){
		.type = type, .size = bytes, .cpu = cpu, .ts = s->now_ns,
		.cseq = s->nr_events,
	};
	if (job != SIM_NONE) {
		e->rec.key.ctx = s->jobs[job].ctx_id;
		e->rec.key.seqno = s->jobs[job].seqno;
		e->rec.key.ring = s->jobs[job].ring + 1;
	}
	return &e->rec;
}

#define ADD(type, member, cpu, job) \
	(&add(s, GRTRACE_##type, sizeof(struct grtrace_##member), cpu, job)->member)

static uint32_t queue_depth(const struct sim *s, const struct sim_job *job)
{
	uint32_t depth = 0;

	for (uint32_t i = s->ctxs[job->ctx].head; i != SIM_NONE; i = s->jobs[i].next)
		depth++;
	return depth;
}

void sim_emit_submit(struct sim *s, uint32_t i)
{
	const struct sim_job *job = &s->jobs[i];
	struct sim_ctx *ctx = &s->ctxs[job->ctx];
	struct grtrace_submit *rec;

	/* A context is locked: two CPUs cannot use it in the same nanosecond. */
	if (ctx->last_submit_ns != s->now_ns)
		ctx->last_cpu = any_cpu(s);
	rec = ADD(SUBMIT, submit, ctx->last_cpu, i);
	ctx->last_submit_ns = s->now_ns;
	rec->tgid = ctx->tgid;
	rec->tid = ctx->tgid + 1;
	rec->client_id = ctx->client_id;
	rec->credits = job->credits;
	rec->hw_credits = s->rings[job->ring].in_use;
	rec->queue_depth = queue_depth(s, job);
	if (ctx->is_kernel)
		rec->hdr.flags |= GRTRACE_F_KERNEL_JOB;
}

void sim_emit_commit(struct sim *s, uint32_t i)
{
	const struct sim_job *job = &s->jobs[i];
	struct grtrace_commit *rec = ADD(COMMIT, commit, sched_cpu(s, job->ring), i);

	rec->credits = job->credits;
	rec->hw_credits = s->rings[job->ring].in_use;
	rec->queue_depth = queue_depth(s, job);
}

void sim_emit_end(struct sim *s, uint32_t i, int32_t status, uint16_t flags)
{
	uint32_t ring = s->jobs[i].ring;
	bool ran = !(flags & GRTRACE_F_NO_HW);
	struct grtrace_end *rec = ADD(END, end, ran ? irq_cpu(s, ring) : sched_cpu(s, ring), i);

	rec->status = status;
	rec->hdr.flags = flags;
	if (ran)
		rec->hw_done_ns = s->now_ns - 1;
}

void sim_emit_complete(struct sim *s, uint32_t i)
{
	const struct sim_job *job = &s->jobs[i];
	struct grtrace_complete *rec = ADD(COMPLETE, complete, irq_cpu(s, job->ring), i);

	rec->status = job->status;
}

/* The submitter emits DECLARED right after the SUBMIT. */
void sim_emit_dependency(struct sim *s, uint32_t i, struct sim_dep *dep, uint16_t flags)
{
	uint16_t cpu = flags & GRTRACE_F_DECLARED ? s->events[s->nr_events - 1].rec.hdr.cpu :
						    sched_cpu(s, s->jobs[i].ring);
	struct grtrace_dependency *rec;

	if (dep->job == SIM_NONE) {
		struct sim_fence *fence = &s->fences[dep->fence];

		flags |= GRTRACE_F_FOREIGN;
		if (flags & GRTRACE_F_SIGNALED) {
			sim_emit_signaled(s, fence, fence->signaled_ns);
			s->events[s->nr_events - 1].rec.hdr.cpu = cpu;
		} else {
			fence->is_awaited = true;
		}
	}
	rec = ADD(DEPENDENCY, dependency, cpu, i);
	rec->dep_ctx = dep->ctx;
	rec->dep_seqno = dep->seqno;
	rec->hdr.flags = flags;
	if (dep->is_self)
		rec->hdr.flags |= GRTRACE_F_SELF;
	else if (dep->is_pipelined)
		rec->hdr.flags |= GRTRACE_F_PIPELINED;
	dep->is_named = true;
	if (flags & GRTRACE_F_BLOCKED)
		dep->found_ns = s->now_ns;
}

void sim_emit_signaled(struct sim *s, const struct sim_fence *fence, uint64_t signaled_ns)
{
	struct grtrace_fence_signaled *rec = ADD(FENCE_SIGNALED, fence_signaled, any_cpu(s),
						 SIM_NONE);

	rec->ctx = fence->ctx;
	rec->seqno = fence->seqno;
	rec->signaled_ns = signaled_ns;
}

/* @at_once: with the same time as the previous event, on the same CPU. */
void sim_emit_error(struct sim *s, uint32_t ring, uint32_t job, uint32_t code, bool at_once)
{
	bool had_ties = s->has_ties;
	struct grtrace_error *rec;

	s->has_ties |= at_once;
	rec = ADD(ERROR, error, sched_cpu(s, ring), job);
	s->has_ties = had_ties;
	rec->ring = ring + 1;
	rec->code = code;
}

static int compare_events(const void *a, const void *b)
{
	const struct grtrace_hdr *x = &((const struct sim_event *)a)->rec.hdr;
	const struct grtrace_hdr *y = &((const struct sim_event *)b)->rec.hdr;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->cseq > y->cseq) - (x->cseq < y->cseq);
}

void sim_sort_events(struct sim *s)
{
	qsort(s->events, s->nr_events, sizeof(s->events[0]), compare_events);
}

void sim_print_event(const struct sim *s, const struct sim_event *e, FILE *out)
{
	static const char * const names[GRTRACE_NR_EVENTS] = {
#define GRTRACE_X(NAME, st, nr, class, text) [nr] = #NAME,
		GRTRACE_EVENT_TYPES(GRTRACE_X)
#undef GRTRACE_X
	};
	static const struct {
		uint16_t bit;
		const char *name;
	} flags[] = {
		{ GRTRACE_F_DECLARED, "declared" }, { GRTRACE_F_POPPED, "popped" },
		{ GRTRACE_F_BLOCKED, "blocked" }, { GRTRACE_F_PIPELINED, "pipelined" },
		{ GRTRACE_F_SELF, "self" }, { GRTRACE_F_SIGNALED, "signaled" },
		{ GRTRACE_F_FOREIGN, "foreign" },
	};
	const union sim_record *r = &e->rec;

	fprintf(out, "# %8" PRIu64 " cpu%u %-14s %" PRIu64 ":%" PRIu64, (uint64_t)r->hdr.ts,
		r->hdr.cpu, names[r->hdr.type], (uint64_t)r->key.ctx, (uint64_t)r->key.seqno);
	if (r->hdr.type == GRTRACE_DEPENDENCY) {
		fprintf(out, " on %" PRIu64 ":%" PRIu64, (uint64_t)r->dependency.dep_ctx,
			(uint64_t)r->dependency.dep_seqno);
		for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
			if (r->hdr.flags & flags[i].bit)
				fprintf(out, " %s", flags[i].name);
	} else if (r->key.ring) {
		fprintf(out, " %s", s->rings[r->key.ring - 1].name);
	}
	if (r->hdr.type == GRTRACE_SUBMIT)
		fprintf(out, " credits %u, %u in use", r->submit.credits, r->submit.hw_credits);
	else if (r->hdr.type == GRTRACE_COMMIT)
		fprintf(out, " credits %u, %u in use", r->commit.credits, r->commit.hw_credits);
	else if (r->hdr.type == GRTRACE_ERROR)
		fprintf(out, " code %u", r->error.code);
	else if (r->hdr.type == GRTRACE_FENCE_SIGNALED)
		fprintf(out, " since %" PRIu64, (uint64_t)r->fence_signaled.signaled_ns);
	else if (r->hdr.type == GRTRACE_END && r->hdr.flags & GRTRACE_F_NO_HW)
		fprintf(out, " no_hw");
	fprintf(out, "%s\n", e->is_dropped ? " (dropped)" : "");
}

/* Every type except those about dependencies. */
#define NO_DEPENDENCIES	(((1u << GRTRACE_NR_EVENTS) - 1) & \
			 ~(1u << GRTRACE_DEPENDENCY | 1u << GRTRACE_FENCE_SIGNALED))

bool sim_policy(const struct sim *s, uint32_t i, char *text, uint64_t *since_ns)
{
	const struct sim_mask *mask = &s->masks[i / 2];

	*since_ns = 0;
	if (s->kept_rings) {
		size_t len = snprintf(text, SIM_POLICY_LEN, "filter_ring_id=");

		for (uint32_t r = 0; r < s->nr_rings; r++)
			if (s->kept_rings >> r & 1)
				len += snprintf(text + len, SIM_POLICY_LEN - len, "%s,",
						s->rings[r].name);
		text[len - 1] = '\0';
		return !i;
	}
	if (i / 2 == s->nr_masks)
		return false;
	*since_ns = i % 2 ? mask->to_ns : mask->from_ns;
	snprintf(text, SIM_POLICY_LEN, "filter_type_mask=%u", i % 2 ? 0 : NO_DEPENDENCIES);
	return true;
}
