/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The job model: records in, in the order of the merged stream; finished jobs
 * out, one call each.  It never prints, does not know where records come from,
 * and its memory is bounded by the jobs in flight.
 *
 * A job is handed out a moment after its COMPLETE, because an event with the
 * same time on another CPU may still follow.  A job whose COMPLETE never comes
 * is handed out at the end, or as soon as a later job of its context completes
 * and events were lost in between: fences of a context are signalled in order.
 */
#ifndef GRT_MODEL_H
#define GRT_MODEL_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "job.h"
#include "names.h"

/*
 * Clocks of two CPUs may differ by this much; completed jobs are kept as long.
 */
#define GRT_SKEW_NS	10000

#define GRT_NR_ERRORS	8	/* codes of ERROR counted one by one */

struct grt_model_totals {
	uint64_t events[GRTRACE_NR_EVENTS];
	uint64_t synthetic;		/* of these, written by hand */
	uint64_t lost[GRTRACE_NR_FATES]; /* sums of LOSS; [WRITTEN]: absent from the trace */
	uint64_t errors[GRT_NR_ERRORS];	/* ERROR events by code; others as NONE */
	uint64_t repeated;		/* events a job already had */
	uint64_t backwards;		/* events earlier than the one before */
	uint64_t first_ns, last_ns;	/* of events; both 0 when there are none */
};

/*
 * How a ring's hardware was used by this ring's jobs.  Only rings in FIFO order
 * can be busy; jobs whose START is not known are counted instead.
 */
struct grt_ring_use {
	uint64_t busy_ns;
	uint64_t jobs;		/* ran to their END */
	uint64_t unknown_jobs;	/* of these, START not known */
};

/* @job is valid during the call only.  Its rows lead into grt_model_names(). */
typedef void grt_job_fn(void *arg, const struct grt_job *job);

struct grt_model;

struct grt_model *grt_model_create(grt_job_fn *fn, void *arg);	/* NULL: no memory */
void grt_model_destroy(struct grt_model *m);

/*
 * A span in which events are missing, known beforehand.  LOSS records are taken
 * from the stream too, but there they come at the span's end, too late for jobs
 * that finished inside it.
 */
int grt_model_add_loss(struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/* 0, or -errno with a cause. */
int grt_model_feed(struct grt_model *m, const struct grtrace_hdr *rec);

/* The trace is over: hands out what is in flight, oldest first, as cut. */
int grt_model_finish(struct grt_model *m);

const struct grt_names *grt_model_names(const struct grt_model *m);
const struct grt_model_totals *grt_model_totals(const struct grt_model *m);

/* Use of the ring in row @row; never NULL. */
const struct grt_ring_use *grt_model_ring_use(const struct grt_model *m, uint32_t row);

#endif /* GRT_MODEL_H */
