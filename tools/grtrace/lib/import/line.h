/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A line of text as ftrace, 'trace-cmd report' or 'perf script' print it:
 *
 *	comm-tid  (tgid) [cpu] flags secs.frac: event: text
 *	comm  pid/tid  [cpu] secs.frac: [period] system:event: text
 *
 * with tgid, flags, period and, in very old ones, the CPU left out.
 */
#ifndef GRT_LINE_H
#define GRT_LINE_H

#include "foreign.h"

enum grt_line {
	GRT_LINE_EVENT,
	GRT_LINE_MISSING,	/* says that events are missing */
	GRT_LINE_WRAPPED,	/* says that the buffers held more than there is */
	GRT_LINE_OTHER,		/* headers, stack traces, anything */
};

/* Fills @ev, but not its kind and slots, or @missing.  Both point into the line. */
enum grt_line grt_line_parse(const char *at, size_t len, struct grt_foreign *ev,
			     struct grt_missing *missing);

#endif /* GRT_LINE_H */
