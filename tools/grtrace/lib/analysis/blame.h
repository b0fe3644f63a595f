/* SPDX-License-Identifier: LGPL-2.1 */
/* Who held up whom: the charges of jobs, summed by victim, culprit and reason. */
#ifndef GRT_BLAME_H
#define GRT_BLAME_H

#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_blame_row {
	uint32_t victim;	/* a client; see grt_model_client() */
	uint32_t culprit;	/* a client; GRT_NONE: nobody's job */
	uint8_t reason;	/* enum grt_blame_reason */
	uint64_t ns;		/* UINT64_MAX: or more */
	uint64_t jobs;		/* jobs of the victim that were held up */
	uint64_t worst_ns;	/* the longest time for one job, and that job's key */
	uint64_t worst_ctx, worst_seqno;
};

/* Most traces have few clients: clients of low number are found without a search. */
#define GRT_BLAME_LOW	256

/* Zeroed memory is an empty table. */
struct grt_blame {
	struct grt_vec rows;	/* of struct grt_blame_row */
	uint32_t *low[GRT_BLAME_LOW];	/* owned; by victim: NULL, or row + 1 by culprit and reason */
	struct grt_keymap index;	/* the other rows, by victim, culprit and reason */
};

/* Adds a job's charges, merged by client, as models do by default.  0 or -errno. */
int grt_blame_add(struct grt_blame *b, const struct grt_job *job);

/* Puts most time first.  Add nothing afterwards. */
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
