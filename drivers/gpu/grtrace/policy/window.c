// SPDX-License-Identifier: GPL-2.0
/*
 * Sums over a window of time.
 */
#include "window.h"

u64 grt_window_boundary(u64 start_ns, u64 length_ns, u64 ns)
{
	u64 passed = ns > start_ns ? (ns - start_ns) / length_ns : 0;

	return start_ns + (passed + 1) * length_ns;
}

void grt_window_begin(struct grt_window *w, u64 from_ns, u64 to_ns)
{
	*w = (struct grt_window){
		.from_ns = from_ns,
		.to_ns = to_ns,
		.since_ns = from_ns,
		.depth = w->depth,
		.depth_peak = w->depth,
		.is_synthetic = w->is_synthetic && w->depth,
	};
}

bool grt_window_end(struct grt_window *w, u64 to_ns, struct grt_window *done)
{
	grt_window_pass(w, to_ns);
	*done = *w;
	done->to_ns = to_ns;
	return grt_window_tells(done);
}

void grt_window_pass(struct grt_window *w, u64 ns)
{
	if (ns <= w->since_ns)
		return;
	w->depth_sum_ns += w->depth * (ns - w->since_ns);
	w->since_ns = ns;
}

void grt_window_come(struct grt_window *w)
{
	w->depth++;
	if (w->depth > w->depth_peak)
		w->depth_peak = w->depth;
}

void grt_window_go(struct grt_window *w)
{
	if (w->depth)
		w->depth--;
}

void grt_window_take(struct grt_window *w, u64 latency_ns)
{
	if (!w->jobs || latency_ns < w->latency_min_ns)
		w->latency_min_ns = latency_ns;
	if (latency_ns > w->latency_max_ns)
		w->latency_max_ns = latency_ns;
	w->latency_sum_ns += latency_ns;
	w->jobs++;
}
