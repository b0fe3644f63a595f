/* SPDX-License-Identifier: LGPL-2.1 */
/* Cuts a part out of a trace: a span of time, some of its rings, or both. */
#ifndef GRT_SLICE_H
#define GRT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ring_selection.h"
#include "part.h"
#include "target.h"

struct grt_slice {
	struct grt_part part;		/* of time */
	const char *rings;		/* names or numbers, separated by commas; NULL: any */
	uint64_t pid;			/* process whose rings are kept; 0: any */
	const char *line;		/* for METADATA: the options and the original trace */

	/* Filled in by the slice. */
	uint64_t events, of_events;	/* in the slice, and in the original trace */
	struct grt_ring_selection selection;
};

static inline bool grt_slice_has_rings(const struct grt_slice *s)
{
	return s->rings || s->pid;
}

/*
 * Reads the trace in @path, twice where grt_slice_has_rings().  0, or -errno with a cause and
 * no file made; -EINVAL when it has no such ring or process.
 */
int grt_slice_write(struct grt_slice *s, char *path, struct grt_target *to);

#endif /* GRT_SLICE_H */
