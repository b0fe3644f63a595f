/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Fence contexts: which of them belong to jobs, and how far each has come.  The fences of a
 * context are signalled in the order of their numbers, so the last signalled one covers all before
 * it.  Zeroed memory is an empty table.
 */
#ifndef GRT_CTXS_H
#define GRT_CTXS_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "vec.h"

struct grt_ctx_row {
	uint64_t ctx;
	uint32_t ring;		/* ring of its latest job, 0 = not known */
	bool is_job;		/* jobs use it as their key */
	bool is_dep;		/* jobs wait for its fences */
	bool ends_late;		/* its driver may notice late that a job is over */
	bool has_signaled, has_committed;	/* so far in this pass */
	bool ever_signaled;	/* in the first pass, for any fence */
	bool ever_submitted;	/* likewise: the driver told of a SUBMIT */
	uint64_t signaled;	/* the greatest numbers so far */
	uint64_t committed;
	uint64_t first_signaled; /* the least number in the whole trace */
};

struct grt_ctxs {
	/* Context -> row + 1.  Only the lower 32 bits, because some events have no more. */
	struct grt_map rows_of;
	struct grt_map minted;	/* key of grt_ctxs_mint() -> context */
	struct grt_vec rows;	/* struct grt_ctx_row */
	uint64_t greatest;	/* greatest context in the trace */
	uint64_t next_minted;
};

/* The row of a context, added if missing.  NULL without memory. */
struct grt_ctx_row *grt_ctxs_row(struct grt_ctxs *t, uint64_t ctx);

/* The row of a context, NULL if it was not seen.  @ctx may be cut to 32 bits. */
struct grt_ctx_row *grt_ctxs_find(const struct grt_ctxs *t, uint64_t ctx);

/* Makes up a context that the trace does not use; always the same one for the same @key. */
uint64_t grt_ctxs_mint(struct grt_ctxs *t, uint64_t key);

/*
 * Starts another pass over the same trace: keeps what was learned, forgets the progress of fences.
 */
void grt_ctxs_rewind(struct grt_ctxs *t);
void grt_ctxs_free(struct grt_ctxs *t);

#endif /* GRT_CTXS_H */
