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

static void free_sides(void)
{
	free_percpu(channel.sets[0].sides);
	free_percpu(channel.sets[1].sides);
}

static int alloc_sides(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(channel.sets); i++) {
		channel.sets[i].ch = &channel;
		channel.sets[i].sides = alloc_percpu(struct grt_side);
	}
	if (channel.sets[0].sides && channel.sets[1].sides)
		return 0;
	free_sides();
	return -ENOMEM;
}

int grt_transport_create(const struct grt_transport_ops *ops)
{
	int err;

	channel.ops = ops;
	err = alloc_sides();
	if (err)
		return err;
	err = grt_streams_create(&channel);
	if (err)
		free_sides();
	return err;
}

void grt_transport_destroy(void)
{
	grt_streams_destroy();
	free_sides();
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

int grt_transport_open(struct dentry *dir, size_t buffer_bytes, bool is_overwrite)
{
	bool is_same = channel.bytes == buffer_bytes && channel.is_overwrite == is_overwrite;
	int err;

	if (channel.sets[0].rchan && is_same)
		return 0;
	if (!is_same)
		grt_transport_close();
	WRITE_ONCE(channel.is_closing, false);
	channel.dir = dir;
	err = grt_channel_open(&channel, buffer_bytes, is_overwrite);
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
	WRITE_ONCE(channel.is_closing, true);
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

void grt_transport_begin(u64 session_id, u64 start_ns)
{
	grt_channel_empty(&channel, start_ns);
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

	if (!channel.is_overwrite)
		for_each_possible_cpu(cpu)
			grt_channel_flush_cpu(&channel, cpu);
	/* Pairs with take_next(): every sub-buffer was produced before this. */
	smp_store_release(&channel.is_running, false);
	grt_waiters_wake_now();
}

void grt_transport_swap(struct grt_swap swap)
{
	grt_channel_swap(&channel, swap);
}

void grt_transport_settle(void)
{
	synchronize_rcu();	/* as in grt_channel_forbid_writing() */
}

void grt_transport_show(u64 number, bool is_last)
{
	struct grt_set *set = is_last ? channel.written :
					grt_channel_other(&channel, channel.written);

	grt_channel_freeze(&channel, set);
	down_write(&channel.lock);
	WRITE_ONCE(channel.read, set);
	/* Pairs with grt_transport_has_snapshot(), which then also sees channel.read. */
	smp_store_release(&channel.is_taking, false);
	WRITE_ONCE(channel.snapshot, number);
	WRITE_ONCE(channel.has_last, false);
	up_write(&channel.lock);
	grt_waiters_wake_now();
}

int grt_transport_release(bool has_last)
{
	int err = 0;

	down_write(&channel.lock);
	if (atomic_read(&channel.nr_reading)) {
		err = -EBUSY;
	} else if (channel.read) {
		grt_channel_withdraw(&channel);
		WRITE_ONCE(channel.has_last, has_last);
	}
	up_write(&channel.lock);
	return err;
}

bool grt_transport_is_overwrite(void)
{
	return READ_ONCE(channel.is_overwrite);
}

bool grt_transport_has_snapshot(void)
{
	if (!channel.is_overwrite)
		return false;
	/* Pairs with grt_transport_show(): a snapshot that is shown meanwhile is seen. */
	if (smp_load_acquire(&channel.is_taking))
		return true;
	return READ_ONCE(channel.read);
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
	const struct grt_set *set;
	size_t bytes = 0;
	int cpu;

	down_read(&channel.lock);
	set = channel.read;
	if (set)
		for_each_cpu(cpu, &channel.cpus)
			bytes += grt_queue_bytes(&grt_set_side(set, cpu)->queue);
	up_read(&channel.lock);
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
	size_t bytes = cpumask_weight(&channel.cpus) * channel.subbuf_bytes * GRT_SUBBUFS;

	if (!READ_ONCE(channel.sets[0].rchan))
		return 0;
	return channel.is_overwrite ? 2 * bytes : bytes;
}

u64 grt_transport_consumed(void)
{
	return atomic64_read(&channel.consumed);
}

/* While a buffer is full, or nothing was begun in it, the offset is past the end. */
static bool has_begun_records(const struct rchan_buf *buf)
{
	size_t offset = READ_ONCE(buf->offset);

	return offset > channel.ops->head_bytes && offset <= channel.subbuf_bytes;
}

size_t grt_transport_written(unsigned int cpu)
{
	const struct rchan_buf *buf;
	const struct grt_set *set;
	size_t nr = 0;

	down_read(&channel.lock);
	set = READ_ONCE(channel.written);
	buf = grt_set_buf(set, cpu);
	if (buf)
		nr = READ_ONCE(grt_set_side(set, cpu)->queue.produced) + has_begun_records(buf);
	up_read(&channel.lock);
	return nr;
}

/* After a swap the count begins again at 0: then rows are kept longer than they must be. */
static size_t overwritten(unsigned int cpu)
{
	const struct grt_set *set = READ_ONCE(channel.written);
	size_t produced = READ_ONCE(grt_set_side(set, cpu)->queue.produced);

	return produced > GRT_SUBBUFS ? produced - GRT_SUBBUFS : 0;
}

size_t grt_transport_taken(unsigned int cpu)
{
	if (channel.is_overwrite)
		return overwritten(cpu);
	/* Pairs with grt_queue_take(): readers are done with these sub-buffers. */
	return smp_load_acquire(&grt_set_side(&channel.sets[0], cpu)->queue.consumed);
}

bool grt_transport_fits(size_t size)
{
	return size <= channel.subbuf_bytes - channel.ops->head_bytes;
}

void grt_transport_create_pipes(struct dentry *dir)
{
	grt_stream_create_pipes(dir);
}
