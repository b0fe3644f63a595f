/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flight recorder: with mode=overwrite the buffers always hold the last events, and a trigger
 * keeps them as a snapshot, for readers.  Recording goes on in other buffers.
 */
#ifndef _GRTRACE_FLIGHT_H
#define _GRTRACE_FLIGHT_H

#include <linux/errno.h>
#include <linux/jump_label.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

/* Values of the key mode. */
#define GRT_MODE_DISCARD	0
#define GRT_MODE_OVERWRITE	1

/* Bits of the key snapshot_on. */
#define GRT_FLIGHT_ON_ERROR	1
#define GRT_FLIGHT_ON_STATUS	2

/* Values of the keys; the mode counts from the next start. */
extern u64 grt_flight_mode, grt_flight_on;

/* On while a session runs in overwrite mode. */
DECLARE_STATIC_KEY_FALSE(grt_flying);

/*
 * Takes a snapshot for the job @ctx, @seqno on @ring, all 0 if there is none; what @detail means
 * depends on @trigger.  False: none is possible now, because one is held; that is counted.  Any
 * context but NMI, with the event that triggers it in the buffer already.
 */
bool grt_flight_trigger(enum grtrace_trigger trigger, u32 ring, u64 ctx, u64 seqno, s32 detail);

void __grt_flight_error(u32 ring, u64 ctx, u64 seqno, u32 code);
void __grt_flight_ended(u32 ring, u64 ctx, u64 seqno, s32 status);

/* An ERROR, or an END or COMPLETE, was written.  Any context but NMI. */
static __always_inline void grt_flight_error(u32 ring, u64 ctx, u64 seqno, u32 code)
{
	if (static_branch_unlikely(&grt_flying))
		__grt_flight_error(ring, ctx, seqno, code);
}

static __always_inline void grt_flight_ended(u32 ring, u64 ctx, u64 seqno, s32 status)
{
	if (static_branch_unlikely(&grt_flying) && unlikely(status))
		__grt_flight_ended(ring, ctx, seqno, status);
}

/*
 * Under the session lock; all sleep.  clear: the last session is forgotten.  begin: all CPUs may
 * write.  end: the session has stopped, and no CPU writes; its last events become a snapshot, too.
 */
void grt_flight_begin(void);
void grt_flight_end(void);
void grt_flight_clear(void);

/*
 * The words of the file control, under the session lock; they sleep.  request: takes a snapshot and
 * waits until it can be read; -EBUSY if one is held.  release: gives up the snapshot that is held;
 * -ENODATA if there is none, -EBUSY if somebody reads it.
 */
int grt_flight_request(void);
int grt_flight_release(void);

/* Writes the SNAPSHOT record of the snapshot that is held; returns its size, 0 if there is none. */
size_t grt_flight_describe(struct grtrace_snapshot *to);

struct grt_flight_state {
	const char *state;	/* none, taking or held */
	u64 taken;		/* in this session */
	u64 missed;		/* triggers while a snapshot was held */
};

/* For the file stats. */
void grt_flight_get(struct grt_flight_state *to);

#endif
