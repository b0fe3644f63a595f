// SPDX-License-Identifier: LGPL-2.1
/* Resets of a ring: from a timeout, or the reset itself, until the driver has recovered. */
#include <errno.h>

#include "model_private.h"

/* A reset of the ring begins at @rec, which may name the job that hung. */
static void begin_reset(struct grt_model *m, struct grt_ring_state *t,
			const struct grtrace_job_key *rec)
{
	const struct grt_ring_state *hung = rec->ctx ? NULL : grt_device_hung(m, t);
	uint32_t lost = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	uint64_t ns = rec->hdr.ts;

	t->is_recovering = true;
	if (t->hwq != GRT_NONE)
		grt_hw_queue_at(m, t->hwq)->resets++;
	t->reset_from_ns = ns;
	t->reset_to_ns = UINT64_MAX;
	t->lost_ctx = hung ? hung->lost_ctx : rec->ctx;
	t->lost_seqno = hung ? hung->lost_seqno : rec->seqno;
	t->lost_client = hung ? hung->lost_client : GRT_NONE;
	if (lost != GRT_NONE) {
		t->lost_client = grt_slot_at(m, lost)->job.client;
		grt_slot_at(m, lost)->job.flags |= GRT_JOB_HUNG;
	}
	if (m->oldest != GRT_NONE)
		grt_spans_drop(&t->resets, grt_slot_at(m, m->oldest)->opened_ns);
	if (grt_spans_add(&t->resets, &(struct grt_span_by){
				.ctx = t->lost_ctx, .seqno = t->lost_seqno,
				.client = t->lost_client, .reason = GRT_BLAME_RECOVERY,
			}, ns, UINT64_MAX, true))
		m->err = -ENOMEM;
	grt_device_hangs(m, t);
}

static void end_reset(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	grt_device_recovers(m, t);
	t->is_recovering = false;
	if (t->hwq != GRT_NONE && grt_hw_queue_at(m, t->hwq)->resets)
		grt_hw_queue_at(m, t->hwq)->resets--;
	t->reset_to_ns = ns;
	if (!grt_deque_is_empty(&t->resets.spans))
		(grt_deque_end(&t->resets.spans, struct grt_span_by) - 1)->to_ns = ns;
}

/* Whether the reset of @rec may have begun earlier, with an event that was lost or came before the trace. */
static bool may_have_begun(struct grt_model *m, const struct grt_ring_state *t, uint32_t code,
			   const struct grtrace_job_key *rec)
{
	uint32_t hung;

	if (code != GRTRACE_ERROR_RESET)
		return code == GRTRACE_ERROR_RECOVERED;
	if (grt_losses_count(&m->losses))
		return true;
	if (t->reset_from_ns || !rec->ctx)
		return false;
	/* The timeout of a job that was handed over in the trace would be in it, too. */
	hung = grt_slot_find(m, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->ctx, rec->seqno);
	return hung == GRT_NONE || !grt_job_has(&grt_slot_at(m, hung)->job, GRT_AT_COMMIT);
}

void grt_reset_event(struct grt_model *m, uint32_t ring, uint32_t code,
		     const struct grtrace_job_key *rec)
{
	struct grt_ring_state *t =
		grt_ring_state_of(m, ring, rec->hdr.flags & GRTRACE_F_SYNTHETIC, rec->hdr.ts);
	uint64_t ns = rec->hdr.ts;

	if (!t)
		return;
	grt_ring_report_idle(m, t, ns, GRT_NONE);
	t->may_recover = false;
	if (!t->is_recovering && may_have_begun(m, t, code, rec))
		grt_ring_state_show_late(m, t, ns);
	if (code == GRTRACE_ERROR_TIMEOUT || code == GRTRACE_ERROR_RESET) {
		if (!t->is_recovering)
			begin_reset(m, t, rec);
	} else if (code == GRTRACE_ERROR_RECOVERED && t->is_recovering) {
		end_reset(m, t, ns);
		/* A FIFO ring runs its first job from now on.  It may have begun before the reset, and runs again then. */
		if (t->is_fifo && t->on && m->ended == GRT_NONE &&
		    grt_hw_begins(m, t))
			grt_ring_report_gap(m, t, ns, grt_losses_touch(&m->losses, t->since_ns, ns) ?
					    GRT_IDLE_UNKNOWN : GRT_IDLE_HARDWARE, GRT_NONE);
	}
}

void grt_reset_lose_events(struct grt_model *m, struct grt_ring_state *t, uint64_t ns)
{
	if (!t->is_recovering)
		return;
	end_reset(m, t, ns);
	t->may_recover = true;
	t->doubt_ns = ns;
}
