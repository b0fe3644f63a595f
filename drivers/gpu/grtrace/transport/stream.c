// SPDX-License-Identifier: GPL-2.0
/*
 * The files events0..N.  relay's own read() loses and repeats sub-buffers when a
 * buffer fills, because it guesses where the writer is; this one only ever hands
 * out sub-buffers that are whole and counted as produced.
 *
 * A stream is STREAM_INFO, METADATA, the RING and PROCESS rows so far, then
 * sub-buffers with new rows between them, then STREAM_END once the session was
 * stopped.  Rows are registered before the events that use them, and taken after
 * a sub-buffer is seen as produced: so they always come first.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../counters.h"
#include "../defs.h"
#include "transport.h"

#define FLUSH_MS	100	/* how long a waiting reader waits for a part */

struct stream {
	struct rchan_buf *buf;
	/* Ours, not relay's: an epoll may hang on it when the channel is freed. */
	wait_queue_head_t wait;
	struct irq_work wake;
	struct delayed_work flush;
	atomic_t is_open;
	int cpu;
};

struct reader {
	struct stream *stream;
	u64 session_id;
	struct mutex lock;	/* threads that share the descriptor */
	struct grt_defs_cursor defs;
	size_t subbuf_at;	/* bytes taken of the sub-buffer in hand */
	size_t def_at, def_bytes;
	bool has_ended;
	u8 def[GRT_DEF_MAX];
};

static struct stream *streams;	/* one per possible CPU */

/* Held for writing while the buffers are emptied for a new session. */
static DECLARE_RWSEM(subbufs_lock);
static u64 current_session;
static bool is_running;

static bool reader_is_late(const struct reader *r)
{
	return r->session_id != READ_ONCE(current_session);
}

static bool subbuf_is_ready(const struct stream *s)
{
	/* Pairs with smp_wmb() before relay_switch_subbuf(). */
	return smp_load_acquire(&s->buf->subbufs_produced) !=
	       READ_ONCE(s->buf->subbufs_consumed);
}

static bool reader_may_go_on(const struct reader *r)
{
	return reader_is_late(r) || r->def_bytes || !r->defs.has_begun ||
	       subbuf_is_ready(r->stream) || !READ_ONCE(is_running);
}

/* A waiting reader gets what there is within FLUSH_MS, full sub-buffer or not. */
static void flush_for_reader(struct work_struct *work)
{
	struct stream *s = container_of(to_delayed_work(work), struct stream, flush);

	/* A reader that comes just now asks for a flush itself. */
	if (!READ_ONCE(is_running) || !waitqueue_active(&s->wait))
		return;
	grt_transport_flush_cpu(s->cpu);
	schedule_delayed_work(&s->flush, msecs_to_jiffies(FLUSH_MS));
}

static void want_flush(struct stream *s)
{
	if (READ_ONCE(is_running))
		schedule_delayed_work(&s->flush, msecs_to_jiffies(FLUSH_MS));
}

static void build_end(struct reader *r)
{
	const struct grt_cpu *c = per_cpu_ptr(grt_cpus, r->stream->cpu);
	struct grtrace_stream_end *end = (void *)r->def;

	*end = (struct grtrace_stream_end){
		.hdr.type = GRTRACE_STREAM_END,
		.hdr.size = sizeof(*end),
		.hdr.cpu = r->stream->cpu,
		.hdr.ts = c->last_ts,
		.hdr.cseq = c->cseq,
		.session_id = r->session_id,
		.last_cseq = c->cseq,
	};
	end->fates = c->at_stop;
	r->def_bytes = sizeof(*end);
}

static ssize_t take_def(struct reader *r, char __user *to, size_t room)
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

/* A sub-buffer is ready. */
static ssize_t take_subbuf(struct reader *r, char __user *to, size_t room)
{
	struct rchan_buf *buf = r->stream->buf;
	size_t i = buf->subbufs_consumed % buf->chan->n_subbufs;
	size_t used = buf->chan->subbuf_size - buf->padding[i];
	size_t bytes = min(room, used - r->subbuf_at);

	if (copy_to_user(to, buf->start + i * buf->chan->subbuf_size + r->subbuf_at,
			 bytes))
		return -EFAULT;
	r->subbuf_at += bytes;
	if (r->subbuf_at == used) {
		r->subbuf_at = 0;
		smp_mb();	/* the copy is done before the room is free */
		relay_subbufs_consumed(buf->chan, buf->cpu, 1);
	}
	return bytes;
}

/*
 * The next piece of the stream: bytes copied, 0 = nothing more now (and at the
 * end nothing ever), or -EFAULT.
 */
