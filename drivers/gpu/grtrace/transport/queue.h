/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The finished sub-buffers of one CPU, on their way to its reader.
 *
 * The CPU puts them in and a reader takes them out, without a lock.  relay has counters for
 * this, too, but relay_switch_subbuf() stores padding[] and then subbufs_produced without a
 * barrier: on a machine with weak memory order (arm64) a reader may see the new count with
 * the old length, and would hand out what is left of an older sub-buffer.  So readers use
 * these counters only.
 *
 *	CPU					reader
 *
 *	records of sub-buffer p
 *	used[p % n] = their bytes
 *	store-release produced = p + 1	--A-->	load-acquire produced
 *						used[p % n] and the records
 *	load-acquire consumed		<--B--	store-release consumed = p + 1
 *	records of sub-buffer p + n
 *
 * A: whoever sees the count sees the length and the records.  B: the CPU writes to a
 * sub-buffer again when the reader's copy is complete.  litmus/ has both as tests for herd7.
 */
#ifndef _GRTRACE_QUEUE_H
#define _GRTRACE_QUEUE_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define GRT_SUBBUFS	16	/* per CPU */

struct grt_queue {
	u32 used[GRT_SUBBUFS];	/* bytes of each finished sub-buffer, its head included */
	size_t produced;	/* only the CPU writes it */
	size_t consumed;	/* only the reader writes it */
};

/* The CPU, or whoever acts for one that is offline: the sub-buffer in use is finished. */
static inline void grt_queue_put(struct grt_queue *q, u32 bytes)
{
	q->used[q->produced % GRT_SUBBUFS] = bytes;
	smp_store_release(&q->produced, q->produced + 1);	/* A */
}

/* For the CPU that writes: whether there is no room for another sub-buffer. */
static inline bool grt_queue_is_full(const struct grt_queue *q)
{
	return q->produced - smp_load_acquire(&q->consumed) >= GRT_SUBBUFS;	/* B */
}

/* For the reader: whether a sub-buffer can be taken. */
static inline bool grt_queue_has_any(const struct grt_queue *q)
{
	return smp_load_acquire(&q->produced) != READ_ONCE(q->consumed);	/* A */
}

/* For the reader, after grt_queue_has_any() said yes: the number of that sub-buffer. */
static inline size_t grt_queue_first(const struct grt_queue *q)
{
	return q->consumed % GRT_SUBBUFS;
}

/* For the reader: it has copied that sub-buffer, and gives its room back. */
static inline void grt_queue_take(struct grt_queue *q)
{
	smp_store_release(&q->consumed, q->consumed + 1);	/* B */
}

/* How many sub-buffers wait for the reader.  Others who ask may get an old answer. */
static inline size_t grt_queue_length(const struct grt_queue *q)
{
	return READ_ONCE(q->produced) - READ_ONCE(q->consumed);
}

#endif
