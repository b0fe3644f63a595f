/* SPDX-License-Identifier: LGPL-2.1 */
/* What is wrong, as far as a summary shows it: hangs, failed jobs, jobs that ran very long, idle rings and full ones. */
#ifndef GRT_FINDING_H
#define GRT_FINDING_H

#include "summary.h"

#define GRT_MAX_FINDINGS	5
#define GRT_FINDING_MIN_IDLE	5	/* % of the known time, for one cause */
#define GRT_FINDING_MIN_BUSY	90	/* % of the known time */
#define GRT_FINDING_MIN_BEHIND	50	/* % of the jobs' time, behind others */

/* The worst kind first: X(NAME, name). */
#define GRT_FINDINGS(X)	\
	X(HANG,	  hang)	\
	X(FAILED, failed) \
	X(LONG,	  long)	\
	X(IDLE,	  idle)	\
	X(FULL,	  full)	\
	X(KILLED, killed)

enum grt_finding_kind {
#define GRT_X(NAME, name) GRT_FINDING_##NAME,
	GRT_FINDINGS(GRT_X)
#undef GRT_X
};

struct grt_finding {
	enum grt_finding_kind kind;
	uint32_t ring;		/* row of the names; GRT_NONE: not known */
	/*
	 * HANG: the longest wait because of it.  FAILED, KILLED: the total of the first such job.
	 * LONG: how long it ran.  IDLE, FULL: the time of the ring.
	 */
	uint64_t ns;
	const struct grt_hang *hang;		/* HANG */
	const struct grt_outcome *outcome;	/* FAILED, KILLED */
	struct grt_long_job long_job;		/* LONG */
	uint64_t known_ns;	/* IDLE, FULL: see grt_use_known_ns() */
	uint64_t span_ns, unsure_ns;	/* ... of @span_ns, @ns is a part, and perhaps all of @unsure_ns is, too */
	/* IDLE: the cause, and the culprit that the ring waited for longest. */
	enum grt_idle cause;
	uint32_t client;	/* GRT_NONE: not known, or a fence of no job */
	uint64_t ctx, seqno;	/* the fence */
	uint64_t culprit_ns;	/* its part of @ns; 0: nobody to name */
	uint64_t exec_ns;	/* mean run time of the client's jobs; 0: not known */
	bool is_exec_bound;	/* some of them ran that long at most */
	uint64_t no_cpu_ns;	/* of jobs' t_sched: the scheduler's thread waited for a CPU; 0: not known */
	/* FULL: the total of the ring's jobs, and how much of it they were behind others. */
	uint64_t behind_ns, total_ns;
};

/* "hang", "failed", "killed", "full", "long", "late_interrupt" (inferred), or the cause of idle time. */
const char *grt_finding_name(const struct grt_finding *f);

/* Finds what stands out in a closed summary, the worst first.  Returns how many. */
unsigned int grt_findings(const struct grt_summary *s, struct grt_finding found[GRT_MAX_FINDINGS]);

#endif /* GRT_FINDING_H */
