/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module grtrace_filter: keeps the events of jobs by who submitted them, how long
 * they took, and by type.
 *
 *	filter.c	what becomes of a job
 *	filter_owner.c	whose a job is
 *	filter_setup.c	the control files, and when the hook is on
 */
#ifndef _GRTRACE_FILTER_H
#define _GRTRACE_FILTER_H

#include <linux/grtrace_hook.h>

#define FILTER_IDS	64

struct filter_ids {
	u32 nr;			/* 0: not asked */
	u64 ids[FILTER_IDS];
};

/* What was asked for.  Events look at a copy that never changes. */
struct filter_setup {
	u64 is_enabled;
	struct filter_ids pids, uids, cgroups;
	u64 has_children;	/* of the pids */
	u64 latency_us;
	u64 types;		/* bit N: type N; 0: all */
};

/* Whose a job is: that of somebody who was asked for, or why it is refused. */
enum filter_owner {
	FILTER_PASSES,
	FILTER_NOT_PID,
	FILTER_NOT_UID,
	FILTER_NOT_CGROUP,
	FILTER_UNKNOWN,		/* nobody knows whose it is */
};

/* Jobs, per CPU, of this session. */
struct filter_counts {
	u64 jobs_passed, jobs_refused, jobs_unknown, jobs_fast;
};

/* filter.c: the callbacks of the hook. */
extern struct filter_setup __rcu *filter_in_force;	/* NULL: all pass that came since */

enum grtrace_verdict filter_submit(struct grtrace_job_state *job);
void filter_complete(struct grtrace_job_state *job);
enum grtrace_verdict filter_stranger(const struct grtrace_seen *ev);
void filter_counts_reset(void);
void filter_counts_sum(struct filter_counts *sum);

/* filter_owner.c */
static inline bool filter_has_owner(const struct filter_setup *s)
{
	return s->pids.nr || s->uids.nr || s->cgroups.nr;
}

/* Of a job that is submitted: the first criterion that does not hold.  Any context but NMI. */
enum filter_owner filter_judge_owner(const struct filter_setup *s, const struct grtrace_job *job);

#endif
