/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Each ring has a meter that counts what the ring does, per slice of time.  Meters count while
 * a hook at GRTRACE_HOOK_MONITOR is on.
 *
 * Most events belong to the ring of their job and to the newest slice.  The grt_meter_*_now()
 * below count these inline, with one lock.  In other cases they change nothing and return
 * false; the caller then calls grt_meter_event(), which handles every case.
 */
#ifndef _GRTRACE_METERS_H
#define _GRTRACE_METERS_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>

#include "bitlock.h"
#include "policy/slices.h"

struct grt_meter {
	unsigned long lock;	/* a bit lock for the whole struct */
	bool has_end;		/* the driver reports when the hardware is done */
	struct grt_slices last;
};

/* On while meters count. */
DECLARE_STATIC_KEY_FALSE(grt_metered);

extern struct grt_meter *grt_meters;	/* by row of the ring table, 0 for no ring */
extern u64 grt_meters_since;		/* ns, time of the last reset */
extern u8 grt_meters_mark;		/* job->metered of jobs on the hardware; never 0 */

/* Allocates the meters, before grt_metered goes on.  Sleeps.  Returns 0 or -ENOMEM. */
int grt_meters_create(void);
/* Frees the meters; grt_metered is off and no event uses them any more.  Sleeps. */
void grt_meters_destroy(void);
/* Sets the meters to zero.  No event may be in flight. */
void grt_meters_reset(void);

/* Counts an event of a tracked job.  Under the lock of its set, before the row is updated. */
void grt_meter_event(struct grtrace_job_state *job, u64 ts, u32 ring, u16 type);
/* Counts an event of a job that is not tracked, or of no job. */
void grt_meter_untracked(u64 ts, u32 ring, u16 type);
/* Counts an event of @ring whose fate is not WRITTEN. */
void grt_meter_drop(u32 ring, enum grtrace_fate fate);

static __always_inline struct grt_meter *grt_meter_of(u32 ring)
{
	return &grt_meters[ring % GRTRACE_MAX_RINGS];
}

/* Returns the meter, locked, if the event can be counted inline; else NULL. */
static __always_inline struct grt_meter *grt_meter_now(u64 ts, u32 ring, u32 home)
{
	struct grt_meter *m = grt_meter_of(home);

	if (unlikely(ring != home) || unlikely(!grt_bit_trylock(&m->lock)))
		return NULL;
	if (unlikely(!grt_slices_is_now(&m->last, ts))) {
		grt_bit_unlock(&m->lock);
		return NULL;
	}
	return m;
}

static __always_inline bool grt_meter_submit_now(u64 ts, u32 ring)
{
	struct grt_meter *m = grt_meter_now(ts, ring, ring);

	if (unlikely(!m))
		return false;
	m->last.now->seen++;
	grt_bit_unlock(&m->lock);
	return true;
}

/*
 * A job is handed to the hardware.  A second COMMIT, written by hand, is ignored.
 *
 * While its ring is not known, the job is on no meter: its END may tell another ring, and then
 * leave a meter that it never joined.
 */
static __always_inline void grt_meter_on(struct grt_meter *m, struct grt_slice *slice,
					 struct grtrace_job_state *job, u64 ts)
{
	if (unlikely(job->metered == grt_meters_mark))
		return;
	if (unlikely(m == grt_meter_of(GRTRACE_NO_RING))) {
		slice->untracked++;
		return;
	}
	job->metered = grt_meters_mark;
	grt_slices_job_on(&m->last, ts);
	if (unlikely(job->rec.submit_ns < grt_meters_since))
		slice->untracked++;
}

static __always_inline bool grt_meter_step_now(struct grtrace_job_state *job, u64 ts, u32 ring,
					       u16 type)
{
	struct grt_meter *m = grt_meter_now(ts, ring, job->rec.ring);

	if (unlikely(!m))
		return false;
	if (type == GRTRACE_END) {
		if (unlikely(job->metered != grt_meters_mark) ||
		    unlikely(!grt_slices_is_short(&m->last))) {
			grt_bit_unlock(&m->lock);
			return false;
		}
		m->has_end = true;
		job->metered = 0;
		grt_slices_job_off_now(&m->last, ts);
	} else if (type == GRTRACE_COMMIT) {
		grt_meter_on(m, m->last.now, job, ts);
	}
	m->last.now->seen++;
	grt_bit_unlock(&m->lock);
	return true;
}

static __always_inline void grt_meter_over(struct grt_slice *slice, const struct grtrace_job *job,
					   u64 ts)
{
	slice->jobs++;
	if (likely(ts > job->submit_ns))
		slice->latency_sum_ns += ts - job->submit_ns;
}

static __always_inline bool grt_meter_complete_now(struct grtrace_job_state *job, u64 ts, u32 ring)
{
	struct grt_meter *m;

	if (unlikely(job->metered) || unlikely(!job->rec.end_ns))
		return false;	/* no END was seen */
	m = grt_meter_now(ts, ring, job->rec.ring);
	if (unlikely(!m))
		return false;
	m->last.now->seen++;
	grt_meter_over(m->last.now, &job->rec, ts);
	grt_bit_unlock(&m->lock);
	return true;
}

#endif
