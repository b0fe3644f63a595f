// SPDX-License-Identifier: LGPL-2.1
/* What a ring did since its last stretch, told to its timeline before that changes. */
#include "model_private.h"

static struct grt_stretch stretch(uint64_t from_ns, uint64_t to_ns, uint8_t state, uint32_t client)
{
	return (struct grt_stretch){
		.from_ns = from_ns, .to_ns = to_ns, .client = client, .state = state,
	};
}

bool grt_ring_state_is_unsure(const struct grt_model *m, const struct grt_ring_state *t,
			      uint64_t ns)
{
	if (t->suspects || ns < t->unseen.waiting_ns)
		return true;
	return !m->has_hindsight && grt_losses_count(&m->losses) &&
	       grt_losses_at(&m->losses, 0)->from_ns <= ns;
}

/* The state of a ring at which no job is committed. */
static uint8_t idle_state(const struct grt_ring_state *t)
{
	if (t->suspects || t->may_recover)
		return GRT_IDLE_UNKNOWN;
	if (t->is_recovering)
		return GRT_IDLE_RECOVERY;
	if (!t->queued)
		return GRT_IDLE_STARVED;
	return t->doubtful ? GRT_LINE_MAYBE : GRT_IDLE_DEPENDENCY;
}

/* Whether the job that runs on the hardware is of this ring, and since when it runs. */
static bool runs_here(const struct grt_model *m, const struct grt_ring_state *t, uint64_t *from_ns,
		      bool *is_sure)
{
	uint32_t i = grt_hw_running(m, t, from_ns, is_sure);

	return i != GRT_NONE && grt_ring_state_at(m, grt_slot_at(m, i)->ring_state) == t;
}

/* What a ring did since t->since_ns; false: that may still change. */
static bool look(const struct grt_model *m, const struct grt_ring_state *t, struct grt_stretch *s)
{
	uint64_t from_ns;
	bool is_sure;

	*s = stretch(t->since_ns, m->now_ns, GRT_IDLE_STARVED, GRT_NONE);
	if (t->line.nr_open || t->ready != GRT_NONE)
		return false;
	if (t->on) {
		s->state = t->suspects ? GRT_IDLE_UNKNOWN : GRT_LINE_BUSY;
		return !t->is_fifo || (!t->is_recovering && runs_here(m, t, &from_ns, &is_sure) &&
				       is_sure && from_ns <= t->since_ns);
	}
	s->state = idle_state(t);
	return true;
}

bool grt_ring_now(const struct grt_model *m, const struct grt_ring_state *t, struct grt_stretch *s)
{
	uint64_t from_ns;
	bool is_sure = look(m, t, s);

	if (is_sure || s->from_ns >= s->to_ns)
		return s->from_ns < s->to_ns;
	s->state = GRT_IDLE_UNKNOWN;
	s->is_unexplained = !t->on && !t->suspects;
	/* While a job runs, the ring is busy, whatever else is not certain. */
	if (t->on && t->is_fifo && !t->suspects && runs_here(m, t, &from_ns, &is_sure) && is_sure &&
	    from_ns <= s->from_ns)
		s->state = GRT_LINE_BUSY;
	return true;
}

/*
 * A ring without events adds no stretch until it is asked.  Its own time stays open: for whom it
 * was idle is known when the idle time ends.
 */
static void ask_silent(struct grt_model *m, const struct grt_ring_state *ahead)
{
	const struct grt_vec *silent = grt_device_silent(m, ahead);

	for (size_t i = 0; i < grt_vec_count(silent, uint32_t); i++) {
		struct grt_ring_state *t = grt_ring_state_at(m, *grt_vec_at(silent, uint32_t, i));
		struct grt_stretch s;

		if (grt_deque_is_empty(&t->line.parts) && look(m, t, &s))
			grt_timeline_show(m, t, &s);
	}
	grt_device_retry(m, ahead);
}

static void add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s)
{
	grt_timeline_add(m, t, s);
	if (m->ahead != GRT_NONE) {
		uint32_t ahead = m->ahead;

		m->ahead = GRT_NONE;
		ask_silent(m, grt_ring_state_at(m, ahead));
	}
}

