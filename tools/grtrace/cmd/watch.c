// SPDX-License-Identifier: GPL-2.0
#include "watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "error.h"

int grt_watch_signals(int *fd)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	*fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return *fd < 0 ? grt_fail_errno(NULL, "cannot receive signals") : 0;
}

int grt_watch_process(uint64_t pid, int *fd)
{
	*fd = syscall(SYS_pidfd_open, (pid_t)pid, 0);
	return *fd < 0 ? grt_fail_errno("see the processes with: ps -e",
					"cannot watch process %" PRIu64, pid) : 0;
}
