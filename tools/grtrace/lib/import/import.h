/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Imports traces of other tools as .grt files: trace.dat, and text of ftrace, trace-cmd, perf and QEMU.
 *
 * There are two passes.  The first learns what the file holds: which contexts belong to jobs, and
 * which of several events with the same meaning to use.  The second writes.
 */
#ifndef GRT_IMPORT_H
#define GRT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_import_options {
	bool keeps_marks;	/* events that no report uses become MARKs */
	const char *to_name;	/* name of the output, for messages */
	const char *driver;	/* driver of rings if no event names it; NULL: not known */
	uint64_t tick_hz;	/* if the times of a text are ticks of a clock; 0: not known */
	/* Called now and then with 0 to 1000, and with 1000 at the end; may be NULL. */
	void (*progress)(unsigned int permille);
};

#define GRT_EXAMPLE_BYTES	64

/* The begin of a line. */
struct grt_line_example {
	uint64_t number;	/* of the line in the file; 0: there is none */
	char text[GRT_EXAMPLE_BYTES];
};

/* Counts of what was in the file. */
struct grt_import_sums {
	uint64_t events;	/* events read */
	uint64_t records;	/* records written */
	uint64_t foreign;	/* events that no report uses */
	uint64_t unjoined;	/* events of jobs that could not be identified */
	uint64_t unused;	/* events that gave no record: not about a job, or only names */
	uint64_t unreadable;	/* lines that look like events, but could not be read */
	uint64_t no_events;	/* lines that are none */
	struct grt_line_example unreadable_line, no_event_line;	/* the first ones */
	uint64_t kept;		/* events that gave a record */
	uint64_t inferred_keys;	/* jobs whose keys were inferred from addresses */
	uint64_t late;		/* records that were out of order */
	uint64_t span_ns;		/* from the first event to the last */
};

/* The slowest and the fastest clock that @tick_hz may have: slower ones cannot time jobs. */
#define GRT_LEAST_TICK_HZ	1000000ull
#define GRT_MOST_TICK_HZ	1000000000000ull

/* 0, or -EINVAL with a cause: no GPU driver has that name. */
int grt_import_check_driver(const char *driver);

/* The name of event number @i of those that are understood; NULL behind the last. */
const char *grt_import_event_name(size_t i);

/* Whether the file has one of these formats; @probe are its first bytes. */
bool grt_is_foreign(int fd, const void *probe, size_t bytes);

/*
 * Imports file @fd, called @name, to @to.  0, or -errno with a cause: then the contents of @to are
 * useless.  A trace.dat is read in a child process, because a damaged one may crash the library.
 */
int grt_import_file(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums);

#endif /* GRT_IMPORT_H */
