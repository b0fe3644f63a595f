// SPDX-License-Identifier: GPL-2.0
/* Drivers can stop and start the work queues of a scheduler (6.8). */
#include <drm/gpu_scheduler.h>

void probe(struct drm_gpu_scheduler *sched);
void probe(struct drm_gpu_scheduler *sched)
{
	drm_sched_wqueue_stop(sched);
	drm_sched_wqueue_start(sched);
}
