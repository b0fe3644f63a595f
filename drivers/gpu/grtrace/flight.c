// SPDX-License-Identifier: GPL-2.0
/*
 * The flight recorder.
 *
 *	       trigger			work			    release
 *	ARMED ---------> TAKING ---------------------> HELD ---------------------> ARMED
 *	       swap		 wait for writers, show	     withdraw, empty
 *
 * A trigger only changes which buffers the CPUs write to, so that no later event overwrites the
 * evidence, and it can come from a hard interrupt.  While a snapshot is taken or held, further
 * triggers are counted.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/grtrace.h>
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/timekeeping.h>

#include "account.h"
#include "flight.h"
#include "soon.h"
#include "state.h"
#include "transport/transport.h"

enum { OFF, ARMED, TAKING, HELD };

u64 grt_flight_mode;
u64 grt_flight_on = GRT_FLIGHT_ON_ERROR | GRT_FLIGHT_ON_STATUS;
DEFINE_STATIC_KEY_FALSE(grt_flying);

static atomic_t state = ATOMIC_INIT(OFF);
static atomic64_t missed;
static u64 missed_before;	/* @missed when the last snapshot was taken */
static struct grtrace_snapshot snapshot;	/* the one that is taken or held */
static bool has_last;		/* the session has stopped while a snapshot was held */

static void show(bool is_last)
{
	grt_account_end_snapshot();
	atomic_set_release(&state, HELD);	/* before readers ask for its description */
	grt_transport_show(snapshot.number, is_last);
}

static void work_fn(struct work_struct *work)
{
	grt_transport_settle();
	show(false);
}

static GRT_DEFINE_SOON(taking, work_fn);

static void describe(enum grtrace_trigger trigger, u32 ring, u64 ctx, u64 seqno, s32 detail)
{
	u64 missed_now = atomic64_read(&missed);

	snapshot = (struct grtrace_snapshot){
		.hdr.type = GRTRACE_SNAPSHOT,
		.hdr.size = sizeof(snapshot),
		.hdr.ts = ktime_get_mono_fast_ns(),
		.session_id = grt_session.id,
		.ctx = ctx,
		.seqno = seqno,
		.ring = ring,
		.trigger = trigger,
		.number = snapshot.number + 1,
		.detail = detail,
		.missed = missed_now - missed_before,
	};
	missed_before = missed_now;
}

bool grt_flight_trigger(enum grtrace_trigger trigger, u32 ring, u64 ctx, u64 seqno, s32 detail)
{
	unsigned long flags;
	int was;

	local_irq_save(flags);	/* so that finish_taking() waits for all of it */
	was = atomic_cmpxchg(&state, ARMED, TAKING);
	if (was == ARMED) {
		describe(trigger, ring, ctx, seqno, detail);
		grt_transport_swap(grt_account_next_snapshot());
		grt_soon_queue(&taking);
	}
	local_irq_restore(flags);
	if (was != ARMED && was != OFF && trigger != GRTRACE_TRIGGER_REQUEST)
		atomic64_inc(&missed);
	return was == ARMED;
}

void __grt_flight_error(u32 ring, u64 ctx, u64 seqno, u32 code)
{
	if (READ_ONCE(grt_flight_on) & GRT_FLIGHT_ON_ERROR && code < 32 &&
	    GRTRACE_TRIGGER_CODES & BIT(code))
		grt_flight_trigger(GRTRACE_TRIGGER_ERROR, ring, ctx, seqno, code);
}

/* A job that was killed with its process, or cancelled, is no fault of the GPU. */
void __grt_flight_ended(u32 ring, u64 ctx, u64 seqno, s32 status)
{
	if (READ_ONCE(grt_flight_on) & GRT_FLIGHT_ON_STATUS && status != -ESRCH &&
	    status != -ECANCELED)
		grt_flight_trigger(GRTRACE_TRIGGER_STATUS, ring, ctx, seqno, status);
}

void grt_flight_clear(void)
{
	atomic_set(&state, OFF);
	atomic64_set(&missed, 0);
	missed_before = 0;
	snapshot.number = 0;
	has_last = false;
}

void grt_flight_begin(void)
{
	if (!grt_transport_is_overwrite())
		return;
	atomic_set_release(&state, ARMED);
	static_branch_enable(&grt_flying);
}

/* Waits for the snapshot that is being taken. */
static void finish_taking(void)
{
	if (atomic_read(&state) == TAKING)
		synchronize_rcu();	/* its trigger may not have queued it yet */
	grt_soon_sync(&taking);
}

static void show_last(void)
{
	describe(GRTRACE_TRIGGER_STOP, GRTRACE_NO_RING, 0, 0, 0);
	grt_account_next_snapshot();
	show(true);
}

void grt_flight_end(void)
{
	grt_account_stop();
	if (!grt_transport_is_overwrite())
		return;
	static_branch_disable(&grt_flying);
	/* From here on no trigger finds it armed. */
	if (atomic_cmpxchg(&state, ARMED, TAKING) == ARMED) {
		show_last();
	} else {
		finish_taking();
		has_last = true;
	}
}

int grt_flight_request(void)
{
	if (!grt_flight_trigger(GRTRACE_TRIGGER_REQUEST, GRTRACE_NO_RING, 0, 0, 0))
		return -EBUSY;
	finish_taking();
	return 0;
}

int grt_flight_release(void)
{
	int err;

	finish_taking();
	if (atomic_read(&state) != HELD)
		return -ENODATA;
	err = grt_transport_release(has_last);
	if (err)
		return err;
	if (has_last) {
		has_last = false;
		show_last();
	} else {
		atomic_set_release(&state, grt_session.state == GRT_RUNNING ? ARMED : OFF);
	}
	return 0;
}

size_t grt_flight_describe(struct grtrace_snapshot *to)
{
	if (atomic_read_acquire(&state) != HELD)
		return 0;
	*to = snapshot;
	return sizeof(*to);
}

void grt_flight_get(struct grt_flight_state *to)
{
	static const char * const names[] = { "none", "none", "taking", "held" };

	*to = (struct grt_flight_state){
		.state = names[atomic_read(&state)],
		.taken = READ_ONCE(snapshot.number),
		.missed = atomic64_read(&missed),
	};
}
