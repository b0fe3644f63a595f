// SPDX-License-Identifier: GPL-2.0
#include "tracefs_lane.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kbuffer.h>

#include "error.h"
#include "tracefs_place.h"

struct grt_tracefs_page {
	struct grt_tracefs_page *next;
	char data[];
};

int grt_tracefs_lane_open(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p)
{
	char file[64];

	snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", l->stream.cpu);
	l->fd = grt_tracefs_open_own(p, file, O_RDONLY | O_NONBLOCK);
	if (l->fd < 0)
		return grt_fail_errno(NULL, "cannot open '%s' of '%s'", file, p->instance);
	l->kbuf = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	return l->kbuf ? 0 : grt_fail_memory();
}

static void drop_first(struct grt_tracefs_lane *l)
{
	struct grt_tracefs_page *page = l->first;

	l->first = page->next;
	if (!l->first)
		l->last = NULL;
	free(page);
}

void grt_tracefs_lane_close(struct grt_tracefs_lane *l)
{
	while (l->first)
		drop_first(l);
	if (l->kbuf)
		kbuffer_free(l->kbuf);
	if (l->fd >= 0)
		close(l->fd);
	grt_capture_lane_free(&l->stream);
}

uint64_t grt_tracefs_lane_count(const struct grt_tracefs_place *p, uint32_t cpu, const char *name)
{
	char file[64], line[64], *text, *at;
	uint64_t count = 0;
	int fd;

	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	snprintf(line, sizeof(line), "\n%s: ", name);
	fd = grt_tracefs_open_own(p, file, O_RDONLY);
	text = grt_tracefs_read(fd, NULL);
	at = text ? strstr(text, line) : NULL;
	if (at)
		count = strtoull(at + strlen(line), NULL, 10);
	else if (text && !strncmp(text, line + 1, strlen(line + 1)))
		count = strtoull(text + strlen(line + 1), NULL, 10);
	free(text);
	if (fd >= 0)
		close(fd);
	return count;
}

static void append(struct grt_tracefs_lane *l, struct grt_tracefs_page *page)
{
	if (l->last)
		l->last->next = page;
	else
		l->first = page;
	l->last = page;
}

int grt_tracefs_lane_read(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p,
			  unsigned int most)
{
	size_t bytes = sysconf(_SC_PAGESIZE);
	struct grt_tracefs_page *page;
	ssize_t got;

	while (most--) {
		page = calloc(1, sizeof(*page) + bytes);
		if (!page)
			return grt_fail_memory();
		do
			got = read(l->fd, page->data, bytes);
		while (got < 0 && errno == EINTR);
		if (got > 0) {
			append(l, page);
			continue;
		}
		free(page);
		if (!got || errno == EAGAIN)
			break;
		return grt_fail_errno(NULL, "cannot read the buffer of CPU %u of '%s'",
				      l->stream.cpu, p->instance);
	}
	return 0;
}

/*
 * Events that were overwritten before this page.  Where a full page has no room for their number,
 * it is that of all so far.
 */
static void note_loss(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p)
{
	int missed = kbuffer_missed_events(l->kbuf);
	uint64_t all;

	if (missed > 0)
		l->lost += missed;
	if (missed >= 0)
		return;
	all = grt_tracefs_lane_count(p, l->stream.cpu, "overrun");
	l->lost = all > l->lost ? all : l->lost + 1;
}

bool grt_tracefs_lane_next(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p)
{
	unsigned long long ns = 0;

	if (l->event) {
		l->events++;
		l->event = kbuffer_next_event(l->kbuf, &ns);
		if (!l->event)
			drop_first(l);
	}
	while (!l->event && l->first) {
		/* A page without events may still tell of a loss. */
		if (!kbuffer_load_subbuffer(l->kbuf, l->first->data)) {
			note_loss(l, p);
			l->event = kbuffer_read_event(l->kbuf, &ns);
		}
		if (!l->event)
			drop_first(l);
	}
	if (!l->event)
		return false;
	l->event_ns = ns;
	l->event_bytes = kbuffer_event_size(l->kbuf);
	return true;
}
