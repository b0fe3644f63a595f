// SPDX-License-Identifier: GPL-2.0
/* A driver may stop a scheduler that works on queues, and start it again (since 6.8). */
#include <drm/gpu_scheduler.h>

void probe(struct drm_gpu_scheduler *sched);
void probe(struct drm_gpu_scheduler *sched)
{
	drm_sched_wqueue_stop(sched);
	drm_sched_wqueue_start(sched);
}
