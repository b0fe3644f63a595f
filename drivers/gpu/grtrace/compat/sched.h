/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the scheduler's objects, whose members differ between kernels.
 */
#ifndef GRTRACE_COMPAT_SCHED_H
#define GRTRACE_COMPAT_SCHED_H

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

#endif
