/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The definitions of a recording that its next file needs.  A recording that runs for weeks sees millions of
 * processes, so a definition is dropped when no later event can need it.
 */
#ifndef GRT_KEPT_H
#define GRT_KEPT_H

#include <stdint.h>

#include "defs.h"
#include "keymap.h"
#include "map.h"
#include "run.h"
#include "vec.h"

/*
 * How long a definition is kept that is over.  Events may come later than the definition that replaces theirs, and
 * a job may outlive its process until its timeout, which is a minute or less with most drivers.
 */
#define GRT_KEPT_NS	120000000000ull

/* The tasks and rings that the events in the owner's memory name, each with the time of its first event there. */
struct grt_named {
	struct grt_map tasks;		/* threads and processes */
	struct grt_map rings;
};

/* Zeroed memory is empty. */
struct grt_kept {
	/*
	 * Set by the owner, if the source keeps its rings in a table of so many rows; else 0.  A ring's number modulo
	 * this is its row.  A row that is used again gets a higher number, and then its earlier ring is gone.
	 */
	uint32_t ring_rows;
	struct grt_vec records;		/* back to back, in the order in which they came */
	struct grt_defs stream;		/* its STREAM_INFO, no other definition */
	/* Private. */
	struct grt_vec rows;		/* struct kept_row, for each record one */
	struct grt_keymap in_force;	/* key to the row of the latest definition */
};

/* Adds those definitions of a run that are new or have changed.  0 or -errno with a cause. */
int grt_kept_add(struct grt_kept *k, const struct grt_run *run, uint64_t now_ns);

/*
 * Drops a definition GRT_KEPT_NS after another one replaced it, and a process GRT_KEPT_NS after it was seen to have
 * ended.  The caller may have older events in memory.  Then the definitions that @named needs stay; otherwise it is NULL.
 * 0 or -errno with a cause.
 */
int grt_kept_prune(struct grt_kept *k, uint64_t now_ns, const struct grt_named *named);

void grt_kept_free(struct grt_kept *k);

#endif /* GRT_KEPT_H */
