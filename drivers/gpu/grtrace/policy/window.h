/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over a window of time, of one ring: jobs that ended in it, and how many there were.
 */
#ifndef _GRTRACE_WINDOW_H
#define _GRTRACE_WINDOW_H

#include <linux/types.h>

/* All are 0 at first: no window was begun. */
struct grt_window {
	u64 from_ns, to_ns;
	u64 since_ns;		/* the depth is summed up to here */
	u64 events, jobs;
	u64 latency_sum_ns, latency_min_ns, latency_max_ns;
	u64 depth_sum_ns;
	u32 depth, depth_peak;	/* jobs that are not complete */
	bool is_synthetic;	/* of events written by hand, too */
};

/* The end of the window that @ns is in: they are as long as @length_ns, from @start_ns on. */
u64 grt_window_boundary(u64 start_ns, u64 length_ns, u64 ns);
void grt_window_begin(struct grt_window *w, u64 from_ns, u64 to_ns);
/*
 * It is over at @to_ns: @done gets all, and @w what goes on.  Returns whether there is
 * anything to tell.
 */
bool grt_window_end(struct grt_window *w, u64 to_ns, struct grt_window *done);

/* Time goes on to @ns; it may be that of another CPU, and earlier. */
void grt_window_pass(struct grt_window *w, u64 ns);
/* A job comes; it goes; and how long it took. */
void grt_window_come(struct grt_window *w);
void grt_window_go(struct grt_window *w);
void grt_window_take(struct grt_window *w, u64 latency_ns);

static inline bool grt_window_tells(const struct grt_window *w)
{
	return w->events || w->depth_peak;
}

#endif
