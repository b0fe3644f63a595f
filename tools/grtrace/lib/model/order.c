// SPDX-License-Identifier: LGPL-2.1
/*
 * The order of the jobs of a context.  Their numbers tell it; the clocks of two CPUs may have stamped
 * the SUBMITs or COMMITs of two jobs the other way round.  Only a few jobs can be swapped so.
 */
#include "model_private.h"

#define MAX_SWAPPED	64

void grt_order_enter(struct grt_model *m, struct grt_ctx *ctx, uint32_t i)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	unsigned int left = MAX_SWAPPED;
	uint32_t front = ctx->tail;

	while (front != GRT_NONE && left-- && grt_is_older(slot->job.seqno, grt_slot_at(m, front)->job.seqno) &&
	       slot->opened_ns - grt_slot_at(m, front)->opened_ns <= GRT_SKEW_NS)
		front = grt_slot_at(m, front)->ctx_prev;
	slot->ctx_prev = front;
	slot->ctx_next = front == GRT_NONE ? ctx->head : grt_slot_at(m, front)->ctx_next;
	*(front == GRT_NONE ? &ctx->head : &grt_slot_at(m, front)->ctx_next) = i;
	*(slot->ctx_next == GRT_NONE ? &ctx->tail : &grt_slot_at(m, slot->ctx_next)->ctx_prev) = i;
}

uint32_t grt_order_committed_behind(const struct grt_model *m, uint32_t i, uint64_t within_ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);
	unsigned int left = MAX_SWAPPED;

	for (uint32_t j = slot->ctx_next; j != GRT_NONE && left--; j = grt_slot_at(m, j)->ctx_next) {
		const struct grt_life *behind = &grt_slot_at(m, j)->job;

		if (grt_job_has(behind, GRT_AT_COMMIT) && grt_is_older(slot->job.seqno, behind->seqno) &&
		    slot->job.at_ns[GRT_AT_COMMIT] - behind->at_ns[GRT_AT_COMMIT] <= within_ns)
			return j;
	}
	return GRT_NONE;
}

/* Job @i is committed after a younger one of its context: it was in front of that one all the same. */
static bool commit_late(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	uint32_t first = grt_order_committed_behind(m, i, UINT64_MAX);
	unsigned int left = MAX_SWAPPED;
	bool was_left_out = false;

	/* If the younger job has left already, this is more than a difference of clocks. */
	slot->front_ns = first == GRT_NONE ? grt_ctx_at(m, slot->ctx)->commit_ns : grt_slot_at(m, first)->front_ns;
	for (uint32_t j = first; j != GRT_NONE && left--; j = grt_slot_at(m, j)->ctx_next) {
		struct grt_slot *behind = grt_slot_at(m, j);

		if (!grt_job_has(&behind->job, GRT_AT_COMMIT))
			continue;
		if (behind->front_ns < ns)
			behind->front_ns = ns;
		/* It waited for this one up to its own COMMIT, and for no credits. */
		behind->credits_sure_ns = behind->job.at_ns[GRT_AT_COMMIT];
		was_left_out |= behind->job.at_ns[GRT_AT_COMMIT] < ns;
	}
	return was_left_out;
}

bool grt_order_commit(struct grt_model *m, uint32_t i, uint64_t ns)
{
	struct grt_slot *slot = grt_slot_at(m, i);
	struct grt_ctx *ctx = grt_ctx_at(m, slot->ctx);
	bool was_left_out = false;

	ctx->commits++;
	if (ctx->commit_ns && grt_is_older(slot->job.seqno, ctx->commit_seqno)) {
		was_left_out = commit_late(m, i, ns);
	} else {
		slot->front_ns = ctx->commit_ns;
		ctx->commit_seqno = slot->job.seqno;
	}
	ctx->commit_ns = ns;
	return was_left_out;
}
