// SPDX-License-Identifier: LGPL-2.1
/* Errors of jobs and rings, which timeouts are recorded already, and which are handled now. */
#include "error.h"
#include "import_private.h"

void grt_note_timeout(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t ctx = ev->number[GRT_IN_CTX], seqno = ev->number[GRT_IN_SEQNO];

	if (grt_keymap_get(&im->timeouts, ctx, seqno) == GRT_NONE && grt_keymap_put(&im->timeouts, ctx, seqno, 0))
		grt_fail_memory();
}

bool grt_is_timeout_known(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t ctx = ev->number[GRT_IN_CTX], seqno = ev->number[GRT_IN_SEQNO];

	if (!grt_foreign_has_key(ev))
		return im->facts[GRT_FACT_TIMEOUT];
	if (grt_keymap_get(&im->timeouts, ctx, seqno) == GRT_NONE)
		return false;
	grt_keymap_del(&im->timeouts, ctx, seqno);
	return true;
}

void grt_note_handler(struct grt_import *im, const struct grt_foreign *ev, uint64_t sched)
{
	uint64_t *handled = grt_map_put(&im->handlers, ev->tid);

	if (handled)
		*handled = sched;
	else
		grt_fail_memory();
}

void grt_forget_handler(struct grt_import *im, uint64_t sched)
{
	for (size_t i = 0; i < grt_map_count(&im->handlers); i++) {
		uint64_t *handled = grt_map_get(&im->handlers, grt_map_at(&im->handlers, i)->key);

		if (*handled == sched)
			*handled = 0;
	}
}

uint64_t grt_take_handler(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t *handled = grt_map_get(&im->handlers, ev->tid), sched = handled ? *handled : 0;

	if (handled)
		*handled = 0;
	return sched;
}

void grt_put_error(struct grt_import *im, const struct grt_foreign *ev, uint64_t sched, bool has_job,
		   uint32_t code, int32_t status)
{
	uint32_t ring = sched ? grt_out_ring_of_sched(&im->rings, sched) : 0;
	struct grtrace_error *rec;

	if (!ring)
		ring = grt_ring_of(im, ev);
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_ERROR, sizeof(*rec), 0);
	if (!rec)
		return;
	if (has_job) {
		rec->ctx = ev->number[GRT_IN_CTX];
		rec->seqno = ev->number[GRT_IN_SEQNO];
	}
	rec->ring = ring;
	rec->code = code;
	rec->status = status;
}
