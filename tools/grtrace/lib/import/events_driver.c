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
uint32_t grt_card_ring(struct grt_import *im, const struct grt_foreign *ev, const char *driver,
		       const char *name)
{
	char device[32];

	snprintf(device, sizeof(device), "card%u", (unsigned int)ev->number[GRT_IN_CARD]);
	return grt_out_ring(&im->rings, piece_of(device), piece_of(driver), piece_of(name));
}

/* A key for jobs that have a number within their ring, but no context. */
struct grt_key grt_ring_key(struct grt_import *im, uint32_t ring, uint64_t seqno)
{
	return (struct grt_key){
		.ctx = grt_ctxs_mint(&im->ctxs, ~(uint64_t)ring), .seqno = seqno, .ring = ring,
		.is_minted = true,
	};
}

/* --- virtio-gpu: commands of a virtqueue; numbered since Linux 6.2 --- */

/* include/uapi/linux/virtio_gpu.h */
#define VIRTIO_FENCE	1		/* VIRTIO_GPU_FLAG_FENCE */
#define VIRTIO_ERRORS	0x1200	/* VIRTIO_GPU_RESP_ERR_UNSPEC and up */

static uint32_t virtio_ring(struct grt_import *im, const struct grt_foreign *ev)
{
	/* virtgpu_kms.c: virtio_gpu_init() */
	static const char *const names[] = { "control", "cursor" };
	struct grt_piece name = ev->piece[GRT_IN_RING];
	char device[32];

	if (!grt_foreign_has(ev, GRT_IN_RING))
		name = piece_of(ev->number[GRT_IN_ENGINE] ? names[1] : names[0]);
	snprintf(device, sizeof(device), "virtio%u", (unsigned int)ev->number[GRT_IN_CARD]);
	return grt_out_ring(&im->rings, piece_of(device), piece_of("virtio_gpu"), name);
}

static bool has_fence(const struct grt_foreign *ev)
{
	return ev->number[GRT_IN_FLAGS] & VIRTIO_FENCE;
}

/* NULL without memory. */
static struct grt_virtio_queue *virtio_queue(struct grt_import *im, uint32_t ring)
{
	return grt_keyrow(&im->virtio.queues, ring, sizeof(struct grt_virtio_queue));
}

/* A key for commands that are counted, because they have no number. */
static struct grt_key counted_key(struct grt_import *im, uint32_t ring, uint64_t nth)
{
	return (struct grt_key){
		.ctx = grt_ctxs_mint(&im->ctxs, ~(1ull << 32 | ring)), .seqno = nth, .ring = ring,
		.is_minted = true,
	};
}

/* The key of a command that has a number, or whose fence has one. */
static bool virtio_key(struct grt_import *im, const struct grt_foreign *ev, uint32_t ring,
		       struct grt_key *key)
{
	if (!grt_foreign_has(ev, GRT_IN_SEQNO) && !has_fence(ev))
		return false;
	*key = grt_ring_key(im, ring, ev->number[grt_foreign_has(ev, GRT_IN_SEQNO) ? GRT_IN_SEQNO : GRT_IN_ID]);
	return true;
}

static struct grt_virtio_fence *virtio_fence(struct grt_import *im, uint64_t id)
{
	return &im->virtio.fences[id % GRT_VIRTIO_FENCES];
}

/*
 * The fence of a command is emitted just before, on the same CPU.  A trace without such events does
 * not tell whose fence it is, unless there is one device.
 */
static void note_fence(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key)
{
	struct grt_virtio *v = &im->virtio;
	uint64_t id = ev->number[GRT_IN_ID];
	struct grt_virtio_fence *place = virtio_fence(im, id);
	const struct grt_last *last = grt_join_cpu(&im->join, ev->cpu);
	bool is_emitted = last && last->emitted_ctx && last->emitted_seqno == id;

	if (!v->device)
		v->device = ev->number[GRT_IN_CARD] + 1;
	v->has_more_devices |= v->device != ev->number[GRT_IN_CARD] + 1;
	if (!is_emitted && v->has_more_devices)
		return;
	/* The COMPLETE of a command whose place is taken will not come. */
	im->unjoined += place->command.ctx && !place->is_signaled && (im->live || im->facts[GRT_FACT_VIRTIO_FENCE]);
	*place = (struct grt_virtio_fence){
		.ctx = is_emitted ? last->emitted_ctx : 0, .id = id, .command = *key,
	};
}

bool grt_virtio_signaled(struct grt_import *im, const struct grt_foreign *ev, int32_t status)
{
	static const char driver[] = "virtio_gpu";
	const struct grt_piece *from = &ev->piece[GRT_IN_DRIVER];
	struct grt_virtio_fence *fence = virtio_fence(im, ev->number[GRT_IN_SEQNO]);
	bool is_ours = fence->command.ctx && fence->id == ev->number[GRT_IN_SEQNO];

	if (is_ours && fence->ctx)
		is_ours = fence->ctx == ev->number[GRT_IN_CTX];
	else if (is_ours)
		is_ours = grt_foreign_has(ev, GRT_IN_DRIVER) && from->len == strlen(driver) &&
			  !memcmp(from->at, driver, from->len) && !im->virtio.has_more_devices;
	if (!is_ours)
		return false;
	grt_note(im, GRT_FACT_VIRTIO_FENCE);
	fence->is_signaled = true;
	grt_put_complete(im, ev, &fence->command, status, 0);
	return true;
}

