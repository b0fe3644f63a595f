/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace is written for the newest kernel; this file adds what older kernels
 * lack, under the new name where possible.
 */
#ifndef GRTRACE_COMPAT_H
#define GRTRACE_COMPAT_H

/*
 * conftest.sh defines GRT_HAVE_*.  For a kernel's own tree scripts/patches/resolve
 * resolves these names, and puts a plain call or member in place of each function
 * below that then is no more than that.  On the newest kernel nothing is left.
 */

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <drm/drm_file.h>
#include <drm/gpu_scheduler.h>

/* New in 6.4 and in some stable kernels.  Delete when the oldest kernel is 6.4. */
#ifndef GRT_HAVE_NO_STACK_PROTECTOR
#define __no_stack_protector
#endif

/* Delete when the oldest kernel is 6.13. */
#ifndef GRT_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*expired)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = expired;
}
#endif

/* 6.8 also reversed the order of priorities.  Delete when the oldest kernel is 6.8. */
#ifndef GRT_HAVE_SCHED_PRIORITY_LOW
#define DRM_SCHED_PRIORITY_LOW	DRM_SCHED_PRIORITY_MIN
#endif

/* Delete when the oldest kernel is 6.17. */
#ifndef GRT_HAVE_SCHED_STAT_RESET
#define DRM_GPU_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_NOMINAL
#endif

/*
 * The arguments of drm_sched_init() exist in three forms; some stable kernels have
 * the newest form, too.  Delete when the oldest kernel is 6.15.
 */
#ifndef GRT_HAVE_SCHED_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	struct workqueue_struct *timeout_wq;
	u32 credit_limit;
	long timeout;
	const char *name;
	struct device *dev;
};
#endif

static inline int grt_sched_init(struct drm_gpu_scheduler *sched,
				 const struct drm_sched_init_args *args)
{
#if defined(GRT_HAVE_SCHED_INIT_ARGS)
	return drm_sched_init(sched, args);
#elif defined(GRT_HAVE_SCHED_INIT_SUBMIT_WQ)
	return drm_sched_init(sched, args->ops, NULL,
			      DRM_SCHED_PRIORITY_COUNT, args->credit_limit, 0,
			      args->timeout, args->timeout_wq, NULL,
			      args->name, args->dev);
#else
	return drm_sched_init(sched, args->ops, args->credit_limit, 0,
			      args->timeout, args->timeout_wq, NULL,
			      args->name, args->dev);
#endif
}

/* Kernels without credits count every job as one.  Delete when the oldest kernel is 6.17. */
static inline int grt_sched_job_init(struct drm_sched_job *job,
				     struct drm_sched_entity *entity,
				     u32 credits, void *owner, u64 client_id)
{
#if defined(GRT_HAVE_SCHED_JOB_CLIENT_ID)
	return drm_sched_job_init(job, entity, credits, owner, client_id);
#elif defined(GRT_HAVE_SCHED_JOB_CREDITS)
	return drm_sched_job_init(job, entity, credits, owner);
#else
	return drm_sched_job_init(job, entity, owner);
#endif
}

/* Delete when the oldest kernel is 6.8. */
static inline u32 grt_sched_credit_limit(const struct drm_gpu_scheduler *sched)
{
#ifdef GRT_HAVE_SCHED_CREDITS
	return sched->credit_limit;
#else
	return sched->hw_submission_limit;
#endif
}

/* 0 = unknown, as in the scheduler.  Delete when the oldest kernel is 6.4. */
static inline u64 grt_drm_client_id(const struct drm_file *file)
{
#ifdef GRT_HAVE_DRM_CLIENT_ID
	return file->client_id;
#else
	return 0;
#endif
}

/* Restarts a ring after a reset.  Delete when the oldest kernel is 6.13. */
static inline void grt_sched_start(struct drm_gpu_scheduler *sched, int lost_errno)
{
#if defined(GRT_HAVE_SCHED_START_ERRNO)
	drm_sched_start(sched, lost_errno);
#elif defined(GRT_HAVE_SCHED_START_FULL_RECOVERY)
	drm_sched_start(sched, true);
#else
	drm_sched_start(sched);
#endif
}

#endif /* GRTRACE_COMPAT_H */
