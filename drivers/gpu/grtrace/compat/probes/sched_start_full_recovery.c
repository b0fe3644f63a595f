// SPDX-License-Identifier: GPL-2.0
/* drm_sched_start() takes a bool (until 6.11). */
#include <drm/gpu_scheduler.h>

static_assert(__builtin_types_compatible_p(typeof(&drm_sched_start),
	      void (*)(struct drm_gpu_scheduler *, bool)));
