/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests and memory of i915: the same events as its adapter makes, which says where each tracepoint
 * fires.  A part of capture.bpf.c.
 */
#ifndef GRT_I915_BPF_H
#define GRT_I915_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>
#include <linux/grtrace_i915.h>

#include "fences.bpf.h"
#include "jobs.bpf.h"
#include "memory.bpf.h"
#include "object.bpf.h"
#include "pci.bpf.h"
#include "rings.bpf.h"

#define PAGE_SHIFT	12	/* on x86, where i915 is */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

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

struct drm_i915_gem_object {
	struct drm_gem_object base;
};

struct drm_mm_node {
	u64 start, size;
};

struct i915_address_space {
	struct drm_i915_private *i915;
};

struct i915_vma {
	struct drm_mm_node node;
	struct drm_i915_gem_object *obj;
	struct i915_address_space *vm;
};

#pragma clang attribute pop

/* By place of the ring.  The driver's lock of an engine protects its row. */
static struct engine_row {
	u32 ring;
	struct grtrace_i915_engine engine;
} engines[GRT_BPF_MAX_RINGS];

static bool has_guc;

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
	u32 ring = use_ring_in_row(ctx, half(rq->engine));

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

/* With GuC a request does not start when it comes in. */
SEC("tp_btf/i915_request_guc_submit")
int BPF_PROG(i915_guc_submit, struct i915_request *rq)
{
	has_guc = true;
	return 0;
}

/* The contexts on the engine of @ring, which may have the place of an older ring. */
static __always_inline struct grtrace_i915_engine *engine_of(u32 ring)
{
	struct engine_row *row = &engines[ring % GRT_BPF_MAX_RINGS];

	if (row->ring != ring)
		*row = (struct engine_row){ .ring = ring };
	return &row->engine;
}

static __always_inline void put_switch(u32 ring, const struct grtrace_i915_switch *to)
{
	put_ctx_switch(ring, to->from_ctx, (struct job_key){ to->ctx, to->seqno }, 0, to->flags);
}

SEC("tp_btf/i915_request_in")
int BPF_PROG(i915_in, struct i915_request *rq, u32 port)
{
	struct grtrace_i915_switch to;
	u32 ring;

	if (!rq || has_guc)
		return 0;
	ring = ring_of_request(rq);
	if (ring && grtrace_i915_in(engine_of(ring), rq->fence.context, rq->fence.seqno, port, &to))
		put_switch(ring, &to);
	put_start(job_of(&rq->fence), ring);
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
	struct grtrace_i915_switch to;
	bool is_over;
	u32 ring;

	if (!rq)
		return 0;
	is_over = is_completed(rq);
	ring = ring_of_request(rq);
	if (is_over)
		put_end(job_of(&rq->fence), ring, 0, GRTRACE_F_NO_STATUS);
	if (ring && grtrace_i915_out(engine_of(ring), rq->fence.context, is_over, &to))
		put_switch(ring, &to);
	return 0;
}

SEC("tp_btf/i915_request_wait_begin")
int BPF_PROG(i915_wait_begin, struct i915_request *rq)
{
	if (rq)
		put_wait(GRTRACE_SYNC_WAIT_ENTER, job_of(&rq->fence), ring_of_request(rq), 0);
	return 0;
}

/* A wait may also end because of a signal or a timeout, and the tracepoint does not say which. */
SEC("tp_btf/i915_request_wait_end")
int BPF_PROG(i915_wait_end, struct i915_request *rq)
{
	if (rq)
		put_wait(GRTRACE_SYNC_WAIT_EXIT, job_of(&rq->fence), ring_of_request(rq),
			 is_completed(rq) ? 0 : GRTRACE_F_NO_STATUS);
	return 0;
}

/* --- memory --- */

static __always_inline struct grtrace_memory *begin_object(struct event *e, u32 op,
							   struct drm_i915_gem_object *obj)
{
	struct grtrace_memory *ev;

	if (!obj)
		return NULL;
	ev = begin_memory(e, op);
	if (!ev)
		return NULL;
	ev->object_id = object_id(obj);
	ev->pci_address = pci_address(BPF_CORE_READ(obj, base.dev, dev));
	return ev;
}

