// SPDX-License-Identifier: LGPL-2.1
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than any command has at a time; further files would not be removed. */
#define MAX_FILES	8

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP };

#define NR_DEADLY	(sizeof(deadly) / sizeof(deadly[0]))

/* The state that the signal handler reads. */
static const char *volatile files[MAX_FILES];	/* not owned; NULL: free */
static volatile pid_t maker;			/* 0: none */

static bool is_watching;

static sigset_t deadly_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < NR_DEADLY; i++)
		sigaddset(&set, deadly[i]);
	return set;
}

static void on_signal(int sig)
{
	/* Kill the child first: it could make another file after we removed its files. */
	if (maker) {
		kill(maker, SIGKILL);
		waitpid(maker, NULL, 0);
	}
	for (int i = 0; i < MAX_FILES; i++)
		if (files[i])
			unlink(files[i]);
	/* The signal is blocked here and its handler is reset: it ends the process on return. */
	raise(sig);
}

void grt_scratch_watch(void)
{
	const struct sigaction own = {
		.sa_handler = on_signal, .sa_flags = SA_RESETHAND, .sa_mask = deadly_set(),
	};
	struct sigaction now;

	is_watching = true;
	for (size_t i = 0; i < NR_DEADLY; i++)
		if (!sigaction(deadly[i], NULL, &now) && now.sa_handler == SIG_DFL)
			sigaction(deadly[i], &own, NULL);
}

void grt_scratch_add(const char *path)
{
	for (int i = 0; i < MAX_FILES && is_watching; i++)
		if (!files[i]) {
			files[i] = path;
			return;
		}
}

void grt_scratch_remove(const char *path)
{
	unlink(path);
	for (int i = 0; i < MAX_FILES && is_watching; i++)
		if (files[i] == path)
			files[i] = NULL;
}

int grt_scratch_make(char *path)
{
	sigset_t set = deadly_set(), before;
	int fd;

	/* A signal between mkostemp() and grt_scratch_add() would leave the file behind. */
	sigprocmask(SIG_BLOCK, &set, &before);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		grt_scratch_add(path);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

pid_t grt_scratch_fork(void)
{
	sigset_t set = deadly_set(), before;
	pid_t child;

	sigprocmask(SIG_BLOCK, &set, &before);
	child = fork();
	if (child > 0 && is_watching)
		maker = child;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child;
}

int grt_scratch_wait(pid_t child)
{
	siginfo_t info;
	int status;

	/*
	 * The child keeps its number until it is waited for, so the handler cannot kill another
	 * process.
	 */
	while (waitid(P_PID, child, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	if (is_watching)
		maker = 0;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}
