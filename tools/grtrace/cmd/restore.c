// SPDX-License-Identifier: GPL-2.0
#include "restore.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "error.h"

#define TRIES	50	/* of 20 ms, while the recorder's session ends */

static void write_lines(const char *lines)
{
	char line[128];
	size_t len;

	for (; *lines; lines += len + 1) {
		len = strcspn(lines, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, lines);
		grt_control_write("config", line);
	}
}

/* Close everything: we must keep neither the session nor a pipe open. */
static void __attribute__((noreturn)) wait_for_end(int fd, const char *lines)
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
	if (n == 1)
		_exit(0);
	for (int i = 0; i < TRIES && grt_control_is_running() == 1; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	write_lines(lines);
	_exit(0);
}

int grt_restore_begin(struct grt_restore *r, const char *lines)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return grt_fail_errno(NULL, "cannot make a pipe");
	r->pid = fork();
	if (!r->pid)
		wait_for_end(ends[0], lines);
	close(ends[0]);
	r->fd = ends[1];
	if (r->pid > 0)
		return 0;
	close(ends[1]);
	r->fd = -1;
	return grt_fail_errno(NULL, "cannot start a process");
}

void grt_restore_end(struct grt_restore *r)
{
	if (r->fd < 0)
		return;
	/* If the process is gone, nothing is left to do. */
	if (write(r->fd, "", 1) == 1)
		waitpid(r->pid, NULL, 0);
	close(r->fd);
	r->fd = -1;
}
