/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads events of CPUs: who enters and leaves which ioctl. */
#ifndef GRT_CPU_READER_H
#define GRT_CPU_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu_event.h"
#include "foreign.h"

/* Formats of such files: X(NAME, text). */
#define GRT_CPU_FORMATS(X)						\
	X(NONE,	"no events of CPUs")					\
	X(LINES, "text of IOCTL_ENTER and IOCTL_EXIT")			\
	X(TEXT,	"text of ftrace, trace-cmd or perf")			\
	X(DAT,	"trace.dat")

enum grt_cpu_format {
#define GRT_X(NAME, text) GRT_CPU_##NAME,
	GRT_CPU_FORMATS(GRT_X)
#undef GRT_X
	GRT_NR_CPU_FORMATS
};

const char *grt_cpu_format_name(enum grt_cpu_format format);

struct grt_cpu_visitor {
	void *arg;
	/* In the order of the file.  Returns false to stop. */
	bool (*event)(void *arg, const struct grt_cpu_event *ev);
	/* Lines that look like events. */
	void (*unreadable)(void *arg, const struct grt_bad_lines *lines);
	/* @count events are missing here; 0: unknown number. */
	void (*lost)(void *arg, uint64_t count);
	void (*progress)(void *arg, uint64_t done, uint64_t all);	/* bytes */
};

/* By the content of the file.  Any text that is nothing else is taken for LINES. */
enum grt_cpu_format grt_cpu_format_of(int fd);

/*
 * Reads all events of a file.  LINES have the ioctls that their tool chose; the other formats have
 * those of all drivers, and their EXITs lack the duration.  0, or -errno with a cause.
 */
int grt_cpu_read(int fd, const char *name, enum grt_cpu_format format,
		 const struct grt_cpu_visitor *visitor);

#endif /* GRT_CPU_READER_H */
