// SPDX-License-Identifier: GPL-2.0
/*
 * Builds a stream from definitions, sub-buffers with new definitions between them, and an end
 * once the session has stopped.  A definition is registered before the first record that uses
 * it; the reader first sees a sub-buffer as produced, then takes all definitions.  So
 * definitions always come first.
 *
 * A stream of all CPUs has their sub-buffers in turns, and says which CPU's turn it is.
 *
 * In overwrite mode a stream is a snapshot.  Reading does not consume it: the next reader gets it
 * again, until it is released.
 *
 * relay's own read() loses and repeats sub-buffers when a buffer fills, because it guesses
 * where the writer is.  This file only hands out whole sub-buffers that are counted as produced.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "reader.h"
#include "transport.h"

struct grt_reader *grt_reader_create(struct grt_channel *ch, unsigned int first,
				     unsigned int end)
{
	size_t cursor_bytes = ALIGN(ch->ops->cursor_bytes, 8);
	struct grt_reader *r;

	r = kzalloc(sizeof(*r) + cursor_bytes + ch->ops->definition_max, GFP_KERNEL);
	if (!r)
		return NULL;
	mutex_init(&r->lock);
	r->ch = ch;
	r->session_id = READ_ONCE(ch->session_id);
	r->first = first;
	r->end = end;
	r->cpu = first;
	r->announced = first;
	r->next_end = first;
	r->cursor = r + 1;
	r->def = r->cursor + cursor_bytes;
	return r;
}

/* Has a new session begun, or was the reader's session reset, or its snapshot released? */
static bool is_late(const struct grt_reader *r)
{
	u64 session_id = READ_ONCE(r->session_id), snapshot = READ_ONCE(r->snapshot);

	return (session_id && session_id != READ_ONCE(r->ch->session_id)) ||
	       (snapshot && snapshot != READ_ONCE(r->ch->snapshot));
}

/*
 * The removal of a file waits for a read() in it, so a reader that opened the file just before must
 * not wait for a session.
 */
static bool is_going(const struct grt_reader *r)
{
	return r->has_cpu_file && !READ_ONCE(r->session_id) && READ_ONCE(r->ch->is_closing);
}

bool grt_reader_is_over(const struct grt_reader *r)
{
	return READ_ONCE(r->has_ended) || is_late(r) || is_going(r);
}

static bool has_subbuf(const struct grt_reader *r)
{
	unsigned int cpu;

	for (cpu = r->first; cpu < r->end; cpu++)
		if (grt_channel_has_any(r->ch, cpu))
			return true;
	return false;
}

/* Overwrite mode: can a snapshot still come? */
static bool may_follow(const struct grt_channel *ch)
{
	return READ_ONCE(ch->is_running) || READ_ONCE(ch->has_last);
}

/* Takes no lock: another thread may read first, and then nothing is new. */
bool grt_reader_has_data(const struct grt_reader *r)
{
	u64 session_id = READ_ONCE(r->ch->session_id);

	if (session_id != READ_ONCE(r->session_id))
		return true;
	/* A snapshot is whole when it is shown. */
	if (READ_ONCE(r->ch->is_overwrite))
		return session_id && (READ_ONCE(r->ch->snapshot) || READ_ONCE(r->snapshot) ||
				      !may_follow(r->ch));
	return session_id &&
	       (READ_ONCE(r->def_bytes) || !READ_ONCE(r->has_begun) || has_subbuf(r) ||
		!READ_ONCE(r->ch->is_running));
}

/* Takes CPUs in turns: the search starts after the CPU that was served last. */
static void pick_subbuf(struct grt_reader *r)
{
	unsigned int i, cpu = r->cpu;

	for (i = r->first; !r->is_in_hand && i < r->end; i++) {
		cpu = cpu + 1 < r->end ? cpu + 1 : r->first;
		if (!grt_channel_has_any(r->ch, cpu))
			continue;
		r->cpu = cpu;
		r->is_in_hand = true;
	}
}

/*
 * Returns the bytes copied.  It does not wait for a page that is not in memory: that could
 * take for ever, while others wait for the locks.
 */
static size_t copy_out(char __user *to, const void *from, size_t bytes)
{
	size_t left;

	pagefault_disable();
	left = copy_to_user(to, from, bytes);
	pagefault_enable();
	return bytes - left;
}

static ssize_t take_def(struct grt_reader *r, char __user *to, size_t room)
{
	size_t bytes = copy_out(to, r->def + r->def_at, min(room, r->def_bytes - r->def_at));

	if (!bytes)
		return -EFAULT;
	r->def_at += bytes;
	if (r->def_at == r->def_bytes) {
		r->def_at = 0;
		WRITE_ONCE(r->def_bytes, 0);
	}
	return bytes;
}

/*
 * A sub-buffer is consumed with its last byte, and a reader that is killed before that leaves all
 * of it to the next one.  So that no reader keeps a part of it, it is given in parts only to one
 * that never has room for all of it.
 */
