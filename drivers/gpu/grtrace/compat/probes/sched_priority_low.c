// SPDX-License-Identifier: GPL-2.0
/*
 * Since 6.8 the highest priority is KERNEL = 0 and the lowest is LOW.  Before, the lowest was MIN =
 * 0, and there was no LOW.
 */
#include <drm/gpu_scheduler.h>

enum drm_sched_priority probe(void);
enum drm_sched_priority probe(void)
{
	return DRM_SCHED_PRIORITY_LOW;
}
