// SPDX-License-Identifier: GPL-2.0
/*
 * The transport: one channel, and the streams that readers open.
 */
#include <linux/cpu.h>
#include <linux/printk.h>

#include "stream.h"
#include "transport.h"
#include "waiters.h"

static struct grt_channel channel = {
	.lock = __RWSEM_INITIALIZER(channel.lock),
};

int grt_transport_create(const struct grt_transport_ops *ops)
{
	int err;

	channel.ops = ops;
	channel.sides = alloc_percpu(struct grt_side);
	if (!channel.sides)
		return -ENOMEM;
	err = grt_streams_create(&channel);
	if (err)
		free_percpu(channel.sides);
	return err;
}

void grt_transport_destroy(void)
{
	grt_streams_destroy();
	free_percpu(channel.sides);
}

/*
 * No CPU may come up meanwhile: grt_transport_cpu_online() also makes files, and cannot take
 * the session lock during CPU hotplug.
 */
static int open_streams(void)
{
	int cpu, err = 0;

	cpus_read_lock();
	for_each_cpu(cpu, &channel.cpus) {
		err = grt_stream_open(cpu);
		if (err)
			break;
	}
	cpus_read_unlock();
	return err;
}

int grt_transport_open(struct dentry *dir, size_t buffer_bytes)
{
	int err;

	if (channel.rchan && channel.bytes == buffer_bytes)
		return 0;
	if (channel.bytes != buffer_bytes)
		grt_transport_close();
	channel.dir = dir;
	err = grt_channel_open(&channel, buffer_bytes);
	if (!err)
		err = open_streams();
	if (err)
		grt_transport_close();
	return err;
}

void grt_transport_free(void)
{
	grt_streams_stop_flushing();
	grt_channel_free(&channel);
}

void grt_transport_close(void)
{
	down_write(&channel.lock);
	WRITE_ONCE(channel.session_id, 0);
	WRITE_ONCE(channel.bytes, 0);
	atomic64_set(&channel.consumed, 0);
	up_write(&channel.lock);
	grt_transport_free();
	cpumask_clear(&channel.cpus);
	grt_waiters_wake_now();
	grt_streams_close();
}

void grt_transport_lock(void)
{
	down_write(&channel.lock);
}

void grt_transport_begin(u64 session_id)
{
	grt_channel_empty(&channel);
	WRITE_ONCE(channel.session_id, session_id);
	WRITE_ONCE(channel.is_running, true);
	up_write(&channel.lock);
	grt_waiters_wake_now();
	grt_channel_let_write(&channel);
}

void grt_transport_forbid_writing(void)
{
	grt_channel_forbid_writing(&channel);
}

void grt_transport_flush(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		grt_channel_account_cpu(&channel, cpu);
}

void grt_transport_end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		grt_channel_flush_cpu(&channel, cpu);
	/* Pairs with take_next(): every sub-buffer was produced before this. */
	smp_store_release(&channel.is_running, false);
	grt_waiters_wake_now();
}

bool grt_transport_has_unread(void)
{
	int cpu;

	for_each_cpu(cpu, &channel.cpus)
		if (grt_channel_has_any(&channel, cpu))
			return true;
	return false;
}

size_t grt_transport_unread(void)
{
	size_t bytes = 0;
	int cpu;

	for_each_cpu(cpu, &channel.cpus)
		bytes += grt_queue_bytes(&grt_channel_side(&channel, cpu)->queue);
	return bytes;
}

void grt_transport_cpu_online(unsigned int cpu)
{
	int err;

	if (!grt_channel_cpu_online(&channel, cpu))
		return;
	err = grt_stream_open(cpu);
	if (err)
		pr_warn("grtrace: error %d: no file for CPU %u: read its events from trace_pipe\n",
			err, cpu);
}

size_t grt_transport_bytes(void)
{
	return READ_ONCE(channel.bytes);
}

size_t grt_transport_subbuf_bytes(void)
{
	return channel.subbuf_bytes;
}

size_t grt_transport_memory(void)
{
	if (!READ_ONCE(channel.rchan))
		return 0;
	return cpumask_weight(&channel.cpus) * channel.subbuf_bytes * GRT_SUBBUFS;
}

u64 grt_transport_consumed(void)
{
	return atomic64_read(&channel.consumed);
}

size_t grt_transport_written(unsigned int cpu)
{
	const struct rchan_buf *buf;
	size_t nr = 0;

	down_read(&channel.lock);
	buf = grt_channel_buf(&channel, cpu);
	if (buf)
		nr = READ_ONCE(grt_channel_side(&channel, cpu)->queue.produced) +
		     (READ_ONCE(buf->offset) > channel.ops->head_bytes);
	up_read(&channel.lock);
	return nr;
}

size_t grt_transport_taken(unsigned int cpu)
{
	/* Pairs with grt_queue_take(): readers are done with these sub-buffers. */
	return smp_load_acquire(&grt_channel_side(&channel, cpu)->queue.consumed);
}

bool grt_transport_fits(size_t size)
{
	return size <= channel.subbuf_bytes - channel.ops->head_bytes;
}

void grt_transport_create_pipes(struct dentry *dir)
{
	grt_stream_create_pipes(dir);
}
