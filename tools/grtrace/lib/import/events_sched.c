// SPDX-License-Identifier: LGPL-2.1
/*
 * Events of the DRM scheduler: with keys (since Linux 6.17, and from event probes that read the
 * keys), or with addresses (before).  See join.h.
 */
#include <string.h>

#include "import_private.h"
#include "ring_kind.h"

/* Makes a key for the map of contexts from the addresses of an old event. */
static uint64_t minted_for(struct grt_import *im, uint64_t entity, uint32_t ring)
{
	return grt_ctxs_mint(&im->ctxs, entity * 0x9e3779b97f4a7c15ull ^ ring);
}

struct grt_key grt_key_of_job(const struct grt_joined *job)
{
	return (struct grt_key){
		.ctx = job->ctx, .seqno = job->seqno, .ring = job->ring,
		.is_inferred = job->entity,
	};
}

static bool has_address(const struct grt_foreign *ev)
{
	return grt_foreign_has(ev, GRT_IN_FENCE) && ev->number[GRT_IN_FENCE];
}

void grt_on_sched_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;
	struct grt_joined *job, note = { 0 };
	const struct grt_joined *noted;
	struct grt_last *last;
	uint32_t ring = grt_ring_of(im, ev);

	grt_note(im, GRT_FACT_SCHED);
	grt_learn_ops(im, ev);
	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
		if (grt_foreign_has(ev, GRT_IN_ID))
			grt_join_note(&im->join, ring, ev->number[GRT_IN_ID], key.ctx, key.seqno);
		grt_put_submit(im, ev, &key);
		return;
	}
	noted = grt_join_id(&im->join, ring, ev->number[GRT_IN_ID]);
	if (noted && !noted->entity)
		note = *noted;
	job = has_address(ev) ?
	      grt_join_submit(&im->join, ev->number[GRT_IN_ENTITY], ev->number[GRT_IN_FENCE], ring,
			      ev->number[GRT_IN_ID],
			      minted_for(im, ev->number[GRT_IN_ENTITY], ring)) : NULL;
	if (!job) {
		im->unjoined++;
		return;
	}
	/* The job's fences were created there just before; the second one counts. */
	last = grt_join_cpu(&im->join, ev->cpu);
	if (last && last->ctx && last->ring == ring) {
		grt_join_learn(&im->join, job, last->ctx, last->seqno);
		grt_note_job(im, last->ctx);
		if (im->live)
			grt_join_rename(&im->join, job, last->ctx, last->seqno);
	}
	if (last)
		last->ctx = 0;
	/* The driver's event just before had the key. */
	if (note.ctx)
		grt_join_learn(&im->join, job, note.ctx, note.seqno);
	key = grt_key_of_job(job);
	grt_put_submit(im, ev, &key);
}

/* NULL without memory. */
static struct grt_sched_ring *row_of(struct grt_import *im, uint32_t ring)
{
	return grt_keyrow(&im->sched_rings, ring, sizeof(struct grt_sched_ring));
}

static void note_thread(struct grt_import *im, uint32_t ring, const struct grt_foreign *ev)
{
	const struct grt_piece name = ev->piece[GRT_IN_RING];
	const char *driver = grt_foreign_has(ev, GRT_IN_RING) ? grt_sched_driver(name.at, name.len) : NULL;
	struct grt_sched_ring *row = row_of(im, ring);

	if (!row)
		return;
	row->tid = ev->tid;
	row->cpu = ev->cpu;
	if (driver)
		grt_out_ring_driver(&im->rings, name, (struct grt_piece){ driver, strlen(driver) }, GRT_NO_CTX);
}

/*
 * The scheduler itself ends a job for which the driver gives it no fence: in the thread that handed it over, at
 * once.  An interrupt ends the others; now and then it comes while that thread is still on that CPU, so the jobs of the
 * whole ring count.
 */
static bool lacks_fence(struct grt_import *im, uint32_t ring, const struct grt_foreign *ev)
{
	struct grt_sched_ring *row = row_of(im, ring);

	if (!row)
		return false;
	if (im->is_learning)
		row->ends_elsewhere |= row->tid != ev->tid || row->cpu != ev->cpu;
	return !im->live && ring && !row->ends_elsewhere && grt_out_ring_is_fenceless(&im->rings, ring);
}

