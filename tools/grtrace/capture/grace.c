// SPDX-License-Identifier: GPL-2.0
#include "grace.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

void grt_capture_grace(void)
{
	/* A kernel with full dynticks refuses it; then a moment of sleep must do. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		usleep(20000);
}
