// SPDX-License-Identifier: LGPL-2.1
/* dma_fence events: of jobs, of what jobs wait for, and of other things. */
#include <string.h>

#include <linux/grtrace_rings.h>

#include "import_private.h"

/* Driver names of the scheduler's fences, by kernel. */
static const char * const sched_drivers[] = { "drm_sched", "amd_sched" };

static const char * const gpu_drivers[] = {
#define ROW(driver) driver,
	GRTRACE_FENCE_DRIVERS(ROW)
#undef ROW
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static bool is_one_of(const struct grt_foreign *ev, const char * const *names, size_t count)
{
	const struct grt_piece *driver = &ev->piece[GRT_IN_DRIVER];

	for (size_t i = 0; grt_foreign_has(ev, GRT_IN_DRIVER) && i < count; i++)
		if (strlen(names[i]) == driver->len && !memcmp(names[i], driver->at, driver->len))
			return true;
	return false;
}

static bool is_scheduler(const struct grt_foreign *ev)
{
	return is_one_of(ev, sched_drivers, COUNT(sched_drivers));
}

/* Whether fences of GPUs count as jobs, because no other event describes jobs. */
static bool are_fences_jobs(const struct grt_import *im)
{
	const uint64_t *facts = im->facts;

	return !grt_learns(im) && !facts[GRT_FACT_SCHED] && !facts[GRT_FACT_DRIVER];
}

static void put_fence_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;

	if (!are_fences_jobs(im) || !is_one_of(ev, gpu_drivers, COUNT(gpu_drivers)))
		return;
	key = grt_key_of(im, ev);
	grt_put_submit(im, ev, &key);
}

/* Some drivers create fences early and number them only at this event. */
void grt_on_fence_emit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_last *last;

	grt_note(im, GRT_FACT_EMIT);
	if (!grt_foreign_has_key(ev))
		return;
	last = grt_join_cpu(&im->join, ev->cpu);
	if (last) {
		last->emitted_ctx = ev->number[GRT_IN_CTX];
		last->emitted_seqno = ev->number[GRT_IN_SEQNO];
	}
	put_fence_submit(im, ev);
}

/* The ring of a fence is its timeline, which the fence's events name without a device. */
static uint32_t ring_of(struct grt_import *im, const struct grt_foreign *ev)
{
	static const struct grt_piece none = { "", 0 };

	return grt_out_ring(&im->rings, none, none, ev->piece[GRT_IN_RING]);
}

/* Fences of the hardware name the driver of the ring. */
static void learn_driver(struct grt_import *im, const struct grt_foreign *ev)
{
	if (im->is_learning && grt_foreign_has(ev, GRT_IN_DRIVER) &&
	    grt_foreign_has(ev, GRT_IN_RING))
		grt_out_ring_driver(&im->rings, ev->piece[GRT_IN_RING], ev->piece[GRT_IN_DRIVER],
				    ev->number[GRT_IN_CTX]);
}

static bool is_nouveau(const struct grt_foreign *ev)
{
	static const char * const nouveau[] = { "nouveau" };

	return is_one_of(ev, nouveau, COUNT(nouveau));
}

/*
 * A fence of nouveau is a job, submitted just before.  Jobs of the scheduler have one, too, which the
 * scheduler makes on a channel of a user.  See the adapter of nouveau.
 */
static void on_nouveau_init(struct grt_import *im, const struct grt_foreign *ev)
{
	static const char * const channels[] = { "copy engine channel", "generic kernel channel" };
	const struct grt_piece *name = &ev->piece[GRT_IN_RING];
	struct grt_key key = { .is_late = true, .ends_late = true };

	for (size_t i = 0; i < COUNT(channels); i++)
		key.is_kernel |= strlen(channels[i]) == name->len &&
				 !memcmp(channels[i], name->at, name->len);
	if (!key.is_kernel && grt_is_kernel_thread(ev))
		return;
	key.ctx = ev->number[GRT_IN_CTX];
	key.seqno = ev->number[GRT_IN_SEQNO];
	key.ring = grt_ring_of(im, ev);
	grt_put_submit(im, ev, &key);
}

void grt_on_fence_init(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_last *last;

	if (!grt_foreign_has_key(ev))
		return;
	if (!is_scheduler(ev)) {
		learn_driver(im, ev);
		if (is_nouveau(ev) && grt_foreign_has(ev, GRT_IN_RING))
			on_nouveau_init(im, ev);
		else if (!im->facts[GRT_FACT_EMIT])
			put_fence_submit(im, ev);
		return;
	}
	last = grt_learns(im) ? grt_join_cpu(&im->join, ev->cpu) : NULL;
	if (!last)
		return;
	last->ctx = ev->number[GRT_IN_CTX];
	last->seqno = ev->number[GRT_IN_SEQNO];
	last->ring = ring_of(im, ev);
}

