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
	u32 untimed;		/* of these, not in the sum of latencies */
	u32 strangers;		/* events of jobs that began unseen: busy_ns is too low */
};

struct grt_slices {
	u64 from_ns;		/* begin of the newest slice */
	struct grt_slice *now;	/* the newest slice */
	u64 newest;		/* its number */
	u64 busy_since, busy_until;
	u32 jobs_on;		/* on the ring now */
	struct grt_slice slices[GRT_SLICES];
};

/* The sum of a window.  @busy_ns: from @busy_from_ns on, since then there are no strangers. */
struct grt_slices_sum {
	u64 latency_sum_ns, busy_ns, busy_from_ns, seen, dropped, jobs, untimed;
};

static inline u64 grt_slice_number(u64 ns)
{
	return ns / GRT_SLICE_NS;	/* by a constant: a multiplication */
}

/* Before the first use; what was counted is forgotten. */
void grt_slices_init(struct grt_slices *s);

/* Whether an event at @ns belongs to the newest slice, s->now: almost all do. */
static __always_inline bool grt_slices_is_now(const struct grt_slices *s, u64 ns)
{
	return ns - s->from_ns < GRT_SLICE_NS;
}

/* The slice of an event at @ns; of one that comes far too late, the oldest. */
struct grt_slice *grt_slices_at(struct grt_slices *s, u64 ns);

/* One more job is on the ring, in a slice that has begun. */
static __always_inline void grt_slices_job_on(struct grt_slices *s, u64 ns)
{
	/* CPUs may come in another order than their times: no moment counts twice. */
	if (!s->jobs_on++)
		s->busy_since = ns > s->busy_until ? ns : s->busy_until;
}

/* One less is. */
void grt_slices_job_off(struct grt_slices *s, u64 ns);

/* Whether grt_slices_job_off_now() will do: it was busy in no slice but the newest. */
static __always_inline bool grt_slices_is_short(const struct grt_slices *s)
{
	return s->busy_since >= s->from_ns;
}

/* The same for @ns in the newest slice, where that is so. */
static __always_inline void grt_slices_job_off_now(struct grt_slices *s, u64 ns)
{
	if (--s->jobs_on)
		return;
	if (ns > s->busy_since) {
		s->now->busy_ns += ns - s->busy_since;
		s->busy_since = ns;
	}
	s->busy_until = s->busy_since;
}

/* The second that ends where the slice of @now_ns begins. */
void grt_slices_sum(struct grt_slices *s, u64 now_ns, struct grt_slices_sum *sum);

#endif
