/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Parses a line of text that ftrace, 'trace-cmd report', 'perf script' or QEMU printed:
 *
 *	comm-tid  (tgid) [cpu] flags secs.frac: event: text
 *	comm  pid/tid  [cpu] secs.frac: [period] system:event: text
 *	comm-tid  cpu flags time us+: event: text	("cpu flags" is one word)
 *	tid@secs.frac:event text
 *
 * tgid, flags, period and (in very old ones) the CPU are optional.  The form with us is that of ftrace's option
 * latency-format, which the kernel uses when it prints its buffers to its log.  If the clock of the trace counts
 * ticks, the time is a whole number.  QEMU's time is that of CLOCK_REALTIME, and its events have the system
 * GRT_QEMU_SYSTEM.
 */
#ifndef GRT_LINE_H
#define GRT_LINE_H

#include "foreign.h"

#define GRT_QEMU_SYSTEM	"qemu"

enum grt_line {
	GRT_LINE_EVENT,
	GRT_LINE_MISSING,	/* reports missing events */
	GRT_LINE_DROPPED,	/* says that lines of a log are missing, any of them: ->count of @missing */
	GRT_LINE_WRAPPED,	/* says that the buffers held more events than were saved */
	GRT_LINE_OTHER,		/* headers, stack traces, empty lines */
	GRT_LINE_BORDER,	/* a trace begins or ends here: its header, a fence of a page, the frame of a dump */
	GRT_LINE_DAMAGED,	/* it has the time of an event, but cannot be read */
	GRT_LINE_UNKNOWN,	/* nothing says whether it was an event */
};

/* Fills @ev except its kind and slots, or @missing.  Both point into the line. */
enum grt_line grt_line_parse(const char *at, size_t len, struct grt_foreign *ev,
			     struct grt_missing *missing);

#endif /* GRT_LINE_H */
