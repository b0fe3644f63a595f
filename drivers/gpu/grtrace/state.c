// SPDX-License-Identifier: GPL-2.0
/*
 * What the session is at.  Only session.c changes it; who merely looks, or takes its lock,
 * needs no more than this.
 */
#include "session.h"

struct grt_session grt_session = {
	.lock = __MUTEX_INITIALIZER(grt_session.lock),
	.buffer_bytes = GRT_BUFFER_DEFAULT,
	.global_seq = 1,
};

const char *grt_session_state_name(void)
{
	static const char * const names[] = {
		[GRT_IDLE]    = "idle",
		[GRT_RUNNING] = "running",
		[GRT_STOPPED] = "stopped",
	};

	return names[READ_ONCE(grt_session.state)];
}
