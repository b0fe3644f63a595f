// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "colour.h"
#include "error.h"

static void print_to_stderr(const char *prefix, const char *hint, const char *text)
{
	const char *bold = "", *plain = "";

	if (grt_may_colour(STDERR_FILENO)) {
		bold = "\033[1m";
		plain = "\033[0m";
	}
	fflush(stdout);
	fprintf(stderr, "%sgrtrace:%s %s%s\n", bold, plain, prefix, text);
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
}

void grt_print_error(const char *hint, const char *text)
{
	print_to_stderr("", hint, text);
}

void grt_print_warning(const char *hint, const char *text)
{
	print_to_stderr("warning: ", hint, text);
}

int grt_print_usage(const char *command)
{
	char hint[64];

	snprintf(hint, sizeof(hint), "grtrace %s -h", command);
	grt_print_error(grt_hint() ? grt_hint() : hint, grt_cause());
	return GRT_EXIT_USAGE;
}

int grt_print_failure(int err)
{
	grt_print_error(grt_hint(), *grt_cause() ? grt_cause() : strerror(-err));
	return err == -EBADMSG ? GRT_EXIT_TRACE : GRT_EXIT_SETUP;
}

/* Of a pipe or socket; a file never has this. */
static int reader_is_gone(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents & POLLERR;
}

int grt_finish_output(int code)
{
	/* What failed long ago has left no errno behind. */
	int err = ferror(stdout) ? EIO : 0;

	if (!err && fflush(stdout))
		err = errno;
	if (!err || reader_is_gone())
		return code;
	errno = err;
	return grt_print_failure(grt_fail_errno("is there room where the output goes?",
						"cannot write to standard output"));
}