/* Whether the end of the command's fence is in the trace, too. */
static bool has_signal(struct grt_import *im, const struct grt_foreign *ev)
{
	if (!has_fence(ev) || !im->live)
		return has_fence(ev) && im->facts[GRT_FACT_VIRTIO_FENCE];
	return virtio_fence(im, ev->number[GRT_IN_ID])->id == ev->number[GRT_IN_ID];
}

void grt_on_virtio_queue(struct grt_import *im, const struct grt_foreign *ev)
{
	uint32_t ring = virtio_ring(im, ev);
	struct grt_key key;

	grt_note(im, GRT_FACT_DRIVER);
	if (!virtio_key(im, ev, ring, &key)) {
		struct grt_virtio_queue *queue = virtio_queue(im, ring);

		if (!queue)
			return;
		key = counted_key(im, ring, ++queue->queued);
	}
	if (has_fence(ev))
		note_fence(im, ev, &key);
	grt_put_submit(im, ev, &key);
	grt_put_commit(im, ev, &key);
}

static void put_virtio_error(struct grt_import *im, const struct grt_foreign *ev,
			     const struct grt_key *key, int32_t status, unsigned int flags)
{
	struct grtrace_error *rec = grt_out_add(&im->out, ev->cpu, ev->ts, GRTRACE_ERROR,
						sizeof(*rec), flags);

	if (!rec)
		return;
	rec->ctx = key->ctx;
	rec->seqno = key->seqno;
	rec->ring = key->ring;
	rec->code = GRTRACE_ERROR_COMMAND;
	rec->status = status;
	rec->driver_code = ev->number[GRT_IN_TYPE];
}

/* Devices answer commands without a fence in the order of the virtqueue. */
void grt_on_virtio_response(struct grt_import *im, const struct grt_foreign *ev)
{
	int32_t status = ev->number[GRT_IN_TYPE] >= VIRTIO_ERRORS ? -EIO : 0;
	uint32_t ring = virtio_ring(im, ev);
	unsigned int flags = 0;
	struct grt_key key;

	grt_note(im, GRT_FACT_DRIVER);
	if (!virtio_key(im, ev, ring, &key)) {
		struct grt_virtio_queue *queue = virtio_queue(im, ring);

		if (!queue || queue->answered == queue->queued) {
			im->unjoined++;
			return;
		}
		key = counted_key(im, ring, ++queue->answered);
		flags = GRTRACE_F_INFERRED;
	}
	if (status)
		put_virtio_error(im, ev, &key, status, flags);
	grt_put_end(im, ev, &key, status, flags);
	if (!im->is_learning && im->facts[GRT_FACT_COMPLETE] && !has_signal(im, ev))
		grt_put_complete(im, ev, &key, status, GRTRACE_F_INFERRED);
}

/* --- msm: msm_gpu.c --- */

static struct grt_key msm_key(struct grt_import *im, const struct grt_foreign *ev)
{
	char name[32];

	grt_note(im, GRT_FACT_DRIVER);
	snprintf(name, sizeof(name), "ring%u", (unsigned int)ev->number[GRT_IN_ENGINE]);
	return grt_ring_key(im, grt_card_ring(im, ev, "msm", name), ev->number[GRT_IN_ID]);
}

void grt_on_msm_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	grt_note(im, GRT_FACT_MSM_SUBMIT);
	if (!im->is_learning && !grt_has_scheduler(im))
		grt_put_submit(im, ev, &key);
}

/* Written to the ring; before Linux 5.16, in the submit ioctl. */
void grt_on_msm_flush(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	if (im->is_learning || grt_has_scheduler(im))
		return;
	if (!im->facts[GRT_FACT_MSM_SUBMIT])
		grt_put_submit(im, ev, &key);
	grt_put_commit(im, ev, &key);
}

void grt_on_msm_retired(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = msm_key(im, ev);

	grt_note(im, GRT_FACT_OVER);
	if (im->is_learning || grt_has_scheduler(im))
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
	return grt_ring_key(im, grt_card_ring(im, ev, "v3d", ring), ev->number[GRT_IN_SEQNO]);
}

void grt_on_v3d_submit(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = v3d_key(im, ev);

	key.may_lack_submit = true;
	if (!im->is_learning && !grt_has_scheduler(im))
		grt_put_commit(im, ev, &key);
}

void grt_on_v3d_irq(struct grt_import *im, const struct grt_foreign *ev)
{
	struct grt_key key = v3d_key(im, ev);

	grt_note(im, GRT_FACT_OVER);
	if (im->is_learning || grt_has_scheduler(im))
		return;
	grt_put_end(im, ev, &key, GRT_NO_STATUS, 0);
	if (im->facts[GRT_FACT_COMPLETE])
		grt_put_complete(im, ev, &key, GRT_NO_STATUS, GRTRACE_F_INFERRED);
}
