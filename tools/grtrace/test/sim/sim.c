// SPDX-License-Identifier: GPL-2.0
/* The scheduler: decides which job is handed over when. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

uint64_t sim_random(struct sim *s, uint64_t n)
{
	uint64_t z = s->rng += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

bool sim_chance(struct sim *s, unsigned int pct)
{
	return sim_random(s, 100) < pct;
}

uint64_t sim_delay(struct sim *s, uint64_t max_ns)
{
	return sim_random(s, max_ns / s->grid_ns + 1) * s->grid_ns;
}

uint32_t sim_add_ring(struct sim *s, uint32_t device, uint32_t hw, uint32_t order,
		      uint32_t credit_limit)
{
	uint32_t i = s->nr_rings++;
	struct sim_ring *r = &s->rings[i];

	*r = (struct sim_ring){
		.device = device, .hw = hw, .order = order, .credit_limit = credit_limit,
		.executing = SIM_NONE, .last_ctx = SIM_NONE,
	};
	snprintf(r->name, sizeof(r->name), "ring%u", i);
	return i;
}

uint32_t sim_add_ctx(struct sim *s, uint32_t ring, uint32_t tgid, uint64_t client_id,
		     uint32_t priority)
{
	uint32_t i = s->nr_ctxs++;

	/* Even numbers are contexts of scheduled fences. */
	s->ctxs[i] = (struct sim_ctx){
		.id = 101 + 2 * i, .ring = ring, .tgid = tgid, .client_id = client_id,
		.priority = priority, .head = SIM_NONE, .tail = SIM_NONE,
		.last_committed = SIM_NONE,
	};
	return i;
}

uint32_t sim_add_fence(struct sim *s)
{
	uint32_t i = s->nr_fences++;

	/* Some share a timeline, as fences of a driver do. */
	s->fences[i] = (struct sim_fence){
		.ctx = 1000 + (i & 1 ? i : 0), .seqno = i + 1, .signaled_ns = SIM_NEVER,
	};
	return i;
}

void sim_wake(struct sim *s, uint32_t ring)
{
	if (s->rings[ring].is_woken)
		return;
	s->rings[ring].is_woken = true;
	sim_push_action(s, SIM_LOOK, ring, sim_delay(s, s->max_latency_ns));
}

/*
 * Whether the fence that the scheduler waits for is signalled: the finished or the scheduled one.
 */
static bool is_over(const struct sim *s, const struct sim_dep *dep)
{
	const struct sim_job *job;

	if (dep->job == SIM_NONE)
		return s->fences[dep->fence].signaled_ns != SIM_NEVER;
	job = &s->jobs[dep->job];
	return job->complete_ns != SIM_NEVER ||
	       (dep->is_pipelined && job->commit_ns != SIM_NEVER);
}

static bool is_finished(const struct sim *s, const struct sim_dep *dep)
{
	return dep->job == SIM_NONE ? s->fences[dep->fence].signaled_ns != SIM_NEVER :
				      s->jobs[dep->job].complete_ns != SIM_NEVER;
}

/* A killed job waits for all jobs that may still use its memory. */
static void try_die(struct sim *s, uint32_t ctx)
{
	struct sim_ctx *c = &s->ctxs[ctx];
	const struct sim_job *job;

	if (!c->is_dead || c->is_dying || c->head == SIM_NONE)
		return;
	if (c->last_committed != SIM_NONE && s->jobs[c->last_committed].complete_ns == SIM_NEVER)
		return;
	job = &s->jobs[c->head];
	for (uint32_t i = 0; i < job->nr_deps; i++)
		if (!is_finished(s, &job->deps[i]) && !job->deps[i].is_self)
			return;
	c->is_dying = true;
	sim_push_action(s, SIM_DIE, ctx, sim_delay(s, s->max_complete_ns));
}

/* Checks all jobs that wait, after an event. */
static void release(struct sim *s)
{
	for (uint32_t i = 0; i < s->nr_ctxs; i++) {
		struct sim_ctx *c = &s->ctxs[i];

		if (c->blocked && is_over(s, c->blocked)) {
			c->blocked = NULL;
			sim_wake(s, c->ring);
		}
		try_die(s, i);
	}
}

static void complete(struct sim *s, uint32_t i, int32_t status)
{
	struct sim_job *job = &s->jobs[i];

	job->status = status;
	sim_emit_complete(s, i);
	job->complete_ns = s->now_ns;
	release(s);
}

static void die(struct sim *s, uint32_t ctx)
{
	struct sim_ctx *c = &s->ctxs[ctx];
	uint32_t i = c->head;

	c->is_dying = false;
	c->blocked = NULL;
	c->head = s->jobs[i].next;
	complete(s, i, -ESRCH);
}

