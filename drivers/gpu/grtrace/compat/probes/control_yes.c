// SPDX-License-Identifier: GPL-2.0
/* Must compile on every kernel; see check_controls() in conftest.sh. */
#include <linux/module.h>
#include <drm/gpu_scheduler.h>

int probe(struct drm_gpu_scheduler *sched);
int probe(struct drm_gpu_scheduler *sched)
{
	return sched->name != NULL;
}
