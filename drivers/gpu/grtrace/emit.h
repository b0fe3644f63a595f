/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hot path: one event in, one fate out.
 *
 *	rec = grt_emit_begin(&emit, GRTRACE_END, sizeof(*rec), flags, ring);
 *	if (rec) {
 *		... fill the payload in place ...
 *		grt_emit_end(&emit);
 *	}
 *
 * Interrupts are off between the two: that keeps the CPU's time and cseq in
 * order, shields the unfinished record from this CPU's other contexts (a reader
 * only ever takes whole sub-buffers), and makes stop wait for us through RCU.
 * On kernels from 7.0 it is also what keeps the probe on its CPU.
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
#include "hooks.h"
#include "jobs.h"
#include "meters.h"
#include "pipeline.h"
#include "seconds.h"
#include "transport/transport.h"

/*
 * On the stack as __uninitialized: kernels that zero all variables there would spend
 * five instructions per event on one that is written before it is read.
 */
struct grt_emit {
	unsigned long irq_flags;
	struct grt_cpu *c;
	struct grtrace_hdr *rec;
	u16 type, size;
};

/* On while grt_emit_extra() is to be called for each record: it is numbered, or timed. */
DECLARE_STATIC_KEY_FALSE(grt_extra);
void grt_emit_extra(struct grt_cpu *c, struct grtrace_hdr *rec);
/* After a change of cost_sample.  Sleeps. */
void grt_emit_extra_apply(void);

/* What global_seq asks for; no session may be running. */
void grt_seq_set(u64 global_seq);

static __always_inline void grt_emit_fate(struct grt_cpu *c, u16 type, u16 size,
					  enum grtrace_fate fate)
{
	c->fate[type][fate]++;
	c->bytes_dropped += size;
}

/*
 * What the policy looks at, if there is one: pointers, so that nothing is loaded for it
 * where there is none.  Those that an event has not point to grt_none.
 */
struct grt_look {
	const u64 *ctx, *seqno;
	const u32 *ring;
	const s32 *status;
	const u16 *flags;
	const struct grtrace_job_info *job;	/* of a SUBMIT by current */
	const struct grtrace_hdr *whole;	/* the record that grtrace_write() was given */
	const enum grtrace_fate *told;	/* of a JOB that a hook tells: what it decided */
};

extern const u64 grt_none;

#define GRT_NO_STATUS	((const s32 *)&grt_none)