static ssize_t take_subbuf(struct grt_reader *r, char __user *to, size_t room, bool is_first)
{
	struct grt_queue *q = &grt_set_side(r->ch->read, r->cpu)->queue;
	const struct rchan_buf *buf = grt_set_buf(r->ch->read, r->cpu);
	size_t i = grt_queue_first(q), used = q->used[i], bytes;

	if (!is_first && !r->subbuf_at && room < used)
		return 0;
	bytes = copy_out(to, buf->start + i * buf->chan->subbuf_size + r->subbuf_at,
			 min(room, used - r->subbuf_at));
	if (!bytes)
		return -EFAULT;
	r->subbuf_at += bytes;
	if (r->subbuf_at == used) {
		r->subbuf_at = 0;
		r->is_in_hand = false;
		grt_queue_take(q);
		if (!r->ch->is_overwrite)
			atomic64_inc(&r->ch->consumed);
	}
	return bytes;
}

static void set_def(struct grt_reader *r, size_t bytes)
{
	WRITE_ONCE(r->def_bytes, bytes);
}

/* Makes the record that says whose records follow; false if the stream has said so already. */
static bool announce(struct grt_reader *r, unsigned int cpu)
{
	if (r->announced == cpu)
		return false;
	r->announced = cpu;
	set_def(r, r->ch->ops->write_turn(r->def, cpu));
	return true;
}

/* Under ch->lock.  A snapshot that was dropped with its session has no readers any more. */
static void end_snapshot(struct grt_reader *r)
{
	if (r->snapshot && !r->has_left && !is_late(r))
		atomic_dec(&r->ch->nr_reading);
	r->has_left = true;
}

void grt_reader_leave(struct grt_reader *r)
{
	down_read(&r->ch->lock);
	end_snapshot(r);
	up_read(&r->ch->lock);
}

/* Makes the end of the next CPU the current definition; false after the last CPU. */
static bool prepare_end(struct grt_reader *r)
{
	while (r->next_end < r->end && !cpumask_test_cpu(r->next_end, &r->ch->cpus))
		r->next_end++;	/* this CPU never had a buffer */
	if (r->next_end == r->end) {
		WRITE_ONCE(r->has_ended, true);
		end_snapshot(r);
		return false;
	}
	if (!announce(r, r->next_end)) {
		set_def(r, r->ch->ops->write_end(r->def, r->next_end));
		r->next_end++;
	}
	return true;
}

static bool prepare_def(struct grt_reader *r)
{
	set_def(r, r->ch->ops->next_definition(r->cursor, r->first, r->def));
	WRITE_ONCE(r->has_begun, true);
	return r->def_bytes;
}

/* Begins with the snapshot that is held; false: there is none, and after a stop none will come. */
static bool begin_snapshot(struct grt_reader *r)
{
	struct grt_side *side;
	unsigned int cpu;

	if (!r->ch->snapshot) {
		WRITE_ONCE(r->has_ended, !may_follow(r->ch));
		return false;
	}
	/* Another reader may have read it before, but not at the same time: see stream.c. */
	for (cpu = r->first; cpu < r->end; cpu++) {
		if (!cpu_possible(cpu))
			continue;
		side = grt_set_side(r->ch->read, cpu);
		side->queue.consumed = side->oldest;
	}
	WRITE_ONCE(r->snapshot, r->ch->snapshot);
	atomic_inc(&r->ch->nr_reading);
	return true;
}

/* One step of grt_reader_take(): copies one piece.  @is_first: nothing was copied before. */
static ssize_t take_next(struct grt_reader *r, char __user *to, size_t room, bool is_first)
{
	bool is_over;

	if (r->def_bytes)
		return take_def(r, to, room);
	if (!r->session_id)
		WRITE_ONCE(r->session_id, r->ch->session_id);
	if (!r->session_id || grt_reader_is_over(r))
		return 0;
	if (r->ch->is_overwrite && !r->snapshot && !begin_snapshot(r))
		return 0;
	/*
	 * Read is_running first: if it is false, pick_subbuf() sees every sub-buffer.  Pairs
	 * with grt_transport_end().
	 */
	is_over = !smp_load_acquire(&r->ch->is_running) || r->ch->is_overwrite;
	pick_subbuf(r);
	if (!r->subbuf_at &&
	    (prepare_def(r) || (r->is_in_hand && announce(r, r->cpu))))
		return take_def(r, to, room);
	if (r->is_in_hand)
		return take_subbuf(r, to, room, is_first);
	if (is_over && prepare_end(r))
		return take_def(r, to, room);
	return 0;
}

ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room)
{
	ssize_t sum = 0, bytes;

	lockdep_assert_held(&r->lock);
	down_read(&r->ch->lock);
	while (sum < room) {
		bytes = take_next(r, to + sum, room - sum, !sum);
		if (bytes < 0 && !sum)
			sum = bytes;
		if (bytes <= 0)
			break;
		sum += bytes;
	}
	up_read(&r->ch->lock);
	return sum;
}
