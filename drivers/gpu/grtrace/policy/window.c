// SPDX-License-Identifier: GPL-2.0
/*
 * Sums over one window of time.
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
		.latency_min_ns = ~0ull,
		.depth = w->depth,
		.depth_peak = w->depth,
		.depth_sum_ns = w->depth * (to_ns - from_ns),
		.is_synthetic = w->is_synthetic && w->depth,
	};
}

bool grt_window_end(const struct grt_window *w, u64 to_ns, struct grt_window *done)
{
	*done = *w;
	done->depth_sum_ns -= w->depth * grt_window_left(w, to_ns);
	done->to_ns = to_ns;
	if (!done->jobs)
		done->latency_min_ns = 0;
	return grt_window_has_content(done);
}
