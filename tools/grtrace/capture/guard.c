// SPDX-License-Identifier: GPL-2.0
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"

/* Close everything: we must keep neither the session nor a pipe open. */
static void __attribute__((noreturn)) stand_by(int from, int to, const struct grt_guard_ops *ops,
					       const void *arg)
{
	sigset_t all;
	int err;
	char word;
	ssize_t n;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	/* Above the places that they are copied to. */
	from = fcntl(from, F_DUPFD, 5);
	to = fcntl(to, F_DUPFD, 5);
	dup2(from, 3);
	dup2(to, 4);
	close_range(5, ~0u, 0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	err = ops->make ? ops->make(arg) : 0;
	n = write(4, &err, sizeof(err));
	close(4);
	if (err)
		_exit(0);
	do
		n = read(3, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		ops->clean(arg);
	_exit(0);
}

/* What make() returned. */
static int wait_for_make(int fd)
{
	int err = -EPIPE;
	ssize_t n;

	do
		n = read(fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	return err;
}

static int start(struct grt_guard *g, const int word[2], const struct grt_guard_ops *ops,
		 const void *arg)
{
	int made[2], err;

	if (pipe2(made, O_CLOEXEC))
		return grt_fail_errno(NULL, "cannot make a pipe");
	g->pid = fork();
	if (!g->pid)
		stand_by(word[0], made[1], ops, arg);
	err = g->pid < 0 ? grt_fail_errno(NULL, "cannot start a process") : 0;
	close(made[1]);
	if (!err)
		err = wait_for_make(made[0]);
	close(made[0]);
	return err;
}

int grt_guard_begin(struct grt_guard *g, const struct grt_guard_ops *ops, const void *arg)
{
	int word[2], err;

	if (pipe2(word, O_CLOEXEC))
		return grt_fail_errno(NULL, "cannot make a pipe");
	err = start(g, word, ops, arg);
	close(word[0]);
	g->fd = word[1];
	if (err)
		grt_guard_end(g);
	return err;
}

void grt_guard_end(struct grt_guard *g)
{
	if (g->fd < 0)
		return;
	/* If the process is gone, nothing is left to do; record ignores SIGPIPE. */
	if (g->pid > 0 && (write(g->fd, "", 1) == 1 || errno == EPIPE))
		waitpid(g->pid, NULL, 0);
	close(g->fd);
	g->fd = -1;
}
