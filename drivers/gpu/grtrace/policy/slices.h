/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happened on a ring in the last second, in slices of a tenth: a count leaves the
 * sum a slice at a time.  A second ends where the slice of now begins, so it is always
 * whole, and its bounds can be told from the time alone.  The caller has a lock.
 */
#ifndef _GRTRACE_SLICES_H
#define _GRTRACE_SLICES_H

#include <linux/types.h>

#define GRT_SLICE_NS	100000000ULL
#define GRT_WINDOW	10		/* slices */
#define GRT_SLICES	16		/* those that CPUs, a little apart, may speak of */

struct grt_slice {
	u64 latency_sum_ns;
	u32 busy_ns;
	u32 seen, dropped;	/* events */
	u32 jobs;		/* that completed */
	u32 latencies;		/* of these, in the sum */
	u32 strangers;		/* events of jobs that began unseen: busy_ns is too low */
};

struct grt_slices {
	struct grt_slice slices[GRT_SLICES];
	u64 newest;		/* number of the newest slice */
	u64 busy_since, busy_until;
	u32 jobs_on;		/* on the ring now */
};

/* The sum of a window. */
struct grt_slices_sum {
	u64 latency_sum_ns, busy_ns, seen, dropped, jobs, latencies, strangers;
};

static inline u64 grt_slice_number(u64 ns)
{
	return ns / GRT_SLICE_NS;	/* by a constant: a multiplication */
}

/* The slice of an event at @ns; of one that comes far too late, the oldest. */
struct grt_slice *grt_slices_at(struct grt_slices *s, u64 ns);
/* The slice of an event that was spoken of just now. */
struct grt_slice *grt_slices_newest(struct grt_slices *s);
/* One more job, or one less, is on the ring. */
void grt_slices_job_on(struct grt_slices *s, u64 ns);
void grt_slices_job_off(struct grt_slices *s, u64 ns);
/* The second that ends where the slice of @now_ns begins. */
void grt_slices_sum(struct grt_slices *s, u64 now_ns, struct grt_slices_sum *sum);

#endif
