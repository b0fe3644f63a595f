/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A channel: a relay buffer per CPU, divided into sub-buffers, and the session whose records
 * they contain.
 */
#ifndef _GRTRACE_CHANNEL_H
#define _GRTRACE_CHANNEL_H

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/relay.h>
#include <linux/rwsem.h>
#include <linux/types.h>

#include "queue.h"

struct dentry;
struct grt_transport_ops;

/* One CPU's part. */
struct grt_side {
	struct grt_queue queue;
	bool is_full;		/* no sub-buffer was free at the last attempt */
	bool wants_room;	/* the next sub-buffer is begun for a record */
};

struct grt_channel {
	const struct grt_transport_ops *ops;
	struct dentry *dir;
	struct grt_side __percpu *sides;

	/* These change under cpus_read_lock(), so that no CPU comes up meanwhile. */
	struct rchan *rchan;		/* NULL: the buffers are freed */
	struct cpumask cpus;		/* CPUs that got a buffer since the channel was opened */
	size_t bytes;			/* requested size per CPU; 0 = closed */
	size_t subbuf_bytes;
	bool is_writing;

	/* Held for reading to use buffers and session, for writing to change them. */
	struct rw_semaphore lock;
	u64 session_id;			/* 0: no session, or it was reset */
	bool is_running;		/* more sub-buffers may follow */
	atomic64_t consumed;		/* sub-buffers that readers finished in this session */
};

/*
 * Opens the channel.  Under the session lock; open and free only while no CPU writes.  Returns
 * 0 or -ENOMEM.
 */
int grt_channel_open(struct grt_channel *ch, size_t buffer_bytes);
/* Frees the buffers; readers find no sub-buffer any more. */
void grt_channel_free(struct grt_channel *ch);
/* Empties all buffers.  Under ch->lock for writing, while no CPU writes. */
void grt_channel_empty(struct grt_channel *ch);
/* Lets all CPUs write. */
void grt_channel_let_write(struct grt_channel *ch);
/* Stops all CPUs from writing; waits until the last writer is done. */
void grt_channel_forbid_writing(struct grt_channel *ch);
/* @cpu comes up; called on that CPU.  True if the channel is open. */
bool grt_channel_cpu_online(struct grt_channel *ch, unsigned int cpu);
/* Finishes the sub-buffer of @cpu, if it contains records. */
void grt_channel_flush_cpu(struct grt_channel *ch, unsigned int cpu);
/* The same; if drops are still unreported, adds a sub-buffer without records to report them. */
void grt_channel_account_cpu(struct grt_channel *ch, unsigned int cpu);

static inline struct grt_side *grt_channel_side(const struct grt_channel *ch, unsigned int cpu)
{
	return per_cpu_ptr(ch->sides, cpu);
}

/* The buffer of @cpu, NULL if there is none. */
static inline struct rchan_buf *grt_channel_buf(const struct grt_channel *ch, unsigned int cpu)
{
	return ch->rchan ? *per_cpu_ptr(ch->rchan->buf, cpu) : NULL;
}

/* Does a finished sub-buffer of @cpu wait for its reader? */
static inline bool grt_channel_has_any(const struct grt_channel *ch, unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &ch->cpus) &&
	       grt_queue_has_any(&grt_channel_side(ch, cpu)->queue);
}

#endif
