/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs of virtio-gpu, which has queues of its own: the same events as lib/import/events_driver.c makes of
 * its tracepoints.  A part of capture.bpf.c.
 */
#ifndef GRT_VIRTIO_GPU_BPF_H
#define GRT_VIRTIO_GPU_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "fences.bpf.h"
#include "jobs.bpf.h"
#include "rings.bpf.h"

/*
 * Commands of virtio-gpu have no fence context of their own.  They get these numbers, which no kernel
 * counts to, plus that of the ring.
 */
#define NUMBERED		(1ull << 40)
#define COUNTED			(2ull << 40)	/* those without a number: before 6.2, without a fence */
#define FENCES			1024		/* more than a virtqueue has room for */
#define VIRTIO_GPU_FLAG_FENCE	1
#define VIRTIO_ERRORS		0x1200	/* VIRTIO_GPU_RESP_ERR_UNSPEC and up, include/uapi/linux/virtio_gpu.h */

/* Set before the programs are loaded: commands are numbered, from 6.2 on. */
const volatile bool has_virtio_seqno;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct virtio_device {
	struct device dev;
};

struct virtqueue {
	const char *name;
	struct virtio_device *vdev;
};

struct virtio_gpu_ctrl_hdr {
	u32 type, flags;
	u64 fence_id;
	u32 ctx_id;
};

#pragma clang attribute pop

/* --- virtgpu_vq.c: commands of a virtqueue --- */

static __noinline int define_queue(const struct virtqueue *vq, u32 number)
{
	struct grtrace_ring *ring = begin_ring(number);
	struct virtio_device *vdev = BPF_CORE_READ(vq, vdev);

	if (!ring)
		return 0;
	read_text(ring->name, sizeof(ring->name), BPF_CORE_READ(vq, name));
	name_device(ring, vdev ? (void *)vdev + bpf_core_field_offset(vdev->dev) : NULL);
	end_ring(ring, number);
	return 1;
}

static __noinline u32 learn_queue(struct virtqueue *vq)
{
	u32 name = name_of(vq->name), dev = half(vq->vdev), number;
	struct ring_row *row = take_row(half(vq), name, dev, &number);

	if (!row)
		return NO_RING;
	if (!number)
		return row->number;
	return define_queue(vq, number) ? keep_row(row, name, dev, number) : NO_RING;
}

/*
 * The fence that was emitted last on a CPU: dma_fence_emit fires in virtio_gpu_fence_emit(), just before
 * the command is queued, under the same lock.
 */
static struct emitted_fence {
	u64 ctx, id, ops;
} emitted[GRT_BPF_MAX_CPUS];

/*
 * The commands of fences that are not signalled, direct mapped: a newer fence replaces an older one, and COMPLETE
 * of the older one's command is lost.
 */
static volatile struct fence_row {
	u64 ctx, id;
	u64 seqno;
	u32 ring;
} fences[FENCES];

/* Commands without a number, by place of the ring.  The driver's lock protects @queued. */
static volatile struct queue {
	u64 queued, answered;
	u32 ring;
} queues[GRT_BPF_MAX_RINGS];

static __always_inline struct emitted_fence *own_emitted(void)
{
	struct emitted_fence *own = &emitted[bpf_get_smp_processor_id() % GRT_BPF_MAX_CPUS];

	barrier_var(own);
	return own;
}

SEC("tp_btf/dma_fence_emit")
int BPF_PROG(fence_emit, struct dma_fence *fence)
{
	struct emitted_fence *own = own_emitted();

	own->ctx = fence->context;
	own->id = fence->seqno;
	own->ops = (u64)fence->ops;
	return 0;
}

/* Fences of one context get adjacent rows. */
static __always_inline volatile struct fence_row *fence_row(u64 ctx, u64 id)
{
	return &fences[(ctx * 64 + id) % FENCES];
}

