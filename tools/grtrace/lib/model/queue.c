// SPDX-License-Identifier: LGPL-2.1
/*
 * Jobs at a ring from SUBMIT to END: whose turn it is, who could be handed over, and
 * what the ring's time goes into meanwhile.
 *
 * Sources tell of a dependency only when the scheduler looks at it, which may be long
 * after the job was submitted.  So a job that looks ready keeps its share of the
 * timeline open until it is committed, or turns out to have waited.
 */
#include "inside.h"

static struct grt_stretch stretch(uint64_t from_ns, uint64_t to_ns, uint8_t state, uint32_t party)
{
	return (struct grt_stretch){
		.from_ns = from_ns, .to_ns = to_ns, .party = party, .state = state,
	};
}

bool grt_track_is_unsure(const struct grt_model *m, const struct grt_track *t, uint64_t ns)
{
	if (t->suspects || ns < t->seen_late_ns)
		return true;
	return !m->has_hindsight && grt_losses_count(&m->losses) &&
	       grt_losses_at(&m->losses, 0)->from_ns <= ns;
}

/* Tells the timeline what an idle ring did up to @ns.  Before each change of that. */
static void tell(struct grt_model *m, struct grt_track *t, uint64_t ns, uint32_t party)
{
	struct grt_stretch s = stretch(t->since_ns, ns, GRT_IDLE_DEPENDENCY, GRT_NONE);

	if (t->on || ns <= t->since_ns)
		return;
	if (t->suspects || t->may_recover) {
		s.state = GRT_IDLE_UNKNOWN;
	} else if (t->is_recovering) {
		s.state = GRT_IDLE_RECOVERY;
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		s.party = t->lost_party;
	} else if (!t->queued) {
		s.state = GRT_IDLE_STARVED;
		s.party = party != GRT_NONE ? party : t->culprit;
	} else if (t->doubtful) {
		s.state = GRT_LINE_MAYBE;
	}
	t->since_ns = ns;
	grt_timeline_add(m, t, &s);
}

/* Time at a ring where something is committed and nothing runs. */
static void tell_gap(struct grt_model *m, struct grt_track *t, uint64_t ns, uint8_t state,
		     uint32_t party)
{
	uint64_t from_ns = t->reset_from_ns, to_ns = t->reset_to_ns;
	struct grt_stretch s;

	if (state == GRT_IDLE_HARDWARE && t->suspects)
		state = GRT_IDLE_UNKNOWN;
	if (state == GRT_IDLE_HARDWARE && t->since_ns < t->doubt_ns)
		tell_gap(m, t, ns < t->doubt_ns ? ns : t->doubt_ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	/* Before it is asked what is left to tell: where time runs back, nothing is. */
	if (to_ns > ns)
		to_ns = ns;
	if (state == GRT_IDLE_HARDWARE && from_ns < ns && to_ns > t->since_ns) {
		if (from_ns < t->since_ns)
			from_ns = t->since_ns;
		s = stretch(t->since_ns, from_ns, state, party);
		grt_timeline_add(m, t, &s);
		s = stretch(from_ns, to_ns, GRT_IDLE_RECOVERY, t->lost_party);
		s.ctx = t->lost_ctx;
		s.seqno = t->lost_seqno;
		grt_timeline_add(m, t, &s);
		t->since_ns = to_ns;
	}
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, state, party);
	grt_timeline_add(m, t, &s);
	t->since_ns = ns;
}

/* Before what waits or runs at the ring becomes certain, or stops to be. */
static void tell_all(struct grt_model *m, struct grt_track *t, uint64_t ns)
{
	tell(m, t, ns, GRT_NONE);
	if (t->on && !t->is_fifo)
		tell_gap(m, t, ns, t->suspects ? GRT_IDLE_UNKNOWN : GRT_LINE_BUSY, GRT_NONE);
}

/* Stretches up to the earliest time at which a job was, perhaps, ready. */
static void settle(struct grt_model *m, struct grt_track *t)
{
	uint64_t up_to_ns = UINT64_MAX;

	if (!grt_deque_count(&t->line.open, struct grt_stretch))
		return;
	for (uint32_t i = t->ready; i != GRT_NONE; i = grt_slot_at(m, i)->ready_next)
		if (grt_slot_at(m, i)->ready_ns < up_to_ns)
			up_to_ns = grt_slot_at(m, i)->ready_ns;
	grt_timeline_settle(m, t, up_to_ns);
}

