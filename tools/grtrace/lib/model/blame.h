/* SPDX-License-Identifier: LGPL-2.1 */
/* Who held up whom: charges of jobs, summed by victim, culprit and way. */
#ifndef GRT_BLAME_H
#define GRT_BLAME_H

#include <stdint.h>

#include "job.h"
#include "vec.h"

struct grt_blame_row {
	uint32_t victim;	/* parties; see grt_model_party() */
	uint32_t culprit;	/* GRT_NONE: nobody's job */
	uint8_t through;	/* enum grt_through */
	uint64_t ns;
	uint64_t jobs;		/* of the victim that were held up */
	uint64_t worst_ns;	/* the one held up longest, and its key */
	uint64_t worst_ctx, worst_seqno;
};

/* Zeroed memory is an empty one. */
struct grt_blame {
	struct grt_vec rows;	/* of struct grt_blame_row */
	struct grt_vec victims;	/* of struct grt_vec per party: uint32_t row + 1 by culprit */
};

/* Takes a job's charges.  They must be merged by party, as models do by default.  0 or -errno. */
int grt_blame_add(struct grt_blame *b, const struct grt_job *job);

/* Most time first; nothing is added after it. */
void grt_blame_sort(struct grt_blame *b);
void grt_blame_free(struct grt_blame *b);

static inline size_t grt_blame_count(const struct grt_blame *b)
{
	return grt_vec_count(&b->rows, struct grt_blame_row);
}

static inline const struct grt_blame_row *grt_blame_at(const struct grt_blame *b, size_t i)
{
	return grt_vec_at(&b->rows, struct grt_blame_row, i);
}

#endif /* GRT_BLAME_H */
