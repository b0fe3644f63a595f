/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A channel: a relay buffer per CPU, divided into sub-buffers, and the session whose records
 * they contain.
 *
 * In overwrite mode a channel has two sets of buffers.  CPUs overwrite the oldest records of one
 * set until a snapshot is taken; then they go on in the other set, and readers get the first one.
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

/* One CPU's part of a set. */
struct grt_side {
	struct grt_queue queue;
	size_t oldest;		/* overwrite mode: the first sub-buffer of a snapshot */
	bool is_full;		/* no sub-buffer was free at the last attempt */
	bool wants_room;	/* the next sub-buffer is begun for a record */
	bool has_begun;		/* overwrite mode: the set has records of this CPU */
};

/* When CPUs left the other set for this one. */
struct grt_swap {
	u64 nr;			/* of the snapshot that they left; 0: the session began */
	u64 ns;
};

/* A set of buffers: one per CPU. */
struct grt_set {
	struct grt_channel *ch;
	struct grt_swap begun;
	struct rchan *rchan;		/* NULL: the buffers are freed */
	struct grt_side __percpu *sides;
};

struct grt_channel {
	const struct grt_transport_ops *ops;
	struct dentry *dir;

	/* These change under cpus_read_lock(), so that no CPU comes up meanwhile. */
	struct grt_set sets[2];		/* the second one: in overwrite mode only */
	struct cpumask cpus;		/* CPUs that got a buffer since the channel was opened */
	size_t bytes;			/* requested size per CPU; 0 = closed */
	size_t subbuf_bytes;
	bool is_writing;
	bool is_overwrite;

	/* The set that CPUs write to.  A snapshot changes it, in any context. */
	struct grt_set *written;

	/* Held for reading to use buffers and session, for writing to change them. */
	struct rw_semaphore lock;
	struct grt_set *read;		/* the set that readers take; NULL: no snapshot is held */
	bool is_taking;			/* CPUs left a set that readers do not have yet */
	u64 snapshot;			/* number of the snapshot that is held; 0: none */
	bool has_last;			/* the session has stopped, one more snapshot follows */
	atomic_t nr_reading;		/* readers in the middle of it */
	u64 session_id;			/* 0: no session, or it was reset */
	bool is_running;		/* more sub-buffers may follow */
	bool is_closing;		/* the files of CPUs go, or are gone */
	atomic64_t consumed;		/* sub-buffers that readers finished in this session */
};

/*
 * Opens the channel.  Under the session lock; open and free only while no CPU writes.  Returns
 * 0 or -ENOMEM.
 */
int grt_channel_open(struct grt_channel *ch, size_t buffer_bytes, bool is_overwrite);
/* Frees the buffers; readers find no sub-buffer any more. */
void grt_channel_free(struct grt_channel *ch);
/* Empties all buffers, for a session.  Under ch->lock for writing, while no CPU writes. */
void grt_channel_empty(struct grt_channel *ch, u64 start_ns);
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

/*
 * Overwrite mode.  swap: CPUs write to the other set, which must be empty, from now on.  Any
 * context, one call at a time.  freeze: makes the records of @set readable; the caller has waited
 * for the last writer.  withdraw: empties the set that readers have; under ch->lock for writing.
 */
void grt_channel_swap(struct grt_channel *ch, struct grt_swap swap);
void grt_channel_freeze(struct grt_channel *ch, struct grt_set *set);
void grt_channel_withdraw(struct grt_channel *ch);

static inline struct grt_set *grt_channel_other(struct grt_channel *ch, const struct grt_set *set)
{
	return set == &ch->sets[0] ? &ch->sets[1] : &ch->sets[0];
}

static inline struct grt_side *grt_set_side(const struct grt_set *set, unsigned int cpu)
{
	return per_cpu_ptr(set->sides, cpu);
}

/* The buffer of @cpu, NULL if there is none. */
static inline struct rchan_buf *grt_set_buf(const struct grt_set *set, unsigned int cpu)
{
	return set && set->rchan ? *per_cpu_ptr(set->rchan->buf, cpu) : NULL;
}

/* The buffer that @cpu writes to. */
static inline struct rchan_buf *grt_channel_buf(const struct grt_channel *ch, unsigned int cpu)
{
	return grt_set_buf(READ_ONCE(ch->written), cpu);
}

/* Does a finished sub-buffer of @cpu wait for its reader? */
static inline bool grt_channel_has_any(const struct grt_channel *ch, unsigned int cpu)
{
	const struct grt_set *set = READ_ONCE(ch->read);

	return set && cpumask_test_cpu(cpu, &ch->cpus) &&
	       grt_queue_has_any(&grt_set_side(set, cpu)->queue);
}

#endif
