/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory, interrupts and details of jobs of amdgpu: the same events as its adapter makes, which says where
 * each tracepoint fires.  A part of capture.bpf.c.
 */
#ifndef GRT_AMDGPU_BPF_H
#define GRT_AMDGPU_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "ibs.bpf.h"
#include "jobs.bpf.h"
#include "memory.bpf.h"
#include "object.bpf.h"
#include "pci.bpf.h"
#include "record.bpf.h"
#include "rings.bpf.h"

#define NOWHERE		(~0u)	/* new placement of an object that goes away */
#define CPU_ACCESS	1	/* AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, amdgpu_drm.h */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct amdgpu_job {
	struct drm_sched_job base;
	u32 vmid, num_ibs;
};

struct amdgpu_iv_entry {
	u32 client_id, src_id, ring_id, vmid;
	u64 timestamp;
	u32 pasid, src_data[4];
};

struct amdgpu_bo {
	u32 preferred_domains, allowed_domains;
	struct ttm_buffer_object tbo;
	u64 flags;
};

#pragma clang attribute pop

/* The context of the last job on each ring.  A ring with another number may have the place of an old one. */
static struct last_context {
	u32 ring;
	u64 ctx;
} last_contexts[GRT_BPF_MAX_RINGS];

SEC("tp_btf/amdgpu_cs_ioctl")
int BPF_PROG(amdgpu_cs, struct amdgpu_job *job)
{
	if (job)
		note_ibs(job_of(&job->base.s_fence->finished), job->num_ibs);
	return 0;
}

SEC("tp_btf/amdgpu_vm_grab_id")
int BPF_PROG(amdgpu_grab_id, void *vm, void *amdgpu_ring, struct amdgpu_job *job)
{
	struct last_context *last;
	struct job_key key;
	u64 from_ctx;
	u32 ring;

	if (!job)
		return 0;
	key = job_of(&job->base.s_fence->finished);
	ring = ring_of(key.ctx, job->base.sched);
	last = &last_contexts[ring % GRT_BPF_MAX_RINGS];
	from_ctx = last->ring == ring ? last->ctx : 0;
	if (!ring || from_ctx == key.ctx)
		return 0;
	last->ring = ring;
	last->ctx = key.ctx;
	put_ctx_switch(ring, from_ctx, key, job->vmid, 0);
	return 0;
}

SEC("tp_btf/amdgpu_iv")
int BPF_PROG(amdgpu_iv, u32 ih, struct amdgpu_iv_entry *iv)
{
	struct grtrace_irq *ev;
	struct event e;

	if (!iv || !see(&e, GRTRACE_IRQ) || !begin(&e, sizeof(*ev)))
		return 0;
	ev = e.record;
	ev->gpu_stamp = iv->timestamp;
	ev->ih = ih;
	ev->irq_client = iv->client_id;
	ev->irq_source = iv->src_id;
	ev->irq_ring = iv->ring_id;
	ev->vmid = iv->vmid;
	ev->pasid = iv->pasid;
	ev->data0 = iv->src_data[0];
	ev->data1 = iv->src_data[1];
	ev->data2 = iv->src_data[2];
	ev->data3 = iv->src_data[3];
	end(&e);
	return 0;
}

static __always_inline struct grtrace_memory *begin_bo(struct event *e, u32 op, struct amdgpu_bo *bo)
{
	struct grtrace_memory *ev = begin_memory(e, op);

	if (!ev)
		return NULL;
	ev->object_id = object_id(bo);
	ev->bytes = bo->tbo.base.size;
	ev->pci_address = pci_address(BPF_CORE_READ(bo, tbo.base.dev, dev));
	return ev;
}

SEC("tp_btf/amdgpu_bo_create")
int BPF_PROG(amdgpu_create, struct amdgpu_bo *bo)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!bo)
		return 0;
	ev = begin_bo(&e, GRTRACE_MEMORY_CREATE, bo);
	if (!ev)
		return 0;
	ev->preferred_domains = bo->preferred_domains;
	ev->allowed_domains = bo->allowed_domains;
	if (bo->flags & CPU_ACCESS)
		e.flags |= GRTRACE_F_VISIBLE;
	end(&e);
	return 0;
}

SEC("tp_btf/amdgpu_bo_move")
int BPF_PROG(amdgpu_move, struct amdgpu_bo *bo, u32 new_placement, u32 old_placement)
{
	struct grtrace_memory *ev;
	struct event e;

	if (!bo)
		return 0;
	ev = begin_bo(&e, new_placement == NOWHERE ? GRTRACE_MEMORY_DESTROY : GRTRACE_MEMORY_MOVE, bo);
	if (!ev)
		return 0;
	ev->from_domain = old_placement;
	ev->to_domain = new_placement == NOWHERE ? 0 : new_placement;
	end(&e);
	return 0;
}

#endif /* GRT_AMDGPU_BPF_H */
