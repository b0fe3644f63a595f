/* SPDX-License-Identifier: LGPL-2.1 */
/* A part of a trace, as a trace: a span of time, some of its rings, or both. */
#ifndef GRT_SLICE_H
#define GRT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "pick.h"
#include "target.h"

struct grt_slice {
	uint64_t since_ns, until_ns;	/* after the first event; until: UINT64_MAX = to the end */
	const char *rings;		/* names or numbers, commas between; NULL: any */
	uint64_t pid;			/* rings that it used; 0: any */
	const char *line;		/* for METADATA: what of which trace this is */

	/* Filled in. */
	uint64_t events, of_events;	/* taken, and in the trace */
	uint64_t first_ns;		/* of the trace */
	bool has_begun;
	struct grt_pick pick;
};

static inline bool grt_slice_is_picky(const struct grt_slice *s)
{
	return s->rings || s->pid;
}

/*
 * The first look, where grt_slice_is_picky(): @path is read twice.  0 or -errno with a
 * cause, -EINVAL when it has no such ring or process.  grt_slice_free() in any case.
 */
int grt_slice_scan(struct grt_slice *s, char *path);

/* 0, or -errno with a cause and no file made. */
int grt_slice_write(struct grt_slice *s, char *path, struct grt_target *to);
void grt_slice_free(struct grt_slice *s);

#endif /* GRT_SLICE_H */