/* Job @i was ready since @slot->ready_ns, as is known now. */
static void claim(struct grt_model *m, struct grt_track *t, uint32_t i, uint64_t ns, uint8_t state)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_stretch mine = stretch(slot->ready_ns, ns, state, slot->job.party);
	struct grt_stretch before = { .party = GRT_NONE };

	/* Nothing to be claimed, mostly: all of it is settled. */
	if (!slot->is_ready || grt_deque_is_empty(&t->line.open))
		return;
	/* What it depends on may have been among what is missing. */
	if (state == GRT_IDLE_SCHEDULER && (grt_losses_touch(&m->losses, slot->opened_ns, ns) ||
					    grt_gap_touches(&m->no_deps, slot->opened_ns, ns)))
		mine.state = GRT_LINE_MAYBE;
	mine.ctx = slot->job.ctx;
	mine.seqno = slot->job.seqno;
	/* What let it go is what the ring had waited for. */
	if (slot->dep_end_ns == slot->ready_ns) {
		before.party = slot->dep_party;
		before.ctx = slot->job.dep_ctx;
		before.seqno = slot->job.dep_seqno;
	}
	grt_timeline_claim(m, t, &mine, &before);
}

static uint32_t credits_of(const struct grt_slot *slot)
{
	return slot->job.credits ? slot->job.credits : 1;
}

static int set_candidate(struct grt_track *t, struct grt_slot *slot, bool is_candidate, uint64_t ns)
{
	if (slot->is_candidate == is_candidate)
		return 0;
	slot->is_candidate = is_candidate;
	return grt_credits_want(&t->credits, credits_of(slot), is_candidate ? 1 : -1, ns);
}

static int become_head(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t = grt_track_at(m, slot->track);

	slot->place = GRT_PLACE_HEAD;
	if (!slot->pending && !slot->is_doubtful)
		grt_track_link_ready(m, t, i, ns);
	return slot->blocked ? 0 : set_candidate(t, slot, true, ns);
}

/* The next job of a context has its turn. */
static int next_head(struct grt_model *m, struct grt_ctx *ctx, uint64_t ns)
{
	uint32_t i = ctx->turn;

	if (i != GRT_NONE && grt_slot_at(m, i)->place == GRT_PLACE_HEAD)
		return 0;
	while (i != GRT_NONE && grt_slot_at(m, i)->place != GRT_PLACE_BEHIND)
		i = grt_slot_at(m, i)->ctx_next;
	ctx->turn = i;
	return i == GRT_NONE ? 0 : become_head(m, i, ns);
}

int grt_queue_submit(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	bool is_doubtful = grt_gap_touches(&m->no_deps, slot->opened_ns, ns);
	struct grt_track *t;

	/* With equal times its COMMIT may have come first. */
	if (slot->place != GRT_PLACE_NONE || grt_job_has(&slot->job, GRT_AT_COMMIT) ||
	    grt_job_has(&slot->job, GRT_AT_COMPLETE) || slot->track == GRT_NONE)
		return 0;
	t = grt_track_at(m, slot->track);
	if (!t->queued)
		tell(m, t, ns, slot->job.party);
	else if (!t->doubtful && is_doubtful)
		tell(m, t, ns, GRT_NONE);
	t->queued++;
	slot->is_doubtful = is_doubtful;
	t->doubtful += is_doubtful;
	slot->place = GRT_PLACE_BEHIND;
	if (ctx->turn != GRT_NONE)
		return 0;
	ctx->turn = i;
	return become_head(m, i, ns);
}

/* It waits no more: @state is what the time was when it was ready. */
static int dequeue(struct grt_model *m, uint32_t i, uint64_t ns, uint8_t state)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t = grt_track_at(m, slot->track);
	int err;

	tell(m, t, ns, GRT_NONE);
	claim(m, t, i, ns, state);
	grt_track_unlink_ready(m, t, i);
	err = set_candidate(t, slot, false, ns);
	slot->place = GRT_PLACE_LEFT;
	t->queued--;
	if (slot->is_doubtful) {
		slot->is_doubtful = false;
		t->doubtful--;
		t->unsure_ns = ns;
	}
	settle(m, t);
	return err;
}

