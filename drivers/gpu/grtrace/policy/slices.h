/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The statistics of a ring over the last second, in slices of a tenth of a second.  The second
 * ends where the current slice begins, so it has whole slices and its bounds follow from the
 * time alone.  The caller holds a lock.
 */
#ifndef _GRTRACE_SLICES_H
#define _GRTRACE_SLICES_H

#include <linux/types.h>

#define GRT_SLICE_NS	100000000ULL
#define GRT_WINDOW	10		/* slices */
#define GRT_SLICES	16		/* more than the window: CPUs' clocks may differ */

struct grt_slice {
	u64 latency_sum_ns;
	u32 busy_ns;
	u32 seen, dropped;	/* events */
	u32 jobs;		/* completed jobs */
	u32 untimed;		/* jobs that are not in latency_sum_ns */
	u32 untracked;		/* events of untracked jobs: busy_ns may be too low */
};

struct grt_slices {
	u64 from_ns;		/* start of the newest slice */
	struct grt_slice *now;	/* the newest slice */
	u64 newest;		/* number of the newest slice */
	u64 busy_since, busy_until;
	u32 jobs_on;		/* on the ring now */
	struct grt_slice slices[GRT_SLICES];
};

/* The sum of a window.  @busy_ns counts slices after the last event of an untracked job. */
struct grt_slices_sum {
	u64 latency_sum_ns, busy_ns, busy_from_ns, seen, dropped, jobs, untimed;
};

static inline u64 grt_slice_number(u64 ns)
{
	return ns / GRT_SLICE_NS;	/* a constant, so the compiler multiplies */
}

/* Sets all counts to 0; call it before the first use. */
void grt_slices_init(struct grt_slices *s);

/* Does an event at @ns belong to the newest slice, s->now?  Almost all do. */
static __always_inline bool grt_slices_is_now(const struct grt_slices *s, u64 ns)
{
	return ns - s->from_ns < GRT_SLICE_NS;
}

/* The slice of an event at @ns; the oldest slice for an event that comes too late. */
struct grt_slice *grt_slices_at(struct grt_slices *s, u64 ns);

/* A job joins the ring at @ns, in a slice that has begun. */
static __always_inline void grt_slices_job_on(struct grt_slices *s, u64 ns)
{
	/* Events of two CPUs may come out of order: do not count a moment twice. */
	if (!s->jobs_on++)
		s->busy_since = ns > s->busy_until ? ns : s->busy_until;
}

/* A job leaves the ring at @ns. */
void grt_slices_job_off(struct grt_slices *s, u64 ns);

/* May grt_slices_job_off_now() be used?  Only if the ring became busy in the newest slice. */
static __always_inline bool grt_slices_is_short(const struct grt_slices *s)
{
	return s->busy_since >= s->from_ns;
}

/* As grt_slices_job_off(), for @ns in the newest slice and if grt_slices_is_short(). */
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

/* Sums the second that ends where the slice of @now_ns begins. */
void grt_slices_sum(struct grt_slices *s, u64 now_ns, struct grt_slices_sum *sum);

#endif