static ssize_t take_next(struct reader *r, char __user *to, size_t room)
{
	bool is_ready, is_over;

	if (r->def_bytes)
		return take_def(r, to, room);
	if (reader_is_late(r) || r->has_ended)
		return 0;
	/* In this order: what was produced before the end is seen before it. */
	is_over = !smp_load_acquire(&is_running);
	is_ready = subbuf_is_ready(r->stream);
	if (!r->subbuf_at) {
		r->def_bytes = grt_defs_next(&r->defs, r->stream->cpu, r->def);
		if (r->def_bytes)
			return take_def(r, to, room);
	}
	if (is_ready)
		return take_subbuf(r, to, room);
	if (!is_over)
		return 0;
	r->has_ended = true;
	build_end(r);
	return take_def(r, to, room);
}

static ssize_t take_all(struct reader *r, char __user *to, size_t room)
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

static ssize_t events_read(struct file *file, char __user *to, size_t room,
			   loff_t *pos)
{
	struct reader *r = file->private_data;
	ssize_t bytes;

	if (mutex_lock_interruptible(&r->lock))
		return -ERESTARTSYS;
	room = min_t(size_t, room, MAX_RW_COUNT);
	for (;;) {
		bytes = take_all(r, to, room);
		if (bytes || !room || reader_is_late(r) || r->has_ended)
			break;
		if (file->f_flags & O_NONBLOCK) {
			bytes = -EAGAIN;
			break;
		}
		want_flush(r->stream);
		bytes = wait_event_interruptible(r->stream->wait,
						 reader_may_go_on(r));
		if (bytes)
			break;
	}
	mutex_unlock(&r->lock);
	return bytes;
}

static __poll_t events_poll(struct file *file, poll_table *wait)
{
	struct reader *r = file->private_data;

	poll_wait(file, &r->stream->wait, wait);
	if (reader_is_late(r) || r->has_ended)
		return EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	if (reader_may_go_on(r))
		return EPOLLIN | EPOLLRDNORM;
	want_flush(r->stream);
	return 0;
}

static int events_open(struct inode *inode, struct file *file)
{
	struct stream *s = inode->i_private;
	struct reader *r;

	if (atomic_cmpxchg(&s->is_open, 0, 1))
		return -EBUSY;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r) {
		atomic_set(&s->is_open, 0);
		return -ENOMEM;
	}
	mutex_init(&r->lock);
	r->stream = s;
	r->session_id = READ_ONCE(current_session);
	file->private_data = r;
	return nonseekable_open(inode, file);
}

/* The channel may be gone by now: touches only what is ours. */
static int events_release(struct inode *inode, struct file *file)
{
	struct reader *r = file->private_data;

	atomic_set(&r->stream->is_open, 0);
	kfree(r);
	return 0;
}

static const struct file_operations events_fops = {
	.owner	 = THIS_MODULE,
	.open	 = events_open,
	.read	 = events_read,
	.poll	 = events_poll,
	.release = events_release,
};

struct dentry *grt_stream_create(const char *name, struct dentry *dir,
				 struct rchan_buf *buf)
{
	struct dentry *file;
	struct stream *s;
	int cpu;

	/* relay fills buf->cpu only after this call (7.2 relay.c:relay_open_buf). */
	if (kstrtoint(name + strlen(GRT_STREAM_BASE), 10, &cpu))
		return NULL;
	s = &streams[cpu];
	s->buf = buf;
	file = debugfs_create_file(name, 0400, dir, s, &events_fops);
	return IS_ERR(file) ? NULL : file;	/* relay knows NULL only */
}

static void wake_readers(struct irq_work *work)
{
	wake_up_interruptible_all(&container_of(work, struct stream, wake)->wait);
}

void grt_stream_wake(int cpu)
{
	struct stream *s = &streams[cpu];

	/* Writers run where waking is not allowed, inside locks of the driver. */
	smp_mb();	/* what was produced, then the look at who waits */
	if (waitqueue_active(&s->wait))
		irq_work_queue(&s->wake);
}

static void wake_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		wake_up_interruptible_all(&streams[cpu].wait);
}

void grt_stream_lock(void)
{
	down_write(&subbufs_lock);
}

void grt_stream_begin_and_unlock(u64 session_id)
{
	WRITE_ONCE(current_session, session_id);
	/* Pairs with take_next(). */
	smp_store_release(&is_running, true);
	up_write(&subbufs_lock);
	wake_all();
}

void grt_stream_end(void)
{
	/* Pairs with take_next(): every sub-buffer was produced before this. */
	smp_store_release(&is_running, false);
	wake_all();
}

void grt_stream_quiesce(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		cancel_delayed_work_sync(&streams[cpu].flush);
		irq_work_sync(&streams[cpu].wake);
	}
}

int grt_stream_init(void)
{
	int cpu;

	streams = kcalloc(nr_cpu_ids, sizeof(*streams), GFP_KERNEL);
	if (!streams)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct stream *s = &streams[cpu];

		s->cpu = cpu;
		init_waitqueue_head(&s->wait);
		init_irq_work(&s->wake, wake_readers);
		INIT_DELAYED_WORK(&s->flush, flush_for_reader);
	}
	return 0;
}

void grt_stream_exit(void)
{
	kfree(streams);
}
