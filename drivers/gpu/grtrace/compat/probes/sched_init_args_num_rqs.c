// SPDX-License-Identifier: GPL-2.0
/* struct drm_sched_init_args counts run queues (not in 6.1.y). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_gpu_scheduler *sched, struct device *dev);
int probe(struct drm_gpu_scheduler *sched, struct device *dev)
{
	const struct drm_sched_init_args args = {
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
}
