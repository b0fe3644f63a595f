// SPDX-License-Identifier: LGPL-2.1
/*
 * Events of single drivers.  If the trace also has the scheduler's events of the same jobs, these
 * only help to name the jobs.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "import_private.h"

static struct grt_piece piece_of(const char *text)
{
	return (struct grt_piece){ text, strlen(text) };
}

/* The ring that the driver of card @card calls @name. */
static uint32_t card_ring(struct grt_import *im, const struct grt_foreign *ev, const char *driver,
			  const char *name)
{
	char device[32];

	snprintf(device, sizeof(device), "card%u", (unsigned int)ev->number[GRT_IN_CARD]);
	return grt_out_ring(&im->rings, piece_of(device), piece_of(driver), piece_of(name));
}

/* A key for jobs that have a number within their ring, but no context. */
static struct grt_key ring_key(struct grt_import *im, uint32_t ring, uint64_t seqno)
{
	return (struct grt_key){
		.ctx = grt_ctxs_mint(&im->ctxs, ~(uint64_t)ring), .seqno = seqno, .ring = ring,
		.is_minted = true,
	};
}

/* Whether the scheduler's own events describe the same jobs, and better. */
static bool has_scheduler(const struct grt_import *im)
{
	return im->facts[GRT_FACT_SCHED];
}

/* --- amdgpu: amdgpu_cs_ioctl() before the scheduler's push, amdgpu_sched_run_job() in run_job --- */

static struct grt_key amdgpu_key(struct grt_import *im, const struct grt_foreign *ev)
{
	static const struct grt_piece none = { "", 0 };
	struct grt_key key = {
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO], .ring = 0,
	};

	grt_note(im, GRT_FACT_DRIVER);
	grt_note_job(im, key.ctx);
	if (grt_foreign_has(ev, GRT_IN_RING)) {
		grt_out_ring_driver(&im->rings, ev->piece[GRT_IN_RING], piece_of("amdgpu"),
				    GRT_NO_CTX);
		key.ring = grt_out_ring(&im->rings, none, none, ev->piece[GRT_IN_RING]);
	}
	return key;
}

void grt_on_amdgpu_cs(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;

	if (!grt_foreign_has_key(ev))
		return;
	key = amdgpu_key(im, ev);
	if (grt_foreign_has(ev, GRT_IN_ID))
		grt_join_note(&im->join, key.ring, ev->number[GRT_IN_ID], key.ctx, key.seqno);
	if (!im->is_learning && !has_scheduler(im))
		grt_put_submit(im, ev, &key);
}

void grt_on_amdgpu_run(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_joined *job;
	struct grt_key key;

	if (!grt_foreign_has_key(ev))
		return;
	key = amdgpu_key(im, ev);
	job = grt_foreign_has(ev, GRT_IN_ID) ?
	      grt_join_id(&im->join, key.ring, ev->number[GRT_IN_ID]) : NULL;
	if (job)
		grt_join_learn(&im->join, job, key.ctx, key.seqno);
	if (!im->is_learning && !has_scheduler(im))
		grt_put_commit(im, ev, &key);
}

/* --- i915: i915_request.c; without the low-level events it has no COMMIT, START, END --- */

