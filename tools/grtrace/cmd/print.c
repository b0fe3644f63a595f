// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "colour.h"
#include "error.h"
#include "moment.h"

/* On the line where the cursor is. */
static bool has_progress;

static void wipe_progress(void)
{
	if (has_progress)
		fputs("\r\033[K", stderr);
	has_progress = false;
}

static void print_to_stderr(const char *prefix, const char *hint, const char *text)
{
	const char *bold = "", *plain = "";

	if (grt_may_colour(STDERR_FILENO)) {
		bold = "\033[1m";
		plain = "\033[0m";
	}
	fflush(stdout);
	wipe_progress();
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

#define SHOW_AFTER_NS	1000000000	/* nobody needs to be told of what is over at once */
#define SHOW_EVERY_NS	200000000

void grt_print_progress(unsigned int permille)
{
	static uint64_t begin_ns, shown_ns;
	uint64_t now_ns = grt_moment_now(CLOCK_MONOTONIC);

	if (!isatty(STDERR_FILENO))
		return;
	if (permille >= 1000) {
		/* Or another process has shown it, which read the file. */
		has_progress = true;
		wipe_progress();
		begin_ns = 0;
		return;
	}
	if (!begin_ns)
		begin_ns = now_ns;
	if (now_ns - begin_ns < SHOW_AFTER_NS || now_ns - shown_ns < SHOW_EVERY_NS)
		return;
	shown_ns = now_ns;
	has_progress = true;
	fprintf(stderr, "\rreading: %3u %%\033[K", permille / 10);
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
