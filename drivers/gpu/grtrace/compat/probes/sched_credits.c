// SPDX-License-Identifier: GPL-2.0
/* The ring counts credits, not jobs: credit_count replaced hw_rq_count (6.8). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_gpu_scheduler *sched);
int probe(struct drm_gpu_scheduler *sched)
{
	return atomic_read(&sched->credit_count) < sched->credit_limit;
}
