// SPDX-License-Identifier: GPL-2.0
/*
 * The relay channel.  grtrace uses relay's buffers and its switch to the next sub-buffer, but
 * not its read(), counters and files: see stream.c, queue.h and create_buf_file().
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "transport.h"
#include "waiters.h"

static struct grt_set *set_of(const struct rchan_buf *buf)
{
	return buf->chan->private_data;
}

static struct grt_channel *channel_of(const struct rchan_buf *buf)
{
	return set_of(buf)->ch;
}

static struct grt_side *side_of(const struct rchan_buf *buf)
{
	return grt_set_side(set_of(buf), buf->cpu);
}

static enum grt_head why_begun(const struct grt_side *side, const void *prev_subbuf,
			       bool is_overwrite)
{
	if (!prev_subbuf)
		return GRT_HEAD_FIRST;
	if (is_overwrite && !side->has_begun)
		return GRT_HEAD_AFTER_SWAP;
	return side->wants_room ? GRT_HEAD_FOR_RECORD : GRT_HEAD_AFTER_FLUSH;
}

/* Makes the next record begin a sub-buffer.  relay does the same while a buffer is full. */
static void park(struct rchan_buf *buf)
{
	buf->offset = buf->chan->subbuf_size + 1;
}

/*
 * relay calls it before each sub-buffer, and for every write while the buffer is full.  The
 * caller of grt_transport_next() counts the loss.
 */
static int next_subbuf(struct rchan_buf *buf, void *subbuf, void *prev_subbuf)
{
	const struct grt_channel *ch = channel_of(buf);
	const struct grt_transport_ops *ops = ch->ops;
	struct grt_side *side = side_of(buf);

	/* A head has the account of its moment, so it is written with the first record. */
	if (!prev_subbuf && ch->is_overwrite) {
		park(buf);
		return 1;
	}
	if (prev_subbuf && grt_queue_is_full(&side->queue)) {
		if (!side->is_full)
			ops->count_overrun(buf->cpu);
		side->is_full = true;
		return 0;
	}
	side->is_full = false;
	ops->write_head(buf->cpu, subbuf, why_begun(side, prev_subbuf, ch->is_overwrite),
			&set_of(buf)->begun);
	side->has_begun = true;
	subbuf_start_reserve(buf, ops->head_bytes);
	return 1;
}

#ifdef GRT_HAVE_RELAY_SUBBUF_START_3
static int subbuf_start(struct rchan_buf *buf, void *subbuf, void *prev_subbuf)
{
	return next_subbuf(buf, subbuf, prev_subbuf);
}
#else
static int subbuf_start(struct rchan_buf *buf, void *subbuf, void *prev_subbuf,
			size_t prev_padding)
{
	return next_subbuf(buf, subbuf, prev_subbuf);
}
#endif

static size_t switch_subbuf(struct rchan_buf *buf, size_t size)
{
	struct grt_queue *q = &side_of(buf)->queue;

	/* While the buffer is full, relay keeps the offset past the end: nothing to finish. */
	if (buf->offset <= buf->chan->subbuf_size) {
		grt_queue_put(q, buf->offset);
		/* Nobody waits for it, so it may be overwritten. */
		if (channel_of(buf)->is_overwrite)
			grt_queue_take(q);
		else
			grt_waiters_wake();
	}
	return relay_switch_subbuf(buf, size);
}

bool grt_transport_next(struct rchan_buf *buf, size_t size)
{
	struct grt_side *side = side_of(buf);
	size_t got;

	if (size > buf->chan->subbuf_size - channel_of(buf)->ops->head_bytes)
		return false;
	side->wants_room = true;
	got = switch_subbuf(buf, size);
	side->wants_room = false;
	return got;
}

/*
 * Must not fail: relay_open_buf() has not set buf->cpu yet, so relay would clear the pointer to
 * the buffer of CPU 0 instead of this one, and leak that buffer.  So stream.c makes the files
 * later, and relay gets a dentry that it never uses.
 */
static struct dentry *create_buf_file(const char *filename, struct dentry *parent,
				      umode_t mode, struct rchan_buf *buf,
				      int *is_global)
{
	return channel_of(buf)->dir;
}

static int remove_buf_file(struct dentry *dentry)
{
	return 0;
}

static const struct rchan_callbacks chan_callbacks = {
	.subbuf_start	 = subbuf_start,
	.create_buf_file = create_buf_file,
	.remove_buf_file = remove_buf_file,
};

static void clear_sides(struct grt_set *set)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(grt_set_side(set, cpu), 0, sizeof(struct grt_side));
}

