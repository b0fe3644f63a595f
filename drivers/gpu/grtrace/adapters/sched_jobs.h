/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs and rings of the DRM scheduler, for the adapters that see them.
 */
#ifndef _GRTRACE_SCHED_JOBS_H
#define _GRTRACE_SCHED_JOBS_H

#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/of.h>
#include <drm/gpu_scheduler.h>

#include "../compat/compat.h"
#include "../compat/sched.h"

/*
 * Does the scheduler wait only until a dependency on the same ring is scheduled?  Since 6.5
 * it waits for the end if the fence has an error.  No header shows that change, but
 * drm_sched_entity_error() came with it.  Delete when the oldest kernel is 6.5.
 */
static inline bool grt_fence_may_pipeline(const struct dma_fence *fence)
{
#ifdef GRT_HAVE_SCHED_ENTITY_ERROR
	if (fence->error)
		return false;
#endif
	return !test_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &fence->flags);
}

/* What the fences of this kernel tell besides. */
#ifdef GRT_HAVE_SCHED_FENCE_CLIENT_ID
#define GRT_SCHED_FEATURES	BIT_ULL(GRTRACE_FEATURE_CLIENT_ID)
#else
#define GRT_SCHED_FEATURES	0
#endif

/*
 * amdgpu numbers the kernel's own jobs down from U64_MAX (7.2 amdgpu_job.h,
 * AMDGPU_KERNEL_JOB_ID_*); client ids never get that high.
 */
static inline bool grt_client_is_kernel(u64 client_id)
{
	return client_id > U64_MAX - 64;
}

/* Fills in the GPU's PCI id, or its name from the device tree. */
static inline void grt_sched_describe_gpu(struct grtrace_ring_desc *desc, struct device *dev)
{
	desc->pci_id = grtrace_gpu_pci_id(dev);
	if (!desc->pci_id && dev->of_node)
		of_property_read_string(dev->of_node, "compatible", &desc->gpu_name);
}

static inline const char *grt_sched_name(const struct drm_gpu_scheduler *sched)
{
	return sched->name ?: "unnamed";
}

/*
 * The ring of (@sched, @ctx), which grtrace_ring_cached() does not know.  Compares name and
 * device: a new ring may have the address of an old one.
 */
static __maybe_unused noinline u32 grt_sched_learn(const struct drm_gpu_scheduler *sched, u64 ctx)
{
	struct grtrace_ring_desc desc = {
		.name = grt_sched_name(sched),
		.device = sched->dev ? dev_name(sched->dev) : "unknown",
	};
	u32 ring;

	if (grtrace_ring_is_lost(sched))
		return GRTRACE_NO_RING;
	ring = grtrace_ring_match_desc(sched, ctx, &desc);
	if (ring)
		return ring;
	desc.driver = sched->dev ? dev_driver_string(sched->dev) : "unknown";
	desc.credit_limit = grt_sched_credit_limit(sched);
	if (sched->dev)
		grt_sched_describe_gpu(&desc, sched->dev);
	grtrace_ring_classify(&desc);
	return grtrace_ring_learn(sched, ctx, &desc);
}

/* Fills @info but for the ring, the client, the queue's depth and flags. */
static __always_inline void grt_sched_fill(struct grtrace_job_info *info,
					   const struct drm_sched_job *job)
{
	const struct dma_fence *finished = &job->s_fence->finished;

	info->ctx = finished->context;
	info->seqno = finished->seqno;
	info->credits = grt_job_credits(job);
	info->hw_credits = grt_sched_hw_credits(job->sched);
	info->is_endless = false;
}

/*
 * Returns when the fence was signalled, 0 = not known.  The signaller stores the time in a
 * union with the list of callbacks, then sets the bit.  The acquire orders our load after the
 * test.  But set_bit() is no release, so with weak memory order we may still read the list's
 * pointer.  Addresses must not leak: as a time, a kernel address is negative, so drop those.
 */
static inline u64 grt_fence_signaled_ns(const struct dma_fence *fence)
{
	s64 ns;

	if (!test_bit_acquire(DMA_FENCE_FLAG_TIMESTAMP_BIT, &fence->flags))
		return 0;
	ns = ktime_to_ns(READ_ONCE(fence->timestamp));
	return ns > 0 ? ns : 0;
}

/*
 * Writes END.  The hardware fence, @fence->parent, was signalled; a job without hardware has none.
 * Its timestamp is set before its callbacks run (6.1 dma-fence.c:382).
 */
static __always_inline void grt_sched_put_end(const struct drm_sched_fence *fence, u16 flags)
{
	const struct dma_fence *parent = fence->parent;
	s32 status = fence->finished.error;
	u64 hw_done_ns = 0;

	if (IS_ERR_OR_NULL(parent)) {
		flags |= GRTRACE_F_NO_HW;
	} else {
		status = parent->error ?: status;
		hw_done_ns = grt_fence_signaled_ns(parent);
	}
	grtrace_end(grtrace_ring_find(fence->sched, fence->finished.context),
		    fence->finished.context, fence->finished.seqno, status,
		    hw_done_ns, flags);
}

#endif
