/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A channel: a relay buffer for each CPU, cut into sub-buffers, and the session whose
 * records they hold.
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
	bool is_full;		/* the CPU found no room, and none came since */
	bool wants_room;	/* a record waits for the sub-buffer that begins */
};

struct grt_channel {
	const struct grt_transport_ops *ops;
	struct dentry *dir;
	struct grt_side __percpu *sides;

	/* These change under cpus_read_lock(), so that no CPU comes up meanwhile. */
	struct rchan *rchan;		/* NULL: the buffers are freed */
	struct cpumask cpus;		/* had a buffer when the channel was opened, or since */
	size_t bytes;			/* per CPU, as asked for; 0 = closed */
	size_t subbuf_bytes;
	bool is_writing;

	/* Readers hold it while they look at buffers and session; whoever changes these, too. */
	struct rw_semaphore lock;
	u64 session_id;			/* 0: none, or it was forgotten */
	bool is_running;		/* more may be produced */
	atomic64_t consumed;		/* sub-buffers that readers finished in this session */
};

/* Under the session lock; open and free only while nobody writes.  0, or -ENOMEM. */
int grt_channel_open(struct grt_channel *ch, size_t buffer_bytes);
/* Readers find nothing more in the buffers, which are gone afterwards. */
void grt_channel_free(struct grt_channel *ch);
/* Empties all buffers.  Under ch->lock for writing; nobody writes. */
void grt_channel_empty(struct grt_channel *ch);
void grt_channel_let_write(struct grt_channel *ch);
/* Returns when the last writer has left. */
void grt_channel_forbid_writing(struct grt_channel *ch);
/* @cpu comes up, and the call is made there.  True if the channel is open. */
bool grt_channel_cpu_online(struct grt_channel *ch, unsigned int cpu);
/* Finishes the sub-buffer of @cpu if it holds records. */
void grt_channel_flush_cpu(struct grt_channel *ch, unsigned int cpu);

static inline struct grt_side *grt_channel_side(const struct grt_channel *ch, unsigned int cpu)
{
	return per_cpu_ptr(ch->sides, cpu);
}

/* The buffer of @cpu, NULL if there is none. */
static inline struct rchan_buf *grt_channel_buf(const struct grt_channel *ch, unsigned int cpu)
{
	return ch->rchan ? *per_cpu_ptr(ch->rchan->buf, cpu) : NULL;
}

/* A finished sub-buffer of @cpu waits for its reader. */
static inline bool grt_channel_has_any(const struct grt_channel *ch, unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &ch->cpus) &&
	       grt_queue_has_any(&grt_channel_side(ch, cpu)->queue);
}

#endif
