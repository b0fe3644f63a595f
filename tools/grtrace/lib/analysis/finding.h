/* SPDX-License-Identifier: LGPL-2.1 */
/* What stands out in a summary: rings that idle because of others, and full rings. */
#ifndef GRT_FINDING_H
#define GRT_FINDING_H

#include "summary.h"

#define GRT_MAX_FINDINGS	3
#define GRT_FINDING_MIN_IDLE	5	/* % of the wall time, for one cause */
#define GRT_FINDING_MIN_BUSY	90	/* % of the wall time */
#define GRT_FINDING_MIN_BEHIND	50	/* % of the jobs' time, behind others */

struct grt_finding {
	uint32_t ring;		/* row of the names */
	bool is_full;		/* the ring was busy and jobs waited; else it was idle for @cause */
	enum grt_idle cause;
	uint64_t ns;		/* busy, or idle for @cause */
	uint64_t wall_ns;
	/* Idle: the culprit that the ring waited for longest. */
	uint32_t client;		/* GRT_NONE: not known, or a fence of no job */
	uint64_t ctx, seqno;	/* the fence */
	uint64_t culprit_ns;	/* its part of @ns; 0: nobody to name */
	uint64_t exec_ns;	/* mean run time of the client's jobs; 0: not known */
	/* Full: the total of the ring's jobs, and how much of it they were behind others. */
	uint64_t behind_ns, total_ns;
};

/* Finds what stands out in a closed summary, the greatest first.  Returns how many. */
unsigned int grt_findings(const struct grt_summary *s, struct grt_finding found[GRT_MAX_FINDINGS]);

#endif /* GRT_FINDING_H */
