// SPDX-License-Identifier: LGPL-2.1
/*
 * Imports a trace.dat in a child process: libtracecmd and libtraceevent trust what they read, and
 * a damaged file may crash them or keep them busy for ever.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "error.h"
#include "reader.h"
#include "scratch.h"

#ifndef SILENT_S	/* a test waits less */
#define SILENT_S	60	/* seconds without an event */
#endif

/* What the child passes to its parent. */
struct result {
	bool is_complete;	/* false: the child crashed or got stuck */
	int err;
	struct grt_import_sums sums;
	bool has_hint;
	char cause[512], hint[256];
};

static void (*progress_to)(unsigned int permille);

static void on_progress(unsigned int permille)
{
	alarm(SILENT_S);
	if (progress_to)
		progress_to(permille);
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

static void __attribute__((noreturn)) run(int fd, const char *name, int to,
					  const struct grt_import_options *options,
					  struct result *result)
{
	struct grt_import_options own = *options;

	progress_to = options->progress;
	own.progress = on_progress;
	alarm(SILENT_S);
	result->err = grt_import_here(fd, name, to, &own, &result->sums);
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

static int import_apart(int fd, const char *name, int to,
			const struct grt_import_options *options, struct grt_import_sums *sums)
{
	struct result *result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0, err = 0;
	pid_t own = getpid(), child;

	if (result == MAP_FAILED)
		return grt_fail_memory();
	fflush(NULL);
	child = grt_scratch_fork();
	if (!child) {
		confine(own);
		run(fd, name, to, options, result);
	}
	if (child < 0)
		err = grt_fail_errno(NULL, "cannot start a process to read '%s'", name);
	else
		status = grt_scratch_wait(child);
	if (!err && !result->is_complete) {
		err = grt_fail(EBADMSG, "check if 'trace-cmd report' can read it",
			       "'%s' is damaged: libtracecmd %s", name,
			       WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ?
			       "got stuck in it" : "crashed on it");
	} else if (!err && result->err) {
		err = fail_as(result);
	}
	*sums = result->sums;
	munmap(result, sizeof(*result));
	return err;
}

int grt_import_file(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums)
{
	char probe[16];
	ssize_t got = pread(fd, probe, sizeof(probe), 0);
	int err;

	if (got > 0 && grt_is_dat(probe, got))
		err = import_apart(fd, name, to, options, sums);
	else
		err = grt_import_here(fd, name, to, options, sums);
	if (options->progress)
		options->progress(1000);
	return err;
}
