/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A lane: the jobs on one piece of hardware in the order of their COMMITs, which
 * on a FIFO ring is the order in which they run.  Several rings may share one.
 * It answers one question: when was the hardware done with what came before?
 */
#ifndef GRT_LANE_H
#define GRT_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"
#include "spans.h"

struct grt_lane {
	uint32_t head, tail;	/* jobs committed, not ended yet */
	uint64_t tail_ns;	/* latest END of jobs behind the tail, 0 = none */
	struct grt_spans runs;	/* what it ran, and when */
};

void grt_lane_append(struct grt_pool *p, struct grt_lane *lane, uint32_t lane_nr, uint32_t i);

/* @end_ns: its END, 0 when it is not known to have run. */
void grt_lane_remove(struct grt_pool *p, struct grt_lane *lane, uint32_t i, uint64_t end_ns);

/*
 * The END of a job that was never appended, because its COMMIT was before the
 * trace or is lost: on a FIFO ring it ran before all that have not ended.
 */
void grt_lane_pass(struct grt_pool *p, struct grt_lane *lane, uint64_t end_ns);

/*
 * The latest END, so far, of the jobs committed before @i, 0 = none.  False when
 * so many of them have not ended that this ring cannot be in order.
 */
bool grt_lane_done_before(const struct grt_pool *p, uint32_t i, uint64_t *end_ns);

#endif /* GRT_LANE_H */
