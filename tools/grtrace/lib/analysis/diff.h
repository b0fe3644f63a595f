/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Compares two summaries: matches rows of one kind by their names, and judges for the
 * quantiles of each stage whether they changed.
 */
#ifndef GRT_DIFF_H
#define GRT_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"
#include "summary.h"

#define GRT_DIFF_MAX_QUANTILES	8
#define GRT_DIFF_ALL		GRT_NR_GROUPS	/* in place of a group: everything in one row */

enum { GRT_BEFORE, GRT_AFTER, GRT_NR_SIDES };

/* X(NAME, name, text) */
#define GRT_CHANGES(X)								\
	X(SAME,	  same,	  "no significant change")				\
	X(WORSE,  worse,  "longer by more than the threshold, and not by chance") \
	X(BETTER, better, "shorter by more than the threshold, and not by chance") \
	X(UNSURE, unsure, "too few jobs on a side to say")

enum grt_change {
#define GRT_X(NAME, name, text) GRT_CHANGE_##NAME,
	GRT_CHANGES(GRT_X)
#undef GRT_X
	GRT_NR_CHANGES
};

struct grt_diff_wants {
	uint32_t group;			/* enum grt_group, or GRT_DIFF_ALL */
	uint32_t stages;		/* bit per stage */
	unsigned int permilles[GRT_DIFF_MAX_QUANTILES], nr_permilles;
	double confidence;		/* 0.95 */
	double threshold[GRT_NR_STAGES]; /* share of the time before: 0.05 */
	uint64_t min_jobs;		/* on each side */
	uint64_t min_change_ns;		/* a smaller difference is no change */
};

struct grt_diff_quantile {
	struct grt_interval side[GRT_NR_SIDES];
	enum grt_change change;
	double weight_ns;	/* roughly the jobs' time that changed; the greatest is shown first */
};

/* The rows of both sides that have one name, and their jobs. */
struct grt_diff_group {
	char device[33], name[64];	/* "": not known, or the group ignores it */
	bool has[GRT_NR_SIDES];
	struct grt_rollup_row sum[GRT_NR_SIDES];
	uint32_t ring[GRT_NR_SIDES];	/* row of the names; GRT_NONE: not exactly one ring */
	struct grt_diff_quantile quantiles[GRT_NR_STAGES][GRT_DIFF_MAX_QUANTILES];
};

struct grt_diff {
	struct grt_diff_wants wants;
	const struct grt_summary *side[GRT_NR_SIDES];	/* not owned */
	struct grt_vec groups;		/* of struct grt_diff_group, in the order of before */
	bool ignores_device;		/* each side has one device, and the two differ */
	uint64_t changes[GRT_NR_CHANGES];	/* quantiles by verdict */
};

/* Compares two closed summaries.  0 or -errno; call grt_diff_free() in any case. */
int grt_diff_make(struct grt_diff *d, const struct grt_diff_wants *wants,
		  const struct grt_summary *before, const struct grt_summary *after);
void grt_diff_free(struct grt_diff *d);

static inline size_t grt_diff_count(const struct grt_diff *d)
{
	return grt_vec_count(&d->groups, struct grt_diff_group);
}

static inline const struct grt_diff_group *grt_diff_at(const struct grt_diff *d, size_t i)
{
	return grt_vec_at(&d->groups, struct grt_diff_group, i);
}

/* Whether a stage is compared: it was asked for, and is known on both sides. */
bool grt_diff_has(const struct grt_diff *d, const struct grt_diff_group *g, enum grt_stage stage);

const char *grt_change_name(enum grt_change change);

#endif /* GRT_DIFF_H */
