// SPDX-License-Identifier: GPL-2.0
/*
 * The files that show what was counted.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>

#include "../counters.h"
#include "../processes.h"
#include "../rings.h"
#include "../session.h"
#include "../transport/transport.h"
#include "control.h"

static const char * const fate_names[] = {
#define GRTRACE_X(NAME, member, nr, text) [nr] = #member,
	GRTRACE_FATES(GRTRACE_X)
#undef GRTRACE_X
};

static const char * const type_names[] = {
#define GRTRACE_X(NAME, st, nr, class, text) [nr] = #NAME,
	GRTRACE_EVENT_TYPES(GRTRACE_X)
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

static u64 sum_cpus(size_t offset)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*(u64 *)((void *)per_cpu_ptr(grt_cpus, cpu) + offset));
	return sum;
}

#define SUM(member) sum_cpus(offsetof(struct grt_cpu, member))

int grt_stats_show(struct seq_file *m)
{
	struct grtrace_fates fates;
	int f;

	grt_counters_total(&fates);
	seq_printf(m, "state=%s\n", grt_session_state_name());
	seq_printf(m, "session_id=%llu\n", grt_session.id);
	seq_printf(m, "seen=%llu\n", fates.seen);
	for (f = 0; f < GRTRACE_NR_FATES; f++)
		seq_printf(m, "%s=%llu\n", fate_names[f], *grt_fates_slot(&fates, f));
	seq_printf(m, "lost_events=%llu\n", fates.buffer_full + fates.oversize);
	seq_printf(m, "overruns=%llu\n", SUM(overruns));
	seq_printf(m, "subbufs_produced=%llu\n", SUM(subbufs));
	seq_printf(m, "subbufs_consumed=%llu\n", grt_transport_consumed());
	seq_printf(m, "bytes_written=%llu\n", SUM(bytes_written));
	seq_printf(m, "bytes_dropped=%llu\n", SUM(bytes_dropped));
	seq_printf(m, "buffer_bytes=%zu\n", grt_transport_bytes());
	seq_printf(m, "processes_unnamed=%u\n", grt_processes_lost());
	return 0;
}

int grt_events_by_type_show(struct seq_file *m)
{
	struct grtrace_fates fates;
	int type, f;

	seq_puts(m, "type,name,seen");
	for (f = 0; f < GRTRACE_NR_FATES; f++)
		seq_printf(m, ",%s", fate_names[f]);
	seq_putc(m, '\n');
	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		memset(&fates, 0, sizeof(fates));
		grt_counters_type(type, &fates);
		seq_printf(m, "%d,%s,%llu", type, type_names[type], fates.seen);
		for (f = 0; f < GRTRACE_NR_FATES; f++)
			seq_printf(m, ",%llu", *grt_fates_slot(&fates, f));
		seq_putc(m, '\n');
	}
	return 0;
}

int grt_rings_show(struct seq_file *m)
{
	struct grtrace_ring ring;
	u32 i;

	seq_puts(m, "ring,device,driver,name,engine,order,hw_ring,credit_limit\n");
	for (i = 0; grt_ring_copy(i, &ring); i++)
		seq_printf(m, "%u,%s,%s,%s,%s,%s,%u,%u\n", ring.ring, ring.device,
			   ring.driver, ring.name, engine_names[ring.engine],
			   order_names[ring.order], ring.hw_ring, ring.credit_limit);
	return 0;
}
