/* SPDX-License-Identifier: GPL-2.0 */
/* Compares the results of the job model for a simulated trace with the truth. */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "model.h"
#include "roots.h"
#include "sim-truth.h"

/* How many of the true values the model knew. */
#define SIM_SHARES(X)						\
	X(START,  "START of jobs")				\
	X(STAGES, "stages of jobs")				\
	X(CHARGE, "time charged to somebody")			\
	X(RING,   "time of rings")				\
	X(ROOT,   "roots of waits")

enum sim_share {
#define SIM_X(NAME, text) SIM_SHARE_##NAME,
	SIM_SHARES(SIM_X)
#undef SIM_X
	SIM_NR_SHARES
};

struct sim_tally {
	uint64_t known[SIM_NR_SHARES], all[SIM_NR_SHARES];
	uint64_t jobs, events;
	uint64_t inflight;	/* jobs in flight at the end whose waits were compared */
	/* The schedules: sums of the truth. */
	uint64_t stage_ns[GRT_STAGE_SCHED + 1], through_ns[GRT_NR_BLAME_REASONS];
	uint64_t idle_ns[GRT_NR_IDLES], busy_ns, root_ns[GRT_NR_ROOTS];
};

/*
 * Feeds the events that were not dropped to a new model.  @is_lossless: all true values must be
 * known, otherwise some.  False: @out has what is wrong.
 */
bool sim_check(const struct sim *s, bool is_lossless, struct sim_tally *tally, FILE *out);

/* The same for a model that keeps pieces, with a trace without losses. */
bool sim_check_pieces(const struct sim *s, const struct sim_truth *truth, FILE *out);

/*
 * Follows the waits of a model that keeps pieces to their roots.  If @is_lossless is false, roots
 * may be unknown.
 */
bool sim_check_roots(const struct sim *s, const struct sim_truth *truth, bool is_lossless,
		     struct sim_tally *tally, FILE *out);

/* Whether @client of the model, not GRT_NONE, is @want. */
bool sim_is_client(const struct grt_model *m, uint32_t client, const struct sim_client *want);

/* Feeds the definitions, then the events that were not dropped. */
int sim_feed(const struct sim *s, struct grt_model *m);
/* The same, with threads that wait for jobs: such jobs are handed out late. */
int sim_feed_threads(const struct sim *s, struct grt_model *m);

/* The same; @watch gets each event before the model has it.  0, or what @watch returned. */
typedef int sim_watch(void *arg, const struct grtrace_hdr *rec);
int sim_feed_watched(const struct sim *s, struct grt_model *m, sim_watch *watch, void *arg);

#endif /* SIM_CHECK_H */
