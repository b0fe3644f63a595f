/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module grtrace_filter: selects the events to keep by the job's submitter, the job's
 * latency and the event's type.
 *
 *	filter.c	decides which jobs are kept
 *	filter_owner.c	matches a job's owner
 *	filter_setup.c	the control files; turns the hook on and off
 */
#ifndef _GRTRACE_FILTER_H
#define _GRTRACE_FILTER_H

#include <linux/grtrace_hook.h>

#define FILTER_IDS	64

struct filter_ids {
	u32 nr;			/* 0: no condition */
	u64 ids[FILTER_IDS];
};

/* The settings.  Events use a copy that never changes. */
struct filter_setup {
	u64 is_enabled;
	struct filter_ids pids, uids, cgroups;
	u64 has_children;	/* also match descendants of @pids */
	u64 latency_us;
	u64 types;		/* bit N: type N; 0: all */
};

/* Does the owner of a job match?  If not, why. */
enum filter_owner {
	FILTER_PASSES,
	FILTER_NOT_PID,
	FILTER_NOT_UID,
	FILTER_NOT_CGROUP,
	FILTER_UNKNOWN,		/* the owner is not known */
};

/* Counts of jobs in this session; one struct per CPU. */
struct filter_counts {
	u64 jobs_passed, jobs_refused, jobs_unknown, jobs_fast, jobs_unfinished;
};

/* filter.c: the callbacks of the hook. */
extern struct filter_setup __rcu *filter_in_force;	/* NULL: new jobs pass */

enum grtrace_verdict filter_submit(struct grtrace_job_state *job);
void filter_complete(struct grtrace_job_state *job);
enum grtrace_verdict filter_untracked(const struct grtrace_seen *ev);
void filter_begin(void);
void filter_stopping(void);
void filter_counts_sum(struct filter_counts *sum);

/* filter_owner.c */
static inline bool filter_has_owner(const struct filter_setup *s)
{
	return s->pids.nr || s->uids.nr || s->cgroups.nr;
}

/* For a job that is submitted: returns the first mismatch.  Any context but NMI. */
enum filter_owner filter_judge_owner(const struct filter_setup *s, const struct grtrace_job *job);

#endif
