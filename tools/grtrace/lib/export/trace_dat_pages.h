/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Events of one CPU as pages of the kernel's ring buffer.  The file has all pages of a CPU in one
 * piece, but events of all CPUs come mixed, so pages wait in a temporary file.
 */
#ifndef GRT_TRACE_DAT_PAGES_H
#define GRT_TRACE_DAT_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define GRT_DAT_PAGE		4096u
#define GRT_DAT_PAGE_HEAD	16u	/* time of the first event, number of used bytes */
#define GRT_DAT_EXTENTS		32

/*
 * The longest event.  A page also has the heads of an event and of a longer time, and the number of
 * missing events.
 */
#define GRT_DAT_MAX_EVENT	(GRT_DAT_PAGE - GRT_DAT_PAGE_HEAD - 8 - 8 - 8)

/* The temporary file.  Each extent of a lane is twice as long as the one before; holes are free. */
struct grt_dat_scratch {
	int fd;			/* -1: none */
	uint64_t end;		/* of the last extent */
};

/* Zeroed memory is an empty lane. */
struct grt_dat_lane {
	uint64_t extents[GRT_DAT_EXTENTS];	/* offsets in the temporary file */
	uint64_t pages;			/* of them */
	uint64_t last_ns;		/* of the latest event */
	uint64_t moved;			/* events that came with an earlier time */
	uint64_t missed;		/* number of missing events, as the flags say */
	uint32_t next_flags;		/* for the page that the next event begins; 0: it may follow others */
	uint32_t flags;			/* of @page */
	uint32_t used;			/* of @page, including its head; 0: there is no page */
	unsigned char page[GRT_DAT_PAGE];
};

/* 0, or -errno with a cause. */
int grt_dat_scratch_open(struct grt_dat_scratch *s);
void grt_dat_scratch_close(struct grt_dat_scratch *s);

/* @count events are missing before the next one; 0: unknown number.  0, or -errno with a cause. */
int grt_dat_lane_miss(struct grt_dat_lane *lane, struct grt_dat_scratch *s, uint64_t count);

/*
 * Adds an event of at most GRT_DAT_MAX_EVENT bytes, a multiple of 4.  Time never runs back in a
 * lane: an earlier event gets the time of the latest one.  0, or -errno with a cause.
 */
int grt_dat_lane_put(struct grt_dat_lane *lane, struct grt_dat_scratch *s, uint64_t ns,
		     const void *event, size_t bytes);

/* Ends the last page.  0, or -errno with a cause. */
int grt_dat_lane_close(struct grt_dat_lane *lane, struct grt_dat_scratch *s);

/* Reads pages from number @page on into @to.  Returns their count, at least 1, or -errno with a cause. */
int grt_dat_lane_read(const struct grt_dat_lane *lane, const struct grt_dat_scratch *s,
		      uint64_t page, void *to, unsigned int most);

#endif /* GRT_TRACE_DAT_PAGES_H */
