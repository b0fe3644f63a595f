/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the fences of one driver from all others by their ops, for probes that run for every fence
 * of the system.  An adapter's probe of dma_fence_init learns the ops of a new kind of fences.
 */
#ifndef _GRTRACE_FENCE_KINDS_H
#define _GRTRACE_FENCE_KINDS_H

#include <linux/compiler.h>
#include <linux/dma-fence.h>
#include <linux/string.h>

#define GRT_FENCE_KINDS		64	/* kinds of fences that are known at a time */
#define GRT_FENCE_IS_OURS	1ul

/* Direct mapped.  Ops of a kind of fences; their lowest bit says whether it is ours.  0 = free. */
struct grt_fence_kinds {
	unsigned long ops[GRT_FENCE_KINDS];
};

/* GRT_FENCE_IS_OURS, 0 for another driver's kind, or another value if the kind is not known. */
static __always_inline unsigned long grt_fence_kind(const struct grt_fence_kinds *kinds,
						    const struct dma_fence_ops *ops)
{
	unsigned long there = READ_ONCE(kinds->ops[(unsigned long)ops / 16 % GRT_FENCE_KINDS]);

	return there ^ (unsigned long)ops;
}

/* Is @fence of the driver?  For fences whose dma_fence_init was probed. */
static __always_inline bool grt_fence_is_ours(const struct grt_fence_kinds *kinds,
					      const struct dma_fence *fence)
{
	return unlikely(grt_fence_kind(kinds, fence->ops) == GRT_FENCE_IS_OURS);
}

/* Asks as the tracepoints themselves would, so only probes of init and emit may call this. */
static noinline bool grt_fence_learn(struct grt_fence_kinds *kinds, struct dma_fence *fence,
				     const char *driver)
{
	unsigned long kind = (unsigned long)fence->ops;

	if (!strcmp(fence->ops->get_driver_name(fence), driver))
		kind |= GRT_FENCE_IS_OURS;
	WRITE_ONCE(kinds->ops[(unsigned long)fence->ops / 16 % GRT_FENCE_KINDS], kind);
	return kind & GRT_FENCE_IS_OURS;
}

/* For probes of dma_fence_init and dma_fence_emit. */
static __always_inline bool grt_fence_is_ours_new(struct grt_fence_kinds *kinds,
						  struct dma_fence *fence, const char *driver)
{
	unsigned long kind = grt_fence_kind(kinds, fence->ops);

	if (likely(!kind))
		return false;
	return kind == GRT_FENCE_IS_OURS || grt_fence_learn(kinds, fence, driver);
}

/* Call it at begin, and when the driver is gone: other ops may get the same address. */
static inline void grt_fence_kinds_forget(struct grt_fence_kinds *kinds)
{
	memset(kinds, 0, sizeof(*kinds));
}

#endif
