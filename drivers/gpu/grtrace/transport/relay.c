// SPDX-License-Identifier: GPL-2.0
/*
 * The relay channel.  Its buffers, its per-CPU switching and its wake-ups are
 * used; its read() is not (see stream.c).
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>

#include "../counters.h"
#include "../police.h"
#include "reader.h"
#include "transport.h"

static struct rchan *chan;
static size_t chan_bytes;
static u64 chan_session;
static bool is_writing;		/* changes only under cpus_read_lock() */

static struct rchan_buf *chan_buf(int cpu)
{
	return *per_cpu_ptr(chan->buf, cpu);
}

enum grtrace_fate grt_transport_why(size_t size)
{
	if (size > chan->subbuf_size - GRT_SUBBUF_HEAD)
		return GRTRACE_FATE_OVERSIZE;
	return GRTRACE_FATE_BUFFER_FULL;
}

/*
 * Every sub-buffer begins with the fates so far: losses explain themselves.  The first of
 * a session has none yet, and must not look: relay begins the buffers of all CPUs from
 * one, and while the others count what comes before they may write, an event that
 * is seen from afar has a fate and was not seen, or the other way round.
 */
static void write_head(struct rchan_buf *buf, void *subbuf, struct grt_cpu *c, bool is_first)
{
	struct grtrace_subbuf *head = subbuf;
	u64 ts = ktime_get_mono_fast_ns();

	/* The event in flight is stamped already, and comes behind this. */
	if (static_branch_unlikely(&grt_tracked) && c->has_event_in_flight)
		ts = c->event_ts;
	c->last_ts = max(c->last_ts, ts);
	head->hdr = (struct grtrace_hdr){
		.type = GRTRACE_SUBBUF,
		.size = sizeof(*head),
		.cpu = buf->cpu,
		.ts = c->last_ts,
		.cseq = c->cseq,
	};
	head->session_id = chan_session;
	head->index = c->subbufs++;
	memset(&head->fates, 0, sizeof(head->fates));
	if (!is_first) {
		grt_counts_fates(&c->counts, &head->fates);
		/* Seen, but its fate is decided here; and that of one whose hook writes. */
		head->fates.seen -= c->has_event_in_flight + c->is_policing;
	}
	subbuf_start_reserve(buf, sizeof(*head));
}

/*
 * relay asks before each sub-buffer, and again for every write while the buffer
 * is full.  A flush of a full buffer asks too, so nothing is counted as lost
 * here: the writer does that.
 */
static int next_subbuf(struct rchan_buf *buf, void *subbuf, void *prev_subbuf)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, buf->cpu);

	if (prev_subbuf)
		grt_stream_wake();
	if (prev_subbuf && relay_buf_full(buf)) {
		if (!c->is_full)
			c->overruns++;
		c->is_full = true;
		return 0;
	}
	c->is_full = false;
	write_head(buf, subbuf, c, !prev_subbuf);
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

bool grt_transport_next(struct rchan_buf *buf, size_t size)
{
	struct grt_cpu *c = this_cpu_ptr(grt_cpus);
	size_t got;

	if (size > buf->chan->subbuf_size - GRT_SUBBUF_HEAD)
		return false;
	c->has_event_in_flight = true;
	smp_wmb();	/* the reader's acquire pairs: records before their count */
	got = relay_switch_subbuf(buf, size);
	c->has_event_in_flight = false;
	return got;
}

static struct dentry *create_buf_file(const char *filename, struct dentry *parent,
				      umode_t mode, struct rchan_buf *buf,
				      int *is_global)
{
	return grt_stream_create(filename, parent, buf);
}

static int remove_buf_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static const struct rchan_callbacks chan_callbacks = {
	.subbuf_start	 = subbuf_start,
	.create_buf_file = create_buf_file,
	.remove_buf_file = remove_buf_file,
};

