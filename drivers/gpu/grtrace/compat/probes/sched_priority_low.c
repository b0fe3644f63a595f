// SPDX-License-Identifier: GPL-2.0
/* Priorities count down from KERNEL = 0 to LOW, was up from MIN (6.8). */
#include <drm/gpu_scheduler.h>

enum drm_sched_priority probe(void);
enum drm_sched_priority probe(void)
{
	return DRM_SCHED_PRIORITY_LOW;
}
