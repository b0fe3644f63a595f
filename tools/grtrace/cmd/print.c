// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "colour.h"
#include "error.h"
#include "number.h"
#include "outfile.h"
#include "quote.h"

/* The cursor is on a line of progress. */
static bool has_progress;

static void wipe_progress(void)
{
	if (has_progress)
		fputs("\r\033[K", stderr);
	has_progress = false;
}

/* Names in @text are untrusted. */
static void put_line(const char *text)
{
	grt_put_text(stderr, text);
	putc('\n', stderr);
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
	fprintf(stderr, "%sgrtrace:%s %s", bold, plain, prefix);
	put_line(text);
	if (!hint)
		return;
	fputs("hint: ", stderr);
	put_line(hint);
}

void grt_print_error(const char *hint, const char *text)
{
	print_to_stderr("", hint, text);
}

void grt_print_warning(const char *hint, const char *text)
{
	print_to_stderr("warning: ", hint, text);
}

void grt_print_unknown(uint64_t count)
{
	if (count)
		grt_warn("use a newer grtrace", "%" PRIu64 " %s not known", count,
			 grt_plural(count, "record is of a type that is",
				    "records are of types that are"));
}

int grt_print_usage(const char *command)
{
	char hint[64];

	/* Memory ran out: an operand may be missing. */
	if (grt_was_out_of_memory())
		return grt_print_failure(-ENOMEM);
	snprintf(hint, sizeof(hint), "grtrace %s -h", command);
	grt_print_error(grt_hint() ? grt_hint() : hint, grt_cause());
	return GRT_EXIT_USAGE;
}

int grt_print_failure(int err)
{
	if (grt_was_out_of_memory())
		err = -ENOMEM;
	if (err == -ENOMEM)
		grt_fail_memory();	/* because not every caller records this */
	grt_print_error(grt_hint(), *grt_cause() ? grt_cause() : strerror(-err));
	return err == -EBADMSG ? GRT_EXIT_TRACE : GRT_EXIT_SETUP;
}

FILE *grt_result_file(const char *path)
{
	return grt_outfile_is_stdout(path) ? stderr : stdout;
}

#define SHOW_AFTER_NS	1000000000	/* do not show progress of short reads */
#define SHOW_EVERY_NS	200000000

void grt_print_progress(unsigned int permille)
{
	static uint64_t begin_ns, shown_ns;
	uint64_t now_ns = grt_snapshot_now(CLOCK_MONOTONIC);

	if (permille >= 1000) {
		/* Another process, which reads the file, may have printed it. */
		has_progress = isatty(STDERR_FILENO);
		wipe_progress();
		begin_ns = 0;
		return;
	}
	if (!begin_ns)
		begin_ns = now_ns;
	if (now_ns - begin_ns < SHOW_AFTER_NS || now_ns - shown_ns < SHOW_EVERY_NS)
		return;
	shown_ns = now_ns;
	if (!isatty(STDERR_FILENO))
		return;
	has_progress = true;
	fprintf(stderr, "\rreading: %3u %%\033[K", permille / 10);
}

/* Whether the reader of a pipe or socket is gone; always false for files. */
static int reader_is_gone(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents & POLLERR;
}

bool grt_reader_has_enough(int err, const char *path)
{
	return err == -EPIPE && grt_outfile_is_stdout(path) && reader_is_gone();
}

int grt_finish_output(int code)
{
	/* An early failure has left no errno. */
	int err = ferror(stdout) ? EIO : 0;

	if (!err && fflush(stdout))
		err = errno;
	if (!err || reader_is_gone())
		return code;
	errno = err;
	return grt_print_failure(grt_fail_errno("check the free space where the output goes",
						"cannot write to standard output"));
}
