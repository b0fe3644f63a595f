// SPDX-License-Identifier: GPL-2.0
/* Priorities go from KERNEL = 0 to LOW; they went up from MIN before (6.8). */
#include <drm/gpu_scheduler.h>

enum drm_sched_priority probe(void);
enum drm_sched_priority probe(void)
{
	return DRM_SCHED_PRIORITY_LOW;
}
