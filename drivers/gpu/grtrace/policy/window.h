/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of one ring over a window of time: the jobs that ended in it, and the queue depth.
 *
 * depth_sum_ns runs ahead: a job that joins adds its time up to the end of the window, and
 * takes the rest back when it leaves.  So no step needs the time of the previous step.
 */
#ifndef _GRTRACE_WINDOW_H
#define _GRTRACE_WINDOW_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Zeroed = no window was begun. */
struct grt_window {
	u64 from_ns, to_ns;
	u64 events, jobs;
	u64 latency_sum_ns, latency_max_ns;
	u64 latency_min_ns;	/* U64_MAX until a job ends; 0 in a finished window without jobs */
	u64 depth_sum_ns;
	u32 depth, depth_peak;	/* jobs that are not complete */
	bool is_synthetic;	/* some events were written by hand */
};

/* The end of the window that contains @ns; windows of @length_ns begin at @start_ns. */
u64 grt_window_boundary(u64 start_ns, u64 length_ns, u64 ns);
void grt_window_begin(struct grt_window *w, u64 from_ns, u64 to_ns);
/* Copies the window to @done as if it ended at @to_ns.  True if there is anything to report. */
bool grt_window_end(const struct grt_window *w, u64 to_ns, struct grt_window *done);

/* The rest of the window at @ns.  Another CPU's @ns may lie before the window. */
static __always_inline u64 grt_window_left(const struct grt_window *w, u64 ns)
{
	return w->to_ns - (ns > w->from_ns ? ns : w->from_ns);
}

/* A job joins at @ns, before the end of the window. */
static __always_inline void grt_window_join(struct grt_window *w, u64 ns)
{
	w->depth_sum_ns += grt_window_left(w, ns);
	if (unlikely(++w->depth > w->depth_peak))
		w->depth_peak = w->depth;
}

/* A job leaves at @ns. */
static __always_inline void grt_window_leave(struct grt_window *w, u64 ns)
{
	if (!w->depth)
		return;
	w->depth--;
	w->depth_sum_ns -= grt_window_left(w, ns);
}

/* Adds the latency of a job that ended. */
static __always_inline void grt_window_add_latency(struct grt_window *w, u64 latency_ns)
{
	if (unlikely(latency_ns < w->latency_min_ns))
		w->latency_min_ns = latency_ns;
	if (unlikely(latency_ns > w->latency_max_ns))
		w->latency_max_ns = latency_ns;
	w->latency_sum_ns += latency_ns;
	w->jobs++;
}

static inline bool grt_window_has_content(const struct grt_window *w)
{
	return w->events || w->depth_peak;
}

#endif
