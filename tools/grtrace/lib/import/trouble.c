// SPDX-License-Identifier: LGPL-2.1
/* Errors of jobs and rings, which timeouts are recorded already, and which are handled now. */
#include "import_private.h"

static uint64_t *timeout_note(struct grt_import *im, uint64_t tag)
{
	return &im->timeouts[tag % GRT_TIMEOUT_NOTES];
}

static uint64_t timeout_tag(const struct grt_foreign *ev)
{
	return ev->number[GRT_IN_CTX] * 0x61C88647u + ev->number[GRT_IN_SEQNO];
}

void grt_note_timeout(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t tag = timeout_tag(ev);

	*timeout_note(im, tag) = tag;
}

bool grt_is_timeout_known(struct grt_import *im, const struct grt_foreign *ev)
{
	uint64_t tag = timeout_tag(ev);

	if (!grt_foreign_has_key(ev))
		return im->facts[GRT_FACT_TIMEOUT];
	if (*timeout_note(im, tag) != tag)
		return false;
	*timeout_note(im, tag) = 0;
	return true;
}

/* Its id gives a thread its place; a newer one replaces an older one, whose recovery is not recorded. */
static struct grt_handler *handler_of(struct grt_import *im, const struct grt_foreign *ev)
{
	return &im->handlers[ev->tid % GRT_HANDLED_NOTES];
}

void grt_note_handler(struct grt_import *im, const struct grt_foreign *ev, uint64_t sched)
{
	*handler_of(im, ev) = (struct grt_handler){ .sched = sched, .tid = ev->tid };
}

void grt_forget_handler(struct grt_import *im, uint64_t sched)
{
	for (size_t i = 0; i < GRT_HANDLED_NOTES; i++)
		if (im->handlers[i].sched == sched)
			im->handlers[i].sched = 0;
}

uint64_t grt_take_handler(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_handler *handler = handler_of(im, ev);
	uint64_t sched = handler->tid == ev->tid ? handler->sched : 0;

	if (sched)
		handler->sched = 0;
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
