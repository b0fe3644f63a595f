// SPDX-License-Identifier: GPL-2.0
/* The hardware: one job at a time in the order of commit, or firmware that runs many. */
#include <errno.h>
#include <stdlib.h>

#include "sim.h"

void sim_push_action(struct sim *s, enum sim_act act, uint32_t what, uint64_t delay_ns)
{
	if (s->nr_actions == SIM_MAX_ACTIONS)
		abort();
	s->actions[s->nr_actions++] = (struct sim_action){
		.ns = s->now_ns + delay_ns, .number = ++s->actions_made, .what = what, .act = act,
	};
}

static bool is_orphan(const struct sim *s, uint32_t job)
{
	return s->is_manual && s->ctxs[s->jobs[job].ctx].is_dead;
}

/* Schedules the end of the executing job, unless something blocks it. */
static void arm(struct sim *s, uint32_t hw)
{
	struct sim_ring *h = &s->rings[hw];
	const struct sim_job *job;
	uint64_t delay_ns = 0;

	if (h->executing == SIM_NONE || h->armed || h->is_frozen)
		return;
	job = &s->jobs[h->executing];
	if (!is_orphan(s, h->executing)) {
		if (job->flags & SIM_HANG) {
			if (!s->is_manual)
				sim_push_action(s, SIM_TIMEOUT, hw, s->timeout_ns);
			return;
		}
		if (s->is_manual && !h->advance)
			return;
		if (s->is_manual)
			h->advance--;
		else
			delay_ns = job->duration_ns;
	}
	sim_push_action(s, SIM_DONE, hw, delay_ns);
	h->armed = s->actions_made;
	h->due_ns = s->now_ns + delay_ns;
}

static void begin_next(struct sim *s, uint32_t hw)
{
	struct sim_ring *h = &s->rings[hw];

	if (h->executing != SIM_NONE || h->is_frozen || h->queue_head == h->queue_tail)
		return;
	h->executing = h->queue[h->queue_head++];
	s->jobs[h->executing].begin_ns = s->now_ns;
	if (h->hangs_next)
		s->jobs[h->executing].flags |= SIM_HANG;
	h->hangs_next = false;
	arm(s, hw);
}

void sim_hw_push(struct sim *s, uint32_t i)
{
	struct sim_job *job = &s->jobs[i];
	struct sim_ctx *ctx = &s->ctxs[job->ctx];
	uint32_t hw = s->rings[job->ring].hw;
	struct sim_ring *h = &s->rings[hw];

	if (s->rings[job->ring].order != GRTRACE_ORDER_FIFO) {
		/* Firmware keeps the order within a context only. */
		if (ctx->last_end_ns < s->now_ns + job->duration_ns)
			ctx->last_end_ns = s->now_ns + job->duration_ns;
		sim_push_action(s, SIM_END_JOB, i, ctx->last_end_ns - s->now_ns);
		return;
	}
	h->queue[h->queue_tail++] = i;
	begin_next(s, hw);
}

/* The hardware starts the next job at the moment when this one ends. */
void sim_hw_done(struct sim *s, uint32_t hw, uint32_t number)
{
	struct sim_ring *h = &s->rings[hw];
	uint32_t job = h->executing;

	if (h->armed != number || job == SIM_NONE)
		return;		/* a reset came first */
	h->armed = 0;
	h->executing = SIM_NONE;
	sim_job_end(s, job, s->jobs[job].flags & SIM_FAIL ? -EIO : 0, 0);
	begin_next(s, hw);
}

void sim_hw_kick(struct sim *s, uint32_t hw)
{
	arm(s, hw);
}

/* The lost job is the oldest one without an END: the executing job of this hardware. */
static void drop(struct sim *s, uint32_t hw)
{
	struct sim_ring *h = &s->rings[hw];
	uint32_t job = h->executing;

	if (job == SIM_NONE)
		return;
	h->executing = SIM_NONE;
	sim_job_end(s, job, -ETIME, 0);
}

void sim_hw_timeout(struct sim *s, uint32_t hw)
{
	struct sim_ring *h = &s->rings[hw];
	uint32_t job = h->executing;

	if (h->is_frozen || job == SIM_NONE || s->nr_resets + s->nr_rings > SIM_MAX_RESETS)
		return;
	h->is_frozen = true;
	if (h->armed) {
		h->armed = 0;
		s->jobs[job].duration_ns = h->due_ns > s->now_ns ? h->due_ns - s->now_ns : 0;
		h->advance += s->is_manual;
	}
	sim_emit_error(s, s->jobs[job].ring, job, GRTRACE_ERROR_TIMEOUT, false);
	s->resets[s->nr_resets++] = (struct sim_reset){
		s->jobs[job].ring, job, s->now_ns, SIM_NEVER,
	};
	if (!s->stop_before_end)
		drop(s, hw);
	sim_push_action(s, SIM_RESET, hw, sim_delay(s, s->max_reset_ns));
}

/* The timer of a hung job, which may have been reset before. */
void sim_hw_expire(struct sim *s, uint32_t hw)
{
	uint32_t job = s->rings[hw].executing;

	if (job != SIM_NONE && s->jobs[job].flags & SIM_HANG)
		sim_hw_timeout(s, hw);
}

/* The scheduler takes back the credits of the jobs on the ring, without an event. */
static void stop_ring(struct sim *s, uint32_t ring, uint32_t hw)
{
	struct sim_ring *r = &s->rings[ring];
	const struct sim_reset *own = NULL;

	for (uint32_t i = 0; i < s->nr_resets; i++)
		if (s->resets[i].ring == ring && s->resets[i].to_ns == SIM_NEVER)
			own = &s->resets[i];
	sim_emit_error(s, ring, own ? own->job : SIM_NONE, GRTRACE_ERROR_RESET, ring != hw);
	if (!own)
		s->resets[s->nr_resets++] = (struct sim_reset){
			ring, SIM_NONE, s->now_ns, SIM_NEVER,
		};
	r->is_stopped = true;
	r->given_back = r->in_use;
	r->in_use = 0;
}

void sim_hw_stop(struct sim *s, uint32_t hw)
{
	for (uint32_t i = 0; i < s->nr_rings; i++)
		if (s->rings[i].hw == hw)
			stop_ring(s, i, hw);
	if (s->stop_before_end)
		drop(s, hw);
	sim_push_action(s, SIM_RECOVER, hw, sim_delay(s, s->max_reset_ns));
}

static void start_ring(struct sim *s, uint32_t ring, uint32_t hw)
{
	struct sim_ring *r = &s->rings[ring];

	sim_emit_error(s, ring, SIM_NONE, GRTRACE_ERROR_RECOVERED, ring != hw);
	for (uint32_t i = 0; i < s->nr_resets; i++)
		if (s->resets[i].ring == ring && s->resets[i].to_ns == SIM_NEVER)
			s->resets[i].to_ns = s->now_ns;
	r->is_stopped = false;
	r->in_use = r->given_back;
	r->given_back = 0;
	sim_wake(s, ring);
}

void sim_hw_recover(struct sim *s, uint32_t hw)
{
	for (uint32_t i = 0; i < s->nr_rings; i++)
		if (s->rings[i].hw == hw)
			start_ring(s, i, hw);
	s->rings[hw].is_frozen = false;
	arm(s, hw);
	begin_next(s, hw);
}
