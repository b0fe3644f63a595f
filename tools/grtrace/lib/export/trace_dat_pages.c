// SPDX-License-Identifier: LGPL-2.1
/* The format of a page: the kernel's include/linux/ring_buffer.h. */
#include "trace_dat_pages.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "io.h"

#define FIRST_PAGES	16u		/* of the first extent of a lane */

/* In the number of used bytes: events are missing before the page; their number is at its end. */
#define MISSED		(1u << 31)
#define MISSED_STORED	(1u << 30)

#define TIME_EXTEND	30u		/* the next 32 bits are the upper bits of the time */
#define DELTA_BITS	27
#define MAX_SHORT	(28u * 4)	/* a longer event has its size in a word of its own */

int grt_dat_scratch_open(struct grt_dat_scratch *s)
{
	s->fd = grt_temporary();
	return s->fd < 0 ? s->fd : 0;
}

void grt_dat_scratch_close(struct grt_dat_scratch *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* The extent that has page number @page; *@first is the number of its first page. */
static unsigned int extent_of(uint64_t page, uint64_t *first)
{
	unsigned int nr = 63 - __builtin_clzll(page / FIRST_PAGES + 1);

	*first = FIRST_PAGES * ((1ull << nr) - 1);
	return nr;
}

static uint64_t extent_pages(unsigned int nr)
{
	return (uint64_t)FIRST_PAGES << nr;
}

static int write_page(struct grt_dat_lane *lane, struct grt_dat_scratch *s)
{
	uint64_t first;
	unsigned int nr = extent_of(lane->pages, &first);
	ssize_t wrote;

	if (nr >= GRT_DAT_EXTENTS)
		return grt_fail(EFBIG, NULL, "one CPU has too many events for a trace.dat");
	if (lane->pages == first) {
		lane->extents[nr] = s->end;
		s->end += extent_pages(nr) * GRT_DAT_PAGE;
	}
	wrote = pwrite(s->fd, lane->page, GRT_DAT_PAGE,
		       lane->extents[nr] + (lane->pages - first) * GRT_DAT_PAGE);
	if (wrote == GRT_DAT_PAGE) {
		lane->pages++;
		return 0;
	}
	if (wrote >= 0)
		errno = ENOSPC;
	return grt_fail_errno("set TMPDIR to a folder with room", "cannot write a temporary file");
}

static int end_page(struct grt_dat_lane *lane, struct grt_dat_scratch *s)
{
	uint64_t in_use = (lane->used - GRT_DAT_PAGE_HEAD) | lane->flags;

	if (!lane->used)
		return 0;
	memcpy(lane->page + 8, &in_use, sizeof(in_use));
	if (lane->flags & MISSED_STORED) {
		memcpy(lane->page + lane->used, &lane->missed, sizeof(lane->missed));
		lane->missed = 0;
	}
	lane->used = 0;
	return write_page(lane, s);
}

static void begin_page(struct grt_dat_lane *lane, uint64_t ns)
{
	memset(lane->page, 0, sizeof(lane->page));
	memcpy(lane->page, &ns, sizeof(ns));
	lane->used = GRT_DAT_PAGE_HEAD;
	lane->flags = lane->next_flags;
	lane->next_flags = 0;
	lane->last_ns = ns;
}

static void put_word(struct grt_dat_lane *lane, uint32_t word)
{
	memcpy(lane->page + lane->used, &word, sizeof(word));
	lane->used += sizeof(word);
}

/* The page before the gap ends here, because its own count would be overwritten. */
int grt_dat_lane_miss(struct grt_dat_lane *lane, struct grt_dat_scratch *s, uint64_t count)
{
	int err = end_page(lane, s);

	/* Two gaps without an event between them are one; of an unknown number if one of them is. */
	if (!count || lane->next_flags == MISSED || count > UINT64_MAX - lane->missed) {
		lane->next_flags = MISSED;
		lane->missed = 0;
	} else {
		lane->next_flags = MISSED | MISSED_STORED;
		lane->missed += count;
	}
	return err;
}

int grt_dat_lane_put(struct grt_dat_lane *lane, struct grt_dat_scratch *s, uint64_t ns,
		     const void *event, size_t bytes)
{
	const size_t room = GRT_DAT_PAGE - sizeof(lane->missed);
	uint64_t delta;
	int err = 0;

	if (ns < lane->last_ns) {
		ns = lane->last_ns;
		lane->moved++;
	}
	delta = ns - lane->last_ns;
	/* 8 bytes each for the head of a long event and for a longer time. */
	if (lane->used + 16 + bytes > room || delta >> (DELTA_BITS + 32))
		err = end_page(lane, s);
	if (err)
		return err;
	if (!lane->used) {
		begin_page(lane, ns);
		delta = 0;
	}
	lane->last_ns = ns;
	if (delta >> DELTA_BITS) {
		put_word(lane, TIME_EXTEND | (uint32_t)(delta << 5));
		put_word(lane, delta >> DELTA_BITS);
		delta = 0;
	}
	if (bytes <= MAX_SHORT) {
		put_word(lane, bytes / 4 | (uint32_t)delta << 5);
	} else {
		put_word(lane, (uint32_t)delta << 5);
		put_word(lane, bytes + 4);
	}
	memcpy(lane->page + lane->used, event, bytes);
	lane->used += bytes;
	return 0;
}

int grt_dat_lane_close(struct grt_dat_lane *lane, struct grt_dat_scratch *s)
{
	return end_page(lane, s);
}

int grt_dat_lane_read(const struct grt_dat_lane *lane, const struct grt_dat_scratch *s,
		      uint64_t page, void *to, unsigned int most)
{
	uint64_t first, count;
	unsigned int nr = extent_of(page, &first);
	ssize_t got;

	count = first + extent_pages(nr) - page;
	if (count > lane->pages - page)
		count = lane->pages - page;
	if (count > most)
		count = most;
	got = grt_pread(s->fd, to, count * GRT_DAT_PAGE,
			lane->extents[nr] + (page - first) * GRT_DAT_PAGE);
	if (got == (ssize_t)(count * GRT_DAT_PAGE))
		return count;
	if (got >= 0)
		errno = EIO;
	return grt_fail_errno(NULL, "cannot read a temporary file");
}
