/* SPDX-License-Identifier: LGPL-2.1 */
/* What stands out in a summary: rings that idle for others, or that are full. */
#ifndef GRT_FINDING_H
#define GRT_FINDING_H

#include "summary.h"

#define GRT_MAX_FINDINGS	3
#define GRT_FINDING_MIN_IDLE	5	/* % of the wall time, for one cause */
#define GRT_FINDING_MIN_BUSY	90	/* % of the wall time */
#define GRT_FINDING_MIN_BEHIND	50	/* % of the jobs' time, behind others */

struct grt_finding {
	uint32_t ring;		/* row of the names */
	bool is_full;		/* it was busy, and jobs waited; else idle for @cause */
	enum grt_idle cause;
	uint64_t ns;		/* busy, or idle for @cause */
	uint64_t wall_ns;
	/* Idle: whom for most. */
	uint32_t party;		/* GRT_NONE: not known, or a fence of no job */
	uint64_t ctx, seqno;	/* that fence */
	uint64_t culprit_ns;	/* of @ns; 0: nobody to name */
	uint64_t exec_ns;	/* how long its jobs run there on average; 0: not known */
	/* Full: of the time of its jobs, how much they were behind others. */
	uint64_t behind_ns, total_ns;
};

/* Of a closed summary, the greatest first; how many were found. */
unsigned int grt_findings(const struct grt_summary *s, struct grt_finding found[GRT_MAX_FINDINGS]);

#endif /* GRT_FINDING_H */
