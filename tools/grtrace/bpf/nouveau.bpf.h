/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs of nouveau that do not use the DRM scheduler: the same events as its adapter makes, which says why
 * fences tell of them.  A part of capture.bpf.c.
 */
#ifndef GRT_NOUVEAU_BPF_H
#define GRT_NOUVEAU_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "fences.bpf.h"
#include "jobs.bpf.h"
#include "rings.bpf.h"

#define CHANNELS	4096
#define NAMED		1	/* in place of the address of a name; a row that is free has 0 */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct spinlock {
	char any;
};

struct dma_fence___outer {	/* 7.1 and newer */
	struct spinlock *extern_lock;
};

struct dma_fence___old {
	struct spinlock *lock;
};

struct nouveau_fence_chan {
	struct spinlock lock;
	char name[32];
};

#pragma clang attribute pop

/* Contexts of jobs, see the adapter. */
static u64 channels[CHANNELS];

struct timeline {
	union {
		char name[32];
		u64 words[4];
	};
};

/* As nouveau_fence_get_timeline_name(): a fence finds its channel through its lock. */
static __always_inline void read_timeline(struct timeline *t, struct dma_fence *fence)
{
	struct dma_fence___outer *outer = (void *)fence;
	struct dma_fence___old *old = (void *)fence;
	struct nouveau_fence_chan *channel = NULL;
	void *lock;

	lock = bpf_core_field_exists(outer->extern_lock) ? (void *)BPF_CORE_READ(outer, extern_lock) :
							   (void *)BPF_CORE_READ(old, lock);
	channel = lock - bpf_core_field_offset(channel->lock);
	bpf_probe_read_kernel_str(t->name, sizeof(t->name), channel->name);
}

static const struct timeline kernel_channels[] = {
	{ .name = "copy engine channel" }, { .name = "generic kernel channel" },
};

static __always_inline bool is_same(const struct timeline *a, const struct timeline *b)
{
	return a->words[0] == b->words[0] && a->words[1] == b->words[1] &&
	       a->words[2] == b->words[2] && a->words[3] == b->words[3];
}

/* All channels of a client have one name and are one ring. */
static __always_inline u32 hash_of(const struct timeline *t)
{
	u64 hash = 0;

	for (u32 i = 0; i < 4; i++)
		hash = (hash ^ t->words[i]) * 0x61C8864680B583EBull;
	return hash >> 32 | 1;
}

static __noinline int define_timeline(const struct timeline *t, u32 number)
{
	struct grtrace_ring *ring = begin_ring(number);

	if (!ring || !t)
		return 0;
	__builtin_memcpy(ring->name, t->name, sizeof(t->name));
	__builtin_memcpy(ring->driver, "nouveau", sizeof("nouveau"));
	end_ring(ring, number);
	return 1;
}

static __always_inline u32 learn_timeline(const struct timeline *t)
{
	u32 number;
	struct ring_row *row = take_row(hash_of(t), NAMED, 0, &number);

	if (!row)
		return NO_RING;
	if (!number)
		return row->number;
	return define_timeline(t, number) ? keep_row(row, NAMED, 0, number) : NO_RING;
}

/* Runs for every fence of the system, so it must return fast. */
SEC("tp_btf/dma_fence_init")
int BPF_PROG(nouveau_init, struct dma_fence *fence)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct timeline t = { .words = { 0 } };
	u64 ctx_nr = fence->context;
	bool is_kernel;
	u32 ring;

	if (!is_of_nouveau((u64)fence->ops))
		return 0;
	read_timeline(&t, fence);
	is_kernel = is_same(&t, &kernel_channels[0]) || is_same(&t, &kernel_channels[1]);
	/* The hardware fence of a job of the scheduler. */
	if (!is_kernel && task->flags & PF_KTHREAD) {
		channels[ctx_nr % CHANNELS] = 0;
		return 0;
	}
	channels[ctx_nr % CHANNELS] = ctx_nr;
	ring = learn_timeline(&t);
	set_context(ctx_nr, (u64)hash_of(&t) << 32 | ring);
	put_submit_detailed(job_of(fence), ring, 0, 0,
			    GRTRACE_F_UPPER_BOUND | (is_kernel ? GRTRACE_F_KERNEL_JOB : 0));
	return 0;
}

static __always_inline void nouveau_signaled(const struct dma_fence *fence)
{
	u64 channel = channels[fence->context % CHANNELS];

	if (channel == fence->context)
		put_complete(job_of(fence), ring_of_context(fence->context), fence->error,
			     GRTRACE_F_UPPER_BOUND);
	else if (channel)	/* another one took the place; this may be a job */
		lose(GRTRACE_COMPLETE);
}

#endif /* GRT_NOUVEAU_BPF_H */
