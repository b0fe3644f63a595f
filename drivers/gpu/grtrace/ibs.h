/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many indirect buffers jobs have: a driver's adapter notes it just before the adapter of the
 * scheduler writes the SUBMIT.
 */
#ifndef _GRTRACE_IBS_H
#define _GRTRACE_IBS_H

#include <linux/jump_label.h>
#include <linux/types.h>

/* On while an adapter notes indirect buffers. */
DECLARE_STATIC_KEY_FALSE(grt_ibs_noted);

/* Begins and ends the taking of notes, under the session lock; begin forgets old ones.  Sleeps. */
void grt_ibs_begin(void);
void grt_ibs_end(void);

/* The indirect buffers of job (@ctx, @seqno), 0 = none were noted.  Any context. */
u32 grt_ibs_of(u64 ctx, u64 seqno);

#endif
