/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hot path: one event in, one fate out.
 *
 *	rec = grt_emit_begin(&emit, GRTRACE_END, sizeof(*rec), view);
 *	if (rec) {
 *		... fill the payload in place ...
 *		grt_emit_end(&emit);
 *	}
 *
 * Interrupts are off between begin and end.  That keeps the CPU's time and cseq in
 * order, shields the unfinished record from this CPU's other contexts (readers
 * only take whole sub-buffers), and makes stop wait for the event through RCU.
 * On kernels from 7.0 it also keeps the probe on its CPU.
 */
#ifndef _GRTRACE_EMIT_H
#define _GRTRACE_EMIT_H

#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "account.h"
#include "cost.h"
#include "counters.h"
#include "extra.h"
#include "hooks.h"
#include "jobs.h"
#include "meters.h"
#include "pipeline.h"
#include "seconds.h"
#include "transport/transport.h"

/*
 * Declare it __uninitialized: kernels that zero all variables on the stack would spend
 * five instructions per event, although it is written before it is read.
 */
struct grt_emit {
	unsigned long irq_flags;
	struct grt_cpu *c;
	struct grtrace_hdr *rec;
	u16 type, size;
};

/* While grt_extra is on: numbers, times or mirrors a record. */
void grt_emit_extra(struct grt_cpu *c, struct grtrace_hdr *rec);
/* After a change of cost_sample.  Sleeps, under the session lock. */
void grt_emit_extra_apply(void);

/* Applies the key global_seq: 0 off, 1 on, 2 exact.  No session may be running. */
void grt_seq_set(u64 global_seq);

static __always_inline void grt_emit_fate(struct grt_cpu *c, u16 type, u16 size,
					  enum grtrace_fate fate)
{
	c->fate[type][fate]++;
	c->bytes_dropped += size;
}

/*
 * The parts of an event that the pipeline reads.  They are pointers, so that nothing is loaded
 * while the pipeline is off.  Members that an event lacks point to grt_none.
 */
struct grt_event_view {
	const u64 *ctx, *seqno;
	const u32 *ring;
	const s32 *status;
	const u16 *flags;
	const struct grtrace_job_info *job;	/* of a SUBMIT by current */
	const struct grtrace_hdr *whole;	/* the record passed to grtrace_write() */
	const enum grtrace_fate *record_fate;	/* fate of a JOB record that a hook writes */
};

extern const u64 grt_none;

#define GRT_NO_STATUS	((const s32 *)&grt_none)

/* A record that a hook writes gets the time of the event that the hook judges. */
static __always_inline u64 grt_emit_stamp(struct grt_cpu *c, const struct grt_event_view view)
{
	if (!view.whole || !c->hook_depth)
		c->event_ts = max(c->last_ts, ktime_get_mono_fast_ns());
	return c->event_ts;
}

static __always_inline bool grt_rate_allows(struct grt_cpu *c, u64 ts)
{
	if (unlikely(!c->tokens || ts >= c->tokens_until))
		return grt_claim_tokens(c, ts);
	c->tokens--;
	return true;
}

static __always_inline bool grt_has_room(struct grt_cpu *c, const struct rchan_buf *buf,
					 u64 ctx, u64 seqno)
{
	if (likely(!c->thinned &&
		   grt_transport_waiting(buf) < READ_ONCE(grt_policy.pressure.first)))
		return true;
	return grt_thin_out(c, buf, ctx, seqno);
}

static __always_inline u64 grt_emit_job_ctx(u16 type, const struct grt_event_view view)
{
	return GRTRACE_OF_A_JOB >> type & 1 ? *view.ctx : 0;
}

/* Tracks the job of the event; returns its fate.  @type is a constant almost everywhere. */
static __always_inline enum grtrace_fate grt_emit_follow(struct grt_cpu *c, u16 type, u64 ts,
							 const struct grt_event_view view)
{
	u32 what = GRT_WHAT(type, grt_job_stamp(type), *view.flags);
	u64 ctx = grt_emit_job_ctx(type, view);

	if (view.record_fate && static_branch_unlikely(&grt_metered))
		grt_meter_untracked(ts, *view.ring, type);
	if (view.record_fate)
		return unlikely(grt_is_refused(type, GRTRACE_NO_RING)) ?
			grt_refused_why(type, GRTRACE_NO_RING) : *view.record_fate;
	if (type == GRTRACE_SUBMIT && !view.whole)
		return grt_follow_submit(c, view.job, ts, current->tgid, current->pid);
	if (type == GRTRACE_SUBMIT)
		return grt_follow_written(c, (const void *)view.whole, ts);
	if (type == GRTRACE_COMPLETE) {
		c->status = *view.status;
		return grt_follow_end(c, ctx, *view.seqno, ts, *view.ring, what);
	}
	if (type == GRTRACE_ERROR)
		return grt_follow_error(c, ctx, *view.seqno, ts, *view.ring, what);
	if (!(GRTRACE_OF_A_JOB >> type & 1) || type == GRTRACE_JOB)
		return grt_follow_untracked(c, ctx, *view.seqno, ts, *view.ring, what);
	return grt_follow(c, ctx, *view.seqno, ts, *view.ring, what);
}

