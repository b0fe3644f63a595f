/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Schedules written as text, one step per line, the same that run on the mock GPU:
 *
 *	submit JOB ctx=NAME ring=gfx|compute|copy [dep=JOB,...] [fence=FENCE,...]
 *		[prio=low|normal|high|kernel] [credits=N] [flags=fail|run_error|hang|no_hw]
 *	fence FENCE		a fence of no job
 *	signal FENCE
 *	advance RING N		N jobs may end there, now or later
 *	kill CTX
 *	hang RING		the next job to begin there
 *	reset RING
 *	step N			N units of time pass; no other line takes time
 *
 * The scheduler takes no time either.
 */
#ifndef SIM_SCRIPT_H
#define SIM_SCRIPT_H

#include "sim.h"

#define SIM_UNIT_NS	1000000

struct sim_script {
	struct sim sim;
	char job_names[SIM_MAX_JOBS][32], ctx_names[SIM_MAX_CTXS][32];
	char fence_names[SIM_MAX_FENCES][32];
};

/*
 * Plays it to its end, with dependencies as up to Linux 6.16 or as later.  False: the file
 * has a mistake; it is printed.
 */
bool sim_script_play(struct sim_script *script, const char *path, uint32_t credit_limit,
		     bool is_popped);

#endif /* SIM_SCRIPT_H */