static void empty_set(struct grt_set *set)
{
	clear_sides(set);
	if (set->rchan)
		relay_reset(set->rchan);
}

static int open_set(struct grt_channel *ch, struct grt_set *set)
{
	clear_sides(set);
	set->rchan = relay_open(NULL, NULL, ch->subbuf_bytes, GRT_SUBBUFS, &chan_callbacks, set);
	return set->rchan ? 0 : -ENOMEM;
}

int grt_channel_open(struct grt_channel *ch, size_t buffer_bytes, bool is_overwrite)
{
	int err;

	down_write(&ch->lock);
	cpus_read_lock();	/* relay_open() walks the online CPUs without this lock */
	ch->subbuf_bytes = PAGE_ALIGN(buffer_bytes / GRT_SUBBUFS);
	ch->is_overwrite = is_overwrite;
	ch->bytes = buffer_bytes;
	ch->written = &ch->sets[0];
	err = open_set(ch, &ch->sets[0]);
	if (!err && is_overwrite)
		err = open_set(ch, &ch->sets[1]);
	if (!err)
		cpumask_copy(&ch->cpus, cpu_online_mask);
	cpus_read_unlock();
	up_write(&ch->lock);
	return err;
}

/* Readers of a snapshot find that it is gone. */
static void forget_snapshot(struct grt_channel *ch)
{
	WRITE_ONCE(ch->read, NULL);
	WRITE_ONCE(ch->is_taking, false);
	WRITE_ONCE(ch->snapshot, 0);
	WRITE_ONCE(ch->has_last, false);
	atomic_set(&ch->nr_reading, 0);
}

void grt_channel_free(struct grt_channel *ch)
{
	struct rchan *rchans[ARRAY_SIZE(ch->sets)];
	int i;

	down_write(&ch->lock);
	cpus_read_lock();
	forget_snapshot(ch);
	for (i = 0; i < ARRAY_SIZE(ch->sets); i++) {
		rchans[i] = ch->sets[i].rchan;
		ch->sets[i].rchan = NULL;
		clear_sides(&ch->sets[i]);
	}
	cpus_read_unlock();
	up_write(&ch->lock);
	for (i = 0; i < ARRAY_SIZE(rchans); i++)
		relay_close(rchans[i]);
}

void grt_channel_empty(struct grt_channel *ch, u64 start_ns)
{
	forget_snapshot(ch);
	empty_set(&ch->sets[0]);
	empty_set(&ch->sets[1]);
	ch->sets[0].begun = (struct grt_swap){ .ns = start_ns };
	ch->written = &ch->sets[0];
	if (!ch->is_overwrite)
		WRITE_ONCE(ch->read, ch->written);
	atomic64_set(&ch->consumed, 0);
}

void grt_channel_let_write(struct grt_channel *ch)
{
	int cpu;

	cpus_read_lock();
	ch->is_writing = true;
	for_each_online_cpu(cpu)
		ch->ops->set_buf(cpu, grt_channel_buf(ch, cpu));
	cpus_read_unlock();
}

void grt_channel_forbid_writing(struct grt_channel *ch)
{
	int cpu;

	cpus_read_lock();
	ch->is_writing = false;
	for_each_possible_cpu(cpu)
		ch->ops->set_buf(cpu, NULL);
	cpus_read_unlock();

	/*
	 * A writer has interrupts off from reading its buffer pointer to its last byte.
	 * Without this wait a flush could cut its record in two.
	 */
	synchronize_rcu();
}

/*
 * A snapshot may be taken meanwhile.  Either it sees the buffer that was set here and changes
 * it, or this sees that the set has changed.  With interrupts off, whoever takes the snapshot
 * also waits for this.
 */
static void let_cpu_write(struct grt_channel *ch, unsigned int cpu)
{
	const struct grt_set *set;
	unsigned long flags;

	local_irq_save(flags);
	do {
		set = READ_ONCE(ch->written);
		ch->ops->set_buf(cpu, grt_set_buf(set, cpu));
		smp_mb();	/* pairs with grt_channel_swap() */
	} while (set != READ_ONCE(ch->written));
	local_irq_restore(flags);
}

bool grt_channel_cpu_online(struct grt_channel *ch, unsigned int cpu)
{
	if (!grt_channel_buf(ch, cpu))
		return false;
	cpumask_set_cpu(cpu, &ch->cpus);
	if (ch->is_writing)
		let_cpu_write(ch, cpu);
	return true;
}

