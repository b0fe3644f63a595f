// SPDX-License-Identifier: LGPL-2.1
/*
 * Jobs of a context that a driver passes to the hardware together: see GRTRACE_COALESCING_DRIVERS.  The
 * hardware runs them in order, and the source reports the END of the last one.  So the others were over by
 * then, and each but the first began at a time that nobody saw.
 */
#include "model_private.h"

/* The job of an event, if its ring is of such a driver and no event of the same kind came before; else GRT_NONE. */
static uint32_t job_of(struct grt_model *m, const struct grtrace_job_key *rec, enum grt_stamp stamp)
{
	uint32_t i = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	const struct grt_slot *slot = i == GRT_NONE ? NULL : grt_slot_at(m, i);

	if (!slot || slot->state == GRT_GONE || slot->ring_state == GRT_NONE ||
	    !grt_ring_state_at(m, slot->ring_state)->coalesces)
		return GRT_NONE;
	return !grt_job_has(&slot->job, stamp) || slot->job.at_ns[stamp] == rec->hdr.ts ? i : GRT_NONE;
}

/*
 * The first job from @i on that is older than @of, on its ring, and lacks @stamp; GRT_NONE: none.  Jobs behind @of in
 * its context are younger.
 */
static uint32_t open_before(const struct grt_model *m, uint32_t i, uint32_t of, enum grt_stamp stamp)
{
	const struct grt_slot *last = grt_slot_at(m, of);

	for (; i != GRT_NONE && i != of; i = grt_slot_at(m, i)->ctx_next) {
		const struct grt_slot *slot = grt_slot_at(m, i);

		if (slot->has_key && slot->ring_state == last->ring_state && !grt_job_has(&slot->job, stamp) &&
		    grt_is_older(slot->job.seqno, last->job.seqno))
			return i;
	}
	return GRT_NONE;
}

static uint32_t first_of(const struct grt_model *m, uint32_t i)
{
	return grt_ctx_at(m, grt_slot_at(m, i)->ctx)->head;
}

/* The event that a job must have had by then, as if the source had reported it. */
static struct grtrace_hdr made_up(const struct grt_slot *slot, uint32_t type, size_t size, uint64_t ns)
{
	uint16_t flags = GRTRACE_F_INFERRED | GRTRACE_F_UPPER_BOUND | GRTRACE_F_NO_STATUS;

	if (slot->job.flags & GRT_JOB_SYNTHETIC)
		flags |= GRTRACE_F_SYNTHETIC;
	return (struct grtrace_hdr){ .type = type, .size = size, .flags = flags, .ts = ns };
}

static int end(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	const struct grt_life *job = &slot->job;
	struct grtrace_end rec = { .ctx = job->ctx, .seqno = job->seqno };

	/* Its COMPLETE came before: then it was over before. */
	if (grt_job_has(job, GRT_AT_COMPLETE) && job->at_ns[GRT_AT_COMPLETE] < ns)
		ns = job->at_ns[GRT_AT_COMPLETE];
	rec.hdr = made_up(slot, GRTRACE_END, sizeof(rec), ns);
	return grt_life_end(m, (const struct grtrace_job_key *)&rec);
}

int grt_coalesced_end(struct grt_model *m, const struct grtrace_job_key *rec)
{
	uint32_t i = rec->hdr.flags & GRTRACE_F_NO_HW ? GRT_NONE : job_of(m, rec, GRT_AT_END), older, next;
	int err = 0;

	if (i == GRT_NONE)
		return 0;
	for (older = open_before(m, first_of(m, i), i, GRT_AT_END); older != GRT_NONE && !err; older = next) {
		next = open_before(m, grt_slot_at(m, older)->ctx_next, i, GRT_AT_END);
		err = end(m, older, rec->hdr.ts);
	}
	return err;
}

static int complete(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	const struct grtrace_complete rec = {
		.hdr = made_up(slot, GRTRACE_COMPLETE, sizeof(rec), ns),
		.ctx = slot->job.ctx, .seqno = slot->job.seqno,
	};

	return grt_life_complete(m, (const struct grtrace_job_key *)&rec);
}

/*
 * A source without COMPLETEs makes one from the END of a job.  Fences of a context are signalled in order, so the
 * older jobs of the context are complete by then, too.
 */
int grt_coalesced_complete(struct grt_model *m, const struct grtrace_job_key *rec)
{
	uint32_t i = rec->hdr.flags & GRTRACE_F_INFERRED ? job_of(m, rec, GRT_AT_COMPLETE) : GRT_NONE, older, next;
	int err = 0;

	if (i == GRT_NONE)
		return 0;
	for (older = open_before(m, first_of(m, i), i, GRT_AT_COMPLETE); older != GRT_NONE && !err; older = next) {
		next = open_before(m, grt_slot_at(m, older)->ctx_next, i, GRT_AT_COMPLETE);
		err = complete(m, older, rec->hdr.ts);
	}
	return err;
}

/* Whether the hardware has the job, and it may still run. */
static bool is_there(const struct grt_life *job)
{
	return (grt_job_has(job, GRT_AT_COMMIT) || grt_job_has(job, GRT_AT_START)) &&
	       !grt_job_has(job, GRT_AT_COMPLETE);
}

/*
 * A job came to the hardware.  If a job in front of it is there, too, that one begins now, unless it has begun
 * before; and this one begins behind it.
 */
void grt_coalesced_start(struct grt_model *m, const struct grtrace_job_key *rec)
{
	uint32_t i = job_of(m, rec, GRT_AT_START), first;
	struct grt_life *job;

	if (i == GRT_NONE)
		return;
	first = open_before(m, first_of(m, i), i, GRT_AT_END);
	while (first != GRT_NONE && !is_there(&grt_slot_at(m, first)->job))
		first = open_before(m, grt_slot_at(m, first)->ctx_next, i, GRT_AT_END);
	/* A job without another stamp keeps this one. */
	if (first == GRT_NONE || grt_slot_at(m, i)->job.stamps == 1u << GRT_AT_START)
		return;
	grt_slot_at(m, i)->job.stamps &= ~(1u << GRT_AT_START);
	job = &grt_slot_at(m, first)->job;
	if (!grt_job_has(job, GRT_AT_START)) {
		grt_job_stamp(job, GRT_AT_START, rec->hdr.ts);
		job->flags |= GRT_JOB_INFERRED_START;
	}
}
