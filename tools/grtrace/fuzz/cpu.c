// SPDX-License-Identifier: GPL-2.0
/* Text of CPU events: what a line says does not change when it is written again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cpu_line.h"
#include "cpu_reader.h"
#include "error.h"
#include "fuzz.h"

#define HAS(ev, NAME)	((ev)->has & GRT_CPU_HAS_##NAME)

static size_t print(const struct grt_cpu_event *ev, char *to, size_t room)
{
	static const char *const names[] = { "IOCTL_ENTER", "IOCTL_EXIT" };
	size_t at = snprintf(to, room, "[%" PRIu64 ".%09" PRIu64 "] %s pid=%u tid=%u comm=a b=c",
			     ev->ts / 1000000000, ev->ts % 1000000000, names[ev->type], ev->pid,
			     ev->tid);

	if (HAS(ev, CMD))
		at += snprintf(to + at, room - at, " cmd=0x%x", ev->cmd);
	if (HAS(ev, ARG))
		at += snprintf(to + at, room - at, " arg=%" PRIu64, ev->arg);
	if (HAS(ev, RET))
		at += snprintf(to + at, room - at, " ret=%" PRId64, ev->ret);
	if (HAS(ev, DURATION))
		at += snprintf(to + at, room - at, " duration_ns=0x%" PRIX64, ev->duration_ns);
	return at;
}

static void check_event(const struct grt_cpu_event *ev)
{
	struct grt_cpu_event again;
	char line[512];

	FUZZ_EXPECT(ev->type == GRT_IOCTL_ENTER || ev->type == GRT_IOCTL_EXIT);
	FUZZ_EXPECT(memchr(ev->comm, 0, sizeof(ev->comm)));
	FUZZ_EXPECT(ev->res_ns >= 1 && ev->res_ns <= 1000);
	FUZZ_EXPECT(grt_cpu_line_parse(line, print(ev, line, sizeof(line)), &again) ==
		    GRT_CPU_LINE_EVENT);
	FUZZ_EXPECT(again.ts == ev->ts && again.type == ev->type && again.pid == ev->pid &&
		    again.tid == ev->tid && again.has == ev->has && again.cmd == ev->cmd &&
		    again.arg == ev->arg && again.ret == ev->ret &&
		    again.duration_ns == ev->duration_ns && !strcmp(again.comm, "a b=c"));
}

struct seen {
	uint64_t events, unreadable, most;
};

static bool on_event(void *arg, const struct grt_cpu_event *ev)
{
	struct seen *s = arg;

	check_event(ev);
	return ++s->events != s->most;
}

static void on_unreadable(void *arg, const struct grt_bad_lines *lines)
{
	const struct grt_piece *first = &lines->first;
	struct seen *s = arg;

	FUZZ_EXPECT(!first->len || first->at[first->len - 1] != '\n');
	s->unreadable += lines->count;
}

static void on_lost(void *arg, uint64_t count)
{
	(void)arg;
	(void)count;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	(void)done;
	(void)all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct seen seen = { .most = bytes % 3 ? 0 : 5 };
	const struct grt_cpu_visitor visitor = {
		.arg = &seen, .event = on_event, .unreadable = on_unreadable, .lost = on_lost,
		.progress = on_progress,
	};
	int fd = fuzz_file(data, bytes);
	enum grt_cpu_format format = grt_cpu_format_of(fd);
	int err;

	/* The target "dat" reads the last one. */
	if (format == GRT_CPU_NONE || format == GRT_CPU_DAT)
		return 0;
	err = grt_cpu_read(fd, "input", format, &visitor);
	/* Times of other tracers may be ticks, whose length is not known. */
	FUZZ_EXPECT(!err || (err == -EBADMSG && format == GRT_CPU_TEXT));
	return 0;
}
