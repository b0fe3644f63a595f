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

static uint32_t i915_ring(struct grt_import *im, const struct grt_foreign *ev)
{
	unsigned int class = ev->number[GRT_IN_CLASS], engine = ev->number[GRT_IN_ENGINE];
	char name[32];

	if (grt_foreign_has(ev, GRT_IN_CLASS) &&
	    class < sizeof(i915_classes) / sizeof(i915_classes[0]))
		snprintf(name, sizeof(name), "%s%u", i915_classes[class], engine);
	else
		snprintf(name, sizeof(name), "ring%u", engine);
	return grt_card_ring(im, ev, "i915", name);
}

/* What the event tells; 0: nothing. */
static uint32_t global_of(const struct grt_foreign *ev)
{
	return grt_foreign_has(ev, GRT_IN_GLOBAL) ? ev->number[GRT_IN_GLOBAL] : 0;
}

static struct grt_key i915_key(struct grt_import *im, const struct grt_foreign *ev)
{
	uint32_t ring = i915_ring(im, ev);

	grt_note(im, GRT_FACT_DRIVER);
	/* Before Linux 4.15 requests were numbered per ring. */
	if (!grt_foreign_has(ev, GRT_IN_CTX))
		return grt_ring_key(im, ring, ev->number[GRT_IN_SEQNO]);
	return (struct grt_key){
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO], .ring = ring,
		.ends_late = true,
	};
}

static void learn_global(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	if (im->is_learning)
		grt_globals_learn(&im->globals, key->ctx, key->seqno, global_of(ev));
}

/*
 * From now on, an interrupt may tell that the request is over. That is from when the hardware has it; if no event tells of
 * that, from its SUBMIT.
 */
static void open_global(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key, bool is_there)
{
	if (!im->is_learning && im->facts[GRT_FACT_I915_NOTIFY] && !im->facts[GRT_FACT_I915_THERE] == !is_there)
		grt_globals_open(&im->globals, key->ring, key->ctx, key->seqno, global_of(ev), is_there);
}

void grt_on_i915_add(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_note(im, GRT_FACT_ADD);
	open_global(im, ev, &key, false);
	grt_put_submit(im, ev, &key);
}

/* Requests of user space are queued just before they are added. */
void grt_on_i915_queue(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	if (im->is_learning || !im->facts[GRT_FACT_ADD]) {
		open_global(im, ev, &key, false);
		grt_put_submit(im, ev, &key);
	}
}

void grt_on_i915_execute(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_note(im, GRT_FACT_I915_THERE);
	learn_global(im, ev, &key);
	open_global(im, ev, &key, true);
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

	grt_note(im, GRT_FACT_I915_THERE);
	learn_global(im, ev, &key);
	open_global(im, ev, &key, true);
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

	grt_note(im, GRT_FACT_I915_OUT);
	if (is_over)
		grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	if (im->is_learning)
		return;
	if (is_over && im->facts[GRT_FACT_I915_NOTIFY])
		grt_globals_over(&im->globals, key.ctx, key.seqno);
	else if (!is_over)
		grt_globals_preempted(&im->globals, key.ring);
	engine = engine_of(im, key.ring);
	if (engine && grtrace_i915_out(engine, key.ctx, is_over, &to))
		put_switch(im, ev, key.ring, &to);
}

static bool is_signaled(const struct grt_ctx_row *row, uint64_t seqno)
{
	return row && row->has_signaled && row->signaled >= seqno;
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
	bool is_over = is_signaled(grt_ctxs_find(&im->ctxs, key.ctx), key.seqno);

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
	learn_global(im, ev, &key);
	if (is_signaled(row, key.seqno))
		return;
	if (!im->is_learning && !im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, GRT_NO_STATUS, GRTRACE_F_UPPER_BOUND);
}

bool grt_is_notified(const struct grt_import *im, const struct grt_ctx_row *row, uint64_t seqno)
{
	return !im->is_learning && im->facts[GRT_FACT_I915_NOTIFY] && row->ends_late && is_signaled(row, seqno);
}

/*
 * A request was over before or just now. The interrupt may be shared with later requests, so it is an upper bound. Without
 * i915_request_out it is no END: the engine would seem to have work until then.
 */
static void put_notified(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	grt_globals_over(&im->globals, key->ctx, key->seqno);
	if (im->facts[GRT_FACT_I915_OUT])
		grt_put_end(im, ev, key, GRT_NO_STATUS, GRTRACE_F_INFERRED | GRTRACE_F_UPPER_BOUND);
	if (!im->facts[GRT_FACT_I915_OUT] || im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, key, GRT_NO_STATUS, GRTRACE_F_UPPER_BOUND);
}

/*
 * The interrupt of an engine tells the last request that is over. i915_request_out is more precise, where the request
 * has one of its own.
 */
void grt_on_i915_notify(struct grt_import *im, const struct grt_foreign *ev)
{
	uint32_t ring = i915_ring(im, ev);
	struct grt_global_request request;

	grt_note(im, GRT_FACT_OVER);
	grt_note(im, GRT_FACT_I915_NOTIFY);
	if (im->is_learning)
		return;
	while (grt_globals_next(&im->globals, ring, global_of(ev), &request)) {
		const struct grt_key key = {
			.ctx = request.ctx, .seqno = request.seqno, .ring = ring, .ends_late = true,
		};

		if (!is_signaled(grt_ctxs_find(&im->ctxs, key.ctx), key.seqno) &&
		    (!im->facts[GRT_FACT_I915_OUT] || grt_globals_has_later(&im->globals, &request)))
			put_notified(im, ev, &key);
	}
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
