// SPDX-License-Identifier: GPL-2.0
/*
 * The files of the streams: events0..N for one CPU each, and trace_pipe for all CPUs.  A CPU
 * has one reader at a time, so an open trace_pipe excludes the others.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "reader.h"
#include "stream.h"
#include "transport.h"
#include "waiters.h"

#define FLUSH_MS	100	/* how long a reader waits before it gets a part of a sub-buffer */
#define FAULT_BYTES	(1024 * 1024)	/* bytes to fault in at a time */

static struct grt_channel *channel;

static struct stream {
	struct dentry *file;	/* NULL: there is none */
	atomic_t is_open;	/* it has a reader */
} *streams;			/* by CPU */

static void flush_for_readers(struct work_struct *work);
static DECLARE_DELAYED_WORK(flush, flush_for_readers);

static void want_flush(void)
{
	if (READ_ONCE(channel->is_running) && !READ_ONCE(channel->is_overwrite))
		schedule_delayed_work(&flush, msecs_to_jiffies(FLUSH_MS));
}

/* Hands out sub-buffers that are not full, so that a reader waits FLUSH_MS at most. */
static void flush_for_readers(struct work_struct *work)
{
	int cpu;

	/* A reader that begins to wait now asks for a flush itself, see has_news(). */
	if (!READ_ONCE(channel->is_running) || !waitqueue_active(&grt_waiters))
		return;
	for_each_possible_cpu(cpu)
		if (atomic_read(&streams[cpu].is_open))
			grt_channel_flush_cpu(channel, cpu);
	want_flush();
}

/*
 * Call it only after joining the wait queue.  flush_for_readers() ends when nobody waits, so a
 * reader that asks for a flush first and waits afterwards could sleep for ever.
 */
static bool has_news(const struct grt_reader *r)
{
	if (grt_reader_has_data(r) || grt_reader_is_over(r))
		return true;
	want_flush();
	return false;
}

static int lock_reader(struct grt_reader *r, bool may_wait)
{
	if (!may_wait)
		return mutex_trylock(&r->lock) ? 0 : -EAGAIN;
	return mutex_lock_interruptible(&r->lock) ? -ERESTARTSYS : 0;
}

/* Takes what is available now; 0 = nothing. */
static ssize_t take(struct grt_reader *r, char __user *to, size_t room, bool may_wait)
{
	size_t wanted = min_t(size_t, room, FAULT_BYTES);
	ssize_t bytes;

	for (;;) {
		bytes = lock_reader(r, may_wait);
		if (bytes)
			return bytes;
		bytes = grt_reader_take(r, to, room);
		mutex_unlock(&r->lock);
		if (bytes != -EFAULT)
			return bytes;
		if (signal_pending(current))
			return -ERESTARTSYS;
		if (fault_in_writeable(to, wanted) == wanted)
			return -EFAULT;
	}
}

static ssize_t events_read(struct file *file, char __user *to, size_t room,
			   loff_t *pos)
{
	bool may_wait = !(file->f_flags & O_NONBLOCK);
	struct grt_reader *r = file->private_data;
	ssize_t bytes;

	room = min_t(size_t, room, MAX_RW_COUNT);
	for (;;) {
		bytes = take(r, to, room, may_wait);
		if (bytes || !room || grt_reader_is_over(r))
			return bytes;
		if (!may_wait)
			return -EAGAIN;
		bytes = wait_event_interruptible(grt_waiters, has_news(r));
		if (bytes)
			return bytes;
	}
}

static __poll_t events_poll(struct file *file, poll_table *wait)
{
	struct grt_reader *r = file->private_data;

	poll_wait(file, &grt_waiters, wait);
	if (grt_reader_is_over(r))
		return EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	return has_news(r) ? EPOLLIN | EPOLLRDNORM : 0;
}

static void release_cpus(unsigned int first, unsigned int end)
{
	/* The release lets the next reader see what this one took. */
	while (end > first)
		atomic_set_release(&streams[--end].is_open, 0);
}

/* Claims all of the CPUs or none. */
static bool claim_cpus(unsigned int first, unsigned int end)
{
	unsigned int cpu;

	for (cpu = first; cpu < end; cpu++) {
		if (atomic_cmpxchg(&streams[cpu].is_open, 0, 1)) {
			release_cpus(first, cpu);
			return false;
		}
	}
	return true;
}

static int open_reader(struct inode *inode, struct file *file, unsigned int first,
		       unsigned int end)
{
	if (!claim_cpus(first, end))
		return -EBUSY;
	file->private_data = grt_reader_create(channel, first, end);
	if (!file->private_data) {
		release_cpus(first, end);
		return -ENOMEM;
	}
	/* A stream has no file position, whose lock would be held while a read() waits. */
	return stream_open(inode, file);
}

static int events_open(struct inode *inode, struct file *file)
{
	unsigned int cpu = (long)inode->i_private;
	int err = open_reader(inode, file, cpu, cpu + 1);
	struct grt_reader *r = file->private_data;

	if (!err)
		r->has_cpu_file = true;
	return err;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, 0, nr_cpu_ids);
}

/* The buffers may be freed already: do not touch them. */
static int events_release(struct inode *inode, struct file *file)
{
	struct grt_reader *r = file->private_data;

	grt_reader_leave(r);
	release_cpus(r->first, r->end);
	kfree(r);
	channel->ops->reader_left();
	return 0;
}

static const struct file_operations events_fops = {
	.owner	 = THIS_MODULE,
	.open	 = events_open,
	.read	 = events_read,
	.poll	 = events_poll,
	.release = events_release,
};

static const struct file_operations pipe_fops = {
	.owner	 = THIS_MODULE,
	.open	 = pipe_open,
	.read	 = events_read,
	.poll	 = events_poll,
	.release = events_release,
};

int grt_stream_open(unsigned int cpu)
{
	struct dentry *file;
	char name[24];

	if (streams[cpu].file)
		return 0;
	snprintf(name, sizeof(name), GRT_STREAM_BASE "%u", cpu);
	file = debugfs_create_file(name, 0400, channel->dir, (void *)(long)cpu, &events_fops);
	if (IS_ERR(file))
		return PTR_ERR(file);
	streams[cpu].file = file;
	return 0;
}

void grt_streams_close(void)
{
	struct dentry *file;
	int cpu;

	for_each_possible_cpu(cpu) {
		file = streams[cpu].file;
		streams[cpu].file = NULL;
		debugfs_remove(file);
	}
}

void grt_stream_create_pipes(struct dentry *dir)
{
	debugfs_create_file("trace_pipe", 0400, dir, NULL, &pipe_fops);
	debugfs_create_file("events", 0400, dir, NULL, &pipe_fops);
}

void grt_streams_stop_flushing(void)
{
	cancel_delayed_work_sync(&flush);
	grt_waiters_sync();
}

int grt_streams_create(struct grt_channel *ch)
{
	channel = ch;
	streams = kcalloc(nr_cpu_ids, sizeof(*streams), GFP_KERNEL);
	return streams ? 0 : -ENOMEM;
}

void grt_streams_destroy(void)
{
	grt_streams_stop_flushing();
	kfree(streams);
}
