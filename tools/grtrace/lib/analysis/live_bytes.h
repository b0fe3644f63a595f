/* SPDX-License-Identifier: LGPL-2.1 */
/* How many bytes were live over a window of time: at its begin, at most, and in columns of it. */
#ifndef GRT_LIVE_BYTES_H
#define GRT_LIVE_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#define GRT_LIVE_COLUMNS	60
#define GRT_LIVE_PARTS		10	/* for leaks; each has several columns */

struct grt_live_window {
	uint64_t from_ns, to_ns;	/* @to_ns: the first instant behind it */
};

/* Zeroed memory has no bytes. */
struct grt_live_level {
	uint64_t bytes;			/* now */
	uint64_t begin_bytes, peak_bytes, peak_ns;	/* in the window; once it has begun */
	bool has_begun;
};

struct grt_live_bytes {
	struct grt_live_level level;
	uint32_t column;		/* of the latest change */
	struct grt_live_column {
		uint64_t low_bytes, end_bytes;
	} columns[GRT_LIVE_COLUMNS];
};

/*
 * From @ns on there are @bytes.  Times must not run back, and must be before the window's end.
 */
void grt_live_level_set(struct grt_live_level *l, const struct grt_live_window *w, uint64_t ns,
			uint64_t bytes);
void grt_live_bytes_set(struct grt_live_bytes *l, const struct grt_live_window *w, uint64_t ns,
			uint64_t bytes);

/* The window is over. */
void grt_live_level_close(struct grt_live_level *l, const struct grt_live_window *w);
void grt_live_bytes_close(struct grt_live_bytes *l, const struct grt_live_window *w);

/* When part @i of @parts of the window begins. */
uint64_t grt_live_part_ns(const struct grt_live_window *w, uint64_t i, uint64_t parts);

/* The part of @parts in which @ns is; it must be in the window. */
uint64_t grt_live_part(const struct grt_live_window *w, uint64_t ns, uint64_t parts);

/* The fewest bytes in part @i of GRT_LIVE_PARTS, once closed. */
uint64_t grt_live_floor(const struct grt_live_bytes *l, unsigned int i);

/* Whether the floor rose from each part to the next, and by how much in all. */
bool grt_live_rises(const struct grt_live_bytes *l, uint64_t *bytes);

#endif /* GRT_LIVE_BYTES_H */
