// SPDX-License-Identifier: GPL-2.0
/* drm_sched_init() takes 11 arguments (6.8 .. 6.12.113). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_gpu_scheduler *sched,
	  const struct drm_sched_backend_ops *ops, struct device *dev);
int probe(struct drm_gpu_scheduler *sched,
	  const struct drm_sched_backend_ops *ops, struct device *dev)
{
	return drm_sched_init(sched, ops, NULL, DRM_SCHED_PRIORITY_COUNT, 1, 0,
			      MAX_SCHEDULE_TIMEOUT, NULL, NULL, "probe", dev);
}