void grt_on_sched_commit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;
	struct grt_joined *job;
	uint32_t ring;

	grt_note(im, GRT_FACT_SCHED);
	grt_learn_ops(im, ev);
	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
		note_thread(im, key.ring, ev);
		grt_put_commit(im, ev, &key);
		return;
	}
	ring = grt_ring_of(im, ev);
	job = has_address(ev) ?
	      grt_join_commit(&im->join, ev->number[GRT_IN_ENTITY], ev->number[GRT_IN_FENCE], ring,
			      ev->number[GRT_IN_ID],
			      minted_for(im, ev->number[GRT_IN_ENTITY], ring)) : NULL;
	if (!job) {
		im->unjoined++;
		return;
	}
	key = grt_key_of_job(job);
	note_thread(im, key.ring, ev);
	grt_put_commit(im, ev, &key);
}

/* The status of a job whose hardware fence is known: the hardware's error comes first. */
static int32_t end_status(struct grt_import *im, const struct grt_foreign *ev, uint32_t ring, unsigned int *flags)
{
	uint64_t parent = ev->number[GRT_IN_PARENT];

	if (!grt_foreign_has(ev, GRT_IN_PARENT)) {
		if (lacks_fence(im, ring, ev))
			*flags |= GRTRACE_F_NO_HW;
		return grt_status_of(ev);
	}
	/* The driver gave no fence, or an error instead. */
	if (!parent || parent > -4096ull) {
		*flags |= GRTRACE_F_NO_HW;
		return grt_status_of(ev);
	}
	return ev->number[GRT_IN_PARENT_ERR] ? (int32_t)ev->number[GRT_IN_PARENT_ERR] : grt_status_of(ev);
}

/* The event names no ring, but those of the job before did. */
static uint32_t ring_of_ctx(const struct grt_import *im, const struct grt_key *key)
{
	const struct grt_ctx_row *row = grt_ctxs_find(&im->ctxs, key->ctx);

	return key->ring || !row ? key->ring : row->ring;
}

void grt_on_sched_end(struct grt_import *im, const struct grt_foreign *ev)
{
	unsigned int flags = 0;
	int32_t status;
	struct grt_joined *job;
	struct grt_last *last;
	struct grt_key key;

	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
		status = end_status(im, ev, ring_of_ctx(im, &key), &flags);
		grt_put_end(im, ev, &key, status, flags);
		return;
	}
	job = has_address(ev) ? grt_join_fence(&im->join, ev->number[GRT_IN_FENCE]) : NULL;
	if (!job) {
		im->unjoined++;
		return;
	}
	last = grt_join_cpu(&im->join, ev->cpu);
	if (last)
		last->ended = job->fence;
	key = grt_key_of_job(job);
	status = end_status(im, ev, key.ring, &flags);
	grt_put_end(im, ev, &key, status, flags);
}

const struct grt_joined *grt_job_of_id(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_joined *job = NULL;
	uint32_t ring = 0;

	if (!im->live)
		job = grt_join_id(&im->join, grt_ring_of(im, ev), ev->number[GRT_IN_ID]);
	/* This event names no device, but those of the job may have. */
	while (im->live && !job &&
	       (ring = grt_out_ring_after(&im->rings, ring, ev->piece[GRT_IN_RING])))
		job = grt_join_id(&im->join, ring, ev->number[GRT_IN_ID]);
	im->unjoined += !job;
	return job;
}

/* Until 6.16 this event names the job by ring and number, and the fence by its key. */
void grt_on_wait_dep(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_joined *job;
	struct grt_key key;

	if (!grt_foreign_has(ev, GRT_IN_DEP_CTX) || !grt_foreign_has(ev, GRT_IN_DEP_SEQNO))
		return;
	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
	} else {
		job = grt_job_of_id(im, ev);
		if (!job)
			return;
		key = grt_key_of_job(job);
	}
	grt_put_dependency(im, ev, &key, GRTRACE_F_POPPED);
}

void grt_on_add_dep(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = grt_key_of(im, ev);

	if (grt_foreign_has_key(ev) && grt_foreign_has(ev, GRT_IN_DEP_SEQNO))
		grt_put_dependency(im, ev, &key, GRTRACE_F_DECLARED);
}

void grt_on_unschedulable(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = grt_key_of(im, ev);

	if (grt_foreign_has_key(ev) && grt_foreign_has(ev, GRT_IN_DEP_SEQNO))
		grt_put_dependency(im, ev, &key, GRTRACE_F_BLOCKED);
}
