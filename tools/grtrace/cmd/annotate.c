// SPDX-License-Identifier: GPL-2.0
#include "annotate.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "commands.h"
#include "cpu_event.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "timeline.h"
#include "user.h"
#include "watch.h"

#define TICK_MS	100
#define NS_PER_MS	1000000

struct annotating {
	struct grt_annotate_options options;
	uint64_t pid, limit_ns;
	const char *output;		/* NULL: standard output */
	bool is_quiet;

	struct grt_annotate *annotate;
	struct grt_timeline_sink sink;
	struct grt_outfile file;
	int signals, target;		/* signalfd, pidfd; -1: none */
	uint64_t start_ns;
	bool is_over;
};

/* --- what is printed --- */

static bool on_event(void *arg, const struct grt_cpu_event *ev, const char *name)
{
	struct annotating *a = arg;

	return grt_timeline_print_ioctl(&a->sink, ev, name);
}

static bool on_lost(void *arg, uint32_t cpu, uint64_t count)
{
	struct annotating *a = arg;
	char text[96];

	snprintf(text, sizeof(text), "%" PRIu64 " %s lost on CPU %u", count,
		 grt_plural(count, "event", "events"), cpu);
	return grt_timeline_print_comment(&a->sink, text);
}

static void print_head(struct annotating *a)
{
	grt_timeline_print_comment(&a->sink, "DRM ioctls, written by grtrace annotate; the clock is CLOCK_MONOTONIC");
	if (!grt_annotate_is_cheap(a->annotate))
		grt_timeline_print_comment(&a->sink, "recorded at sys_enter and sys_exit: every system call was slower");
}

/* The counts as the last lines of the text, and for the user. */
static void print_end(struct annotating *a)
{
	const struct grt_annotate_stats s = grt_annotate_stats(a->annotate);
	char text[192], events[GRT_NUMBER_MAX], lost[GRT_NUMBER_MAX];

	if (s.missed) {
		snprintf(text, sizeof(text), "%" PRIu64 " %s lost on CPU 0 or another: the program was running there already",
			 s.missed, grt_plural(s.missed, "event", "events"));
		grt_timeline_print_comment(&a->sink, text);
	}
	snprintf(text, sizeof(text), "end: seen=%" PRIu64 " written=%" PRIu64 " lost=%" PRIu64,
		 s.seen + s.missed, s.written, s.lost + s.missed);
	grt_timeline_print_comment(&a->sink, text);
	if (!a->is_quiet)
		fprintf(stderr, "%s %s of DRM ioctls, %s lost\n", grt_format_count(events, s.written),
			grt_plural(s.written, "event", "events"),
			grt_format_count(lost, s.lost + s.missed));
}

/* --- the recording --- */

static int open_output(struct annotating *a)
{
	struct grt_user user = grt_user();
	int err, fd;

	a->sink.out = stdout;
	if (!a->output || grt_outfile_is_stdout(a->output)) {
		a->output = NULL;
		return 0;
	}
	a->file = (struct grt_outfile){
		.path = a->output, .uid = user.uid, .gid = user.gid, .is_recording = true,
	};
	err = grt_outfile_open(&a->file);
	if (err)
		return err;
	fd = dup(a->file.fd);
	a->sink.out = fd < 0 ? NULL : fdopen(fd, "w");
	if (a->sink.out)
		return 0;
	err = grt_fail_errno(NULL, "cannot write '%s'", a->output);
	if (fd >= 0)
		close(fd);
	grt_outfile_abandon(&a->file);
	return err;
}

/* What was recorded stays, whatever failed. */
static int close_output(struct annotating *a, int err)
{
	int end = 0;

	if (!a->sink.out)
		return err;
	if (fflush(a->sink.out) && !a->sink.err)
		a->sink.err = errno;
	if (!a->output)		/* the end of the program tells of its errors */
		return err;
	fclose(a->sink.out);
	errno = a->sink.err;
	if (!err && a->sink.err)
		err = grt_fail_errno(grt_outfile_hint(a->sink.err), "cannot write '%s'", a->output);
	if (err)
		grt_outfile_keep(&a->file);
	else
		end = grt_outfile_commit(&a->file);
	grt_outfile_free(&a->file);
	return err ? err : end;
}

static int wait_ms(const struct annotating *a)
{
	uint64_t spent = grt_snapshot_now(CLOCK_MONOTONIC) - a->start_ns;
	uint64_t left = a->limit_ns > spent ? (a->limit_ns - spent) / NS_PER_MS + 1 : 0;

	return left < TICK_MS ? left : TICK_MS;
}

static int wait_for_events(struct annotating *a)
{
	struct pollfd fds[] = {
		{ .fd = grt_annotate_fd(a->annotate), .events = POLLIN },
		{ .fd = a->signals, .events = POLLIN },
		{ .fd = a->target, .events = POLLIN },
	};

	if (poll(fds, 3, wait_ms(a)) < 0 && errno != EINTR)
		return grt_fail_errno(NULL, "cannot wait for events");
	a->is_over = fds[1].revents || fds[2].revents ||
		     grt_snapshot_now(CLOCK_MONOTONIC) - a->start_ns >= a->limit_ns;
	return 0;
}

static int record(struct annotating *a)
{
	int err = 0, end;

	print_head(a);
	if (!a->is_quiet)
		fprintf(stderr, "recording DRM ioctls; end with Ctrl-C\n");
	a->start_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	while (!err && !a->is_over) {
		err = wait_for_events(a);
		if (!err)
			err = grt_annotate_read(a->annotate);
		if (!err && fflush(a->sink.out) && !a->sink.err)
			a->sink.err = errno;
		a->is_over |= a->sink.err;
	}
	end = err < 0 ? 0 : grt_annotate_stop(a->annotate);
	print_end(a);
	/* 1: the output failed, which close_output() tells. */
	return err < 0 ? err : end < 0 ? end : 0;
}

static int run(struct annotating *a)
{
	int err = grt_watch_signals(&a->signals);

	a->options.arg = a;
	a->options.event = on_event;
	a->options.lost = on_lost;
	if (!err && a->pid)
		err = grt_watch_process(a->pid, &a->target);
	if (!err)
		err = grt_annotate_open(&a->annotate, &a->options);
	if (!err)
		err = open_output(a);
	if (err)
		return err;
	return close_output(a, record(a));
}

int cmd_annotate(int argc, char **argv)
{
	struct annotating a = { .limit_ns = UINT64_MAX, .signals = -1, .target = -1 };
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &a.output, "FILE", "file to write; standard output by default"),
		OPT_U64('p', "pid", &a.pid, "PID", "only ioctls of this process, until it ends"),
		OPT_NS('d', "duration", &a.limit_ns, "stop after TIME"),
		OPT_BOOL('n', "ns", &a.sink.has_ns, "stamps in nanoseconds, not microseconds"),
		OPT_BYTES('b', "buffer", &a.options.buffer_bytes, "buffer per CPU, like 4M"),
		OPT_BOOL('q', "quiet", &a.is_quiet, "print only errors"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "annotate [options]");
	if (argc)
		return grt_usage(options, "annotate takes no files");
	if (a.pid > INT32_MAX)
		return grt_usage(options, "no process has the number %" PRIu64, a.pid);
	a.options.tgid = a.pid;
	err = run(&a);
	if (a.annotate)
		grt_annotate_close(a.annotate);
	if (a.signals >= 0)
		close(a.signals);
	if (a.target >= 0)
		close(a.target);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
