// SPDX-License-Identifier: GPL-2.0
/* A scheduler fence has the id of its DRM client (6.12.103, 6.17). */
#include <drm/gpu_scheduler.h>

u64 probe(struct drm_sched_fence *fence);
u64 probe(struct drm_sched_fence *fence)
{
	return fence->drm_client_id;
}