/* The command's fence, number @id, was emitted on this CPU just now. */
static __always_inline void note_fence(u64 id, u32 ring, u64 seqno)
{
	const struct emitted_fence *own = own_emitted();
	volatile struct fence_row *row = fence_row(own->ctx, id);

	if (own->id != id)
		return;
	command_ops = own->ops;
	if (row->ctx)
		lose(GRTRACE_COMPLETE);
	/* Another CPU may be reading: the row is nobody's while it changes. */
	row->ctx = 0;
	row->id = id;
	row->seqno = seqno;
	row->ring = ring;
	row->ctx = own->ctx;
}

static __noinline int command_signaled(const struct dma_fence *fence)
{
	volatile struct fence_row *row = fence_row(fence->context, fence->seqno);
	struct job_key job = { .seqno = row->seqno };
	u32 ring = row->ring;

	job.ctx = NUMBERED | ring;
	if (row->ctx != fence->context || row->id != fence->seqno)
		return 0;
	row->ctx = 0;
	put_complete(job, ring, fence->error, 0);
	return 0;
}

static __always_inline volatile struct queue *queue_of(u32 ring)
{
	volatile struct queue *queue = &queues[ring % GRT_BPF_MAX_RINGS];

	if (queue->ring != ring) {
		queue->queued = 0;
		queue->answered = 0;
		queue->ring = ring;
	}
	return queue;
}

static __always_inline bool has_fence(const struct virtio_gpu_ctrl_hdr *hdr)
{
	return hdr->flags & VIRTIO_GPU_FLAG_FENCE;
}

static __always_inline struct job_key numbered(u32 ring, u64 seqno)
{
	return (struct job_key){ .ctx = NUMBERED | ring, .seqno = seqno };
}

static __always_inline struct job_key counted(u32 ring, u64 seqno)
{
	return (struct job_key){ .ctx = COUNTED | ring, .seqno = seqno };
}

SEC("tp_btf/virtio_gpu_cmd_queue")
int virtio_queue(u64 *args)
{
	const struct virtio_gpu_ctrl_hdr *hdr = (void *)args[1];
	struct virtqueue *vq = (void *)args[0];
	struct job_key job;
	u32 ring;

	if (!vq || !hdr)
		return 0;
	ring = learn_queue(vq);
	if (has_virtio_seqno)
		job = numbered(ring, (u32)args[2]);
	else if (has_fence(hdr))
		job = numbered(ring, hdr->fence_id);
	else
		job = counted(ring, ++queue_of(ring)->queued);
	if (has_fence(hdr))
		note_fence(hdr->fence_id, ring, job.seqno);
	put_submit_detailed(job, ring, hdr->ctx_id, hdr->type, 0);
	put_commit(job, ring);
	return 0;
}

SEC("tp_btf/virtio_gpu_cmd_response")
int virtio_response(u64 *args)
{
	const struct virtio_gpu_ctrl_hdr *hdr = (void *)args[1];
	struct virtqueue *vq = (void *)args[0];
	struct job_key job;
	s32 status = 0;
	u16 flags = 0;
	u32 ring;

	if (!vq || !hdr)
		return 0;
	ring = learn_queue(vq);
	if (has_virtio_seqno) {
		job = numbered(ring, (u32)args[2]);
	} else if (has_fence(hdr)) {
		job = numbered(ring, hdr->fence_id);
	} else {
		volatile struct queue *queue = queue_of(ring);

		/* The oldest one is answered next, see adapters/virtio_gpu.c. */
		if (queue->answered == queue->queued)
			return 0;
		job = counted(ring, ++queue->answered);
		flags = GRTRACE_F_INFERRED;
	}
	if (hdr->type >= VIRTIO_ERRORS) {
		status = -5;	/* -EIO */
		put_error(job, ring, GRTRACE_ERROR_COMMAND, status, hdr->type, flags);
	}
	put_end(job, ring, status, flags);
	/* COMPLETE of a command with a fence is in capture.bpf.c: the fence is signalled. */
	if (!has_fence(hdr))
		put_complete(job, ring, status, GRTRACE_F_INFERRED);
	return 0;
}

#endif /* GRT_VIRTIO_GPU_BPF_H */