int grt_transport_open(struct dentry *dir, size_t buffer_bytes)
{
	size_t subbuf_bytes = PAGE_ALIGN(buffer_bytes / GRT_SUBBUFS);

	/* relay walks the online CPUs without a lock of its own. */
	cpus_read_lock();
	chan = relay_open(GRT_STREAM_BASE, dir, subbuf_bytes, GRT_SUBBUFS,
			  &chan_callbacks, NULL);
	cpus_read_unlock();
	if (!chan)
		return -ENOMEM;
	chan_bytes = buffer_bytes;
	return 0;
}

void grt_transport_close(void)
{
	if (!chan)
		return;
	grt_stream_quiesce();
	relay_close(chan);
	chan = NULL;
	chan_bytes = 0;
}

size_t grt_transport_bytes(void)
{
	return chan_bytes;
}

size_t grt_transport_subbuf_bytes(void)
{
	return chan ? chan->subbuf_size : 0;
}

void grt_transport_begin(u64 session_id)
{
	int cpu;

	grt_reader_lock_all();
	chan_session = session_id;
	grt_counters_reset();
	relay_reset(chan);
	grt_stream_begin_and_unlock(session_id);

	cpus_read_lock();
	is_writing = true;
	for_each_online_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(grt_cpus, cpu)->buf, chan_buf(cpu));
	cpus_read_unlock();
}

/* The buffer of this CPU, interrupts off; or of one that is offline. */
static void flush_buf(struct rchan_buf *buf)
{
	if (buf->offset <= GRT_SUBBUF_HEAD || buf->offset > buf->chan->subbuf_size)
		return;
	smp_wmb();	/* as in grt_transport_next() */
	relay_switch_subbuf(buf, 0);
}

static void flush_this_cpu(void *info)
{
	flush_buf(chan_buf(smp_processor_id()));
}

void grt_transport_flush_cpu(int cpu)
{
	struct rchan_buf *buf = grt_reader_buf(cpu);

	/* A look from afar spares idle CPUs the interrupt. */
	if (!buf || READ_ONCE(buf->offset) <= GRT_SUBBUF_HEAD)
		return;
	cpus_read_lock();
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, flush_this_cpu, NULL, 1);
	} else {
		local_irq_disable();
		flush_buf(buf);
		local_irq_enable();
	}
	cpus_read_unlock();
}

void grt_transport_flush(void)
{
	int cpu;

	if (!chan)
		return;
	for_each_possible_cpu(cpu)
		grt_transport_flush_cpu(cpu);
}

static void close_account(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	grt_counts_fates(&c->counts, &c->at_stop);
	c->last_ts = max(c->last_ts, ktime_get_mono_fast_ns());
}

void grt_transport_end(void)
{
	int cpu;

	cpus_read_lock();
	is_writing = false;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(grt_cpus, cpu)->buf, NULL);
	cpus_read_unlock();

	/*
	 * A writer has interrupts off from the look at ->buf to its last byte;
	 * without this wait the flush below could cut its record in two.
	 */
	synchronize_rcu();
	grt_counters_each(close_account);	/* they may still come; so fates sum to seen */
	grt_transport_flush();
	grt_stream_end();
}

void grt_transport_cpu_online(unsigned int cpu)
{
	if (is_writing)
		WRITE_ONCE(per_cpu_ptr(grt_cpus, cpu)->buf, chan_buf(cpu));
}

u64 grt_transport_consumed(void)
{
	u64 sum = 0;
	int cpu;

	if (!chan)
		return 0;
	for_each_possible_cpu(cpu)
		if (chan_buf(cpu))
			sum += chan_buf(cpu)->subbufs_consumed;
	return sum;
}

/* A buffer is there as long as its CPU may write, and until nobody looks any more. */
static unsigned int fill_of(const struct grt_cpu *c)
{
	const struct rchan_buf *buf = READ_ONCE(c->buf);

	return buf ? 100 * grt_transport_waiting(buf) / GRT_SUBBUFS : 0;
}

unsigned int grtrace_buffer_fill_max(void)
{
	unsigned int most = 0;
	int cpu;

	rcu_read_lock();
	for_each_possible_cpu(cpu)
		most = max(most, fill_of(per_cpu_ptr(grt_cpus, cpu)));
	rcu_read_unlock();
	return most;
}
EXPORT_SYMBOL_GPL(grtrace_buffer_fill_max);
