// SPDX-License-Identifier: GPL-2.0
/*
 * The session's state, and what extensions may ask of it.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/timekeeping.h>

#include "state.h"

struct grt_session grt_session = {
	.lock = __MUTEX_INITIALIZER(grt_session.lock),
	.buffer_bytes = GRT_BUFFER_DEFAULT,
};

u64 grtrace_clock(void)
{
	return ktime_get_mono_fast_ns();
}
EXPORT_SYMBOL_GPL(grtrace_clock);

u64 grtrace_start_ns(void)
{
	return READ_ONCE(grt_session.start_ns);
}
EXPORT_SYMBOL_GPL(grtrace_start_ns);

const char *grt_session_state_name(void)
{
	static const char * const names[] = {
		[GRT_IDLE]    = "idle",
		[GRT_RUNNING] = "running",
		[GRT_STOPPED] = "stopped",
	};

	return names[READ_ONCE(grt_session.state)];
}
