/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Prints events of CPUs and of a trace as one list, a line each:
 *
 *	[1234567.123456] CPU IOCTL_ENTER cmd=0xc0106444, arg=0x7ffc12345678
 *	[1234567.124012] GPU SUBMIT ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42
 */
#ifndef GRT_TIMELINE_SINK_H
#define GRT_TIMELINE_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cpu_merge.h"

#define GRT_TIMELINE_LINE	1024	/* without texts, which are printed by themselves */

struct grt_timeline_sink {
	FILE *out;		/* the caller's */
	bool has_deltas;	/* print deltas, and the names of threads */
	bool has_ns;		/* stamps with nanoseconds, in lines of ioctls */
	int err;		/* errno of the first write that failed */

	/* Private. */
	size_t used;
	char line[GRT_TIMELINE_LINE];
};

/* False after a write error. */
bool grt_timeline_print_cpu(struct grt_timeline_sink *s, const struct grt_cpu_event *ev);
/*
 * Prints the event as a line that grt_cpu_line_parse() reads.  @name: of the ioctl, or NULL.
 */
bool grt_timeline_print_ioctl(struct grt_timeline_sink *s, const struct grt_cpu_event *ev,
			      const char *name);

/* Prints a comment, which has no line end. */
bool grt_timeline_print_comment(struct grt_timeline_sink *s, const char *text);
bool grt_timeline_print_gpu(struct grt_timeline_sink *s, const struct grtrace_hdr *rec,
			    uint64_t ns, struct grt_event_names *names,
			    const struct grt_delta *delta);

#endif /* GRT_TIMELINE_SINK_H */
