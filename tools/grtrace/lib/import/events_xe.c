// SPDX-License-Identifier: LGPL-2.1
/*
 * Events of xe.  Its adapter says where each of them fires.
 *
 * The driver's own events name no context: a job has the number of its hardware fence, and a queue has
 * GuC's number of it.  The probes that a recording defines read the rest: see capture/tracefs_events.c.
 */
#include <errno.h>
#include <string.h>

#include "domain.h"
#include "import_private.h"

/* --- jobs --- */

void grt_on_xe_timeout(struct grt_import *im, const struct grt_foreign *ev)
{
	if (!im->is_learning && !grt_is_timeout_known(im, ev))
		grt_put_error(im, ev, ev->number[GRT_IN_SCHED], grt_foreign_has_key(ev),
			      GRTRACE_ERROR_TIMEOUT, -ETIME);
}

void grt_on_xe_ban(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_error(im, ev, ev->number[GRT_IN_SCHED], grt_foreign_has_key(ev), GRTRACE_ERROR_HANG, 0);
}

/* --- queues --- */

/* Its scheduler is a part of GuC's half of the queue.  0: not known. */
static uint64_t sched_of(const struct grt_foreign *ev)
{
	if (!grt_foreign_has(ev, GRT_IN_WORK) || !grt_foreign_has(ev, GRT_IN_WORK_AT))
		return 0;
	return ev->number[GRT_IN_WORK] + ev->number[GRT_IN_WORK_AT];
}

/* The probe reads the first context of the queue's entity; jobs have the second one. */
static void put_schedule(struct grt_import *im, const struct grt_foreign *ev, bool is_on)
{
	uint64_t ctx = ev->number[GRT_IN_CTX] + 1, sched = sched_of(ev);
	uint32_t ring = sched ? grt_out_ring_of_sched(&im->rings, sched) : 0;
	struct grtrace_ctx_switch *rec;

	if (!grt_foreign_has(ev, GRT_IN_CTX))
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_CTX_SWITCH, sizeof(*rec), 0);
	if (!rec)
		return;
	rec->ctx = is_on ? ctx : 0;
	rec->from_ctx = is_on ? 0 : ctx;
	rec->ring = ring;
}

void grt_on_xe_enable(struct grt_import *im, const struct grt_foreign *ev)
{
	put_schedule(im, ev, true);
}

void grt_on_xe_disable(struct grt_import *im, const struct grt_foreign *ev)
{
	put_schedule(im, ev, false);
}

void grt_on_xe_reset(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_error(im, ev, sched_of(ev), false, GRTRACE_ERROR_HANG, 0);
}

void grt_on_xe_cat_error(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_error(im, ev, sched_of(ev), false, GRTRACE_ERROR_FAULT, -EFAULT);
}

/* --- memory --- */

void grt_on_xe_create(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_CREATE, 0);
}

void grt_on_xe_fault(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_FAULT, GRTRACE_F_ACCESS_UNKNOWN);
}

/* Its number, or its name in xe_mem_type_to_name.  The number of "stolen" is another one in each kernel. */
static uint32_t placement(const struct grt_foreign *ev, enum grt_slot_nr number, enum grt_slot_nr name)
{
	static const char *const names[] = { "system", "gtt", "vram0", "vram1" };
	const struct grt_piece *text = &ev->piece[name];

	if (grt_foreign_has(ev, number))
		return ev->number[number];
	for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (grt_foreign_has(ev, name) && strlen(names[i]) == text->len &&
		    !memcmp(names[i], text->at, text->len))
			return i;
	return GRT_DOMAIN_UNSAID;
}

void grt_on_xe_move(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_memory *rec = grt_put_memory(im, ev, GRTRACE_MEMORY_MOVE, 0);

	if (!rec)
		return;
	rec->from_domain = grt_foreign_says(ev, GRT_IN_FLAGS, ~0ull, "lacks_source:yes") ?
			   GRT_DOMAIN_NOWHERE : placement(ev, GRT_IN_FROM, GRT_IN_FROM_NAME);
	rec->to_domain = placement(ev, GRT_IN_TO, GRT_IN_TO_NAME);
}

/* The driver's own event tells the last byte, in place of the size. */
static void put_vma(struct grt_import *im, const struct grt_foreign *ev, enum grtrace_memory_op op)
{
	struct grtrace_memory *rec = grt_put_memory(im, ev, op, 0);

	if (rec && grt_foreign_has(ev, GRT_IN_LAST))
		rec->bytes = ev->number[GRT_IN_LAST] - rec->offset_bytes + 1;
}

void grt_on_xe_bind(struct grt_import *im, const struct grt_foreign *ev)
{
	put_vma(im, ev, GRTRACE_MEMORY_BIND);
}

void grt_on_xe_unbind(struct grt_import *im, const struct grt_foreign *ev)
{
	put_vma(im, ev, GRTRACE_MEMORY_UNBIND);
}
