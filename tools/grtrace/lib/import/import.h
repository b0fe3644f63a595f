/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Traces of others as .grt files: trace.dat, and text of ftrace, trace-cmd and perf.
 *
 * Two passes: the first learns what the file holds (whose contexts are whose, which of
 * several events that tell the same is to be believed), the second writes.
 */
#ifndef GRT_IMPORT_H
#define GRT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct grt_import_options {
	bool keeps_marks;	/* events that mean nothing here become MARKs */
	const char *driver;	/* of rings where no event tells; NULL: not known */
	/* Called now and then with 0 to 1000, and with 1000 when it is over; may be NULL. */
	void (*progress)(unsigned int permille);
};

/* What was in the file. */
struct grt_import_sums {
	uint64_t events;	/* read */
	uint64_t records;	/* written */
	uint64_t foreign;	/* events that mean nothing here */
	uint64_t unjoined;	/* events of jobs that could not be told */
	uint64_t inferred_keys;	/* jobs whose keys come from addresses */
	uint64_t late;		/* records that were out of order */
	uint64_t span_ns;		/* from the first event to the last */
};

/* Whether the file is one of these; @probe are its first bytes. */
bool grt_is_foreign(int fd, const void *probe, size_t bytes);

/*
 * Writes file @fd, called @name, as .grt file @to, which is replaced.  0 or -errno with a
 * cause; then there is no @to.  May fork: a trace.dat is read by a child, which a damaged
 * one can crash.
 */
int grt_import_file(int fd, const char *name, const char *to,
		    const struct grt_import_options *options, struct grt_import_sums *sums);

#endif /* GRT_IMPORT_H */