void grt_ring_add_idle(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint32_t client)
{
	struct grt_stretch s = stretch(t->since_ns, ns, GRT_IDLE_DEPENDENCY, GRT_NONE);

	s.state = idle_state(t);
	if (s.state == GRT_IDLE_RECOVERY) {
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		s.client = t->lost_client;
	} else if (s.state == GRT_IDLE_STARVED) {
		s.client = client;
	}
	t->since_ns = ns;
	add(m, t, &s);
}

void grt_ring_report_gap(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint8_t state,
			 uint32_t client)
{
	uint64_t from_ns = t->reset_from_ns, to_ns = t->reset_to_ns;
	struct grt_stretch s;

	if (state == GRT_IDLE_HARDWARE && t->suspects)
		state = GRT_IDLE_UNKNOWN;
	if (state == GRT_IDLE_HARDWARE && t->since_ns < t->doubt_ns)
		grt_ring_report_gap(m, t, ns < t->doubt_ns ? ns : t->doubt_ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	/* Before the next check: where time runs back, no time of the reset is left. */
	if (to_ns > ns)
		to_ns = ns;
	if (state == GRT_IDLE_HARDWARE && from_ns < ns && to_ns > t->since_ns) {
		if (from_ns < t->since_ns)
			from_ns = t->since_ns;
		s = stretch(t->since_ns, from_ns, state, client);
		add(m, t, &s);
		s = stretch(from_ns, to_ns, GRT_IDLE_RECOVERY, t->lost_client);
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		add(m, t, &s);
		t->since_ns = to_ns;
	}
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, state, client);
	add(m, t, &s);
	t->since_ns = ns;
}

void grt_ring_report_all(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	grt_ring_report_idle(m, t, ns, GRT_NONE);
	if (t->on && !t->is_fifo)
		grt_ring_report_gap(m, t, ns, t->suspects ? GRT_IDLE_UNKNOWN : GRT_LINE_BUSY, GRT_NONE);
}

void grt_ring_settle(struct grt_model *m, struct grt_ring_state *t)
{
	if (t->is_live)
		grt_ring_report_all(m, t, m->now_ns);
}

void grt_ring_report_run(struct grt_model *m, struct grt_ring_state *t, const struct grt_slot *slot,
			 uint64_t ns)
{
	const struct grt_life *job = &slot->job;
	uint64_t start_ns = job->at_ns[GRT_AT_START], first_ns;
	bool is_sure;
	struct grt_stretch s;

	if (job->flags & GRT_JOB_NO_HW)
		return;
	if (!grt_job_has(job, GRT_AT_START) || start_ns > ns) {
		grt_ring_report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
		return;
	}
	/* It ended before a job in front of it, which runs, too. */
	if (grt_hw_is_behind(m, slot) && runs_here(m, t, &first_ns, &is_sure) && is_sure &&
	    first_ns < start_ns)
		start_ns = first_ns;
	/* Its whole life is at one instant: its SUBMIT came last, to an idle ring. */
	if (!t->on && grt_job_has(job, GRT_AT_SUBMIT) && job->at_ns[GRT_AT_SUBMIT] == start_ns)
		grt_ring_report_idle(m, t, start_ns, job->client);
	if (start_ns > t->since_ns)
		grt_ring_report_gap(m, t, start_ns, t->on ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN,
				    t->on ? job->client : GRT_NONE);
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, GRT_LINE_BUSY, GRT_NONE);
	add(m, t, &s);
	t->since_ns = ns;
}

void grt_ring_report_first(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	uint64_t from_ns;
	bool is_sure;

	if (!t->is_fifo) {
		grt_ring_report_all(m, t, ns);
		return;
	}
	if (t->is_recovering && grt_hw_begins(m, t)) {
		/* It is not known yet whether jobs here have run, or will only after the reset. */
		grt_ring_report_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	} else if (runs_here(m, t, &from_ns, &is_sure)) {
		if (from_ns > t->since_ns)
			grt_ring_report_gap(m, t, from_ns, is_sure ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN,
					    GRT_NONE);
		grt_ring_report_gap(m, t, ns, is_sure ? GRT_LINE_BUSY : GRT_IDLE_UNKNOWN, GRT_NONE);
	} else {
		grt_ring_report_gap(m, t, ns, is_sure ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN, GRT_NONE);
	}
}
