/* SPDX-License-Identifier: LGPL-2.1 */
/* What "grtrace monitor nvidia" prints: a row per call, and statistics. */
#ifndef GRT_NVIDIA_SINK_H
#define GRT_NVIDIA_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nvidia.h"

struct grt_nvidia_out {
	FILE *file;
	bool is_json;		/* each row, and the statistics, are a line with an object */
	bool has_colour;
	size_t width;		/* of a line of text; 0: any */
	uint32_t there;		/* bits of events that this driver tells of; others are not known */
	const char *module;
	const char *missing;	/* names of functions that it lacks; "": none */
	uint64_t missed;	/* calls and returns whose probe did not run */
};

/* nvidia_rows.c */
void grt_nvidia_print_header(const struct grt_nvidia_out *o);
void grt_nvidia_print_row(const struct grt_nvidia_out *o, const struct grt_nvidia_row *row);

/* nvidia_stats.c: of the lap, which took @lap_ns; 0: of all.  0 or -ENOMEM with a cause. */
int grt_nvidia_print_stats(const struct grt_nvidia_out *o, const struct grt_nvidia *n, uint64_t lap_ns);

#endif /* GRT_NVIDIA_SINK_H */
