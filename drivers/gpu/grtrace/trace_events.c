// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <uapi/linux/grtrace.h>

#define CREATE_TRACE_POINTS
#include "grtrace_trace.h"

#include "extra.h"
#include "rings.h"
#include "trace_events.h"

/* --- records ----------------------------------------------------------------- */

DEFINE_STATIC_KEY_FALSE(grt_mirrored);

/* The keys count, because each event calls these. */
int grt_mirror_wanted(void)
{
	static_branch_inc(&grt_mirrored);
	grt_extra_get();
	return 0;
}

void grt_mirror_unwanted(void)
{
	grt_extra_put();
	static_branch_dec(&grt_mirrored);
}

/* Of a record of class JOB; the events of other classes do not use it. */
static const struct grtrace_ring *ring_of(const struct grtrace_hdr *rec)
{
	return grt_ring_peek(((const struct grtrace_job_key *)rec)->ring);
}

#define MIRROR(NAME, name, rec)							\
	do {									\
		if ((rec)->type == GRTRACE_##NAME && trace_##name##_enabled())	\
			trace_##name((const void *)(rec), ring_of(rec));	\
	} while (0)

void grt_mirror(const struct grtrace_hdr *rec)
{
	MIRROR(SUBMIT, submit, rec);
	MIRROR(DEPENDENCY, dependency, rec);
	MIRROR(COMMIT, commit, rec);
	MIRROR(START, start, rec);
	MIRROR(END, end, rec);
	MIRROR(COMPLETE, complete, rec);
	MIRROR(FENCE_SIGNALED, fence_signaled, rec);
	MIRROR(CTX_SWITCH, ctx_switch, rec);
	MIRROR(ERROR, error, rec);
}

/* --- clocks ------------------------------------------------------------------ */

#define PERIOD	(10 * HZ)
#define SOON	(HZ / 10)	/* the event's new user is there by then */

static void sync_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(sync_work, sync_fn);
/* Inside the session lock and the lock of tracepoints: so neither may be taken here. */
static DEFINE_MUTEX(sync_lock);
static bool has_session;	/* under sync_lock */

static void sync(void)
{
	ktime_t mono = ktime_get();

	trace_clock_sync(ktime_to_ns(mono), ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_BOOT)),
			 ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_REAL)),
			 ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_TAI)));
}

/* Without a session or a user the work does not run: an idle machine sleeps. */
static void sync_now_and_later(void)
{
	if (!has_session || !trace_clock_sync_enabled())
		return;
	sync();
	schedule_delayed_work(&sync_work, PERIOD);
}

static void sync_fn(struct work_struct *work)
{
	mutex_lock(&sync_lock);
	sync_now_and_later();
	mutex_unlock(&sync_lock);
}

int grt_clock_sync_wanted(void)
{
	mutex_lock(&sync_lock);
	if (has_session)
		schedule_delayed_work(&sync_work, SOON);
	mutex_unlock(&sync_lock);
	return 0;
}

/* The work may run once more, and then sees that nobody wants it. */
void grt_clock_sync_unwanted(void)
{
	cancel_delayed_work(&sync_work);
}

void grt_clock_sync_begin(void)
{
	mutex_lock(&sync_lock);
	has_session = true;
	sync_now_and_later();
	mutex_unlock(&sync_lock);
}

void grt_clock_sync_end(void)
{
	mutex_lock(&sync_lock);
	has_session = false;
	sync();
	mutex_unlock(&sync_lock);
	cancel_delayed_work_sync(&sync_work);
}
