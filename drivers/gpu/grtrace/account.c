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

/*
 * Every sub-buffer begins with the fates so far, so readers know why events are missing.
 * The first sub-buffer of a session skips the counters: one CPU begins the buffers of all,
 * and it could catch another CPU's event half counted, with a fate but not yet seen, or the
 * other way round.
 */
void grt_account_head(unsigned int cpu, void *to, enum grt_head why)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	bool has_event_in_flight = why == GRT_HEAD_FOR_RECORD;
	struct grtrace_subbuf *head = to;
	u64 ts = ktime_get_mono_fast_ns();

	/* The event in flight already has its time and will follow this record. */
	if (static_branch_unlikely(&grt_stamped) && has_event_in_flight)
		ts = c->event_ts;
	c->last_ts = max(c->last_ts, ts);
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
		c->reported_seen = c->head_seen;	/* the previous sub-buffer was handed out */
	}
	head->index = c->subbufs - 1;
	memset(&head->fates, 0, sizeof(head->fates));
	if (why != GRT_HEAD_FIRST) {
		grt_counts_fates(&c->counts, &head->fates);
		/* Leave out events without a fate yet: this one, and the ones hooks judge now. */
		head->fates.seen -= has_event_in_flight + c->hook_depth;
	}
	c->head_seen = head->fates.seen;
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
	return fates.seen != c->reported_seen;
}

void grt_account_overrun(unsigned int cpu)
{
	per_cpu_ptr(grt_cpus, cpu)->overruns++;
}

void grt_account_set_buf(unsigned int cpu, struct rchan_buf *buf)
{
	WRITE_ONCE(per_cpu_ptr(grt_cpus, cpu)->buf, buf);
}

static void close_account(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	grt_counts_fates(&c->counts, &c->at_stop);
	c->last_ts = max(c->last_ts, ktime_get_mono_fast_ns());
}

void grt_account_close(void)
{
	/* Events may still come; each CPU closes its own account, so fates sum to seen. */
	grt_counters_each(close_account);
}

size_t grt_account_end(void *to, unsigned int cpu)
{
	const struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);
	struct grtrace_stream_end *end = to;

	*end = (struct grtrace_stream_end){
		.hdr.type = GRTRACE_STREAM_END,
		.hdr.size = sizeof(*end),
		.hdr.cpu = cpu,
		.hdr.ts = c->last_ts,
		.hdr.cseq = c->cseq,
		.session_id = grt_session.id,
		.last_cseq = c->cseq,
		.fates = c->at_stop,
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
