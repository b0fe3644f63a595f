/* SPDX-License-Identifier: GPL-2.0 */
/* Fences: which are of the scheduler, and their flags. */
#ifndef GRT_FENCES_BPF_H
#define GRT_FENCES_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* The ops of scheduler fences, learned from jobs. */
static u64 finished_ops = 1, scheduled_ops = 1;

/* The ops of fences of i915's requests, likewise. */
static u64 request_ops = 1;

static __always_inline void learn_ops(const struct drm_sched_fence *fence)
{
	u64 ops = (u64)fence->finished.ops;

	if (ops == finished_ops)
		return;
	scheduled_ops = (u64)fence->scheduled.ops;
	finished_ops = ops;
}

static __always_inline bool has_flag(const struct dma_fence *fence, u64 bit)
{
	return fence->flags & 1ull << bit;
}

#define SIGNALED	bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_SIGNALED_BIT)

#endif /* GRT_FENCES_BPF_H */
