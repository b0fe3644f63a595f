// SPDX-License-Identifier: GPL-2.0
/*
 * What a stream consists of: definitions, then sub-buffers with new definitions between
 * them, then an end once the session was stopped.  Definitions are registered before the
 * records that use them, and taken after a sub-buffer is seen as produced: so they always
 * come first.
 *
 * A stream of all CPUs is theirs in turns, and says whose turn it is.
 *
 * relay's own read() loses and repeats sub-buffers when a buffer fills, because
 * it guesses where the writer is.  Here only sub-buffers are handed out that are
 * whole and counted as produced.
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

/* Its session was followed by another one, or forgotten. */
static bool is_late(const struct grt_reader *r)
{
	u64 session_id = READ_ONCE(r->session_id);

	return session_id && session_id != READ_ONCE(r->ch->session_id);
}

bool grt_reader_is_over(const struct grt_reader *r)
{
	return READ_ONCE(r->has_ended) || is_late(r);
}

static bool has_subbuf(const struct grt_reader *r)
{
	unsigned int cpu;

	for (cpu = r->first; cpu < r->end; cpu++)
		if (grt_channel_has_any(r->ch, cpu))
			return true;
	return false;
}

/* Without the reader's lock: another thread that reads may come first, then nothing is new. */
bool grt_reader_may_go_on(const struct grt_reader *r)
{
	u64 session_id = READ_ONCE(r->ch->session_id);

	if (session_id != READ_ONCE(r->session_id))
		return true;
	return session_id &&
	       (READ_ONCE(r->def_bytes) || !READ_ONCE(r->has_begun) || has_subbuf(r) ||
		!READ_ONCE(r->ch->is_running));
}

/* Fair to all CPUs: the one behind the last comes first. */
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
 * Bytes copied.  A page that is not in memory may take for ever to come, and others wait
 * for the locks: so it is not waited for here.
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

static ssize_t take_subbuf(struct grt_reader *r, char __user *to, size_t room)
{
	struct grt_queue *q = &grt_channel_side(r->ch, r->cpu)->queue;
	const struct rchan_buf *buf = grt_channel_buf(r->ch, r->cpu);
	size_t i = grt_queue_first(q), used = q->used[i], bytes;

	bytes = copy_out(to, buf->start + i * buf->chan->subbuf_size + r->subbuf_at,
			 min(room, used - r->subbuf_at));
	if (!bytes)
		return -EFAULT;
	r->subbuf_at += bytes;
	if (r->subbuf_at == used) {
		r->subbuf_at = 0;
		r->is_in_hand = false;
		grt_queue_take(q);
		atomic64_inc(&r->ch->consumed);
	}
	return bytes;
}

static void set_def(struct grt_reader *r, size_t bytes)
{
	WRITE_ONCE(r->def_bytes, bytes);
}

/* Whose records follow; true if that has to be said first. */
static bool announce(struct grt_reader *r, unsigned int cpu)
{
	if (r->announced == cpu)
		return false;
	r->announced = cpu;
	set_def(r, r->ch->ops->write_turn(r->def, cpu));
	return true;
}

/* The end of the next CPU, as the piece to be taken; false after the last. */
static bool take_up_end(struct grt_reader *r)
{
	while (r->next_end < r->end && !cpumask_test_cpu(r->next_end, &r->ch->cpus))
		r->next_end++;	/* never came up */
	if (r->next_end == r->end) {
		WRITE_ONCE(r->has_ended, true);
		return false;
	}
	if (!announce(r, r->next_end)) {
		set_def(r, r->ch->ops->write_end(r->def, r->next_end));
		r->next_end++;
	}
	return true;
}

static bool take_up_def(struct grt_reader *r)
{
	set_def(r, r->ch->ops->next_definition(r->cursor, r->first, r->def));
	WRITE_ONCE(r->has_begun, true);
	return r->def_bytes;
}

/* As grt_reader_take(), one piece. */
static ssize_t take_next(struct grt_reader *r, char __user *to, size_t room)
{
	bool is_over;

	if (r->def_bytes)
		return take_def(r, to, room);
	if (!r->session_id)
		WRITE_ONCE(r->session_id, r->ch->session_id);
	if (!r->session_id || grt_reader_is_over(r))
		return 0;
	/*
	 * In this order: what was produced before the end is seen before it.  Pairs with
	 * grt_transport_end().
	 */
	is_over = !smp_load_acquire(&r->ch->is_running);
	pick_subbuf(r);
	if (!r->subbuf_at &&
	    (take_up_def(r) || (r->is_in_hand && announce(r, r->cpu))))
		return take_def(r, to, room);
	if (r->is_in_hand)
		return take_subbuf(r, to, room);
	if (is_over && take_up_end(r))
		return take_def(r, to, room);
	return 0;
}

ssize_t grt_reader_take(struct grt_reader *r, char __user *to, size_t room)
{
	ssize_t sum = 0, bytes;

	lockdep_assert_held(&r->lock);
	down_read(&r->ch->lock);
	while (sum < room) {
		bytes = take_next(r, to + sum, room - sum);
		if (bytes < 0 && !sum)
			sum = bytes;
		if (bytes <= 0)
			break;
		sum += bytes;
	}
	up_read(&r->ch->lock);
	return sum;
}
