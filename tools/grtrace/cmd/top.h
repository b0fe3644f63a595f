/* SPDX-License-Identifier: GPL-2.0 */
/* One run of grtrace top: top.c shows, top_read.c reads, top_keys.c obeys. */
#ifndef GRT_CMD_TOP_H
#define GRT_CMD_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "follow.h"
#include "recent.h"
#include "top_sink.h"
#include "top_sums.h"

#define GRT_TOP_FILTER_MAX	64

struct top {
	/* The options. */
	uint64_t interval_ns, count, window_ns;
	const char *format, *size, *sort;
	bool is_batch;

	/* Reading. */
	struct follow follow;		/* of a file: time is that of its events */
	struct grt_recent recent;

	/* Showing. */
	bool has_screen, is_over, wants_frame;
	uint64_t next_ns, shown;
	uint64_t keys_ns;		/* the last look for keys */
	uint64_t cpu_ns, cpu_at_ns;	/* at the last frame */
	struct grt_top rows;
	struct grt_top_wants wants;
	struct grt_top_state state;
	struct grt_top_look look;
	struct grt_top_screen screen;
	bool has_warned[GRT_NR_RECENT_LACKS];	/* for programs; a screen has a line */
	char filter[GRT_TOP_FILTER_MAX];
};

/* top_read.c: opens what is to be shown.  0 or -errno with a cause; call top_close() in any case. */
int top_open(struct top *t);
void top_close(struct top *t);

/*
 * Reads on, for a moment at most, and feeds what it reads.  1; 0 at the end; -errno with a cause.
 */
int top_read(struct top *t);
/* Reads a whole file, as often as needed. */
int top_read_all(struct top *t);

/* top.c: a frame of what is there now.  0 or -errno with a cause. */
int top_show(struct top *t);

/* top_keys.c: does what the keys say that came. */
void top_obey(struct top *t);

#endif /* GRT_CMD_TOP_H */
