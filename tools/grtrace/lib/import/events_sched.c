// SPDX-License-Identifier: LGPL-2.1
/*
 * Events of the DRM scheduler: with keys (since Linux 6.17, and from event probes that read the
 * keys), or with addresses (before).  See join.h.
 */
#include "import_private.h"

/* Makes a key for the map of contexts from the addresses of an old event. */
static uint64_t minted_for(struct grt_import *im, uint64_t entity, uint32_t ring)
{
	return grt_ctxs_mint(&im->ctxs, entity * 0x9e3779b97f4a7c15ull ^ ring);
}

static struct grt_key key_of(const struct grt_joined *job)
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
	}
	if (last)
		last->ctx = 0;
	/* The driver's event just before had the key. */
	if (note.ctx)
		grt_join_learn(&im->join, job, note.ctx, note.seqno);
	key = key_of(job);
	grt_put_submit(im, ev, &key);
}

void grt_on_sched_commit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;
	struct grt_joined *job;
	uint32_t ring;

	grt_note(im, GRT_FACT_SCHED);
	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
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
	key = key_of(job);
	grt_put_commit(im, ev, &key);
}

void grt_on_sched_end(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_joined *job;
	struct grt_last *last;
	struct grt_key key;

	if (grt_foreign_has_key(ev)) {
		key = grt_key_of(im, ev);
		grt_put_end(im, ev, &key, grt_status_of(ev), 0);
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
	key = key_of(job);
	grt_put_end(im, ev, &key, grt_status_of(ev), 0);
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
		job = grt_join_id(&im->join, grt_ring_of(im, ev), ev->number[GRT_IN_ID]);
		if (!job) {
			im->unjoined++;
			return;
		}
		key = key_of(job);
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
