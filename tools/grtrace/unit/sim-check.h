/* SPDX-License-Identifier: GPL-2.0 */
/* Compares what the job model says of a simulated trace with the truth. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "model.h"
#include "sim-truth.h"

/* Of what the truth has, how much the model knew. */
#define SIM_SHARES(X)						\
	X(START,  "START of jobs")				\
	X(STAGES, "stages of jobs")				\
	X(CHARGE, "time charged to somebody")			\
	X(RING,   "time of rings")

enum sim_share {
#define SIM_X(NAME, text) SIM_SHARE_##NAME,
	SIM_SHARES(SIM_X)
#undef SIM_X
	SIM_NR_SHARES
};

struct sim_tally {
	uint64_t known[SIM_NR_SHARES], all[SIM_NR_SHARES];
	uint64_t jobs, events;
	/* What the schedules were like: the truth, summed. */
	uint64_t stage_ns[GRT_STAGE_SCHED + 1], through_ns[GRT_NR_THROUGHS];
	uint64_t idle_ns[GRT_NR_IDLES], busy_ns;
};

/*
 * Feeds the events that are not dropped to a model of its own.  @is_lossless: all
 * of the truth has to be known, else a part.  False: something is wrong, and @out
 * tells what.
 */
bool sim_check(const struct sim *s, bool is_lossless, struct sim_tally *tally, FILE *out);

/* The same for a model that keeps pieces, of a trace that lost nothing. */
bool sim_check_pieces(const struct sim *s, const struct sim_truth *truth, FILE *out);

/* Only feeds: definitions, then the events that are not dropped. */
int sim_feed(const struct sim *s, struct grt_model *m);

#endif /* SIM_CHECK_H */
