// SPDX-License-Identifier: GPL-2.0
#include "monitor_nvidia.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "colour.h"
#include "commands.h"
#include "error.h"
#include "kernel_log.h"
#include "number.h"
#include "nvidia_functions.h"
#include "nvidia_sink.h"
#include "print.h"
#include "probe_watch.h"
#include "terminal.h"
#include "tracefs_place.h"

#define WAIT_MS		50		/* between looks at the buffers */
#define PIPE_WIDTH	80		/* where there is no terminal */
#define SLEPT_NS	1000000		/* differences of two clocks that are less are not sleep */

struct run {
	const struct monitor_nvidia_options *options;
	struct nvidia_functions functions;
	struct grt_probe_watch *watch;		/* owned; NULL: not open */
	int log;				/* of the kernel; -1: an event tells of errors */
	struct grt_nvidia nvidia;
	struct grt_nvidia_out out;
	uint64_t lap_ns, lap_missed;		/* the lap's begin; what was missed until then */
	char text[NVIDIA_TEXT_BYTES];
};

static uint64_t now(void)
{
	return grt_snapshot_now(CLOCK_MONOTONIC);
}

static int show(void *arg, const struct grt_nvidia_row *row)
{
	grt_nvidia_print_row(&((struct run *)arg)->out, row);
	return 0;
}

/* --- reading --- */

static int take_hit(void *arg, const struct grt_probe_hit *hit)
{
	struct run *r = arg;
	struct grt_nvidia_call call;

	nvidia_call_of(&r->functions, hit, &call, r->text);
	return grt_nvidia_add(&r->nvidia, &call);
}

static void take_loss(void *arg, uint64_t count)
{
	grt_nvidia_lose(&((struct run *)arg)->nvidia, count);
}

static const struct grt_probe_watch_ops ops = { .hit = take_hit, .lost = take_loss };

static int read_log(struct run *r)
{
	char line[GRT_KERNEL_LOG_LINE];
	int got = 1, err = 0;

	while (r->log >= 0 && !err && (got = grt_kernel_log_next(r->log, line))) {
		struct grt_nvidia_call call = { .is_from_log = true, .ns = now() };

		if (got == -EPIPE)
			r->nvidia.all.lacks_xids = r->nvidia.lap.lacks_xids = true;
		else if (got < 0)
			return got;
		else if (grt_nvidia_parse_xid(&call, line))
			err = grt_nvidia_add(&r->nvidia, &call);
	}
	return err;
}

/* The clocks are not read at one instant, so that they differ a bit each time. */
static void note_sleep(struct run *r)
{
	uint64_t ns = now(), slept_ns = grt_snapshot_now(CLOCK_BOOTTIME) - ns;

	r->nvidia.slept_before_ns = r->nvidia.slept_ns;
	if (slept_ns > r->nvidia.slept_ns + SLEPT_NS)
		r->nvidia.slept_ns = slept_ns;
}

static int read_on(struct run *r)
{
	int err;

	note_sleep(r);
	err = grt_probe_watch_read(r->watch, &ops, r);
	return err ? err : read_log(r);
}

/* --- statistics --- */

static int print_stats(struct run *r, uint64_t lap_ns)
{
	uint64_t missed = grt_probe_watch_missed(r->watch);

	r->out.missed = lap_ns ? missed - r->lap_missed : missed;
	r->lap_missed = missed;
	return grt_nvidia_print_stats(&r->out, &r->nvidia, lap_ns);
}

static int end_lap(struct run *r, uint64_t ns)
{
	int err = print_stats(r, ns > r->lap_ns ? ns - r->lap_ns : 1);

	grt_nvidia_begin_lap(&r->nvidia);
	r->lap_ns = ns;
	return err;
}

/* An interval that was slept through has no statistics of its own. */
static int look_at_time(struct run *r)
{
	uint64_t interval_ns = r->options->interval_ns, ns = now();

	if (!interval_ns || ns - r->lap_ns < interval_ns)
		return 0;
	return end_lap(r, ns - (ns - r->lap_ns) % interval_ns);
}

/* --- all of it --- */

static bool has_xid_event(void)
{
	struct grt_tracefs_place place;
	int fd = grt_tracefs_place_find(&place) ? -1 :
		 grt_tracefs_open_file(&place, "events/nvidia/nvidia_dev_xid/id", O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Drivers have the event since 575.51.02; those before only write a line in the kernel's log. */
static int open_all(struct run *r)
{
	static const struct grt_words xid = { .words = { NVIDIA_XID_EVENT }, .count = 1 };
	const struct grt_probe_watch_options options = {
		.probes = &r->functions.probes, .are_found = true, .may_lack = true,
		.events = has_xid_event() ? &xid : NULL,
		.values = nvidia_value_names, .nr_values = nvidia_nr_values, .has_tasks = true,
	};
	int err = nvidia_functions_find(&r->functions);

	if (!err)
		err = grt_probe_watch_open(&r->watch, &options);
	if (err)
		return err;
	if (!options.events)
		r->log = grt_kernel_log_open();
	if (r->log < 0 && !options.events)
		grt_warn(grt_hint(), "Xid errors are not known: %s", grt_cause());
	nvidia_functions_check(&r->functions, r->watch);
	r->nvidia.has_return = r->functions.has_return;
	r->out.there = r->functions.there | (options.events || r->log >= 0 ? 1u << GRT_NVIDIA_XID : 0);
	r->out.module = r->functions.module;
	r->out.missing = r->functions.missing;
	if (*r->functions.missing)
		grt_warn(NULL, "the module '%s' lacks functions, whose calls are not known: %s", r->functions.module,
			 r->functions.missing);
	return 0;
}

static int watch_until_over(struct run *r)
{
	struct pollfd fd = { .fd = r->log, .events = POLLIN };
	int err = 0;

	r->lap_ns = now();
	r->nvidia.slept_ns = grt_snapshot_now(CLOCK_BOOTTIME) - r->lap_ns;
	err = grt_probe_watch_start(r->watch);
	if (!err && !r->options->is_quiet)
		grt_nvidia_print_header(&r->out);
	fflush(stdout);
	while (!err && !*r->options->is_ended && !ferror(stdout)) {
		poll(&fd, 1, WAIT_MS);
		err = read_on(r);
		if (!err)
			err = look_at_time(r);
		fflush(stdout);
	}
	if (!err)
		err = grt_probe_watch_stop(r->watch);
	if (!err)
		err = read_on(r);
	if (!err && r->options->interval_ns)
		err = end_lap(r, now());
	return err ? err : print_stats(r, 0);
}

int monitor_nvidia(const struct monitor_nvidia_options *options)
{
	static struct run r = { .log = -1, .out = { .file = NULL } };
	int err;

	r.options = options;
	r.nvidia.has_laps = options->interval_ns;
	r.nvidia.show = options->is_quiet ? NULL : show;
	r.nvidia.arg = &r;
	r.out.file = stdout;
	r.out.is_json = options->is_json;
	r.out.has_colour = grt_may_colour(STDOUT_FILENO);
	r.out.width = grt_terminal_width(STDOUT_FILENO);
	if (!r.out.width)
		r.out.width = PIPE_WIDTH;
	err = open_all(&r);
	if (!err)
		err = watch_until_over(&r);
	if (r.watch)
		grt_probe_watch_close(r.watch);
	if (r.log >= 0)
		close(r.log);
	grt_nvidia_free(&r.nvidia);
	return err ? grt_print_failure(err) : GRT_EXIT_OK;
}
