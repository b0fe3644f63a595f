/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queue of finished sub-buffers of one CPU.
 *
 * The CPU adds sub-buffers and a reader takes them, without a lock.  relay has such counters,
 * too, but relay_switch_subbuf() stores padding[] and then subbufs_produced without a barrier:
 * with weak memory order (arm64) a reader may see the new count with the old length, and would
 * hand out the rest of an older sub-buffer.  So readers use only the counters below.
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
 * A: a reader that sees the count also sees the length and the records.  B: the CPU reuses a
 * sub-buffer only after the reader's copy is complete.  The folder litmus of the selftests has
 * both as tests for herd7.
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

/* For the writer: the current sub-buffer is finished.  Called for an offline CPU, too. */
static inline void grt_queue_put(struct grt_queue *q, u32 bytes)
{
	q->used[q->produced % GRT_SUBBUFS] = bytes;
	smp_store_release(&q->produced, q->produced + 1);	/* A */
}

/* For the writer: is there no room for another sub-buffer? */
static inline bool grt_queue_is_full(const struct grt_queue *q)
{
	return q->produced - smp_load_acquire(&q->consumed) >= GRT_SUBBUFS;	/* B */
}

/* For the reader: can a sub-buffer be taken? */
static inline bool grt_queue_has_any(const struct grt_queue *q)
{
	return smp_load_acquire(&q->produced) != READ_ONCE(q->consumed);	/* A */
}

/* For the reader, after grt_queue_has_any() returned true: the index of that sub-buffer. */
static inline size_t grt_queue_first(const struct grt_queue *q)
{
	return q->consumed % GRT_SUBBUFS;
}

/* For the reader: it has copied the sub-buffer, which may be reused now. */
static inline void grt_queue_take(struct grt_queue *q)
{
	smp_store_release(&q->consumed, q->consumed + 1);	/* B */
}

/* The number of sub-buffers that wait for the reader.  On other CPUs it may be out of date. */
static inline size_t grt_queue_length(const struct grt_queue *q)
{
	return READ_ONCE(q->produced) - READ_ONCE(q->consumed);
}

/* The bytes of these sub-buffers.  On other CPUs the sum may be out of date. */
static inline size_t grt_queue_bytes(const struct grt_queue *q)
{
	size_t at = READ_ONCE(q->consumed), bytes = 0;
	size_t end = smp_load_acquire(&q->produced);	/* A */

	for (; at != end; at++)
		bytes += READ_ONCE(q->used[at % GRT_SUBBUFS]);
	return bytes;
}

#endif
