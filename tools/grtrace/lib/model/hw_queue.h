/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A hardware queue: the jobs on one piece of hardware in the order of their COMMITs, which on a
 * FIFO ring is the order in which they run.  Several rings may share one queue.  It answers one
 * question: when was the hardware done with all earlier jobs?
 */
#ifndef GRT_HW_QUEUE_H
#define GRT_HW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"
#include "spans.h"

struct grt_hw_queue {
	uint32_t head, tail;	/* jobs committed, not ended yet */
	uint64_t tail_ns;	/* latest END of jobs behind the tail, 0 = none */
	struct grt_spans runs;	/* what it ran, and when; one span may stand for several jobs */
	struct grt_spans *jobs;	/* owned: as @runs, but each job has a span of its own; NULL: no job ran so far */
	uint64_t tail_doubt_ns;	/* as @tail_ns, but COMPLETE of jobs without an END */
	uint64_t odd_ns;	/* the latest END of a job that was never appended */
	uint64_t unordered_ns;	/* jobs overtook each other from then on; UINT64_MAX: none did */
	uint32_t resets;	/* rings of this hardware that are being reset */
};

void grt_hw_queue_append(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t hwq_nr, uint32_t i);

/* In front of job @behind, which is in the queue. */
void grt_hw_queue_insert(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t hwq_nr, uint32_t i, uint32_t behind);

/*
 * @end_ns: its END, 0 if it is not known to have run.  @doubt_ns: if it ran, it was over by then;
 * 0: it did not, or @end_ns is known.
 */
void grt_hw_queue_remove(struct grt_pool *p, struct grt_hw_queue *hwq, uint32_t i, uint64_t end_ns,
			 uint64_t doubt_ns);

/* Until when a job without an END may have run; 0: it has an END, or is not over. */
static inline uint64_t grt_hw_queue_doubt_ns(const struct grt_life *job)
{
	return grt_job_has(job, GRT_AT_COMPLETE) && !grt_job_has(job, GRT_AT_END) ?
	       job->at_ns[GRT_AT_COMPLETE] : 0;
}

/*
 * The END of a job that was never appended, because its COMMIT was before the trace or is lost.
 * On a FIFO ring it ran before all jobs that have not ended.
 */
void grt_hw_queue_pass(struct grt_pool *p, struct grt_hw_queue *hwq, uint64_t end_ns);

/*
 * The latest END, so far, of the jobs committed before @i, 0 = none.  False when so many of
 * them have not ended that this ring cannot be in order, or when one may have ended later.
 */
bool grt_hw_queue_done_before(const struct grt_pool *p, uint32_t i, uint64_t *end_ns);

/* The hardware ran the job of @by from @start_ns to @end_ns.  0 or -ENOMEM. */
int grt_hw_queue_ran(struct grt_hw_queue *hwq, const struct grt_span_by *by, uint64_t start_ns,
		     uint64_t end_ns);

/* The job that the hardware ran at @ns, if it ran one; NULL: not remembered. */
const struct grt_span_by *grt_hw_queue_job_at(const struct grt_hw_queue *hwq, uint64_t ns);

/* Drops what ended by @ns, because nobody will ask for it, and jobs if there are more than @max_jobs. */
void grt_hw_queue_drop(struct grt_hw_queue *hwq, uint64_t ns, size_t max_jobs);
void grt_hw_queue_free(struct grt_hw_queue *hwq);

#endif /* GRT_HW_QUEUE_H */
