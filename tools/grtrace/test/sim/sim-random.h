/* SPDX-License-Identifier: GPL-2.0 */
/* Random schedules, in classes. */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include "sim.h"

/* What is missing from a trace. */
enum sim_missing {
	SIM_NOTHING,
	SIM_ENDS,	/* it begins or ends in the middle */
	SIM_SPANS,	/* losses */
	SIM_SAMPLED,	/* jobs */
	SIM_MASKED,	/* all events about dependencies */
	SIM_MASKED_A_WHILE,
	SIM_RINGS,	/* rings */
	SIM_LATE,	/* nothing, but events of dependencies come late */
};

struct sim_class {
	const char *name;
	unsigned int declared_pct;	/* of the schedules; the others pop dependencies */
	unsigned int dep_pct, same_ring_pct, foreign_pct;
	unsigned int kill_pct, hang_pct, fail_pct, no_hw_pct;
	uint32_t max_credits, max_limit;
	bool has_ties;
	enum sim_missing missing;
	unsigned int floor_pct[5];	/* at least so much must be known; see SIM_SHARES */
};

extern const struct sim_class sim_classes[];
extern const uint32_t sim_nr_classes;

/* Runs one schedule of at most @max_jobs to its end, and sorts the events. */
void sim_play(struct sim *s, const struct sim_class *class, uint64_t seed, uint32_t max_jobs);

#endif /* SIM_RANDOM_H */
