// SPDX-License-Identifier: GPL-2.0
/* drm_sched_job_init() takes credits and the client's id (6.12.103, 6.17). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_sched_job *job, struct drm_sched_entity *entity);
int probe(struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	return drm_sched_job_init(job, entity, 1, NULL, 42);
}
