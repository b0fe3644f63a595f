// SPDX-License-Identifier: GPL-2.0
/* A job has a number per scheduler (gone in 6.17). */
#include <drm/gpu_scheduler.h>

u64 probe(struct drm_sched_job *job);
u64 probe(struct drm_sched_job *job)
{
	return job->id;
}
