/* SPDX-License-Identifier: LGPL-2.1 */
/* Parts of a comparison: which rows belong together, what they say, what went wrong. */
#ifndef GRT_DIFF_PRIVATE_H
#define GRT_DIFF_PRIVATE_H

#include "describe.h"
#include "diff.h"

/* The rows of one run that belong to a group. */
struct grt_diff_run {
	struct grt_rollup_row sum;
	double completed[GRT_TIME_BLOCKS];
	const struct grt_block_row **rows;	/* owned; NULL at the end */
};

/* Rows by group, of all runs. */
struct grt_diff_members {
	struct grt_vec list[GRT_NR_SIDES][GRT_DIFF_MAX_RUNS];	/* sorted by group */
};

/* Names the groups, and finds the rows of each.  0 or -errno. */
int grt_diff_match(struct grt_diff *d, struct grt_diff_members *m);
void grt_diff_members_free(struct grt_diff_members *m);

/* Sums up the rows of group @i in a run.  The caller frees the sums with grt_diff_run_free(). */
int grt_diff_run(struct grt_diff_run *r, const struct grt_diff *d,
		 const struct grt_diff_members *m, size_t i, int side, unsigned int run);
void grt_diff_run_free(struct grt_diff_run *r);

/* Counts the comparisons, then makes them all.  0 or -errno. */
int grt_diff_judge(struct grt_diff *d, const struct grt_diff_members *m);

/* Compares what went wrong. */
int grt_diff_find_troubles(struct grt_diff *d);

/* How many events met one of these fates. */
static inline uint64_t grt_diff_fates(const struct grt_model_totals *t, uint32_t fates)
{
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += fates >> i & 1 ? t->lost[i] : 0;
	return sum;
}

/* The probability that one of the comparisons errs in one direction. */
static inline double grt_diff_tail(const struct grt_diff *d)
{
	return (1 - d->wants.confidence) / 2 / (d->comparisons ? d->comparisons : 1);
}

#endif /* GRT_DIFF_PRIVATE_H */
