// SPDX-License-Identifier: GPL-2.0
/*
 * Turns tracepoints of virtio-gpu, which does not use the DRM scheduler, into events.  A job is a
 * command, a ring is a virtqueue.
 *
 * Where the tracepoints fire, Linux 6.1 to 7.2 (virtgpu_vq.c, virtgpu_fence.c):
 *   SUBMIT	virtio_gpu_cmd_queue, in the submitter's context, under the queue's lock
 *   COMMIT	the same: the command is in the virtqueue
 *   END	virtio_gpu_cmd_response, in a worker
 *   COMPLETE	dma_fence_signaled of the command's fence, if it has one
 * dma_fence_emit fires just before virtio_gpu_cmd_queue, under the same lock, and shows the context
 * of the fence; the command has only its number.
 *
 * From 6.2 on each command has a number in its virtqueue, an argument of the tracepoints.  Before,
 * only commands with a fence have one, that of the fence.  The others are counted here, apart.
 * Devices answer those in the order of the virtqueue (QEMU: virtio_gpu_process_cmdq()), so the next
 * response without a fence is for the oldest of them.  If some were in flight when the session
 * began, such an END is that of an older command until all are answered.  The responses to commands
 * of the cursor are not traced before 6.2.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/grtrace_hook.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/virtio.h>
#include <linux/virtio_gpu.h>

#include "../bitlock.h"
#include "../version.h"
#include "fence_kinds.h"

#define DRIVER		"virtio_gpu"
#define CURSOR_QUEUE	1	/* index of the virtqueue, by the virtio standard */
#define FENCES		1024	/* more than a virtqueue has room for */

/* Commands have no fence context of their own: these, which no kernel counts to, plus the ring. */
#define NUMBERED	BIT_ULL(40)
#define COUNTED		BIT_ULL(41)	/* those without a number */

static struct grt_fence_kinds kinds;

struct fence_key {
	u64 ctx, id;
};

static DEFINE_PER_CPU(struct fence_key, emitted);

/*
 * The commands of fences, direct mapped: a newer fence replaces an older one.  Then COMPLETE of the
 * older one's command is missing, but none is wrong.
 */
static struct fence_row {
	unsigned long lock;	/* a bit, see bitlock.h */
	u32 ring;
	struct fence_key fence;
	u64 seqno;
} fences[FENCES];

/* By number of the ring.  The driver's lock protects @queued; one worker changes @answered. */
static struct queue {
	u32 ring;
	u64 queued, answered;	/* commands without a number */
} queues[GRTRACE_MAX_RINGS];

/* --- rings are virtqueues --- */

static noinline u32 learn_queue(struct virtqueue *vq, u64 id)
{
	struct device *dev = &vq->vdev->dev;
	struct grtrace_ring_desc desc = {
		.name = vq->name ?: "unnamed",
		.device = dev_name(dev),
		.driver = DRIVER,
		.engine = GRTRACE_ENGINE_OTHER,
		.order = GRTRACE_ORDER_UNKNOWN,
	};

	if (grtrace_ring_is_lost(vq))
		return GRTRACE_NO_RING;
	desc.pci_id = grtrace_gpu_pci_id(dev->parent);
	return grtrace_ring_learn(vq, id, &desc);
}

/* Another virtqueue may have the address of one that is gone: the registry gets its place, too. */
static u32 ring_of(struct virtqueue *vq)
{
	u64 id = NUMBERED | (u64)vq->vdev->index << 16 | vq->index;
	u32 ring = grtrace_ring_cached(vq, id);

	return likely(ring) ? ring : learn_queue(vq, id);
}

static struct queue *queue_of(u32 ring)
{
	struct queue *queue = &queues[ring % GRTRACE_MAX_RINGS];

	if (unlikely(queue->ring != ring))
		*queue = (struct queue){ .ring = ring };
	return queue;
}

/* --- fences: virtio_gpu_fence.f is the first member --- */

static void probe_fence_emit(void *data, struct dma_fence *fence)
{
	if (!grt_fence_is_ours_new(&kinds, fence, DRIVER))
		return;
	this_cpu_write(emitted.ctx, fence->context);
	this_cpu_write(emitted.id, fence->seqno);
}

/* Fences of one context get adjacent rows. */
static struct fence_row *row_of(const struct fence_key *fence)
{
	return &fences[(fence->ctx * 64 + fence->id) % FENCES];
}

/* The command's fence, number @id, was emitted on this CPU just now. */
static void note_fence(u64 id, u32 ring, u64 seqno)
{
	const struct fence_key fence = { this_cpu_read(emitted.ctx), this_cpu_read(emitted.id) };
	struct fence_row *row = row_of(&fence);
	unsigned long flags;

	if (fence.id != id)
		return;
	local_irq_save(flags);
	grt_bit_lock(&row->lock);
	row->fence = fence;
	row->ring = ring;
	row->seqno = seqno;
	grt_bit_unlock(&row->lock);
	local_irq_restore(flags);
}

/* Out of line: otherwise the probe would save registers for every fence of the system. */
static noinline void command_signaled(const struct dma_fence *fence)
{
	const struct fence_key key = { fence->context, fence->seqno };
	struct fence_row *row = row_of(&key);
	unsigned long flags;
	bool is_known;
	u64 seqno;
	u32 ring;

	local_irq_save(flags);
	grt_bit_lock(&row->lock);
	is_known = row->fence.ctx == key.ctx && row->fence.id == key.id;
	ring = row->ring;
	seqno = row->seqno;
	grt_bit_unlock(&row->lock);
	local_irq_restore(flags);
	if (is_known)
		grtrace_complete(ring, NUMBERED | ring, seqno, fence->error, 0);
}

