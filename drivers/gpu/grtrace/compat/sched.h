/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the scheduler's objects, whose members differ between kernels.
 */
#ifndef GRTRACE_COMPAT_SCHED_H
#define GRTRACE_COMPAT_SCHED_H

#include <linux/grtrace.h>
#include <drm/gpu_scheduler.h>

/* Delete when the oldest kernel is 6.8. */
static inline u32 grt_sched_hw_credits(const struct drm_gpu_scheduler *sched)
{
#ifdef GRT_HAVE_SCHED_CREDITS
	return atomic_read(&sched->credit_count);
#else
	return atomic_read(&sched->hw_rq_count);
#endif
}

static inline u32 grt_job_credits(const struct drm_sched_job *job)
{
#ifdef GRT_HAVE_SCHED_CREDITS
	return job->credits;
#else
	return 1;
#endif
}

/* 0 = not known.  Delete when the oldest kernel is 6.17. */
static inline u64 grt_job_client_id(const struct drm_sched_job *job)
{
#ifdef GRT_HAVE_SCHED_FENCE_CLIENT_ID
	return job->s_fence->drm_client_id;
#else
	return 0;
#endif
}

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

#endif
