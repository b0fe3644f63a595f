// SPDX-License-Identifier: GPL-2.0
/*
 * What a stream consists of: STREAM_INFO, METADATA, the RING, PROCESS and POLICY
 * rows so far, then sub-buffers with new rows between them, then STREAM_END once the
 * session was stopped.  Rows are registered before the events that use them, a policy
 * before it applies, and taken after a sub-buffer is seen as produced: so they always
 * come first.
 *
 * A stream of all CPUs is theirs in turns; a STREAM_INFO tells whose turn it is.
 *
 * relay's own read() loses and repeats sub-buffers when a buffer fills, because
 * it guesses where the writer is.  Here only sub-buffers are handed out that are
 * whole and counted as produced.
 */
#include <linux/relay.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/linux/grtrace.h>

#include "../counters.h"
#include "reader.h"

static struct rchan_buf **bufs;	/* by CPU */
static u64 current_session;	/* 0: none, or it was forgotten */
static bool is_running;

/* Held for writing while the buffers are emptied for a new session, or go. */
static DECLARE_RWSEM(subbufs_lock);

void grt_reader_init(struct grt_reader *r, int first, int end)
{
	mutex_init(&r->lock);
	r->session_id = READ_ONCE(current_session);
	r->first = first;
	r->end = end;
	r->cpu = first;
	r->announced = first;
	r->next_end = first;
}

bool grt_reader_is_late(struct grt_reader *r)
{
	u64 current_id = READ_ONCE(current_session);

	if (!r->session_id)
		r->session_id = current_id;
	return r->session_id != current_id;
}

static bool subbuf_is_ready(int cpu)
{
	struct rchan_buf *buf = READ_ONCE(bufs[cpu]);

	/* Pairs with smp_wmb() before relay_switch_subbuf(). */
	return buf && smp_load_acquire(&buf->subbufs_produced) !=
		      READ_ONCE(buf->subbufs_consumed);
}

/* Fair to all CPUs: the one behind the last comes first. */
static bool pick_subbuf(struct grt_reader *r)
{
	int i, cpu = r->cpu;

	for (i = r->first; !r->is_in_hand && i < r->end; i++) {
		cpu = cpu + 1 < r->end ? cpu + 1 : r->first;
		if (!subbuf_is_ready(cpu))
			continue;
		r->cpu = cpu;
		r->is_in_hand = true;
	}
	return r->is_in_hand;
}

bool grt_reader_may_go_on(struct grt_reader *r)
{
	bool may;

	if (grt_reader_is_late(r))
		return true;
	if (!r->session_id)
		return false;
	/* The condition of a wait must not sleep; see grt_reader_drop_bufs(). */
	rcu_read_lock();
	may = r->def_bytes || !r->defs.has_begun || pick_subbuf(r) ||
	      !READ_ONCE(is_running);
	rcu_read_unlock();
	return may;
}

static ssize_t take_def(struct grt_reader *r, char __user *to, size_t room)
{
	size_t bytes = min(room, r->def_bytes - r->def_at);

	if (copy_to_user(to, r->def + r->def_at, bytes))
		return -EFAULT;
	r->def_at += bytes;
	if (r->def_at == r->def_bytes) {
		r->def_at = 0;
		r->def_bytes = 0;
	}
	return bytes;
}

static ssize_t take_subbuf(struct grt_reader *r, char __user *to, size_t room)
{
	struct rchan_buf *buf = bufs[r->cpu];
	size_t i = buf->subbufs_consumed % buf->chan->n_subbufs;
	size_t used = buf->chan->subbuf_size - buf->padding[i];
	size_t bytes = min(room, used - r->subbuf_at);

	if (copy_to_user(to, buf->start + i * buf->chan->subbuf_size + r->subbuf_at,
			 bytes))
		return -EFAULT;
	r->subbuf_at += bytes;
	if (r->subbuf_at == used) {
		r->subbuf_at = 0;
		r->is_in_hand = false;
		smp_mb();	/* the copy is done before the room is free */
		relay_subbufs_consumed(buf->chan, buf->cpu, 1);
	}
	return bytes;
}