/* Runs for every fence of the system, so it must return fast. */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	if (grt_fence_is_ours(&kinds, fence))
		command_signaled(fence);
}

/* --- commands --- */

static bool has_fence(const struct virtio_gpu_ctrl_hdr *hdr)
{
	return hdr->flags & cpu_to_le32(VIRTIO_GPU_FLAG_FENCE);
}

static __always_inline void put_queued(u32 ring, u64 ctx, u64 seqno,
				       const struct virtio_gpu_ctrl_hdr *hdr, bool is_endless)
{
	const struct grtrace_job_info info = {
		.ctx = ctx,
		.seqno = seqno,
		.client_id = le32_to_cpu(hdr->ctx_id),
		.ring = ring,
		.flags = current->flags & PF_KTHREAD ? GRTRACE_F_KERNEL_JOB : 0,
		.is_endless = is_endless,
	};

	if (has_fence(hdr))
		note_fence(le64_to_cpu(hdr->fence_id), ring, seqno);
	grtrace_submit_detailed(&info, 0, le32_to_cpu(hdr->type));
	grtrace_commit(&info);
}

/* A response without a fence is all that anybody waits for. */
static __always_inline void put_response(u32 ring, u64 ctx, u64 seqno,
					 const struct virtio_gpu_ctrl_hdr *hdr, u16 flags)
{
	u32 type = le32_to_cpu(hdr->type);
	s32 status = 0;

	if (unlikely(type >= VIRTIO_GPU_RESP_ERR_UNSPEC)) {
		status = -EIO;
		grtrace_error(ring, ctx, seqno, GRTRACE_ERROR_COMMAND, status, type, flags);
	}
	grtrace_end(ring, ctx, seqno, status, 0, flags);
	if (!has_fence(hdr))
		grtrace_complete(ring, ctx, seqno, status, GRTRACE_F_INFERRED);
}

static void probe_queue(void *data, struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr,
			u32 seqno)
{
	u32 ring = ring_of(vq);

	put_queued(ring, NUMBERED | ring, seqno, hdr, false);
}

static void probe_response(void *data, struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr,
			   u32 seqno)
{
	u32 ring = ring_of(vq);

	put_response(ring, NUMBERED | ring, seqno, hdr, 0);
}

static void probe_queue_unnumbered(void *data, struct virtqueue *vq,
				   struct virtio_gpu_ctrl_hdr *hdr)
{
	u32 ring = ring_of(vq);

	if (has_fence(hdr))
		put_queued(ring, NUMBERED | ring, le64_to_cpu(hdr->fence_id), hdr, false);
	else
		put_queued(ring, COUNTED | ring, ++queue_of(ring)->queued, hdr,
			   vq->index == CURSOR_QUEUE);
}

static void probe_response_unnumbered(void *data, struct virtqueue *vq,
				      struct virtio_gpu_ctrl_hdr *hdr)
{
	u32 ring = ring_of(vq);
	struct queue *queue = queue_of(ring);

	if (has_fence(hdr))
		put_response(ring, NUMBERED | ring, le64_to_cpu(hdr->fence_id), hdr, 0);
	else if (queue->answered < READ_ONCE(queue->queued))
		put_response(ring, COUNTED | ring, ++queue->answered, hdr, GRTRACE_F_INFERRED);
}

/* --- the adapter --- */

static void begin(void)
{
	memset(fences, 0, sizeof(fences));
	memset(queues, 0, sizeof(queues));
	grt_fence_kinds_forget(&kinds);
}

static void target_gone(struct module *target)
{
	grt_fence_kinds_forget(&kinds);
}

enum { ON_QUEUE, ON_RESPONSE, ON_FENCE_EMIT, ON_FENCE_SIGNALED, NR_PROBES };

#define PROBE(tracepoint, with, without)						\
	{										\
		.module = DRIVER, .names = { tracepoint }, .fn = (with),		\
		.field = "seqno", .fn_without = (without),		\
	}

static struct grtrace_probe probes[NR_PROBES] = {
	[ON_QUEUE]	= PROBE("virtio_gpu_cmd_queue", probe_queue, probe_queue_unnumbered),
	[ON_RESPONSE]	= PROBE("virtio_gpu_cmd_response", probe_response,
				probe_response_unnumbered),
	[ON_FENCE_EMIT]	= { .fn = probe_fence_emit, .names = { "dma_fence_emit" } },
	[ON_FENCE_SIGNALED] = { .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
};

/* Tells readers why keys and flags are as they are. */
static size_t describe(char *to, size_t room)
{
	if (!probes[ON_QUEUE].attached)
		return 0;
	return scnprintf(to, room, "virtio_gpu.numbers=%s\n",
			 probes[ON_QUEUE].attached == probe_queue ? "commands" : "fences");
}

static struct grtrace_adapter adapter = {
	.name = "virtio_gpu",
	.owner = THIS_MODULE,
	.driver = DRIVER,
	.probes = probes,
	.nr_probes = NR_PROBES,
	.begin = begin,
	.target_gone = target_gone,
	.describe = describe,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: events of virtio-gpu");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
