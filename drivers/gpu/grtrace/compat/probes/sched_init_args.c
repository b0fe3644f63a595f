// SPDX-License-Identifier: GPL-2.0
/* drm_sched_init() takes one struct (6.1.191, 6.12.114, 6.15). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_gpu_scheduler *sched, struct device *dev);
int probe(struct drm_gpu_scheduler *sched, struct device *dev)
{
	const struct drm_sched_init_args args = {
		.credit_limit = 1,
		.name = "probe",
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
}
