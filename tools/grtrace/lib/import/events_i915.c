// SPDX-License-Identifier: LGPL-2.1
/* Events of i915.  Its adapter says where each of them fires. */
#include <stdio.h>

#include "import_private.h"

/* --- i915_request.c; without the low-level events it has no COMMIT, START, END --- */

static const char * const i915_classes[] = {
#define ROW(number, name, ENGINE) [number] = name,
	GRTRACE_I915_CLASSES(ROW)
#undef ROW
};

static struct grt_key i915_key(struct grt_import *im, const struct grt_foreign *ev)
{
	unsigned int class = ev->number[GRT_IN_CLASS], engine = ev->number[GRT_IN_ENGINE];
	char name[32];
	uint32_t ring;

	grt_note(im, GRT_FACT_DRIVER);
	if (grt_foreign_has(ev, GRT_IN_CLASS) &&
	    class < sizeof(i915_classes) / sizeof(i915_classes[0]))
		snprintf(name, sizeof(name), "%s%u", i915_classes[class], engine);
	else
		snprintf(name, sizeof(name), "ring%u", engine);
	ring = grt_card_ring(im, ev, "i915", name);
	/* Before Linux 4.15 requests were numbered per ring. */
	if (!grt_foreign_has(ev, GRT_IN_CTX))
		return grt_ring_key(im, ring, ev->number[GRT_IN_SEQNO]);
	return (struct grt_key){
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO], .ring = ring,
		.ends_late = true,
	};
}

void grt_on_i915_add(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_note(im, GRT_FACT_ADD);
	grt_put_submit(im, ev, &key);
}

/* Requests of user space are queued just before they are added. */
void grt_on_i915_queue(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	if (im->is_learning || !im->facts[GRT_FACT_ADD])
		grt_put_submit(im, ev, &key);
}

void grt_on_i915_execute(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_put_commit(im, ev, &key);
}

/* GuC does not tell when it starts a request. */
void grt_on_i915_guc_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	(void)ev;
	if (grt_learns(im))
		im->facts[GRT_FACT_GUC]++;
}

/* The contexts on the engine of @ring; NULL without memory. */
static struct grtrace_i915_engine *engine_of(struct grt_import *im, uint32_t ring)
{
	return grt_keyrow(&im->engines, ring, sizeof(struct grtrace_i915_engine));
}

static void put_switch(struct grt_import *im, const struct grt_foreign *ev, uint32_t ring,
		       const struct grtrace_i915_switch *to)
{
	struct grtrace_ctx_switch *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_CTX_SWITCH,
						     sizeof(*rec), to->flags);

	if (!rec)
		return;
	rec->ctx = to->ctx;
	rec->seqno = to->seqno;
	rec->ring = ring;
	rec->from_ctx = to->from_ctx;
}

void grt_on_i915_in(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);
	uint32_t port = grt_foreign_has(ev, GRT_IN_TYPE) ? ev->number[GRT_IN_TYPE] : 0;
	struct grtrace_i915_switch to;
	struct grtrace_i915_engine *engine;

	if (im->is_learning || im->facts[GRT_FACT_GUC])
		return;
	engine = engine_of(im, key.ring);
	if (engine && grtrace_i915_in(engine, key.ctx, key.seqno, port, &to))
		put_switch(im, ev, key.ring, &to);
	grt_put_start(im, ev, &key, ev->ts, 0);
}

/* "completed?=0": the request was preempted and will run again. */
void grt_on_i915_out(struct grt_import *im, const struct grt_foreign *ev)
{
	bool is_over = !grt_foreign_has(ev, GRT_IN_STATUS) || ev->number[GRT_IN_STATUS];
	struct grt_key key = i915_key(im, ev);
	struct grtrace_i915_switch to;
	struct grtrace_i915_engine *engine;

	if (is_over)
		grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	if (im->is_learning)
		return;
	engine = engine_of(im, key.ring);
	if (engine && grtrace_i915_out(engine, key.ctx, is_over, &to))
		put_switch(im, ev, key.ring, &to);
}

void grt_on_i915_wait_begin(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_note(im, GRT_FACT_I915_WAIT);
	grt_put_wait(im, ev, &key, GRTRACE_SYNC_WAIT_ENTER, 0);
}

/* A wait may also end because of a signal or a timeout. */
void grt_on_i915_wait_end(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);
	const struct grt_ctx_row *row = grt_ctxs_find(&im->ctxs, key.ctx);
	bool is_over = row && row->has_signaled && row->signaled >= key.seqno;

	grt_put_wait(im, ev, &key, GRTRACE_SYNC_WAIT_EXIT, is_over ? 0 : GRTRACE_F_NO_STATUS);
}

/*
 * The driver notices here that a request is over, maybe long after; its fence or its END is more
 * precise.
 */
void grt_on_i915_retire(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);
	const struct grt_ctx_row *row = grt_ctxs_find(&im->ctxs, key.ctx);

	grt_note(im, GRT_FACT_OVER);
	if (row && row->has_signaled && row->signaled >= key.seqno)
		return;
	if (!im->is_learning && !im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, GRT_NO_STATUS, GRTRACE_F_UPPER_BOUND);
}

/* --- memory --- */

#define PAGE_BYTES	4096	/* on x86, where i915 is */

static unsigned int mappable_flag(const struct grt_foreign *ev)
{
	return grt_foreign_says(ev, GRT_IN_FLAGS, GRTRACE_I915_PIN_MAPPABLE, ", mappable") ? GRTRACE_F_MAPPABLE : 0;
}

void grt_on_i915_create(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_CREATE, 0);
}

void grt_on_i915_destroy(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_DESTROY, 0);
}

void grt_on_i915_pwrite(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_PWRITE, 0);
}

void grt_on_i915_pread(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_PREAD, 0);
}

/* The offset is a page's. */
void grt_on_i915_fault(struct grt_import *im, const struct grt_foreign *ev)
{
	bool is_write = grt_foreign_says(ev, GRT_IN_FLAGS, ~0ull, "writable");
	struct grtrace_memory *rec = grt_put_memory(im, ev, GRTRACE_MEMORY_FAULT,
						    is_write ? GRTRACE_F_WRITE : 0);

	if (!rec)
		return;
	rec->offset_bytes *= PAGE_BYTES;
	rec->to_domain = grt_foreign_says(ev, GRT_IN_TYPE, ~0ull, " GTT ") ? GRTRACE_I915_DOMAIN_GTT :
								 GRTRACE_I915_DOMAIN_CPU;
}

void grt_on_i915_bind(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_BIND, mappable_flag(ev));
}

void grt_on_i915_unbind(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_UNBIND, 0);
}

/* It names a number of pages. */
void grt_on_i915_shrink(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grtrace_memory *rec = grt_put_memory(im, ev, GRTRACE_MEMORY_SHRINK, 0);

	if (rec)
		rec->bytes *= PAGE_BYTES;
}

void grt_on_i915_evict(struct grt_import *im, const struct grt_foreign *ev)
{
	grt_put_memory(im, ev, GRTRACE_MEMORY_EVICT, mappable_flag(ev));
}
