// SPDX-License-Identifier: LGPL-2.1
/* The files events0..N of the module. */
#include "live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "source.h"
#include "vec.h"
#include "who_reads.h"

/* An event's stamp may be older than our clock by less than this. */
#define CLOCK_SLACK_NS	1000000

struct module {
	struct grt_vec lanes;	/* struct grt_live_lane, by CPU; the files are owned */
};

static struct grt_live_lane *lane_at(const struct module *m, size_t i)
{
	return grt_vec_at(&m->lanes, struct grt_live_lane, i);
}

static size_t count_lanes(const struct module *m)
{
	return grt_vec_count(&m->lanes, struct grt_live_lane);
}

static int cpu_of(const struct dirent *entry)
{
	unsigned int cpu;
	char rest;

	return sscanf(entry->d_name, "events%u%c", &cpu, &rest) == 1 && cpu < 65536 ? (int)cpu : -1;
}

static int compare_lanes(const void *a, const void *b)
{
	const struct grt_live_lane *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static int fail_busy(const char *name)
{
	char who[GRT_READER_MAX];

	if (grt_who_reads(who))
		return grt_fail(EBUSY, "end it, or wait until it has ended", "'%s' is read by %s already", name,
				who);
	return grt_fail(EBUSY, "stop the other reader; see it with: sudo fuser -v /sys/kernel/debug/grtrace/events0",
			"'%s' has a reader already", name);
}

static int open_lane(struct module *m, int dir, const char *name, uint32_t cpu)
{
	struct grt_live_lane lane = { .cpu = cpu };

	lane.fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (lane.fd < 0 && errno == EBUSY)
		return fail_busy(name);
	if (lane.fd < 0)
		return grt_fail_errno(NULL, "cannot open '%s/%s'", grt_control_dir(), name);
	if (!grt_vec_append(&m->lanes, &lane, sizeof(lane)))
		return 0;
	close(lane.fd);
	return grt_fail_memory();
}

static int open_lanes(struct module *m)
{
	int fd = grt_control_open();
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0, cpu;

	if (fd < 0)
		return fd;
	if (!dir) {
		err = grt_fail_errno(NULL, "cannot read '%s'", grt_control_dir());
		close(fd);
		return err;
	}
	while (!err && (entry = readdir(dir))) {
		cpu = cpu_of(entry);
		if (cpu >= 0)
			err = open_lane(m, fd, entry->d_name, cpu);
	}
	closedir(dir);
	if (!err && !count_lanes(m))
		err = grt_fail(ENOENT, "sudo grtrace start", "no session was started yet");
	if (!err)
		qsort(m->lanes.data, count_lanes(m), sizeof(struct grt_live_lane), compare_lanes);
	return err;
}

static ssize_t module_read(void *source, unsigned int lane, void *to, size_t room)
{
	const struct grt_live_lane *l = lane_at(source, lane);
	ssize_t n;

	do
		n = read(l->fd, to, room);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return -EAGAIN;
	return n < 0 ? grt_fail_errno(NULL, "cannot read events%u", l->cpu) : n;
}

static uint64_t module_flush(void *source)
{
	struct timespec now;

	(void)source;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/*
	 * The flush runs on each CPU, and a CPU stamps and writes an event with interrupts off.
	 * So every event that was stamped before the flush can be read after it.
	 */
	return grt_control_write("control", "flush") ? 0 :
	       now.tv_sec * 1000000000ull + now.tv_nsec - CLOCK_SLACK_NS;
}

static void module_close(void *source)
{
	struct module *m = source;

	for (size_t i = 0; i < count_lanes(m); i++)
		close(lane_at(m, i)->fd);
	grt_vec_free(&m->lanes);
	free(m);
}

static const struct grt_live_ops module_ops = {
	.read	= module_read,
	.flush	= module_flush,
	.close	= module_close,
	.file	= "events",
	.broken	= "use the grtrace that came with the module",
};

int grt_live_open(struct grt_live **live)
{
	struct module *m = calloc(1, sizeof(*m));
	int err;

	if (!m)
		return grt_fail_memory();
	err = open_lanes(m);
	if (!err)
		err = grt_live_create(live, &module_ops, m, m->lanes.data, count_lanes(m));
	if (err)
		module_close(m);
	return err;
}

/* A stream begins with its STREAM_INFO, so a read of just that size leaves all events in the buffers. */
int grt_live_session(struct grtrace_stream_info *session)
{
	struct module *m = calloc(1, sizeof(*m));
	ssize_t n;

	if (!m)
		return grt_fail_memory();
	n = open_lanes(m);
	if (!n)
		n = module_read(m, 0, session, sizeof(*session));
	module_close(m);
	if (n < 0 && n != -EAGAIN)
		return n;
	return n == sizeof(*session) && session->hdr.type == GRTRACE_STREAM_INFO &&
	       session->magic == GRTRACE_STREAM_MAGIC;
}

int grt_live_check(void)
{
	if (grt_control_overwrites() && !grt_control_has_snapshot())
		return grt_fail(EBUSY, "sudo grtrace snapshot",
				"the session is a flight recorder: its events can be read as snapshots only");
	return 0;
}

int grt_source_open_live(struct grt_input **in)
{
	struct grt_live *live;
	int err = grt_live_check();

	if (!err)
		err = grt_live_open(&live);
	if (!err)
		*in = grt_live_input(live, "live session");
	return err;
}
