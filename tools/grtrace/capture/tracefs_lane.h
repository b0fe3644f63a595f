/* SPDX-License-Identifier: GPL-2.0 */
/* The events of one CPU, from the pages of its buffer. */
#ifndef GRT_TRACEFS_LANE_H
#define GRT_TRACEFS_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "lane.h"

struct grt_tracefs_place;
struct kbuffer;

struct grt_tracefs_page;

struct grt_tracefs_lane {
	struct grt_capture_lane stream;
	int fd;				/* trace_pipe_raw; owned */
	struct kbuffer *kbuf;		/* owned; has the first page if @event is there */
	struct grt_tracefs_page *first, *last;	/* owned: pages that are not used up */
	void *event;			/* the next event; NULL: none was read */
	uint32_t event_bytes;
	uint64_t event_ns;
	uint64_t events;		/* used up */
	uint64_t lost;			/* before the next event */
	uint64_t filtered;		/* records of types that nobody asked for */
	uint64_t refused, refused_ns;	/* events of jobs that are not chosen; time of the last */
	uint64_t told_lost, told_filtered, told_refused;	/* what the last SUBBUF said */
	bool needs_subbuf;
};

/* Opens the buffer of a CPU; the stream must be set up.  0 or -errno with a cause. */
int grt_tracefs_lane_open(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p);
void grt_tracefs_lane_close(struct grt_tracefs_lane *l);

/*
 * Reads all pages that have events now, but at most @most: events that come while it reads would
 * keep it busy for ever.  0 or -errno with a cause.
 */
int grt_tracefs_lane_read(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p,
			  unsigned int most);

/* Makes the next event of the pages the current one; false if there is none. */
bool grt_tracefs_lane_next(struct grt_tracefs_lane *l, const struct grt_tracefs_place *p);

/* A counter in the kernel's account of the CPU's buffer, like "overrun". */
uint64_t grt_tracefs_lane_count(const struct grt_tracefs_place *p, uint32_t cpu, const char *name);

#endif /* GRT_TRACEFS_LANE_H */