SEC("tp_btf/i915_gem_object_create")
int BPF_PROG(i915_create, struct drm_i915_gem_object *obj)
{
	struct event e;
	struct grtrace_memory *ev = begin_object(&e, GRTRACE_MEMORY_CREATE, obj);

	if (!ev)
		return 0;
	ev->bytes = obj->base.size;
	end(&e);
	return 0;
}

SEC("tp_btf/i915_gem_object_destroy")
int BPF_PROG(i915_destroy, struct drm_i915_gem_object *obj)
{
	struct event e;
	struct grtrace_memory *ev = begin_object(&e, GRTRACE_MEMORY_DESTROY, obj);

	if (!ev)
		return 0;
	ev->bytes = obj->base.size;
	end(&e);
	return 0;
}

static __always_inline int put_copy(u32 op, struct drm_i915_gem_object *obj, u64 offset, u64 bytes)
{
	struct event e;
	struct grtrace_memory *ev = begin_object(&e, op, obj);

	if (!ev)
		return 0;
	ev->offset_bytes = offset;
	ev->bytes = bytes;
	end(&e);
	return 0;
}

SEC("tp_btf/i915_gem_object_pwrite")
int BPF_PROG(i915_pwrite, struct drm_i915_gem_object *obj, u64 offset, u64 len)
{
	return put_copy(GRTRACE_MEMORY_PWRITE, obj, offset, len);
}

SEC("tp_btf/i915_gem_object_pread")
int BPF_PROG(i915_pread, struct drm_i915_gem_object *obj, u64 offset, u64 len)
{
	return put_copy(GRTRACE_MEMORY_PREAD, obj, offset, len);
}

SEC("tp_btf/i915_gem_object_fault")
int BPF_PROG(i915_fault, struct drm_i915_gem_object *obj, u64 index, bool gtt, bool write)
{
	struct event e;
	struct grtrace_memory *ev = begin_object(&e, GRTRACE_MEMORY_FAULT, obj);

	if (!ev)
		return 0;
	ev->offset_bytes = index << PAGE_SHIFT;
	ev->to_domain = gtt ? GRTRACE_I915_DOMAIN_GTT : GRTRACE_I915_DOMAIN_CPU;
	if (write)
		e.flags |= GRTRACE_F_WRITE;
	end(&e);
	return 0;
}

static __always_inline u16 mappable_flag(u32 flags)
{
	return flags & GRTRACE_I915_PIN_MAPPABLE ? GRTRACE_F_MAPPABLE : 0;
}

static __always_inline int put_vma(u32 op, struct i915_vma *vma, u16 flags)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!vma)
		return 0;
	ev = begin_memory(&e, op);
	if (!ev)
		return 0;
	e.flags |= flags;
	ev->object_id = object_id(vma->obj);
	ev->vm_id = object_id(vma->vm);
	ev->offset_bytes = vma->node.start;
	ev->bytes = vma->node.size;
	ev->pci_address = pci_address(BPF_CORE_READ(vma, vm, i915, drm.dev));
	end(&e);
	return 0;
}

SEC("tp_btf/i915_vma_bind")
int BPF_PROG(i915_bind, struct i915_vma *vma, u32 flags)
{
	return put_vma(GRTRACE_MEMORY_BIND, vma, mappable_flag(flags));
}

SEC("tp_btf/i915_vma_unbind")
int BPF_PROG(i915_unbind, struct i915_vma *vma)
{
	return put_vma(GRTRACE_MEMORY_UNBIND, vma, 0);
}

SEC("tp_btf/i915_gem_shrink")
int BPF_PROG(i915_shrink, struct drm_i915_private *i915, unsigned long target)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!i915)
		return 0;
	ev = begin_memory(&e, GRTRACE_MEMORY_SHRINK);
	if (!ev)
		return 0;
	ev->bytes = (u64)target << PAGE_SHIFT;
	ev->pci_address = pci_address(i915->drm.dev);
	end(&e);
	return 0;
}

SEC("tp_btf/i915_gem_evict")
int BPF_PROG(i915_evict, struct i915_address_space *vm, u64 size, u64 align, u32 flags)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!vm)
		return 0;
	ev = begin_memory(&e, GRTRACE_MEMORY_EVICT);
	if (!ev)
		return 0;
	e.flags |= mappable_flag(flags);
	ev->vm_id = object_id(vm);
	ev->bytes = size;
	ev->pci_address = pci_address(BPF_CORE_READ(vm, i915, drm.dev));
	end(&e);
	return 0;
}

#endif /* GRT_I915_BPF_H */
