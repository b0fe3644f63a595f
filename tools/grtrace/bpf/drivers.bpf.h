/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs of drivers with queues of their own, i915 and virtio-gpu: the same events as
 * lib/import/events_driver.c makes of their tracepoints.  A part of capture.bpf.c.
 */
#ifndef GRT_DRIVERS_BPF_H
#define GRT_DRIVERS_BPF_H

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
 * Commands of virtio-gpu have no fence context.  They get this number, which no kernel counts to, plus
 * that of the ring.
 */
#define RING_CONTEXT		(1ull << 40)
#define VIRTIO_ERRORS		0x1200	/* VIRTIO_GPU_RESP_ERR_UNSPEC and up, include/uapi/linux/virtio_gpu.h */

/* Set before the programs are loaded: commands are numbered, from 6.2 on. */
const volatile bool has_virtio_seqno;

__u64 unjoined;		/* commands without a number: before 6.2, those without a fence */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct drm_device {
	struct device *dev;
};

struct drm_i915_private {
	struct drm_device drm;
};

struct intel_engine_cs {
	struct drm_i915_private *i915;
	char name[8];
};

struct i915_request {
	struct dma_fence fence;
	struct intel_engine_cs *engine;
	const u32 *hwsp_seqno;
};

struct virtio_device {
	struct device dev;
};

struct virtqueue {
	const char *name;
	struct virtio_device *vdev;
};

struct virtio_gpu_ctrl_hdr {
	u32 type;
	u64 fence_id;
};

#pragma clang attribute pop

/* --- i915_request.c.  IN and OUT are there with CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS only. --- */

static __noinline int define_engine(const struct intel_engine_cs *engine, u32 number)
{
	struct grtrace_ring *ring = begin_ring(number);

	if (!ring)
		return 0;
	BPF_CORE_READ_STR_INTO(&ring->name, engine, name);
	name_device(ring, BPF_CORE_READ(engine, i915, drm.dev));
	end_ring(ring, number);
	return 1;
}

/* Two devices may have an engine of the same name: the device tells them apart. */
static __noinline u32 learn_engine(struct intel_engine_cs *engine)
{
	u32 dev = half(engine->i915), number;
	struct ring_row *row = take_row(half(engine), 0, dev, &number);

	if (!row)
		return NO_RING;
	if (!number)
		return row->number;
	return define_engine(engine, number) ? keep_row(row, 0, dev, number) : NO_RING;
}

/* A context may use several engines, one after the other. */
static __always_inline u32 ring_of_request(const struct i915_request *rq)
{
	u64 ctx = rq->fence.context;
	u32 ring = ring_in_row(ctx, half(rq->engine));

	if (ring)
		return ring;
	ring = learn_engine(rq->engine);
	set_context(ctx, (u64)half(rq->engine) << 32 | ring);
	return ring;
}

/* COMPLETE is in capture.bpf.c: the request's fence is signalled. */
SEC("tp_btf/i915_request_add")
int BPF_PROG(i915_add, struct i915_request *rq)
{
	if (!rq)
		return 0;
	request_ops = (u64)rq->fence.ops;
	put_submit(job_of(&rq->fence), ring_of_request(rq));
	return 0;
}

SEC("tp_btf/i915_request_execute")
int BPF_PROG(i915_execute, struct i915_request *rq)
{
	if (rq)
		put_commit(job_of(&rq->fence), ring_of_request(rq));
	return 0;
}

SEC("tp_btf/i915_request_in")
int BPF_PROG(i915_in, struct i915_request *rq)
{
	if (rq)
		put_start(job_of(&rq->fence), ring_of_request(rq));
	return 0;
}

/* As i915_request_completed().  A request that is off its engine and not complete was preempted. */
static __always_inline bool is_completed(const struct i915_request *rq)
{
	u32 done = 0;

	if (has_flag(&rq->fence, SIGNALED))
		return true;
	return !bpf_probe_read_kernel(&done, sizeof(done), rq->hwsp_seqno) &&
	       (s32)(done - (u32)rq->fence.seqno) >= 0;
}

SEC("tp_btf/i915_request_out")
int BPF_PROG(i915_out, struct i915_request *rq)
{
	if (rq && is_completed(rq))
		put_end(job_of(&rq->fence), ring_of_request(rq), 0, GRTRACE_F_NO_STATUS);
	return 0;
}

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
	u32 name = half(vq->name), dev = half(vq->vdev), number;
	struct ring_row *row = take_row(half(vq), name, dev, &number);

	if (!row)
		return NO_RING;
	if (!number)
		return row->number;
	return define_queue(vq, number) ? keep_row(row, name, dev, number) : NO_RING;
}

struct command {
	struct job_key job;
	u32 ring, type;
};

/* Reads the command that a tracepoint is about.  False: it has no number, and no fence with one. */
static __always_inline bool read_command(struct command *c, u64 *args)
{
	const struct virtio_gpu_ctrl_hdr *hdr = (void *)args[1];
	struct virtqueue *vq = (void *)args[0];

	if (!vq || !hdr)
		return false;
	c->type = hdr->type;
	c->ring = learn_queue(vq);
	c->job.ctx = RING_CONTEXT | c->ring;
	c->job.seqno = has_virtio_seqno ? (u32)args[2] : hdr->fence_id;
	return c->job.seqno;
}

SEC("tp_btf/virtio_gpu_cmd_queue")
int virtio_queue(u64 *args)
{
	struct command c;

	if (!read_command(&c, args)) {
		__sync_fetch_and_add(&unjoined, 1);
		return 0;
	}
	put_submit(c.job, c.ring);
	put_commit(c.job, c.ring);
	return 0;
}

SEC("tp_btf/virtio_gpu_cmd_response")
int virtio_response(u64 *args)
{
	struct command c;
	s32 status;

	if (!read_command(&c, args))
		return 0;
	status = c.type >= VIRTIO_ERRORS ? -5 : 0;	/* -EIO */
	put_end(c.job, c.ring, status, 0);
	put_complete(c.job, c.ring, status, GRTRACE_F_INFERRED);
	return 0;
}

#endif /* GRT_DRIVERS_BPF_H */
