/* SPDX-License-Identifier: GPL-2.0 */
/* Fences: which are of the scheduler, and their flags. */
#ifndef GRT_FENCES_BPF_H
#define GRT_FENCES_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define NO_OPS		1	/* no fence has these */

/* The ops of scheduler fences, learned from jobs. */
static u64 finished_ops = NO_OPS, scheduled_ops = NO_OPS;

/* The ops of fences of i915's requests, likewise. */
static u64 request_ops = NO_OPS;

/* Those of nouveau's fences; set when nouveau is loaded. */
__u64 nouveau_ops[2] = { NO_OPS, NO_OPS };

static __always_inline bool is_of_nouveau(u64 ops)
{
	return ops == nouveau_ops[0] || ops == nouveau_ops[1];
}

/* The ops of fences of virtio-gpu's commands, learned from such a fence. */
static u64 command_ops = NO_OPS;

static __always_inline void learn_ops(const struct drm_sched_fence *fence)
{
	scheduled_ops = (u64)fence->scheduled.ops;
	finished_ops = (u64)fence->finished.ops;
}

/* For events of jobs that may have been submitted before the programs ran. */
static __always_inline void know_ops(const struct drm_sched_fence *fence)
{
	if (finished_ops == NO_OPS)
		learn_ops(fence);
}

static __always_inline bool has_flag(const struct dma_fence *fence, u64 bit)
{
	return fence->flags & 1ull << bit;
}

#define SIGNALED	bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_SIGNALED_BIT)

#endif /* GRT_FENCES_BPF_H */
