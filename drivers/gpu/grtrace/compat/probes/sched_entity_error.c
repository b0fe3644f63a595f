// SPDX-License-Identifier: GPL-2.0
/* An entity stores the error of its last job (6.5). */
#include <drm/gpu_scheduler.h>

int probe(struct drm_sched_entity *entity);
int probe(struct drm_sched_entity *entity)
{
	return drm_sched_entity_error(entity);
}
