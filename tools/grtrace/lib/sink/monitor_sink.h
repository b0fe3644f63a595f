/* SPDX-License-Identifier: LGPL-2.1 */
/* What grtrace monitor prints: a row per event, and statistics. */
#ifndef GRT_MONITOR_SINK_H
#define GRT_MONITOR_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "json.h"
#include "monitor.h"

struct grt_monitor_out {
	FILE *file;
	bool is_json;		/* each row, and the statistics, are a line with an object */
	bool has_colour;
	size_t width;		/* of a line of text; 0: any */
	uint64_t lost, left_out, uncounted;	/* events; losses of an unknown number */
	bool has_deps;		/* the trace has dependencies */
};

/* monitor_rows.c */
void grt_monitor_print_header(const struct grt_monitor_out *o);
void grt_monitor_print_row(const struct grt_monitor_out *o, const struct grt_monitor *m,
			   const struct grt_monitor_row *row);

/* monitor_stats.c: of the lap, which took @lap_ns; 0: of all. */
void grt_monitor_print_stats(const struct grt_monitor_out *o, const struct grt_monitor *m, uint64_t lap_ns);

/* hist_bars.c: a distribution in buckets of a power of two, a line each; for JSON an array @name. */
void grt_hist_print_bars(const struct grt_hist *h, FILE *f, size_t width);
void grt_hist_print_buckets(const struct grt_hist *h, struct grt_json *j, const char *name);

#endif /* GRT_MONITOR_SINK_H */