/* COMMITs of a context come in order: where one is missing, its job went before. */
static int pass_over(struct grt_model *m, struct grt_ctx *ctx, uint32_t until, uint64_t ns)
{
	uint64_t seqno = grt_slot_at(m, until)->job.seqno;

	for (uint32_t i = ctx->turn; i != GRT_NONE; i = grt_slot_at(m, i)->ctx_next) {
		struct grt_slot *slot = grt_slot_at(m, i);
		int err;

		if (i == until || (int64_t)(slot->job.seqno - seqno) > 0)
			break;
		err = grt_slot_is_queued(slot) ? dequeue(m, i, ns, GRT_LINE_MAYBE) : 0;
		if (err)
			return err;
	}
	return 0;
}

int grt_queue_commit(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	struct grt_track *t;
	int err;

	slot->front_ns = ctx->commit_ns;
	ctx->commit_ns = ns;
	if (slot->track == GRT_NONE)
		return 0;
	t = grt_track_at(m, slot->track);
	slot->flips = grt_credits_flips(&t->credits);
	slot->credits_sure_ns = t->credits.sure_ns;
	if (t->credits.is_mixed && slot->credits_sure_ns < t->unsure_ns)
		slot->credits_sure_ns = t->unsure_ns;
	if (t->credits.is_mixed && slot->credits_sure_ns < t->seen_late_ns)
		slot->credits_sure_ns = t->seen_late_ns;
	if (t->credits.is_mixed && (t->doubtful || grt_track_is_unsure(m, t, ns)))
		slot->credits_sure_ns = UINT64_MAX;
	err = pass_over(m, ctx, i, ns);
	if (!err && grt_slot_is_queued(slot))
		err = dequeue(m, i, ns, GRT_IDLE_SCHEDULER);
	if (err)
		return err;
	slot->place = GRT_PLACE_LEFT;
	/* END or COMPLETE with the same time may have come first. */
	if (!grt_job_has(&slot->job, GRT_AT_END) && !grt_job_has(&slot->job, GRT_AT_COMPLETE)) {
		tell(m, t, ns, GRT_NONE);
		t->may_recover = false;
		t->on++;
		t->on_credits += credits_of(slot);
		slot->is_on = true;
		err = grt_credits_take(&t->credits, credits_of(slot), ns);
	}
	return err ? err : next_head(m, ctx, ns);
}

/* Whether what runs on the hardware is a job of this ring, and since when. */
static bool runs_here(const struct grt_model *m, const struct grt_track *t, uint64_t *from_ns,
		      bool *is_sure)
{
	uint32_t i = grt_settle_running(m, t, from_ns, is_sure);

	return i != GRT_NONE && grt_track_at(m, grt_slot_at(m, i)->track) == t;
}

/* What the hardware did until job @i ended. */
static void tell_run(struct grt_model *m, struct grt_track *t, const struct grt_slot *slot,
		     uint64_t ns)
{
	const struct grt_job *job = &slot->job;
	uint64_t start_ns = job->at_ns[GRT_AT_START], first_ns;
	bool is_sure;
	struct grt_stretch s;

	if (job->flags & GRT_JOB_NO_HW)
		return;
	if (!grt_job_has(job, GRT_AT_START) || start_ns > ns) {
		tell_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
		return;
	}
	/* It ended before one in front of it, which runs, too. */
	if (grt_settle_is_behind(m, slot) && runs_here(m, t, &first_ns, &is_sure) &&
	    is_sure && first_ns < start_ns)
		start_ns = first_ns;
	/* All of its life at one instant: its SUBMIT came last, to an idle ring. */
	if (!t->on && grt_job_has(job, GRT_AT_SUBMIT) && job->at_ns[GRT_AT_SUBMIT] == start_ns)
		tell(m, t, start_ns, job->party);
	if (start_ns > t->since_ns)
		tell_gap(m, t, start_ns,
			 t->on ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN,
			 t->on ? job->party : GRT_NONE);
	if (ns <= t->since_ns)
		return;
	s = stretch(t->since_ns, ns, GRT_LINE_BUSY, GRT_NONE);
	grt_timeline_add(m, t, &s);
	t->since_ns = ns;
}

/* It is over without having been seen to be handed over. */
static void leave_queue(struct grt_model *m, uint32_t i, uint64_t ns, uint8_t state)
{
	struct grt_ctx *ctx = grt_ctx_at(m, grt_slot_at(m, i)->ctx);
	bool had_turn = ctx->turn == i;

	dequeue(m, i, ns, state);
	if (had_turn)
		next_head(m, ctx, ns);
}