/* What a hook writes, always a whole record, has the time of the event that it was asked about. */
static __always_inline u64 grt_emit_stamp(struct grt_cpu *c, const struct grt_look look)
{
	if (!look.whole || !c->asked_depth)
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

static __always_inline u64 grt_emit_job_ctx(u16 type, const struct grt_look look)
{
	return GRTRACE_OF_A_JOB >> type & 1 ? *look.ctx : 0;
}

/* Its job moves on.  The type is a constant almost everywhere. */
static __always_inline enum grtrace_fate grt_emit_follow(struct grt_cpu *c, u16 type, u64 ts,
							 const struct grt_look look)
{
	u32 what = GRT_WHAT(type, grt_job_stamp(type), *look.flags);
	u64 ctx = grt_emit_job_ctx(type, look);

	if (look.told && static_branch_unlikely(&grt_metered))
		grt_meter_stranger(ts, *look.ring, type);
	if (look.told)
		return unlikely(grt_is_refused(type, GRTRACE_NO_RING)) ?
			grt_refused_why(type, GRTRACE_NO_RING) : *look.told;
	if (type == GRTRACE_SUBMIT && !look.whole)
		return grt_follow_submit(c, look.job, ts, current->tgid, current->pid);
	if (type == GRTRACE_SUBMIT)
		return grt_follow_written(c, (const void *)look.whole, ts);
	if (type == GRTRACE_COMPLETE) {
		c->status = *look.status;
		return grt_follow_end(c, ctx, *look.seqno, ts, *look.ring, what);
	}
	if (type == GRTRACE_ERROR)
		return grt_follow_error(c, ctx, *look.seqno, ts, *look.ring, what);
	if (!(GRTRACE_OF_A_JOB >> type & 1) || type == GRTRACE_JOB)
		return grt_follow_stranger(c, ctx, *look.seqno, ts, *look.ring, what);
	return grt_follow(c, ctx, *look.seqno, ts, *look.ring, what);
}

/* What the pipeline makes of it, stage by stage; see pipeline.h. */
static __always_inline enum grtrace_fate grt_emit_judge(struct grt_cpu *c,
							const struct rchan_buf *buf, u16 type,
							const struct grt_look look)
{
	enum grtrace_fate fate;
	u64 ts = 0;

	if (static_branch_likely(&grtrace_masked) && unlikely(grt_is_refused(type, *look.ring)))
		return grt_refused_why(type, *look.ring);
	if (static_branch_unlikely(&grt_staged)) {
		if (static_branch_unlikely(&grt_listed) &&
		    grt_is_unlisted(grt_emit_job_ctx(type, look), *look.ring))
			return GRTRACE_FATE_FILTERED_WATCH;
		if (static_branch_unlikely(&grt_sampled) &&
		    grt_is_left_out(grt_emit_job_ctx(type, look), *look.seqno))
			return GRTRACE_FATE_SAMPLED;
		if (static_branch_unlikely(&grt_cost_timed) && !c->asked_depth)
			grt_cost_begin(c);
		if (static_branch_likely(&grt_stamped))
			ts = grt_emit_stamp(c, look);
		if (static_branch_likely(&grt_followed)) {
			fate = grt_emit_follow(c, type, ts, look);
			if (fate != GRTRACE_FATE_WRITTEN)
				return fate;
		}
		if (static_branch_likely(&grt_rated) && !grt_rate_allows(c, ts))
			return GRTRACE_FATE_RATE_LIMITED;
		if (static_branch_likely(&grt_pressed) &&
		    !grt_has_room(c, buf, grt_emit_job_ctx(type, look), *look.seqno))
			return GRTRACE_FATE_BACKPRESSURE;
	}
	return GRTRACE_FATE_WRITTEN;
}

/* The type is a constant but in grtrace_write(). */
static __always_inline bool grt_emit_is_judged(u16 type)
{
	if (__builtin_constant_p(type))
		return static_branch_unlikely(&grt_judged[type]);
	return static_key_enabled(&grt_judged[type]);
}

/* Returns the record to be filled behind its header, or NULL: then it is over. */
static __always_inline void *grt_emit_begin(struct grt_emit *e, u16 type, u16 size,
					    const struct grt_look look)
{
	enum grtrace_fate fate;
	struct grtrace_hdr *rec;
	struct rchan_buf *buf;
	struct grt_cpu *c;

	local_irq_save(e->irq_flags);
	c = this_cpu_ptr(grt_cpus);
	grt_seconds_look(c);
	c->seen[type]++;
	buf = READ_ONCE(c->buf);	/* stop may take it away from there, but waits for us */
	if (unlikely(!buf)) {
		fate = GRTRACE_FATE_DISABLED;
		goto dropped;
	}
	if (grt_emit_is_judged(type)) {
		fate = grt_emit_judge(c, buf, type, look);
		if (fate != GRTRACE_FATE_WRITTEN)
			goto dropped;
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
		grt_meter_drop(*look.ring, fate);
	local_irq_restore(e->irq_flags);
	return NULL;
}

/* Has the event that is under way its time already, in c->event_ts?  Else it gets it at its end. */
static __always_inline bool grt_emit_is_stamped(const struct grt_cpu *c)
{
	/* One that was on its way when this began has none. */
	return static_branch_unlikely(&grt_stamped) && likely(c->event_ts >= c->last_ts);
}

/*
 * Stamps and counts the record.  Only now: reading the clock is a call, and what was
 * written before it need not be kept in registers across it.
 */
static __always_inline void grt_emit_end(const struct grt_emit *e)
{
	struct grtrace_hdr *rec = e->rec;
	struct grt_cpu *c = e->c;
	u64 ts;

	/* As the row of its job has it. */
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
	local_irq_restore(e->irq_flags);
}

#endif
