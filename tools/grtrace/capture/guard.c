// SPDX-License-Identifier: GPL-2.0
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"

/* Close everything: we must keep neither the session nor a pipe open. */
static void __attribute__((noreturn)) wait_for_end(int fd, void (*clean)(const void *arg),
						   const void *arg)
{
	sigset_t all;
	char word;
	ssize_t n;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	dup2(fd, 3);
	close_range(4, ~0u, 0);
	for (fd = 0; fd < 3; fd++)
		close(fd);
	do
		n = read(3, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		clean(arg);
	_exit(0);
}

int grt_guard_begin(struct grt_guard *g, void (*clean)(const void *arg), const void *arg)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return grt_fail_errno(NULL, "cannot make a pipe");
	g->pid = fork();
	if (!g->pid)
		wait_for_end(ends[0], clean, arg);
	close(ends[0]);
	g->fd = ends[1];
	if (g->pid > 0)
		return 0;
	close(ends[1]);
	g->fd = -1;
	return grt_fail_errno(NULL, "cannot start a process");
}

void grt_guard_end(struct grt_guard *g)
{
	if (g->fd < 0)
		return;
	/* If the process is gone, nothing is left to do. */
	if (write(g->fd, "", 1) == 1)
		waitpid(g->pid, NULL, 0);
	close(g->fd);
	g->fd = -1;
}
