/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Fence contexts: which are of jobs, and how far each has come.  A context's fences
 * are signalled in the order of their numbers, so the last one tells of all before.
 * Zeroed memory is an empty table.
 */
#ifndef GRT_CTXS_H
#define GRT_CTXS_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "vec.h"

struct grt_ctx_row {
	uint64_t ctx;
	uint32_t ring;		/* of its latest job, 0 = not known */
	bool is_job;		/* jobs have it as their key */
	bool is_dep;		/* jobs wait for fences of it */
	bool has_signaled, has_committed;	/* in this pass so far */
	bool ever_signaled;	/* some fence of it, in the earlier pass */
	uint64_t signaled;	/* numbers: the greatest so far */
	uint64_t committed;
	uint64_t first_signaled; /* the least in all of the trace */
};

struct grt_ctxs {
	struct grt_map rows_of;	/* low half of a context, which is all some events have, to row + 1 */
	struct grt_map minted;	/* key of grt_ctxs_mint() to context */
	struct grt_vec rows;	/* of struct grt_ctx_row */
	uint64_t greatest;	/* of the contexts seen */
	uint64_t next_minted;
};

/* The row of a context, made if needed.  NULL without memory. */
struct grt_ctx_row *grt_ctxs_row(struct grt_ctxs *t, uint64_t ctx);

/* The same, NULL if it was not seen.  @ctx may be cut to 32 bits. */
struct grt_ctx_row *grt_ctxs_find(const struct grt_ctxs *t, uint64_t ctx);

/* A context for what has none, always the same for @key; none of the trace's. */
uint64_t grt_ctxs_mint(struct grt_ctxs *t, uint64_t key);

/* Another pass over the same trace: what was learned stays, what happens is forgotten. */
void grt_ctxs_rewind(struct grt_ctxs *t);
void grt_ctxs_free(struct grt_ctxs *t);

#endif /* GRT_CTXS_H */
