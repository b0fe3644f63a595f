/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors, scheduling and memory of xe: the same events as its adapter makes, which says where each
 * tracepoint fires.  A part of capture.bpf.c.
 */
#ifndef GRT_XE_BPF_H
#define GRT_XE_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "jobs.bpf.h"
#include "memory.bpf.h"
#include "object.bpf.h"
#include "pci.bpf.h"
#include "record.bpf.h"
#include "recovery.bpf.h"
#include "rings.bpf.h"

#define XE_NOWHERE	(~0u)	/* the old placement of an object without contents */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct xe_sched_job {
	struct drm_sched_job drm;
};

struct xe_gpu_scheduler {
	struct drm_gpu_scheduler base;
};

struct xe_guc_exec_queue {
	struct xe_gpu_scheduler sched;
	struct drm_sched_entity entity;
};

struct xe_exec_queue {
	struct xe_guc_exec_queue *guc;
};

struct xe_bo {
	struct ttm_buffer_object ttm;
};

struct drm_gpuvm {
	struct drm_device *drm;
};

struct drm_gpuva {
	struct drm_gpuvm *vm;
	struct {
		u64 addr, range;
	} va;
	struct {
		struct drm_gem_object *obj;
	} gem;
};

struct xe_vma {
	struct drm_gpuva gpuva;
};

#pragma clang attribute pop

/* --- jobs and queues --- */

SEC("tp_btf/xe_sched_job_timedout")
int BPF_PROG(xe_timedout, struct xe_sched_job *job)
{
	struct job_key key;

	if (!job)
		return 0;
	key = job_of(&job->drm.s_fence->finished);
	return take_timeout(key) ? 0 : error(job->drm.sched, key, GRTRACE_ERROR_TIMEOUT, -62);
}

SEC("tp_btf/xe_sched_job_ban")
int BPF_PROG(xe_ban, struct xe_sched_job *job)
{
	if (!job)
		return 0;
	return error(job->drm.sched, job_of(&job->drm.s_fence->finished), GRTRACE_ERROR_HANG, 0);
}

/* The member is in a union, whose first member the verifier takes for it: so it is read as a number. */
static __always_inline struct xe_guc_exec_queue *guc_of(const struct xe_exec_queue *queue)
{
	return BPF_CORE_READ(queue, guc);
}

/* The context of the queue's jobs: see drm_sched_fence_init(). */
static __always_inline u64 context_of(const struct xe_exec_queue *queue)
{
	return BPF_CORE_READ(guc_of(queue), entity.fence_context) + 1;
}

static __always_inline void put_schedule(const struct xe_exec_queue *queue, u64 from_ctx, u64 ctx)
{
	u32 ring = ring_of(from_ctx | ctx, &guc_of(queue)->sched.base);

	put_ctx_switch(ring, from_ctx, (struct job_key){ .ctx = ctx }, 0, 0);
}

/* An error of the queue that names no job. */
static __always_inline int queue_error(const struct xe_exec_queue *queue, u32 code, s32 status)
{
	struct job_key none = { };

	return queue ? error(&guc_of(queue)->sched.base, none, code, status) : 0;
}

SEC("tp_btf/xe_exec_queue_scheduling_enable")
int BPF_PROG(xe_enable, struct xe_exec_queue *queue)
{
	if (queue)
		put_schedule(queue, 0, context_of(queue));
	return 0;
}

SEC("tp_btf/xe_exec_queue_scheduling_disable")
int BPF_PROG(xe_disable, struct xe_exec_queue *queue)
{
	if (queue)
		put_schedule(queue, context_of(queue), 0);
	return 0;
}

SEC("tp_btf/xe_exec_queue_reset")
int BPF_PROG(xe_reset, struct xe_exec_queue *queue)
{
	return queue_error(queue, GRTRACE_ERROR_HANG, 0);
}

SEC("tp_btf/xe_exec_queue_memory_cat_error")
int BPF_PROG(xe_cat_error, struct xe_exec_queue *queue)
{
	return queue_error(queue, GRTRACE_ERROR_FAULT, -14);	/* -EFAULT */
}

/* --- memory --- */

static __always_inline struct grtrace_memory *begin_xe_bo(struct event *e, u32 op, struct xe_bo *bo)
{
	struct grtrace_memory *ev;

	if (!bo)
		return NULL;
	ev = begin_memory(e, op);
	if (!ev)
		return NULL;
	ev->object_id = object_id(bo);
	ev->bytes = bo->ttm.base.size;
	ev->pci_address = pci_address(BPF_CORE_READ(bo, ttm.base.dev, dev));
	return ev;
}

SEC("tp_btf/xe_bo_create")
int BPF_PROG(xe_create, struct xe_bo *bo)
{
	struct event e;

	if (begin_xe_bo(&e, GRTRACE_MEMORY_CREATE, bo))
		end(&e);
	return 0;
}

SEC("tp_btf/xe_bo_move")
int BPF_PROG(xe_move, struct xe_bo *bo, u32 new_placement, u32 old_placement, bool lacks_source)
{
	struct event e;
	struct grtrace_memory *ev = begin_xe_bo(&e, GRTRACE_MEMORY_MOVE, bo);

	if (!ev)
		return 0;
	ev->from_domain = lacks_source ? XE_NOWHERE : old_placement;
	ev->to_domain = new_placement;
	end(&e);
	return 0;
}

SEC("tp_btf/xe_bo_cpu_fault")
int BPF_PROG(xe_fault, struct xe_bo *bo)
{
	struct event e;

	if (!begin_xe_bo(&e, GRTRACE_MEMORY_FAULT, bo))
		return 0;
	e.flags |= GRTRACE_F_ACCESS_UNKNOWN;
	end(&e);
	return 0;
}

static __always_inline int put_xe_vma(u32 op, struct xe_vma *vma)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!vma)
		return 0;
	ev = begin_memory(&e, op);
	if (!ev)
		return 0;
	ev->object_id = object_id(vma->gpuva.gem.obj);
	ev->vm_id = object_id(vma->gpuva.vm);
	ev->offset_bytes = vma->gpuva.va.addr;
	ev->bytes = vma->gpuva.va.range;
	ev->pci_address = pci_address(BPF_CORE_READ(vma, gpuva.vm, drm, dev));
	end(&e);
	return 0;
}

SEC("tp_btf/xe_vma_bind")
int BPF_PROG(xe_bind, struct xe_vma *vma)
{
	return put_xe_vma(GRTRACE_MEMORY_BIND, vma);
}

SEC("tp_btf/xe_vma_unbind")
int BPF_PROG(xe_unbind, struct xe_vma *vma)
{
	return put_xe_vma(GRTRACE_MEMORY_UNBIND, vma);
}

#endif /* GRT_XE_BPF_H */