void grt_channel_swap(struct grt_channel *ch, struct grt_swap swap)
{
	struct grt_set *from = ch->written, *to = grt_channel_other(ch, from);
	int cpu;

	to->begun = swap;
	WRITE_ONCE(ch->is_taking, true);
	/* A CPU that sees the set, here or by its buffer, also sees when it began. */
	smp_store_release(&ch->written, to);
	smp_mb();	/* pairs with let_cpu_write() */
	for_each_possible_cpu(cpu)
		if (grt_set_buf(from, cpu))
			ch->ops->swap_buf(cpu, grt_set_buf(from, cpu), grt_set_buf(to, cpu));
}

/* Where the current sub-buffer has no record, its head overwrote the oldest sub-buffer. */
static void freeze_buf(struct rchan_buf *buf)
{
	struct grt_side *side = side_of(buf);
	struct grt_queue *q = &side->queue;
	size_t kept = GRT_SUBBUFS - 1;

	if (buf->offset <= buf->chan->subbuf_size) {
		if (buf->offset > channel_of(buf)->ops->head_bytes) {
			grt_queue_put(q, buf->offset);
			kept++;
		}
		park(buf);
	}
	side->oldest = q->produced > kept ? q->produced - kept : 0;
	q->consumed = side->oldest;
}

void grt_channel_freeze(struct grt_channel *ch, struct grt_set *set)
{
	struct rchan_buf *buf;
	int cpu;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		buf = grt_set_buf(set, cpu);
		if (buf)
			freeze_buf(buf);
	}
	cpus_read_unlock();
}

void grt_channel_withdraw(struct grt_channel *ch)
{
	struct grt_set *set = ch->read;

	forget_snapshot(ch);
	cpus_read_lock();
	empty_set(set);
	cpus_read_unlock();
}

/* For the buffer of this CPU, with interrupts off, or of an offline CPU. */
static void flush_buf(struct rchan_buf *buf)
{
	if (buf->offset > channel_of(buf)->ops->head_bytes &&
	    buf->offset <= buf->chan->subbuf_size)
		switch_subbuf(buf, 0);
}

/*
 * Reports dropped events, even if no further record is written.  Such a sub-buffer takes the
 * room of many records, so skip it while half of the buffer waits for a slow reader.
 */
static void account_buf(struct rchan_buf *buf)
{
	const struct grt_transport_ops *ops = channel_of(buf)->ops;

	flush_buf(buf);
	if (!ops->has_pending_account(buf->cpu) ||
	    grt_queue_length(&side_of(buf)->queue) >= GRT_SUBBUFS / 2)
		return;
	/* The buffer was full, and has room again. */
	if (buf->offset > buf->chan->subbuf_size)
		switch_subbuf(buf, 0);
	if (buf->offset != ops->head_bytes)
		return;
	ops->write_head(buf->cpu, buf->data, GRT_HEAD_AGAIN, &set_of(buf)->begun);
	switch_subbuf(buf, 0);
}

static void flush_this_cpu(void *channel)
{
	flush_buf(grt_channel_buf(channel, smp_processor_id()));
}

static void account_this_cpu(void *channel)
{
	account_buf(grt_channel_buf(channel, smp_processor_id()));
}

/* Calls @flush_here on @cpu, or @flush for an offline CPU. */
static void flush_cpu(struct grt_channel *ch, unsigned int cpu,
		      void (*flush)(struct rchan_buf *buf), smp_call_func_t flush_here)
{
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, flush_here, ch, 1);
	} else {
		local_irq_disable();
		flush(grt_channel_buf(ch, cpu));
		local_irq_enable();
	}
}

/* Reads another CPU's offset, to spare idle CPUs the interrupt. */
static bool has_records(const struct grt_channel *ch, unsigned int cpu)
{
	const struct rchan_buf *buf = grt_channel_buf(ch, cpu);

	return buf && READ_ONCE(buf->offset) > ch->ops->head_bytes;
}

void grt_channel_flush_cpu(struct grt_channel *ch, unsigned int cpu)
{
	cpus_read_lock();
	if (has_records(ch, cpu))
		flush_cpu(ch, cpu, flush_buf, flush_this_cpu);
	cpus_read_unlock();
}

void grt_channel_account_cpu(struct grt_channel *ch, unsigned int cpu)
{
	cpus_read_lock();
	if (has_records(ch, cpu) || (grt_channel_buf(ch, cpu) && ch->ops->has_pending_account(cpu)))
		flush_cpu(ch, cpu, account_buf, account_this_cpu);
	cpus_read_unlock();
}
