// SPDX-License-Identifier: GPL-2.0
/*
 * Meters of rings: the parts that are not inline.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "meters.h"

DEFINE_STATIC_KEY_FALSE(grt_metered);

struct grt_meter *grt_meters;
u64 grt_meters_since;
u8 grt_meters_mark = 1;

static void begin_anew(void)
{
	/* Jobs that run now carry the old mark, so the meters do not know them any more. */
	grt_meters_mark = grt_meters_mark % U8_MAX + 1;
	WRITE_ONCE(grt_meters_since, ktime_get_mono_fast_ns());
}

int grt_meters_create(void)
{
	struct grt_meter *fresh;
	unsigned int i;

	if (grt_meters)
		return 0;
	fresh = kvcalloc(GRTRACE_MAX_RINGS, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	for (i = 0; i < GRTRACE_MAX_RINGS; i++)
		grt_slices_init(&fresh[i].last);
	begin_anew();
	smp_store_release(&grt_meters, fresh);	/* pairs with the key that lets events in */
	return 0;
}

void grt_meters_destroy(void)
{
	struct grt_meter *old = grt_meters;

	WRITE_ONCE(grt_meters, NULL);
	synchronize_rcu();	/* for grtrace_meter_read() */
	kvfree(old);
}

void grt_meters_reset(void)
{
	struct grt_meter *m;
	unsigned long flags;
	unsigned int i;

	for (i = 0; grt_meters && i < GRTRACE_MAX_RINGS; i++) {
		m = &grt_meters[i];
		local_irq_save(flags);
		grt_bit_lock(&m->lock);
		m->has_end = false;
		grt_slices_init(&m->last);
		grt_bit_unlock(&m->lock);
		local_irq_restore(flags);
	}
	begin_anew();
}

/* A job leaves the hardware, if the meters saw it get there. */
static void leave_hardware(struct grt_meter *m, struct grt_slice *slice,
			   struct grtrace_job_state *job, u64 ts)
{
	if (job->metered == grt_meters_mark)
		grt_slices_job_off(&m->last, ts);
	else if (job->rec.commit_ns && !job->rec.end_ns)
		slice->untracked++;
	job->metered = 0;
}

static void step(struct grt_meter *m, struct grt_slice *slice, struct grtrace_job_state *job,
		 u64 ts, u16 type)
{
	switch (type) {
	case GRTRACE_COMMIT:
		grt_meter_on(m, slice, job, ts);
		break;
	case GRTRACE_END:
		m->has_end = true;
		leave_hardware(m, slice, job, ts);
		break;
	case GRTRACE_COMPLETE:
		leave_hardware(m, slice, job, ts);
		grt_meter_over(slice, &job->rec, ts);
		break;
	}
}

void grt_meter_event(struct grtrace_job_state *job, u64 ts, u32 ring, u16 type)
{
	/* A job belongs to its first ring, even if an event written by hand names another one. */
	u32 home = job->rec.ring ?: ring;
	struct grt_meter *m = grt_meter_of(ring);

	grt_bit_lock(&m->lock);
	grt_slices_at(&m->last, ts)->seen++;
	grt_bit_unlock(&m->lock);
	m = grt_meter_of(home);
	grt_bit_lock(&m->lock);
	step(m, grt_slices_at(&m->last, ts), job, ts, type);
	grt_bit_unlock(&m->lock);
}

/* Steps of a job: if such an event is not tracked, busy_ns may be too low. */
#define STEPS	(BIT(GRTRACE_SUBMIT) | BIT(GRTRACE_COMMIT) | BIT(GRTRACE_END) |		\
		 BIT(GRTRACE_COMPLETE))

void grt_meter_untracked(u64 ts, u32 ring, u16 type)
{
	struct grt_meter *m = grt_meter_of(ring);
	struct grt_slice *slice;

	grt_bit_lock(&m->lock);
	slice = grt_slices_at(&m->last, ts);
	slice->seen++;
	slice->untracked += STEPS >> type & 1;
	if (type == GRTRACE_END)
		m->has_end = true;
	if (type == GRTRACE_COMPLETE) {
		slice->jobs++;
		slice->untimed++;
	}
	grt_bit_unlock(&m->lock);
}

void grt_meter_drop(u32 ring, enum grtrace_fate fate)
{
	struct grt_meter *m = grt_meter_of(ring);

	/* Meters see no event while no session runs. */
	if (fate == GRTRACE_FATE_DISABLED)
		return;
	grt_bit_lock(&m->lock);
	m->last.now->dropped++;
	grt_bit_unlock(&m->lock);
}

u64 grtrace_meters_ready_ns(void)
{
	u64 ns = READ_ONCE(grt_meters_since) + GRT_WINDOW * GRT_SLICE_NS;

	/* Round down: the first slice is still in the window. */
	return grt_slice_number(ns) * GRT_SLICE_NS;
}
EXPORT_SYMBOL_GPL(grtrace_meters_ready_ns);

void grtrace_meter_read(u32 ring, u64 now, struct grtrace_meter *to)
{
	struct grt_meter *all, *m;
	struct grt_slices_sum sum;
	unsigned long flags;

	memset(to, 0, sizeof(*to));
	local_irq_save(flags);
	all = READ_ONCE(grt_meters);
	if (!all) {
		local_irq_restore(flags);
		return;
	}
	m = &all[ring % GRTRACE_MAX_RINGS];
	grt_bit_lock(&m->lock);
	grt_slices_sum(&m->last, now, &sum);
	to->has_busy = m->has_end;
	grt_bit_unlock(&m->lock);
	local_irq_restore(flags);
	to->until_ns = grt_slice_number(now) * GRT_SLICE_NS;
	to->from_ns = max(to->until_ns - GRT_WINDOW * GRT_SLICE_NS, grt_meters_since);
	to->busy_from_ns = max(to->from_ns, sum.busy_from_ns);
	to->busy_ns = sum.busy_ns;
	to->seen = sum.seen;
	to->dropped = sum.dropped;
	to->jobs = sum.jobs;
	to->timed_jobs = sum.jobs - sum.untimed;
	to->latency_sum_ns = sum.latency_sum_ns;
}
EXPORT_SYMBOL_GPL(grtrace_meter_read);
