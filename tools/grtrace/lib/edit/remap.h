/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Makes the numbers of one trace distinct from those of others.  Each boot of a machine has
 * its own fence contexts, processes and CPUs; in a merged trace those of boot N, from 0, are
 * N units higher.  A number of 0 means that there is none, and stays.
 */
#ifndef GRT_REMAP_H
#define GRT_REMAP_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "map.h"

/* X(NAME, unit, text): more than any kernel has. */
#define GRT_REMAPS(X)							\
	X(CTX,	1ull << 48,	"fence context")			\
	X(PID,	10000000ull,	"process or thread")			\
	X(CPU,	1024ull,	"CPU")

#define GRT_MAX_BOOTS	64	/* CPUs have 16 bits */

enum grt_remap_kind {
#define GRT_X(NAME, unit, text) GRT_REMAP_##NAME,
	GRT_REMAPS(GRT_X)
#undef GRT_X
	GRT_REMAP_RING,
	GRT_REMAP_TIME,
};

struct grt_remap {
	const char *name;	/* of the trace, for messages */
	uint64_t first_boot;	/* of the merged trace */
	uint64_t boots;		/* that this trace has: more than 1 if it was merged itself */
	int64_t shift_ns;	/* added to its times */
	uint64_t begin_ns;	/* of the trace, as it tells: no loss reaches back further */
	struct grt_map rings;	/* number in the trace -> number in the merged one */
	uint32_t *last_ring;	/* of the merged trace, so far */
};

/* All of @rec but its cpu, which the caller has to place: 0, or -EBADMSG with a cause. */
int grt_remap_record(struct grt_remap *r, struct grtrace_hdr *rec);

/* One number: 0, or -EBADMSG with a cause where it has none in this trace. */
int grt_remap_number(const struct grt_remap *r, enum grt_remap_kind kind, uint64_t *number);

uint64_t grt_remap_time(const struct grt_remap *r, uint64_t ns);

#endif /* GRT_REMAP_H */
