/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over a window of time, of one ring: jobs that ended in it, and how many there were.
 *
 * depth_sum_ns goes ahead: a job that comes is added up to the end of the window, and what
 * is left of that is taken away when it goes.  So neither has to know when the last one was.
 */
#ifndef _GRTRACE_WINDOW_H
#define _GRTRACE_WINDOW_H

#include <linux/compiler.h>
#include <linux/types.h>

/* All are 0 at first: no window was begun. */
struct grt_window {
	u64 from_ns, to_ns;
	u64 events, jobs;
	u64 latency_sum_ns, latency_max_ns;
	u64 latency_min_ns;	/* while it runs U64_MAX at first; over without jobs 0 */
	u64 depth_sum_ns;
	u32 depth, depth_peak;	/* jobs that are not complete */
	bool is_synthetic;	/* of events written by hand, too */
};

/* The end of the window that @ns is in: they are as long as @length_ns, from @start_ns on. */
u64 grt_window_boundary(u64 start_ns, u64 length_ns, u64 ns);
void grt_window_begin(struct grt_window *w, u64 from_ns, u64 to_ns);
/* As if it were over at @to_ns, no later than its end: whether there is anything to tell. */
bool grt_window_end(const struct grt_window *w, u64 to_ns, struct grt_window *done);

/* What is left of the window at @ns, which may be that of another CPU, and too early. */
static __always_inline u64 grt_window_left(const struct grt_window *w, u64 ns)
{
	return w->to_ns - (ns > w->from_ns ? ns : w->from_ns);
}

/* A job comes at @ns, before the end of the window. */
static __always_inline void grt_window_come(struct grt_window *w, u64 ns)
{
	w->depth_sum_ns += grt_window_left(w, ns);
	if (unlikely(++w->depth > w->depth_peak))
		w->depth_peak = w->depth;
}

/* It goes. */
static __always_inline void grt_window_go(struct grt_window *w, u64 ns)
{
	if (!w->depth)
		return;
	w->depth--;
	w->depth_sum_ns -= grt_window_left(w, ns);
}

/* How long it took. */
static __always_inline void grt_window_take(struct grt_window *w, u64 latency_ns)
{
	if (unlikely(latency_ns < w->latency_min_ns))
		w->latency_min_ns = latency_ns;
	if (unlikely(latency_ns > w->latency_max_ns))
		w->latency_max_ns = latency_ns;
	w->latency_sum_ns += latency_ns;
	w->jobs++;
}

static inline bool grt_window_tells(const struct grt_window *w)
{
	return w->events || w->depth_peak;
}

#endif