void grt_queue_end(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t;

	if (slot->track == GRT_NONE)
		return;
	t = grt_track_at(m, slot->track);
	if (grt_slot_is_queued(slot))
		leave_queue(m, i, ns, GRT_LINE_MAYBE);
	if (!(slot->job.flags & GRT_JOB_NO_HW))
		t->culprit = slot->job.party;
	if (t->is_fifo)
		tell_run(m, t, slot, ns);
	if (!slot->is_on) {
		/* It was committed before the trace, or while events were lost. */
		if (!grt_job_has(&slot->job, GRT_AT_COMMIT)) {
			t->had_strangers |= grt_track_has_strangers(t);
			grt_credits_lose(&t->credits);
		}
		return;
	}
	grt_credits_give(&t->credits, credits_of(slot), ns);
	t->on_credits -= credits_of(slot);
	slot->is_on = false;
	if (t->on == 1) {
		tell_all(m, t, ns);
		tell_gap(m, t, ns, GRT_IDLE_HARDWARE, slot->job.party);
	}
	t->on--;
}

void grt_queue_take_out(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t;

	if (m->is_over)
		return;
	t = grt_track_at(m, slot->track);
	/* Without a COMMIT, only a source that declares all fences knows. */
	if (grt_slot_is_queued(slot))
		leave_queue(m, i, ns, m->is_declared ? GRT_IDLE_SCHEDULER : GRT_LINE_MAYBE);
	if (slot->is_on) {
		t->doubt_ns = ns;
		if (t->on == 1)
			tell_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
		slot->is_on = false;
		t->on--;
		t->on_credits -= credits_of(slot);
		/* After a loss the source has said anew how many are in use. */
		if (!grt_losses_touch(&m->losses, slot->job.at_ns[GRT_AT_COMMIT], ns))
			grt_credits_give(&t->credits, credits_of(slot), ns);
	}
	grt_queue_trust(m, i);
}

void grt_queue_wait(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t;

	if (slot->place != GRT_PLACE_HEAD)
		return;
	t = grt_track_at(m, slot->track);
	/* What is not over now was not over before. */
	if (slot->pending && slot->is_ready) {
		grt_track_unlink_ready(m, t, i);
		settle(m, t);
	}
	if (slot->blocked)
		set_candidate(t, slot, false, ns);
}

void grt_queue_wake(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t;

	if (slot->place != GRT_PLACE_HEAD)
		return;
	t = grt_track_at(m, slot->track);
	if (!slot->pending && !slot->is_ready && !slot->is_doubtful)
		grt_track_link_ready(m, t, i, ns);
	if (!slot->blocked)
		set_candidate(t, slot, true, ns);
}

void grt_queue_was_waiting(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);

	if (slot->is_ready && slot->ready_ns < ns)
		slot->ready_ns = ns;
}

void grt_queue_doubt(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t;

	if (!slot->is_ready)
		return;
	t = grt_track_at(m, slot->track);
	tell(m, t, ns, GRT_NONE);
	claim(m, t, i, ns, GRT_LINE_MAYBE);
	slot->ready_ns = ns;
	settle(m, t);
}

void grt_queue_error(struct grt_model *m, uint32_t ring, uint32_t code,
		     const struct grtrace_job_key *rec)
{
	struct grt_track *t = grt_track_of(m, ring, rec->hdr.flags & GRTRACE_F_SYNTHETIC,
					    rec->hdr.ts);
	uint64_t ns = rec->hdr.ts;

	if (!t)
		return;
	tell(m, t, ns, GRT_NONE);
	t->may_recover = false;
	/* What began it is missing. */
	if (!t->is_recovering && (code == GRTRACE_ERROR_RECOVERED ||
				  (code == GRTRACE_ERROR_RESET && grt_losses_count(&m->losses))))
		grt_track_show_late(m, t, ns);
	if (code == GRTRACE_ERROR_TIMEOUT || code == GRTRACE_ERROR_RESET) {
		if (!t->is_recovering) {
			uint32_t lost = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC,
						      rec->ctx, rec->seqno);

			t->is_recovering = true;
			t->reset_from_ns = ns;
			t->reset_to_ns = UINT64_MAX;
			t->lost_ctx = rec->ctx;
			t->lost_seqno = rec->seqno;
			t->lost_party = lost == GRT_NONE ? GRT_NONE : grt_slot_at(m, lost)->job.party;
		}
	} else if (code == GRTRACE_ERROR_RECOVERED && t->is_recovering) {
		t->is_recovering = false;
		t->reset_to_ns = ns;
		/* What is on a FIFO ring begins now, perhaps again. */
		if (t->is_fifo && t->on && m->ended == GRT_NONE &&
		    grt_settle_begins(m, t))
			tell_gap(m, t, ns, grt_losses_touch(&m->losses, t->since_ns, ns) ?
				 GRT_IDLE_UNKNOWN : GRT_IDLE_HARDWARE, GRT_NONE);
	}
}

