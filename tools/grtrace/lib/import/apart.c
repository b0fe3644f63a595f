// SPDX-License-Identifier: LGPL-2.1
#include "apart.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "scratch.h"

#ifndef SILENT_S	/* a test waits less */
#define SILENT_S	60	/* seconds without a sign of life */
#endif

/* What the child passes to its parent. */
struct result {
	bool is_complete;	/* false: the child crashed or got stuck */
	int err;
	bool has_hint;
	char cause[512], hint[256];
};

void grt_apart_alive(void)
{
	alarm(SILENT_S);
}

/*
 * Limits the child, because a crash is expected: no core dump, no new privileges, and it ends with
 * its parent.
 */
static void confine(pid_t parent)
{
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have ended before prctl(). */
	if (getppid() != parent)
		_exit(1);
}

static void __attribute__((noreturn)) run(const struct grt_apart *a, struct result *result)
{
	grt_apart_alive();
	result->err = a->work(a->arg);
	if (grt_was_out_of_memory())
		result->err = grt_fail_memory();
	if (result->err) {
		snprintf(result->cause, sizeof(result->cause), "%s", grt_cause());
		result->has_hint = grt_hint();
		snprintf(result->hint, sizeof(result->hint), "%s", grt_hint() ? grt_hint() : "");
	}
	result->is_complete = true;
	_exit(0);
}

static int fail_as(struct result *result)
{
	/* A crash may have left anything in the shared memory: terminate its texts. */
	result->cause[sizeof(result->cause) - 1] = result->hint[sizeof(result->hint) - 1] = '\0';
	return grt_fail(-result->err, result->has_hint ? result->hint : NULL, "%s", result->cause);
}

/* Waits for the child.  @own: what meanwhile() returned. */
static int wait_for(pid_t child, int own, struct result *result, const char *name)
{
	int status = grt_scratch_wait(child);

	if (own)
		return own < 0 ? own : 0;
	if (!result->is_complete)
		return grt_fail(EBADMSG, "check if 'trace-cmd report' can read it",
				"'%s' is damaged: libtracecmd %s", name,
				WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ?
				"got stuck in it" : "crashed on it");
	return result->err ? fail_as(result) : 0;
}

int grt_apart_run(const struct grt_apart *a)
{
	struct result *result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t own = getpid(), child;
	int err;

	if (result == MAP_FAILED)
		return grt_fail_memory();
	fflush(NULL);
	child = grt_scratch_fork();
	if (!child) {
		confine(own);
		run(a, result);
	}
	if (child < 0)
		err = grt_fail_errno(NULL, "cannot start a process to read '%s'", a->name);
	else
		err = wait_for(child, a->meanwhile ? a->meanwhile(a->arg) : 0, result, a->name);
	munmap(result, sizeof(*result));
	return err;
}
