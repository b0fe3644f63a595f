// SPDX-License-Identifier: GPL-2.0
#include "task_end.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

#define INITIAL_PIDNS	0xeffffffc	/* PROC_PID_INIT_INO of the kernel */

static bool is_in_initial_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INITIAL_PIDNS;
}

bool grt_task_has_ended(uint32_t tid)
{
	/* For kill(), 0 and negative numbers are groups of processes; it also takes the number of a thread. */
	if (!tid || tid > INT32_MAX)
		return false;
	return kill(tid, 0) && errno == ESRCH && is_in_initial_namespace();
}
