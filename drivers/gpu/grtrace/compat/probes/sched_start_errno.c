// SPDX-License-Identifier: GPL-2.0
/* drm_sched_start() takes the error for lost jobs (6.13). */
#include <drm/gpu_scheduler.h>

static_assert(__builtin_types_compatible_p(typeof(&drm_sched_start),
	      void (*)(struct drm_gpu_scheduler *, int)));
