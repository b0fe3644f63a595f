/* SPDX-License-Identifier: GPL-2.0 */
/* Estimates the offset between the clocks of the two files of merge --cpu --gpu. */
#ifndef GRT_MERGE_OFFSET_H
#define GRT_MERGE_OFFSET_H

#include "clock_offset.h"
#include "cpu_reader.h"

struct grt_stream;

/*
 * Reads as much of both files as the estimate needs; the stream begins anew afterwards.  0, or
 * -errno with a cause.
 */
int merge_offset_find(struct grt_stream *stream, int cpu_fd, const char *cpu_name,
		      enum grt_cpu_format format, struct grt_clock_offset *found);

#endif /* GRT_MERGE_OFFSET_H */
