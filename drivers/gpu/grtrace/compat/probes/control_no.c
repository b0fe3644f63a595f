// SPDX-License-Identifier: GPL-2.0
/* Must compile nowhere; see check_controls() in conftest.sh. */
#include <drm/gpu_scheduler.h>

int probe(void);
int probe(void)
{
	return drm_sched_no_such_function();
}
