// SPDX-License-Identifier: GPL-2.0
/*
 * The files: events0..N, one CPU each, and trace_pipe, all CPUs in one.  One
 * reader each; trace_pipe takes all CPUs, so it excludes the others.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "reader.h"
#include "transport.h"

#define FLUSH_MS	100	/* how long a waiting reader waits for a part */

static atomic_t *is_open;	/* by CPU: it has a reader */

/* Ours, not relay's: an epoll may hang on it when the channel is freed. */
static DECLARE_WAIT_QUEUE_HEAD(readers);

static void wake_readers(struct irq_work *work)
{
	wake_up_interruptible_all(&readers);
}

static struct irq_work wake = IRQ_WORK_INIT(wake_readers);

static void flush_for_readers(struct work_struct *work);
static DECLARE_DELAYED_WORK(flush, flush_for_readers);

static void want_flush(void)
{
	if (grt_reader_is_running())
		schedule_delayed_work(&flush, msecs_to_jiffies(FLUSH_MS));
}

/* A waiting reader gets what there is within FLUSH_MS, full sub-buffer or not. */
static void flush_for_readers(struct work_struct *work)
{
	int cpu;

	/* A reader that comes just now asks for a flush itself. */
	if (!grt_reader_is_running() || !waitqueue_active(&readers))
		return;
	for_each_possible_cpu(cpu)
		if (atomic_read(&is_open[cpu]))
			grt_transport_flush_cpu(cpu);
	want_flush();
}

void grt_stream_wake(void)
{
	/* Writers run where waking is not allowed, inside locks of the driver. */
	smp_mb();	/* what was produced, then the look at who waits */
	if (waitqueue_active(&readers))
		irq_work_queue(&wake);
}

static ssize_t events_read(struct file *file, char __user *to, size_t room,
			   loff_t *pos)
{
	struct grt_reader *r = file->private_data;
	ssize_t bytes;

	if (mutex_lock_interruptible(&r->lock))
		return -ERESTARTSYS;
	room = min_t(size_t, room, MAX_RW_COUNT);
	for (;;) {
		bytes = grt_reader_take(r, to, room);
		if (bytes || !room || grt_reader_is_late(r) || r->has_ended)
			break;
		if (file->f_flags & O_NONBLOCK) {
			bytes = -EAGAIN;
			break;
		}
		want_flush();
		bytes = wait_event_interruptible(readers, grt_reader_may_go_on(r));
		if (bytes)
			break;
	}
	mutex_unlock(&r->lock);
	return bytes;
}

static __poll_t events_poll(struct file *file, poll_table *wait)
{
	struct grt_reader *r = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &readers, wait);
	mutex_lock(&r->lock);
	if (grt_reader_is_late(r) || r->has_ended)
		mask = EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	else if (grt_reader_may_go_on(r))
		mask = EPOLLIN | EPOLLRDNORM;
	else
		want_flush();
	mutex_unlock(&r->lock);
	return mask;
}

static void release_cpus(int first, int end)
{
	while (end > first)
		atomic_set(&is_open[--end], 0);
}

/* All of them or none. */
static bool claim_cpus(int first, int end)
{
	int cpu;

	for (cpu = first; cpu < end; cpu++) {
		if (atomic_cmpxchg(&is_open[cpu], 0, 1)) {
			release_cpus(first, cpu);
			return false;
		}
	}
	return true;
}

static int open_reader(struct inode *inode, struct file *file, int first, int end)
{
	struct grt_reader *r;

	if (!claim_cpus(first, end))
		return -EBUSY;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r) {
		release_cpus(first, end);
		return -ENOMEM;
	}
	grt_reader_init(r, first, end);
	file->private_data = r;
	return nonseekable_open(inode, file);
}

static int events_open(struct inode *inode, struct file *file)
{
	int cpu = (long)inode->i_private;

	return open_reader(inode, file, cpu, cpu + 1);
}

static int pipe_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, 0, nr_cpu_ids);
}

/* The channel may be gone by now: touches only what is ours. */
static int events_release(struct inode *inode, struct file *file)
{
	struct grt_reader *r = file->private_data;

	release_cpus(r->first, r->end);
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

static const struct file_operations pipe_fops = {
	.owner	 = THIS_MODULE,
	.open	 = pipe_open,
	.read	 = events_read,
	.poll	 = events_poll,
	.release = events_release,
};

struct dentry *grt_stream_create(const char *name, struct dentry *dir,
				 struct rchan_buf *buf)
{
	struct dentry *file;
	int cpu;

	/* relay fills buf->cpu only after this call (7.2 relay.c:relay_open_buf). */
	if (kstrtoint(name + strlen(GRT_STREAM_BASE), 10, &cpu))
		return NULL;
	file = debugfs_create_file(name, 0400, dir, (void *)(long)cpu, &events_fops);
	if (IS_ERR(file))
		return NULL;	/* relay knows NULL only */
	grt_reader_set_buf(cpu, buf);
	return file;
}

void grt_stream_create_pipes(struct dentry *dir)
{
	debugfs_create_file("trace_pipe", 0400, dir, NULL, &pipe_fops);
	debugfs_create_file("events", 0400, dir, NULL, &pipe_fops);
}

void grt_stream_begin_and_unlock(u64 session_id)
{
	grt_reader_begin(session_id);
	grt_reader_unlock_all();
	wake_up_interruptible_all(&readers);
}

void grt_stream_end(void)
{
	grt_reader_end();
	wake_up_interruptible_all(&readers);
}

void grt_stream_quiesce(void)
{
	cancel_delayed_work_sync(&flush);
	irq_work_sync(&wake);
	grt_reader_drop_bufs();
	wake_up_interruptible_all(&readers);
}

int grt_stream_init(void)
{
	int err = grt_reader_create();

	if (err)
		return err;
	is_open = kcalloc(nr_cpu_ids, sizeof(*is_open), GFP_KERNEL);
	if (is_open)
		return 0;
	grt_reader_destroy();
	return -ENOMEM;
}

void grt_stream_exit(void)
{
	cancel_delayed_work_sync(&flush);
	irq_work_sync(&wake);
	kfree(is_open);
	grt_reader_destroy();
}
