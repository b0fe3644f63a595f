/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Compares two sides, each of one run or several: matches rows of one kind by their names, and
 * judges for the quantiles of each stage, for the jobs per second and for what went wrong
 * whether they changed.  The confidence is that of all verdicts together.
 */
#ifndef GRT_DIFF_H
#define GRT_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"
#include "summary.h"

#define GRT_DIFF_MAX_QUANTILES	8
#define GRT_DIFF_MAX_RUNS	64	/* of a side */

enum { GRT_BEFORE, GRT_AFTER, GRT_NR_SIDES };

/* X(NAME, name, text) */
#define GRT_CHANGES(X)								\
	X(SAME,	  same,	  "no significant change")				\
	X(WORSE,  worse,  "worse by more than the threshold, and not by chance") \
	X(BETTER, better, "better by more than the threshold, and not by chance") \
	X(UNSURE, unsure, "too little is known of a side to say")

enum grt_change {
#define GRT_X(NAME, name, text) GRT_CHANGE_##NAME,
	GRT_CHANGES(GRT_X)
#undef GRT_X
	GRT_NR_CHANGES
};

/* What a row stands for: X(NAME, name, text) */
#define GRT_DIFF_SCOPES(X)							\
	X(RING,	   ring,	 "a ring")					\
	X(PLACE,   ring_process, "the jobs of one process on a ring")		\
	X(PROCESS, process,	 "a process on all rings")			\
	X(ENGINE,  engine,	 "all rings of one kind")			\
	X(ALL,	   all,		 "all jobs")

enum grt_diff_scope {
#define GRT_X(NAME, name, text) GRT_DIFF_##NAME,
	GRT_DIFF_SCOPES(GRT_X)
#undef GRT_X
	GRT_NR_DIFF_SCOPES
};

struct grt_diff_wants {
	uint32_t scopes;		/* bit per enum grt_diff_scope */
	uint32_t stages;		/* bit per stage */
	bool has_rates;			/* compare jobs per second, too */
	unsigned int permilles[GRT_DIFF_MAX_QUANTILES], nr_permilles;
	double confidence;		/* of all verdicts together: 0.99 */
	double threshold[GRT_NR_STAGES]; /* share of the time before: 0.05 */
	double rate_threshold;
	uint64_t min_jobs;		/* on each side */
	uint64_t min_change_ns;		/* a smaller difference is no change */
};

/* A time that is judged. */
struct grt_diff_value {
	struct grt_interval side[GRT_NR_SIDES];	/* several runs: the mean of their values */
	double low_ns, high_ns;	/* bounds of the change, where both sides are known */
	enum grt_change change;
	double weight_ns;	/* roughly the jobs' time that changed; the greatest is shown first */
	double spread_ns, noise_ns; /* private: deviation between runs, and as blocks let expect */
};

/* The times of a stage on one side. */
struct grt_diff_times {
	uint64_t count, mean_ns, max_ns;
};

/* The rows of both sides that have one name, and their jobs. */
struct grt_diff_group {
	enum grt_diff_scope scope;
	char device[33], name[64], process[17];	/* "": not known, or the group ignores it */
	bool has[GRT_NR_SIDES];
	uint32_t ring_group;	/* of a process on a ring: number of the ring's group */
	bool is_hidden;		/* it has the same jobs as its ring */
	uint64_t jobs[GRT_NR_SIDES];
	struct grt_diff_times times[GRT_NR_SIDES][GRT_NR_STAGES];
	uint32_t stages;		/* bit per enum grt_stage: those that are compared */
	unsigned int nr_quantiles;	/* of each of these */
	struct grt_diff_value *values;	/* owned: grt_diff_value() */
	struct grt_diff_value rate;	/* time from one job to the next; judged where has_rate */
	bool has_rate;
	/* Of a ring: its time, summed over the runs. */
	struct grt_ring_use use[GRT_NR_SIDES];
	bool is_unordered;	/* not FIFO in some run */
	bool has_twins;		/* a run has several rings of this name */
	unsigned int used_by;	/* private: the run that was added last */
};

/* What went wrong, apart from times. */
struct grt_diff_trouble {
	const char *kind;	/* "error", "failed", "killed", "lost" */
	char name[32];		/* "TIMEOUT", "EIO" or "" */
	uint64_t side[GRT_NR_SIDES];
	bool is_judged;
	bool is_new;		/* judged as worse, because it never happened before */
	enum grt_change change;
};

/* Runs of a side; not owned. */
struct grt_diff_side {
	const struct grt_summary *const *runs;
	unsigned int nr_runs;
};

struct grt_diff {
	struct grt_diff_wants wants;
	struct grt_diff_side side[GRT_NR_SIDES];
	struct grt_vec groups;		/* of struct grt_diff_group, in the order of before */
	struct grt_vec troubles;	/* of struct grt_diff_trouble */
	bool ignores_device;		/* each side has one device, and the two differ */
	bool has_losses[GRT_NR_SIDES];	/* jobs may be missing, so jobs per second are unknown */
	uint64_t comparisons;		/* that share the confidence */
	unsigned int blocks[GRT_NR_SIDES]; /* of time, in the run with the fewest */
	double inflation;		/* several runs: how much more they differ than blocks do */
	/* Verdicts: quantiles, jobs per second, what went wrong. */
	uint64_t changes[GRT_NR_CHANGES], rates[GRT_NR_CHANGES], troubled[GRT_NR_CHANGES];
};

/* Compares closed summaries with has_blocks.  0 or -errno; call grt_diff_free() in any case. */
int grt_diff_make(struct grt_diff *d, const struct grt_diff_wants *wants,
		  const struct grt_diff_side *side);
void grt_diff_free(struct grt_diff *d);

static inline size_t grt_diff_count(const struct grt_diff *d)
{
	return grt_vec_count(&d->groups, struct grt_diff_group);
}

static inline struct grt_diff_group *grt_diff_at(const struct grt_diff *d, size_t i)
{
	return grt_vec_at(&d->groups, struct grt_diff_group, i);
}

/* Whether intervals come from the spread between runs; else from blocks of time. */
static inline bool grt_diff_has_runs(const struct grt_diff *d)
{
	return d->side[GRT_BEFORE].nr_runs > 1 || d->side[GRT_AFTER].nr_runs > 1;
}

/* Whether a stage is compared: it was asked for, and is known on both sides. */
static inline bool grt_diff_has(const struct grt_diff_group *g, enum grt_stage stage)
{
	return g->stages >> stage & 1;
}

/* The @nth quantile of a stage that is compared. */
static inline struct grt_diff_value *grt_diff_value(const struct grt_diff_group *g,
						    enum grt_stage stage, unsigned int nth)
{
	unsigned int before = __builtin_popcount(g->stages & ((1u << stage) - 1));

	return &g->values[before * g->nr_quantiles + nth];
}

const char *grt_change_name(enum grt_change change);
const char *grt_diff_scope_name(enum grt_diff_scope scope);

#endif /* GRT_DIFF_H */
