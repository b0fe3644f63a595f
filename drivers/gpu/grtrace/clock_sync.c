// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "clock_sync.h"
#include "grtrace_trace.h"

#define PERIOD	(10 * HZ)
#define SOON	(HZ / 10)	/* the event's new user is there by then */

static void work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(sync_work, work_fn);
/* Inside the session lock and the lock of tracepoints: so neither may be taken here. */
static DEFINE_MUTEX(sync_lock);
static bool has_session;	/* under sync_lock */

static void tell(void)
{
	ktime_t mono = ktime_get();

	trace_clock_sync(ktime_to_ns(mono), ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_BOOT)),
			 ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_REAL)),
			 ktime_to_ns(ktime_mono_to_any(mono, TK_OFFS_TAI)));
}

/* Without a session or a user the work does not run: an idle machine sleeps. */
static void work_fn(struct work_struct *work)
{
	mutex_lock(&sync_lock);
	if (has_session && trace_clock_sync_enabled()) {
		tell();
		schedule_delayed_work(&sync_work, PERIOD);
	}
	mutex_unlock(&sync_lock);
}

int grt_clock_sync_wanted(void)
{
	mutex_lock(&sync_lock);
	if (has_session)
		mod_delayed_work(system_wq, &sync_work, SOON);
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
	if (trace_clock_sync_enabled()) {
		tell();
		schedule_delayed_work(&sync_work, PERIOD);
	}
	mutex_unlock(&sync_lock);
}

void grt_clock_sync_end(void)
{
	mutex_lock(&sync_lock);
	has_session = false;
	tell();
	mutex_unlock(&sync_lock);
	cancel_delayed_work_sync(&sync_work);
}