static const char * const i915_classes[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };

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
	ring = card_ring(im, ev, "i915", name);
	/* Before Linux 4.15 requests were numbered per ring. */
	if (!grt_foreign_has(ev, GRT_IN_CTX))
		return ring_key(im, ring, ev->number[GRT_IN_SEQNO]);
	return (struct grt_key){
		.ctx = ev->number[GRT_IN_CTX], .seqno = ev->number[GRT_IN_SEQNO], .ring = ring,
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

void grt_on_i915_in(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	grt_put_start(im, ev, &key, ev->ts, 0);
}

void grt_on_i915_out(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = i915_key(im, ev);

	/* "completed?=0": the request was preempted and will run again. */
	if (!grt_foreign_has(ev, GRT_IN_STATUS) || ev->number[GRT_IN_STATUS])
		grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
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

/* --- virtio-gpu: commands of a virtqueue; numbered since Linux 6.2 --- */

#define VIRTIO_ERRORS	0x1200	/* VIRTIO_GPU_RESP_ERR_UNSPEC and up */

static uint32_t virtio_ring(struct grt_import *im, const struct grt_foreign *ev)
{
	char device[32];

	snprintf(device, sizeof(device), "virtio%u", (unsigned int)ev->number[GRT_IN_CARD]);
	return grt_out_ring(&im->rings, piece_of(device), piece_of("virtio_gpu"),
			    ev->piece[GRT_IN_RING]);
}

static bool virtio_key(struct grt_import *im, const struct grt_foreign *ev, struct grt_key *key)
{
	uint32_t ring = virtio_ring(im, ev);

	grt_note(im, GRT_FACT_DRIVER);
	if (grt_foreign_has(ev, GRT_IN_SEQNO))
		*key = ring_key(im, ring, ev->number[GRT_IN_SEQNO]);
	/* Commands with a fence have a number of their own. */
	else if (ev->number[GRT_IN_ID])
		*key = ring_key(im, ring, ev->number[GRT_IN_ID]);
	else
		return false;
	return true;
}

void grt_on_virtio_queue(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;

	if (!virtio_key(im, ev, &key)) {
		im->unjoined++;
		return;
	}
	grt_put_submit(im, ev, &key);
	grt_put_commit(im, ev, &key);
}

void grt_on_virtio_response(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key;
	int32_t status = ev->number[GRT_IN_TYPE] >= VIRTIO_ERRORS ? -EIO : 0;

	if (!virtio_key(im, ev, &key)) {
		im->unjoined++;
		return;
	}
	grt_put_end(im, ev, &key, status, 0);
	if (!im->is_learning && im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, status, GRTRACE_F_INFERRED);
}

/* --- msm: msm_gpu.c --- */

static struct grt_key msm_key(struct grt_import *im, const struct grt_foreign *ev)
{
	char name[32];

	grt_note(im, GRT_FACT_DRIVER);
	snprintf(name, sizeof(name), "ring%u", (unsigned int)ev->number[GRT_IN_ENGINE]);
	return ring_key(im, card_ring(im, ev, "msm", name), ev->number[GRT_IN_ID]);
}

void grt_on_msm_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	grt_note(im, GRT_FACT_MSM_SUBMIT);
	if (!im->is_learning && !has_scheduler(im))
		grt_put_submit(im, ev, &key);
}

/* Written to the ring; before Linux 5.16, in the submit ioctl. */
void grt_on_msm_flush(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	if (im->is_learning || has_scheduler(im))
		return;
	if (!im->facts[GRT_FACT_MSM_SUBMIT])
		grt_put_submit(im, ev, &key);
	grt_put_commit(im, ev, &key);
}

void grt_on_msm_retired(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	grt_note(im, GRT_FACT_OVER);
	if (im->is_learning || has_scheduler(im))
		return;
	/* The GPU's counters say how long it ran; that it ended just now is a guess. */
	if (grt_foreign_has(ev, GRT_IN_ELAPSED) && ev->number[GRT_IN_ELAPSED] < ev->ts)
		grt_put_start(im, ev, &key, ev->ts - ev->number[GRT_IN_ELAPSED],
			      GRTRACE_F_INFERRED);
	grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	if (im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, GRT_NO_STATUS, GRTRACE_F_INFERRED);
}

/* --- v3d: v3d_sched.c, v3d_irq.c: jobs by queue and number --- */

static const struct v3d_queue {
	const char *event, *ring;
} v3d_queues[] = {
	{ "v3d_bcl_irq", "v3d_bin" }, { "v3d_rcl_irq", "v3d_render" },
	{ "v3d_tfu_irq", "v3d_tfu" }, { "v3d_submit_tfu", "v3d_tfu" },
	{ "v3d_csd_irq", "v3d_csd" }, { "v3d_submit_csd", "v3d_csd" },
};

static struct grt_key v3d_key(struct grt_import *im, const struct grt_foreign *ev)
{
	const struct grt_piece *list = &ev->piece[GRT_IN_RING];
	const char *ring = "v3d_bin";

	grt_note(im, GRT_FACT_DRIVER);
	for (size_t i = 0; i < sizeof(v3d_queues) / sizeof(v3d_queues[0]); i++)
		if (!strcmp(v3d_queues[i].event, ev->kind->name))
			ring = v3d_queues[i].ring;
	/* v3d_submit_cl may be of either list. */
	if ((grt_foreign_has(ev, GRT_IN_RING) && list->len && *list->at == 'R') ||
	    (grt_foreign_has(ev, GRT_IN_TYPE) && ev->number[GRT_IN_TYPE]))
		ring = "v3d_render";
	return ring_key(im, card_ring(im, ev, "v3d", ring), ev->number[GRT_IN_SEQNO]);
}

void grt_on_v3d_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = v3d_key(im, ev);

	if (!im->is_learning && !has_scheduler(im))
		grt_put_commit(im, ev, &key);
}

void grt_on_v3d_irq(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = v3d_key(im, ev);

	grt_note(im, GRT_FACT_OVER);
	if (im->is_learning || has_scheduler(im))
		return;
	grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	if (im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, GRT_NO_STATUS, GRTRACE_F_INFERRED);
}
