/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Parses a line of grtrace's own text of CPU events:
 *
 *	[1234567.123456] IOCTL_ENTER pid=5678 tid=5679 comm=glxgears cmd=0xc0106444 arg=0x7ffc
 *	[1234567.123789] IOCTL_EXIT pid=5678 tid=5679 comm=glxgears ret=0 duration_ns=333000
 *	# 34 events lost on CPU 1
 *
 * A stamp has 1 to 9 digits after the dot.  pid or tid must be there; every other value may be
 * missing.  A name of a thread may contain blanks and '='.  The name of the ioctl, like
 * name=AMDGPU_CS, may come last.
 */
#ifndef GRT_CPU_LINE_H
#define GRT_CPU_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu_event.h"

enum grt_cpu_line {
	GRT_CPU_LINE_EVENT,
	GRT_CPU_LINE_OTHER,		/* empty, or a comment after '#' */
	GRT_CPU_LINE_UNREADABLE,
};

/* Fills @ev for an event.  The line has no line end. */
enum grt_cpu_line grt_cpu_line_parse(const char *at, size_t len, struct grt_cpu_event *ev);

/* Whether a comment says that *@count events are missing here. */
bool grt_cpu_line_lost(const char *at, size_t len, uint64_t *count);

#endif /* GRT_CPU_LINE_H */
