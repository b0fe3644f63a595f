/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rules do when a job meets them.
 */
#ifndef _GRTRACE_ACTIONS_H
#define _GRTRACE_ACTIONS_H

#include <uapi/linux/grtrace.h>

/*
 * Does what the rules say whose flags are in @complete, of a job on @ring; it is in the buffer
 * already.  @write is grtrace_write().  True if one of them asks for a snapshot.  With interrupts
 * off since the rules were checked; any context but NMI.
 */
bool grt_actions_run(const struct grtrace_complete *complete, u32 ring,
		     bool (*write)(const struct grtrace_hdr *built, u32 ring));

/* @stop stops session @id, if that still runs; it may sleep.  Call it before the first session. */
void grt_actions_serve(void (*stop)(u64 id));
/* Once no session runs: waits for a stop by a rule.  Sleeps, without the session lock. */
void grt_actions_sync(void);

#endif