/* The hardware is done with the job, or never got it. */
void sim_job_end(struct sim *s, uint32_t i, int32_t status, uint16_t flags)
{
	struct sim_job *job = &s->jobs[i];
	struct sim_ring *r = &s->rings[job->ring];
	struct sim_ctx *c = &s->ctxs[job->ctx];
	uint64_t delay_ns = sim_delay(s, s->max_complete_ns);

	if (r->is_stopped)
		r->given_back -= job->credits;
	else
		r->in_use -= job->credits;
	sim_emit_end(s, i, status, flags);
	job->end_ns = s->now_ns;
	job->status = status;
	if (c->last_complete_ns > s->now_ns + delay_ns)
		delay_ns = c->last_complete_ns - s->now_ns;
	c->last_complete_ns = s->now_ns + delay_ns;
	sim_push_action(s, SIM_COMPLETE, i, delay_ns);
	sim_wake(s, job->ring);
}

static void commit(struct sim *s, uint32_t i)
{
	struct sim_job *job = &s->jobs[i];
	struct sim_ring *r = &s->rings[job->ring];
	struct sim_ctx *c = &s->ctxs[job->ctx];

	r->in_use += job->credits;
	r->last_ctx = job->ctx;
	c->head = job->next;
	c->last_committed = i;
	sim_emit_commit(s, i);
	job->commit_ns = s->now_ns;
	job->commit_number = ++s->commits_made;
	if (sim_has_hw(job))
		sim_hw_push(s, i);
	else
		sim_job_end(s, i, job->flags & SIM_RUN_ERROR ? -EINVAL : 0, GRTRACE_F_NO_HW);
	release(s);
}

/* The context whose first job goes next; SIM_NONE: none is ready, or the job does not fit. */
static uint32_t pick(const struct sim *s, uint32_t ring)
{
	const struct sim_ring *r = &s->rings[ring];
	uint32_t best = SIM_NONE;
	int best_priority = -1;

	for (uint32_t n = 0; n < s->nr_ctxs; n++) {
		/* Round robin: start after the last context. */
		uint32_t i = s->is_round_robin ? (r->last_ctx + 1 + n) % s->nr_ctxs : n;
		const struct sim_ctx *c = &s->ctxs[i];

		if (c->ring != ring || c->head == SIM_NONE || c->blocked || c->is_dead ||
		    (int)c->priority < best_priority)
			continue;
		if ((int)c->priority == best_priority &&
		    (s->is_round_robin || s->ctxs[best].head < c->head))
			continue;
		best = i;
		best_priority = c->priority;
	}
	if (best != SIM_NONE && s->jobs[s->ctxs[best].head].credits > r->credit_limit - r->in_use)
		return SIM_NONE;
	return best;
}

/* Checks a dependency.  True: the job must wait for it. */
static bool find_blocked(struct sim *s, uint32_t i, struct sim_dep *dep)
{
	bool is_blocked = !dep->is_self && !is_over(s, dep);

	if (s->is_popped) {
		uint16_t flags = GRTRACE_F_POPPED;

		/* A pipelined dependency on a job that failed becomes an ordinary one. */
		if (dep->is_pipelined && s->jobs[dep->job].complete_ns != SIM_NEVER &&
		    s->jobs[dep->job].status)
			dep->is_pipelined = false;
		if (is_blocked)
			flags |= GRTRACE_F_BLOCKED;
		else if (is_over(s, dep))
			flags |= GRTRACE_F_SIGNALED;
		sim_emit_dependency(s, i, dep, flags);
	} else if (is_blocked) {
		sim_emit_dependency(s, i, dep, GRTRACE_F_BLOCKED);
	}
	return is_blocked;
}

static void look(struct sim *s, uint32_t ring)
{
	struct sim_ring *r = &s->rings[ring];
	struct sim_job *job;
	uint32_t ctx, i;

	r->is_woken = false;
	if (r->is_stopped)
		return;
	ctx = pick(s, ring);
	if (ctx == SIM_NONE)
		return;
	i = s->ctxs[ctx].head;
	job = &s->jobs[i];
	while (job->next_dep < job->nr_deps) {
		struct sim_dep *dep = &job->deps[job->next_dep++];

		if (find_blocked(s, i, dep)) {
			s->ctxs[ctx].blocked = dep;
			sim_wake(s, ring);
			return;
		}
	}
	commit(s, i);
	sim_wake(s, ring);
}

