/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What an import writes: a lane of records per CPU, in the order of time.  An event
 * that comes late goes to another lane of its CPU, which the merge of a reader puts
 * right.  Zeroed memory with a writer is an empty one; without a writer nothing is kept.
 */
#ifndef GRT_LANES_H
#define GRT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

struct grt_writer;

struct grt_lanes {
	struct grt_writer *writer;	/* not owned; NULL: counts only */
	uint64_t session_id;
	struct grt_vec lanes;		/* of struct grt_out_lane, sorted by first use */
	struct grt_vec cpus;		/* of uint32_t: first lane of each CPU, plus 1 */
	struct grt_vec last;		/* the record that was given last */
	uint64_t events;
	int err;			/* sticky */
};

/* The room for a record without a writer. */
#define GRT_MAX_RECORD	8192

/*
 * A zeroed record, but for its header, to be filled in before the next call.  NULL when
 * something failed, which grt_lanes_close() says.
 */
void *grt_lanes_add(struct grt_lanes *out, uint32_t cpu, uint64_t ts, unsigned int type,
		    size_t bytes, unsigned int flags);

/* Writes what is left and frees.  0 or -errno. */
int grt_lanes_close(struct grt_lanes *out);

#endif /* GRT_LANES_H */
