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
#include "police.h"
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

/* On: the counter is simply counted, after the clock was read. */
DECLARE_STATIC_KEY_TRUE(grt_global_seq);
extern atomic64_t grt_gseq;

/* What global_seq asks for; no session may be running. */
void grt_seq_set(u64 global_seq);

/*
 * Numbers @rec of CPU @c while grt_global_seq is off: with 0, or exactly.  Then it may
 * put off its time, so that no event of a lower number is later.
 */
void grt_seq_rare(struct grt_cpu *c, struct grtrace_hdr *rec);

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
	const u64 *ctx, *seqno, *client_id;
	const u32 *ring, *tgid, *tid;	/* these two NULL: current's */
	const s32 *status;
	const u16 *flags;
};

extern const u64 grt_none;

#define GRT_NO_CLIENT	(&grt_none)
#define GRT_NO_STATUS	((const s32 *)&grt_none)

/* Not on the stack: that would cost the events that nobody looks at a canary. */
static __always_inline enum grtrace_fate grt_emit_policy(struct grt_cpu *c,
							 const struct rchan_buf *buf,
							 u16 type, u16 size,
							 const struct grt_look look)
{
	struct grtrace_seen *ev = &c->asked[c->is_policing];
	const struct task_struct *task = current;

	ev->ctx = *look.ctx;
	ev->seqno = *look.seqno;
	ev->client_id = *look.client_id;
	ev->ring = *look.ring;
	ev->tgid = look.tgid ? *look.tgid : task->tgid;
	ev->tid = look.tid ? *look.tid : task->pid;
	ev->status = *look.status;
	ev->type = type;
	ev->size = size;
	ev->flags = *look.flags;
	return grt_police(c, buf, ev);
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
	if (static_branch_unlikely(&grt_policed)) {
		fate = grt_emit_policy(c, buf, type, size, look);
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
	if (static_branch_unlikely(&grt_monitored))
		grt_police_dropped(*look.ring, type, fate);
	local_irq_restore(e->irq_flags);
	return NULL;
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

	/* As the job's row has it; an event that was on its way when that began has none. */
	if (static_branch_unlikely(&grt_tracked) && likely(c->event_ts >= c->last_ts))
		ts = c->event_ts;
	else
		ts = ktime_get_mono_fast_ns();
	if (unlikely(ts < c->last_ts))
		ts = c->last_ts;
	c->last_ts = ts;
	rec->ts = ts;
	if (static_branch_likely(&grt_global_seq))
		rec->gseq = atomic64_inc_return(&grt_gseq);
	else
		grt_seq_rare(c, rec);
	rec->cseq = ++c->cseq;
	c->fate[e->type][GRTRACE_FATE_WRITTEN]++;
	c->bytes_written += e->size;
	if (static_branch_unlikely(&grt_cost_timed))
		grt_cost_end(c);
	local_irq_restore(e->irq_flags);
}

#endif
