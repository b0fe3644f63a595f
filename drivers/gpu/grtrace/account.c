// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the event accounts that streams contain.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "account.h"
#include "counters.h"
#include "pipeline.h"
#include "state.h"

static struct grt_swap last;	/* for the last snapshot of this session, if there was one */
static u64 stopped_ns;		/* 0: the session runs */

static u64 dropped(const struct grtrace_fates *fates)
{
	return fates->seen - fates->written - fates->duplicate;
}

/*
 * When this CPU's records in the new buffers begin: at the swap, unless an event was dropped since
 * the last account in the old buffers, maybe after the swap.
 */
static u64 begin_of_buffer(const struct grt_cpu *c, const struct grtrace_fates *fates,
			   const struct grt_swap *swap)
{
	return max(c->last_ts, dropped(fates) == c->head_dropped ? swap->ns :
			       stopped_ns ?: ktime_get_mono_fast_ns());
}

/*
 * The stream of snapshot @nr ends with this account.  Called on the CPU, or while it does not
 * write, when it begins to write to the other buffers; if it has nothing to write, the snapshot
 * calls it.  The next snapshot may be on its way already, so @nr is that of the buffers.
 */
static void note_end(struct grt_cpu *c, u64 nr, u64 ts, const struct grtrace_fates *fates)
{
	if (c->at_end_of == nr)
		return;
	c->at_end = (struct grt_ending){ .ts = ts, .cseq = c->cseq, .fates = *fates };
	c->at_end_of = nr;
}

static u64 time_of_head(const struct grt_cpu *c, const struct grtrace_fates *fates,
			enum grt_head why, bool has_event_in_flight, const struct grt_swap *begun)
{
	if (why == GRT_HEAD_AFTER_SWAP)
		return begin_of_buffer(c, fates, begun);
	/* The event in flight already has its time and will follow this record. */
	if (static_branch_unlikely(&grt_stamped) && has_event_in_flight)
		return max(c->last_ts, c->event_ts);
	return max(c->last_ts, ktime_get_mono_fast_ns());
}

/*
 * Every sub-buffer begins with the fates so far, so readers know why events are missing.
 * The first sub-buffer of a session skips the counters: one CPU begins the buffers of all,
 * and it could catch another CPU's event half counted, with a fate but not yet seen, or the
 * other way round.
 */
void grt_account_head(unsigned int cpu, void *to, enum grt_head why, const struct grt_swap *begun)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	bool has_event_in_flight = why == GRT_HEAD_FOR_RECORD || why == GRT_HEAD_AFTER_SWAP;
	struct grtrace_subbuf *head = to;

	memset(&head->fates, 0, sizeof(head->fates));
	if (why != GRT_HEAD_FIRST) {
		grt_counts_fates(&c->counts, &head->fates);
		/* Leave out events without a fate yet: this one, and the ones hooks judge now. */
		head->fates.seen -= has_event_in_flight + c->hook_depth;
	}
	c->last_ts = time_of_head(c, &head->fates, why, has_event_in_flight, begun);
	head->hdr = (struct grtrace_hdr){
		.type = GRTRACE_SUBBUF,
		.size = sizeof(*head),
		.cpu = cpu,
		.ts = c->last_ts,
		.cseq = c->cseq,
	};
	head->session_id = grt_session.id;
	if (why != GRT_HEAD_AGAIN) {
		c->subbufs++;
		/* The previous sub-buffer was handed out. */
		WRITE_ONCE(c->reported_seen, c->head_seen);
	}
	head->index = c->subbufs - 1;
	c->head_seen = head->fates.seen;
	c->head_dropped = dropped(&head->fates);
	if (why == GRT_HEAD_AFTER_SWAP)
		note_end(c, begun->nr, head->hdr.ts, &head->fates);
}

/*
 * Whether events were counted since the last account that readers got.  Approximate, because other
 * CPUs go on counting meanwhile.
 */
bool grt_account_is_pending(unsigned int cpu)
{
	const struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	struct grtrace_fates fates;

	grt_counts_fates(&c->counts, &fates);
	return fates.seen != READ_ONCE(c->reported_seen);
}

void grt_account_overrun(unsigned int cpu)
{
	per_cpu_ptr(grt_cpus, cpu)->overruns++;
}

void grt_account_set_buf(unsigned int cpu, struct rchan_buf *buf)
{
	WRITE_ONCE(per_cpu_ptr(grt_cpus, cpu)->buf, buf);
}

void grt_account_begin(void)
{
	last = (struct grt_swap){ .ns = grt_session.start_ns };
	stopped_ns = 0;
}

void grt_account_stop(void)
{
	stopped_ns = ktime_get_mono_fast_ns();
}

struct grt_swap grt_account_next_snapshot(void)
{
	last.nr++;
	last.ns = stopped_ns ?: ktime_get_mono_fast_ns();
	return last;
}

void grt_account_swap_buf(unsigned int cpu, struct rchan_buf *from, struct rchan_buf *to)
{
	cmpxchg(&per_cpu_ptr(grt_cpus, cpu)->buf, from, to);
}

static void end_snapshot(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	struct grtrace_fates fates;

	grt_counts_fates(&c->counts, &fates);
	note_end(c, last.nr, begin_of_buffer(c, &fates, &last), &fates);
}

void grt_account_end_snapshot(void)
{
	grt_counters_each(end_snapshot);
}

static void close_account(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	grt_counts_fates(&c->counts, &c->at_end.fates);
	c->last_ts = max(c->last_ts, ktime_get_mono_fast_ns());
	c->at_end.ts = c->last_ts;
	c->at_end.cseq = c->cseq;
}

void grt_account_close(void)
{
	/* Events may still come; each CPU closes its own account, so fates sum to seen. */
	grt_counters_each(close_account);
}

size_t grt_account_end(void *to, unsigned int cpu)
{
	const struct grt_ending *at_end = &per_cpu_ptr(grt_cpus, cpu)->at_end;
	struct grtrace_stream_end *end = to;

	*end = (struct grtrace_stream_end){
		.hdr.type = GRTRACE_STREAM_END,
		.hdr.size = sizeof(*end),
		.hdr.cpu = cpu,
		.hdr.ts = at_end->ts,
		.hdr.cseq = at_end->cseq,
		.session_id = grt_session.id,
		.last_cseq = at_end->cseq,
		.fates = at_end->fates,
	};
	return sizeof(*end);
}

enum grtrace_fate grt_account_why(size_t size)
{
	return grt_transport_fits(size) ? GRTRACE_FATE_BUFFER_FULL : GRTRACE_FATE_OVERSIZE;
}

/* Under rcu_read_lock(): the buffer is freed a grace period after c->buf is cleared. */
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
