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

static struct grt_channel *channel_of(const struct rchan_buf *buf)
{
	return buf->chan->private_data;
}

static struct grt_side *side_of(const struct rchan_buf *buf)
{
	return grt_channel_side(channel_of(buf), buf->cpu);
}

static enum grt_head why_begun(const struct grt_side *side, const void *prev_subbuf)
{
	if (!prev_subbuf)
		return GRT_HEAD_FIRST;
	return side->wants_room ? GRT_HEAD_FOR_RECORD : GRT_HEAD_AFTER_FLUSH;
}

/*
 * relay calls it before each sub-buffer, and for every write while the buffer is full.  The
 * caller of grt_transport_next() counts the loss.
 */
static int next_subbuf(struct rchan_buf *buf, void *subbuf, void *prev_subbuf)
{
	const struct grt_transport_ops *ops = channel_of(buf)->ops;
	struct grt_side *side = side_of(buf);

	if (prev_subbuf && grt_queue_is_full(&side->queue)) {
		if (!side->is_full)
			ops->count_overrun(buf->cpu);
		side->is_full = true;
		return 0;
	}
	side->is_full = false;
	ops->write_head(buf->cpu, subbuf, why_begun(side, prev_subbuf));
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
	/* While the buffer is full, relay keeps the offset past the end: nothing to finish. */
	if (buf->offset <= buf->chan->subbuf_size) {
		grt_queue_put(&side_of(buf)->queue, buf->offset);
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

static void clear_sides(struct grt_channel *ch)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(grt_channel_side(ch, cpu), 0, sizeof(struct grt_side));
}

int grt_channel_open(struct grt_channel *ch, size_t buffer_bytes)
{
	size_t subbuf_bytes = PAGE_ALIGN(buffer_bytes / GRT_SUBBUFS);

	down_write(&ch->lock);
	cpus_read_lock();	/* relay_open() walks the online CPUs without this lock */
	clear_sides(ch);
	ch->rchan = relay_open(NULL, NULL, subbuf_bytes, GRT_SUBBUFS, &chan_callbacks, ch);
	if (ch->rchan) {
		ch->bytes = buffer_bytes;
		ch->subbuf_bytes = subbuf_bytes;
		cpumask_copy(&ch->cpus, cpu_online_mask);
	}
	cpus_read_unlock();
	up_write(&ch->lock);
	return ch->rchan ? 0 : -ENOMEM;
}

void grt_channel_free(struct grt_channel *ch)
{
	struct rchan *rchan;

	down_write(&ch->lock);
	cpus_read_lock();
	rchan = ch->rchan;
	ch->rchan = NULL;
	clear_sides(ch);
	cpus_read_unlock();
	up_write(&ch->lock);
	relay_close(rchan);
}

void grt_channel_empty(struct grt_channel *ch)
{
	clear_sides(ch);
	atomic64_set(&ch->consumed, 0);
	relay_reset(ch->rchan);
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

bool grt_channel_cpu_online(struct grt_channel *ch, unsigned int cpu)
{
	if (!grt_channel_buf(ch, cpu))
		return false;
	cpumask_set_cpu(cpu, &ch->cpus);
	if (ch->is_writing)
		ch->ops->set_buf(cpu, grt_channel_buf(ch, cpu));
	return true;
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
	ops->write_head(buf->cpu, buf->data, GRT_HEAD_AGAIN);
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
