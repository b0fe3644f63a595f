// SPDX-License-Identifier: GPL-2.0
/* timedout_job() returns RESET instead of NOMINAL (6.17). */
#include <drm/gpu_scheduler.h>

enum drm_gpu_sched_stat probe(void);
enum drm_gpu_sched_stat probe(void)
{
	return DRM_GPU_SCHED_STAT_RESET;
}