/* Events are missing up to @ns: whoever is here may be gone. */
void grt_queue_suspect_all(struct grt_model *m, uint64_t ns)
{
	for (uint32_t i = 0; i < grt_vec_count(&m->tracks, struct grt_track); i++) {
		struct grt_track *t = grt_track_at(m, i);

		if (!t->is_live)
			continue;
		tell_all(m, t, ns);
		if (grt_track_has_strangers(t))
			grt_track_show_late(m, t, ns);
		grt_credits_lose(&t->credits);
		if (t->is_recovering) {
			/* Perhaps it still does. */
			t->is_recovering = false;
			t->may_recover = true;
			t->reset_to_ns = ns;
			t->doubt_ns = ns;
		}
	}
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next) {
		struct grt_slot *slot = grt_slot_at(m, i);

		if (slot->track == GRT_NONE || slot->is_suspect ||
		    (!grt_slot_is_queued(slot) && !slot->is_on))
			continue;
		slot->is_suspect = true;
		grt_track_at(m, slot->track)->suspects++;
	}
}

/* Dependencies are left out from @ns on: what was looked at and what was not is unknown. */
void grt_queue_doubt_all(struct grt_model *m, uint64_t ns)
{
	for (uint32_t i = m->oldest; i != GRT_NONE; i = grt_slot_at(m, i)->age_next) {
		struct grt_slot *slot = grt_slot_at(m, i);
		struct grt_track *t;

		if (!grt_slot_is_queued(slot) || slot->is_doubtful)
			continue;
		t = grt_track_at(m, slot->track);
		tell(m, t, ns, GRT_NONE);
		claim(m, t, i, ns, GRT_LINE_MAYBE);
		grt_track_unlink_ready(m, t, i);
		slot->is_doubtful = true;
		t->doubtful++;
		settle(m, t);
	}
}

void grt_queue_clear(struct grt_model *m, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_track *t = grt_track_at(m, slot->track);

	tell_all(m, t, m->now_ns);
	slot->is_suspect = false;
	t->suspects--;
	t->unsure_ns = m->now_ns;
}

/* What runs at a FIFO ring is the first job there, if no events are missing. */
static void tell_on(struct grt_model *m, struct grt_track *t, uint64_t ns)
{
	uint64_t from_ns;
	bool is_sure;

	if (!t->is_fifo) {
		tell_all(m, t, ns);
		return;
	}
	if (t->is_recovering && grt_settle_begins(m, t)) {
		/* Whether what is here has run, or will only then, is not known yet. */
		tell_gap(m, t, ns, GRT_IDLE_UNKNOWN, GRT_NONE);
	} else if (runs_here(m, t, &from_ns, &is_sure)) {
		if (from_ns > t->since_ns)
			tell_gap(m, t, from_ns, GRT_IDLE_HARDWARE, GRT_NONE);
		tell_gap(m, t, ns, is_sure ? GRT_LINE_BUSY : GRT_IDLE_UNKNOWN, GRT_NONE);
	} else {
		tell_gap(m, t, ns, is_sure ? GRT_IDLE_HARDWARE : GRT_IDLE_UNKNOWN, GRT_NONE);
	}
}

void grt_queue_tell_now(struct grt_model *m, struct grt_track *t)
{
	if (t->on)
		tell_on(m, t, m->now_ns);
	else
		tell(m, t, m->now_ns, GRT_NONE);
}

void grt_queue_finish(struct grt_model *m)
{
	uint64_t ns = m->totals.last_ns;

	for (uint32_t i = 0; i < grt_vec_count(&m->tracks, struct grt_track); i++) {
		struct grt_track *t = grt_track_at(m, i);

		if (!t->is_live)
			continue;
		if (t->had_strangers || grt_track_has_strangers(t))
			grt_track_show_late(m, t, ns);
		if (t->on)
			tell_on(m, t, ns);
		else
			tell(m, t, ns, t->culprit);
		while (t->ready != GRT_NONE) {
			claim(m, t, t->ready, ns,
			      m->is_declared ? GRT_IDLE_SCHEDULER : GRT_LINE_MAYBE);
			grt_track_unlink_ready(m, t, t->ready);
		}
		grt_timeline_finish(m, t);
	}
	m->is_over = true;
}