/* Whose records follow; true if that has to be said first. */
static bool announce(struct grt_reader *r, int cpu)
{
	if (r->announced == cpu)
		return false;
	r->announced = cpu;
	r->def_bytes = grt_defs_stream_info(r->def, cpu);
	return true;
}

static void build_end(struct grt_reader *r, int cpu)
{
	const struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	struct grtrace_stream_end *end = (void *)r->def;

	*end = (struct grtrace_stream_end){
		.hdr.type = GRTRACE_STREAM_END,
		.hdr.size = sizeof(*end),
		.hdr.cpu = cpu,
		.hdr.ts = c->last_ts,
		.hdr.cseq = c->cseq,
		.session_id = r->session_id,
		.last_cseq = c->cseq,
		.fates = c->at_stop,
	};
	r->def_bytes = sizeof(*end);
}

/* The account of the next CPU, as the piece to be taken; false after the last. */
static bool take_up_end(struct grt_reader *r)
{
	while (r->next_end < r->end && !bufs[r->next_end])
		r->next_end++;	/* never came up */
	if (r->next_end == r->end) {
		r->has_ended = true;
		return false;
	}
	if (!announce(r, r->next_end))
		build_end(r, r->next_end++);
	return true;
}

/* As grt_reader_take(), one piece. */
static ssize_t take_next(struct grt_reader *r, char __user *to, size_t room)
{
	bool is_over;

	if (r->def_bytes)
		return take_def(r, to, room);
	if (grt_reader_is_late(r) || !r->session_id || r->has_ended)
		return 0;
	/* In this order: what was produced before the end is seen before it. */
	is_over = !smp_load_acquire(&is_running);
	pick_subbuf(r);
	if (!r->subbuf_at) {
		r->def_bytes = grt_defs_next(&r->defs, r->first, r->def);
		if (r->def_bytes || (r->is_in_hand && announce(r, r->cpu)))
			return take_def(r, to, room);
	}
	if (r->is_in_hand)
		return take_subbuf(r, to, room);
	if (is_over && take_up_end(r))
		return take_def(r, to, room);
	return 0;
}

ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room)
{
	ssize_t sum = 0, bytes;

	down_read(&subbufs_lock);
	while (sum < room) {
		bytes = take_next(r, to + sum, room - sum);
		if (bytes < 0 && !sum)
			sum = bytes;
		if (bytes <= 0)
			break;
		sum += bytes;
	}
	up_read(&subbufs_lock);
	return sum;
}

void grt_reader_set_buf(int cpu, struct rchan_buf *buf)
{
	WRITE_ONCE(bufs[cpu], buf);
}

struct rchan_buf *grt_reader_buf(int cpu)
{
	return READ_ONCE(bufs[cpu]);
}

void grt_reader_drop_bufs(void)
{
	int cpu;

	down_write(&subbufs_lock);
	WRITE_ONCE(current_session, 0);
	for_each_possible_cpu(cpu)
		WRITE_ONCE(bufs[cpu], NULL);
	up_write(&subbufs_lock);
	synchronize_rcu();	/* for grt_reader_may_go_on() */
}

void grt_reader_lock_all(void)
{
	down_write(&subbufs_lock);
}

void grt_reader_unlock_all(void)
{
	up_write(&subbufs_lock);
}

void grt_reader_begin(u64 session_id)
{
	WRITE_ONCE(current_session, session_id);
	/* Pairs with take_next(). */
	smp_store_release(&is_running, true);
}

void grt_reader_end(void)
{
	/* Pairs with take_next(): every sub-buffer was produced before this. */
	smp_store_release(&is_running, false);
}

bool grt_reader_is_running(void)
{
	return READ_ONCE(is_running);
}

int grt_reader_create(void)
{
	bufs = kcalloc(nr_cpu_ids, sizeof(*bufs), GFP_KERNEL);
	return bufs ? 0 : -ENOMEM;
}

void grt_reader_destroy(void)
{
	kfree(bufs);
}
