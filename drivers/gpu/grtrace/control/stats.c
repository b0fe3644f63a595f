// SPDX-License-Identifier: GPL-2.0
/*
 * The files stats and rings.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "../counters.h"
#include "../flight.h"
#include "../jobs.h"
#include "../known.h"
#include "../policy_log.h"
#include "../processes.h"
#include "../rings.h"
#include "../session.h"
#include "../statistics.h"
#include "../transport/transport.h"
#include "control.h"

static const char * const fate_names[] = {
#define GRTRACE_X(NAME, member, nr, CLASS, text) [nr] = #member,
	GRTRACE_FATES(GRTRACE_X)
#undef GRTRACE_X
};

static const char * const engine_names[] = {
#define GRTRACE_X(NAME, nr, text) [nr] = #NAME,
	GRTRACE_ENGINES(GRTRACE_X)
#undef GRTRACE_X
};

static const char * const order_names[] = {
#define GRTRACE_X(NAME, nr, text) [nr] = #NAME,
	GRTRACE_ORDERS(GRTRACE_X)
#undef GRTRACE_X
};

/* No line if no event was timed: the cost is not known then. */
static void show_mean_cost(struct seq_file *m, const struct grt_counts *n)
{
	u64 samples = 0;
	int i;

	for (i = 0; i < GRT_BUCKETS; i++)
		samples += n->cost[i];
	if (samples)
		seq_printf(m, "mean_write_ns=%llu\n", div64_u64(n->cost_ns, samples));
}

static void show_flight(struct seq_file *m)
{
	struct grt_flight_state f;

	grt_flight_get(&f);
	seq_printf(m, "mode=%s\n", grt_transport_is_overwrite() ? "overwrite" : "discard");
	seq_printf(m, "snapshot=%s\n", f.state);
	seq_printf(m, "snapshots_taken=%llu\nsnapshots_missed=%llu\n", f.taken, f.missed);
}

int grt_stats_show(struct seq_file *m)
{
	struct grt_counts *n = grt_statistics_total();
	struct grtrace_fates fates;
	u64 lost = 0;
	int f;

	if (!n)
		return -ENOMEM;
	grt_counts_fates(n, &fates);
	seq_printf(m, "enabled=%d\n", READ_ONCE(grt_session.state) == GRT_RUNNING);
	seq_printf(m, "state=%s\n", grt_session_state_name());
	seq_printf(m, "session_id=%llu\n", grt_session.id);
	seq_printf(m, "seen=%llu\n", fates.seen);
	for (f = 0; f < GRTRACE_NR_FATES; f++) {
		seq_printf(m, "%s=%llu\n", fate_names[f], *grt_fates_slot(&fates, f));
		if (GRTRACE_LOST_FATES >> f & 1)
			lost += *grt_fates_slot(&fates, f);
	}
	grt_events_by_type_line(m, n);
	/* Events are written whole or not at all, so events without room count as short writes. */
	seq_printf(m, "writes_ok=%llu\n", fates.written);
	seq_printf(m, "writes_short=%llu\n", lost);
	show_mean_cost(m, n);
	seq_printf(m, "lost_events=%llu\n", lost);
	seq_printf(m, "overruns=%llu\n", n->overruns);
	seq_printf(m, "subbufs_produced=%llu\n", n->subbufs);
	seq_printf(m, "subbufs_consumed=%llu\n", grt_statistics_consumed());
	show_flight(m);
	seq_printf(m, "unread_bytes=%llu\n", grt_statistics_unread());
	seq_printf(m, "bytes_written=%llu\n", n->bytes_written);
	seq_printf(m, "bytes_dropped=%llu\n", n->bytes_dropped);
	seq_printf(m, "buffer_bytes=%zu\n", grt_transport_bytes());
	seq_printf(m, "buffer_bytes_asked=%llu\n", READ_ONCE(grt_session.buffer_bytes_asked));
	seq_printf(m, "memory_bytes=%zu\n", grt_transport_memory());
	seq_printf(m, "jobs_in_flight=%u\n", grt_jobs_count());
	seq_printf(m, "jobs_overflow=%llu\n", grt_jobs_overflow());
	seq_printf(m, "processes_unnamed=%u\n", grt_processes_lost());
	seq_printf(m, "rings_lost=%u\n", grt_rings_lost());
	seq_printf(m, "table_bytes=%zu\n", grt_rings_bytes() + grt_processes_bytes());
	seq_printf(m, "policies_lost=%u\n", grt_policy_log_lost());
	kfree(n);
	return 0;
}

static void show_ring(struct seq_file *m, const struct grtrace_ring *ring)
{
	seq_printf(m, "%u,%s,%s,%s,%s,%s,%u,%u\n", ring->ring, ring->device, ring->driver,
		   ring->name, engine_names[ring->engine], order_names[ring->order],
		   ring->hw_ring, ring->credit_limit);
}

/* The rings of this session, then known rings without a job so far: these have no number. */
int grt_rings_show(struct seq_file *m)
{
	struct grt_line_cursor at = { };
	struct grtrace_ring ring;
	u32 i;

	seq_puts(m, "ring,device,driver,name,engine,order,hw_ring,credit_limit\n");
	while (grt_ring_copy(&at, &ring))
		show_ring(m, &ring);
	for (i = 0; grt_known_copy(i, &ring, NULL); i++) {
		ring.ring = GRTRACE_NO_RING;
		ring.hw_ring = GRTRACE_NO_RING;
		if (!grt_ring_is_listed(&ring))
			show_ring(m, &ring);
	}
	return 0;
}