static void name_dep(const struct sim *s, const struct sim_job *job, struct sim_dep *dep)
{
	dep->found_ns = SIM_NEVER;
	if (dep->job == SIM_NONE) {
		dep->ctx = s->fences[dep->fence].ctx;
		dep->seqno = s->fences[dep->fence].seqno;
	} else {
		const struct sim_job *on = &s->jobs[dep->job];

		dep->ctx = on->ctx_id;
		dep->seqno = on->seqno;
		dep->is_self = on->ctx == job->ctx;
		dep->is_pipelined = !dep->is_self && on->ring == job->ring &&
				    (on->complete_ns == SIM_NEVER || !on->status);
	}
}

uint32_t sim_submit(struct sim *s, const struct sim_job *what)
{
	uint32_t i = s->nr_jobs++;
	struct sim_job *job = &s->jobs[i];
	struct sim_ctx *c = &s->ctxs[what->ctx];

	*job = *what;
	job->ctx_id = c->id;
	job->seqno = ++c->last_seqno;
	job->ring = c->ring;
	job->next = SIM_NONE;
	job->commit_ns = job->begin_ns = job->end_ns = job->complete_ns = SIM_NEVER;
	sim_emit_submit(s, i);
	job->submit_ns = s->now_ns;
	if (c->head == SIM_NONE)
		c->head = i;
	else
		s->jobs[c->tail].next = i;
	c->tail = i;
	for (uint32_t d = 0; d < job->nr_deps; d++) {
		struct sim_dep *dep = &job->deps[d];
		uint16_t flags = GRTRACE_F_DECLARED;

		name_dep(s, job, dep);
		if (s->is_popped)
			continue;
		if (is_over(s, dep))
			flags |= GRTRACE_F_SIGNALED;
		sim_emit_dependency(s, i, dep, flags);
	}
	sim_wake(s, c->ring);
	return i;
}

void sim_signal(struct sim *s, uint32_t fence)
{
	struct sim_fence *f = &s->fences[fence];
	uint64_t signaled_ns = s->now_ns;

	if (f->signaled_ns != SIM_NEVER)
		return;
	if (f->is_awaited) {
		/* Its time is that of the signal, or that of the event. */
		if (!s->has_ties && sim_chance(s, 50) && s->now_ns > s->last_ns) {
			s->now_ns += sim_random(s, 3);
			sim_emit_signaled(s, f, signaled_ns);
		} else {
			sim_emit_signaled(s, f, 0);
			signaled_ns = s->now_ns;
		}
	}
	f->signaled_ns = signaled_ns;
	release(s);
}

void sim_kill(struct sim *s, uint32_t ctx)
{
	s->ctxs[ctx].is_dead = true;
	sim_hw_kick(s, s->rings[s->ctxs[ctx].ring].hw);
	try_die(s, ctx);
}

void sim_advance(struct sim *s, uint32_t ring, uint64_t count)
{
	s->rings[s->rings[ring].hw].advance += count;
	sim_hw_kick(s, s->rings[ring].hw);
}

void sim_hang_next(struct sim *s, uint32_t ring)
{
	s->rings[s->rings[ring].hw].hangs_next = true;
}

bool sim_reset(struct sim *s, uint32_t ring)
{
	uint32_t resets = s->nr_resets;

	sim_hw_timeout(s, s->rings[ring].hw);
	return s->nr_resets > resets;
}

static void act(struct sim *s, const struct sim_action *a)
{
	switch (a->act) {
	case SIM_LOOK:
		look(s, a->what);
		break;
	case SIM_DONE:
		sim_hw_done(s, a->what, a->number);
		break;
	case SIM_END_JOB:
		sim_job_end(s, a->what, s->jobs[a->what].flags & SIM_FAIL ? -EIO : 0, 0);
		break;
	case SIM_COMPLETE:
		complete(s, a->what, s->jobs[a->what].status);
		break;
	case SIM_DIE:
		die(s, a->what);
		break;
	case SIM_TIMEOUT:
		sim_hw_expire(s, a->what);
		break;
	case SIM_RESET:
		sim_hw_stop(s, a->what);
		break;
	case SIM_RECOVER:
		sim_hw_recover(s, a->what);
		break;
	}
}

void sim_run(struct sim *s, uint64_t until_ns)
{
	for (;;) {
		uint32_t first = SIM_NONE;
		struct sim_action a;

		for (uint32_t i = 0; i < s->nr_actions; i++)
			if (first == SIM_NONE || s->actions[i].ns < s->actions[first].ns ||
			    (s->actions[i].ns == s->actions[first].ns &&
			     s->actions[i].number < s->actions[first].number))
				first = i;
		if (first == SIM_NONE || s->actions[first].ns > until_ns)
			break;
		a = s->actions[first];
		s->actions[first] = s->actions[--s->nr_actions];
		if (s->now_ns < a.ns)
			s->now_ns = a.ns;
		act(s, &a);
	}
	if (until_ns != SIM_NEVER && s->now_ns < until_ns)
		s->now_ns = until_ns;
}