/* The fence belongs to the job that just ended on this CPU. */
static void learn_key(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_last *last = grt_join_cpu(&im->join, ev->cpu);
	const struct grt_joined *job;

	if (!last || !last->ended)
		return;
	job = grt_join_fence(&im->join, last->ended);
	last->ended = 0;
	if (!job || job->ring != ring_of(im, ev))
		return;
	grt_join_learn(&im->join, job, ev->number[GRT_IN_CTX], ev->number[GRT_IN_SEQNO]);
	grt_note_job(im, ev->number[GRT_IN_CTX]);
}

static void put_signaled(struct grt_import *im, const struct grt_foreign *ev,
			 struct grt_ctx_row *row)
{
	struct grtrace_fence_signaled *rec;

	grt_note_signaled(row, ev->number[GRT_IN_SEQNO]);
	if (!row->is_dep)
		return;
	rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_FENCE_SIGNALED, sizeof(*rec),
			  GRTRACE_F_NO_STATUS);
	if (!rec)
		return;
	rec->ctx = row->ctx;
	rec->seqno = ev->number[GRT_IN_SEQNO];
}

/* An error comes just before, on the same CPU; i915 signals its requests without that event. */
static int32_t status_of(struct grt_import *im, const struct grt_foreign *ev)
{
	static const char * const others[] = { "i915" };
	const struct grt_last *last;

	if (!im->live || !im->live->has_errors || is_one_of(ev, others, COUNT(others)))
		return grt_status_of(ev);
	last = grt_join_cpu(&im->join, ev->cpu);
	if (!last || last->failed_ctx != ev->number[GRT_IN_CTX] ||
	    last->failed_seqno != ev->number[GRT_IN_SEQNO])
		return 0;
	return last->error;
}

void grt_on_fence_signaled(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_ctx_row *row;
	struct grt_key key;

	if (!grt_foreign_has_key(ev))
		return;
	grt_note(im, GRT_FACT_OVER);
	if (grt_learns(im) && is_scheduler(ev))
		learn_key(im, ev);
	else
		learn_driver(im, ev);
	if (grt_virtio_signaled(im, ev, status_of(im, ev)))
		return;
	/* A row for each context of the machine would take more and more memory. */
	row = im->live && im->live->has_exact_deps ?
	      grt_ctxs_find(&im->ctxs, ev->number[GRT_IN_CTX]) :
	      grt_ctxs_row(&im->ctxs, ev->number[GRT_IN_CTX]);
	if (!row) {
		grt_foreign_ends(im, ev, status_of(im, ev));
		return;
	}
	if (!row->is_job) {
		put_signaled(im, ev, row);
		return;
	}
	if (!grt_is_notified(im, row, ev->number[GRT_IN_SEQNO])) {
		key = (struct grt_key){
			.ctx = row->ctx, .seqno = ev->number[GRT_IN_SEQNO], .ring = row->ring,
		};
		grt_put_complete(im, ev, &key, status_of(im, ev), 0);
	}
}

/* i915 has events of its own for that. */
static bool has_own_waits(const struct grt_import *im, const struct grt_foreign *ev)
{
	static const char * const i915[] = { "i915" };

	return (im->live || im->facts[GRT_FACT_I915_WAIT]) && is_one_of(ev, i915, COUNT(i915));
}

static void put_wait(struct grt_import *im, const struct grt_foreign *ev, unsigned int type)
{
	const struct grt_ctx_row *row = grt_foreign_has_key(ev) ?
					grt_ctxs_find(&im->ctxs, ev->number[GRT_IN_CTX]) : NULL;
	struct grt_key key;

	if (!row || !row->is_job || has_own_waits(im, ev))
		return;
	key = (struct grt_key){
		.ctx = row->ctx, .seqno = ev->number[GRT_IN_SEQNO], .ring = row->ring,
	};
	grt_put_wait(im, ev, &key, type,
		     type == GRTRACE_SYNC_WAIT_EXIT ? GRTRACE_F_NO_STATUS : 0);
}

void grt_on_fence_wait_start(struct grt_import *im, const struct grt_foreign *ev)
{
	put_wait(im, ev, GRTRACE_SYNC_WAIT_ENTER);
}

void grt_on_fence_wait_end(struct grt_import *im, const struct grt_foreign *ev)
{
	put_wait(im, ev, GRTRACE_SYNC_WAIT_EXIT);
}
