/* SPDX-License-Identifier: LGPL-2.1 */
/* Steps through raw streams as read from eventsN; a file may hold several, one after another. */
#ifndef GRT_SCAN_H
#define GRT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"

struct grt_scan;

struct grt_scan_ops {
	/*
	 * Called with the next records, which are at @offset in the file.  0 or -errno with a
	 * cause.
	 */
	int (*run)(struct grt_scan *s, uint64_t offset, const struct grt_run *run);
	/* Called for bytes that are no records.  @is_cut: the file ends within a record. */
	void (*gap)(struct grt_scan *s, uint64_t offset, uint64_t bytes, bool is_cut);
};

struct grt_scan {
	const struct grt_scan_ops *ops;
	const char *name;	/* of the file, for messages */
	int fd;
	uint32_t cpu;		/* CPU of the current records */

	/* Private. */
	uint64_t offset;	/* offset of the window in the file */
	uint64_t gap_from;	/* is_lost: where the search for the next stream began */
	const uint8_t *window;
	bool is_lost;
};

/* Scans the whole file.  0 or -errno with a cause. */
int grt_scan_file(struct grt_scan *s);

#endif /* GRT_SCAN_H */