/* Runs the stages of the pipeline, see pipeline.h; returns the event's fate. */
static __always_inline enum grtrace_fate grt_emit_judge(struct grt_cpu *c,
							const struct rchan_buf *buf, u16 type,
							const struct grt_event_view view)
{
	enum grtrace_fate fate;
	u64 ts = 0;

	if (static_branch_likely(&grtrace_masked) && unlikely(grt_is_refused(type, *view.ring)))
		return grt_refused_why(type, *view.ring);
	if (static_branch_unlikely(&grt_staged)) {
		if (static_branch_unlikely(&grt_listed) &&
		    grt_is_unlisted(grt_emit_job_ctx(type, view), *view.ring))
			return GRTRACE_FATE_FILTERED_WATCH;
		if (static_branch_unlikely(&grt_sampled) &&
		    grt_is_unsampled(grt_emit_job_ctx(type, view), *view.seqno))
			return GRTRACE_FATE_SAMPLED;
		if (static_branch_unlikely(&grt_cost_timed) && !c->hook_depth)
			grt_cost_begin(c);
		if (static_branch_likely(&grt_stamped))
			ts = grt_emit_stamp(c, view);
		if (static_branch_likely(&grt_followed)) {
			fate = grt_emit_follow(c, type, ts, view);
			if (fate != GRTRACE_FATE_WRITTEN)
				return fate;
		}
		if (static_branch_likely(&grt_rated) && !grt_rate_allows(c, ts))
			return GRTRACE_FATE_RATE_LIMITED;
		if (static_branch_likely(&grt_pressed) &&
		    !grt_has_room(c, buf, grt_emit_job_ctx(type, view), *view.seqno))
			return GRTRACE_FATE_BACKPRESSURE;
	}
	return GRTRACE_FATE_WRITTEN;
}

/* @type is a constant except in grtrace_write(). */
static __always_inline bool grt_emit_is_judged(u16 type)
{
	if (__builtin_constant_p(type))
		return static_branch_unlikely(&grt_judged[type]);
	return static_key_enabled(&grt_judged[type]);
}

/* Returns the record, for the caller to fill its payload, or NULL: the event is not kept. */
static __always_inline void *grt_emit_begin(struct grt_emit *e, u16 type, u16 size,
					    const struct grt_event_view view)
{
	enum grtrace_fate fate;
	struct grtrace_hdr *rec;
	struct rchan_buf *buf;
	struct grt_cpu *c;

	local_irq_save(e->irq_flags);
	c = this_cpu_ptr(grt_cpus);
	grt_seconds_check(c);
	c->seen[type]++;
	buf = READ_ONCE(c->buf);	/* stop may clear c->buf, but waits for this event */
	if (unlikely(!buf)) {
		fate = GRTRACE_FATE_DISABLED;
		goto dropped;
	}
	if (grt_emit_is_judged(type)) {
		fate = grt_emit_judge(c, buf, type, view);
		if (fate != GRTRACE_FATE_WRITTEN)
			goto dropped;
		/* After a snapshot a hook's record is in another buffer: ours must follow it. */
		buf = READ_ONCE(c->buf);
		if (unlikely(!buf)) {
			fate = GRTRACE_FATE_DISABLED;
			goto dropped;
		}
	}
	rec = grt_transport_reserve(buf, size);
	if (unlikely(!rec)) {
		fate = grt_account_why(size);
		goto dropped;
	}
	rec->type = type;
	rec->size = size;
	rec->cpu = smp_processor_id();
	e->c = c;
	e->rec = rec;
	e->type = type;
	e->size = size;
	return rec;

dropped:
	grt_emit_fate(c, type, size, fate);
	if (static_branch_unlikely(&grt_metered))
		grt_meter_drop(*view.ring, fate);
	local_irq_restore(e->irq_flags);
	return NULL;
}

/*
 * Did the pipeline read the time of the current event?  Then c->event_ts has it.  Otherwise
 * grt_emit_end() reads the time.
 */
static __always_inline bool grt_emit_is_stamped(const struct grt_cpu *c)
{
	/* An event that began before the key went on has an older event_ts. */
	return static_branch_unlikely(&grt_stamped) && likely(c->event_ts >= c->last_ts);
}

/*
 * Stamps and counts the record; interrupts stay off.  Reading the clock is a call, so it comes
 * last: then no register has to be saved across it.
 */
static __always_inline void grt_emit_finish(const struct grt_emit *e)
{
	struct grtrace_hdr *rec = e->rec;
	struct grt_cpu *c = e->c;
	u64 ts;

	/* Use the time that the row of the job got. */
	if (grt_emit_is_stamped(c))
		ts = c->event_ts;
	else
		ts = max(c->last_ts, ktime_get_mono_fast_ns());
	c->last_ts = ts;
	rec->ts = ts;
	rec->gseq = 0;
	rec->cseq = ++c->cseq;
	c->fate[e->type][GRTRACE_FATE_WRITTEN]++;
	c->bytes_written += e->size;
	if (static_branch_unlikely(&grt_extra))
		grt_emit_extra(c, rec);
}

static __always_inline void grt_emit_end(const struct grt_emit *e)
{
	grt_emit_finish(e);
	local_irq_restore(e->irq_flags);
}

#endif
