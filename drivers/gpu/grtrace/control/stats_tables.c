// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics that are tables: a row of names, then numbers.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "../cost.h"
#include "../seconds.h"
#include "../statistics.h"
#include "control.h"

/* Names of the fates as further columns. */
#define FATE_COLUMN(NAME, member, nr, CLASS, text) "," #member
#define FATE_COLUMNS GRTRACE_FATES(FATE_COLUMN)

static const char * const type_names[] = {
#define GRTRACE_X(NAME, st, nr, class, text) [nr] = #NAME,
	GRTRACE_EVENT_TYPES(GRTRACE_X)
#undef GRTRACE_X
};

static const u16 type_bytes[] = {
#define GRTRACE_X(NAME, st, nr, class, text) [nr] = sizeof(struct grtrace_##st),
	GRTRACE_EVENT_TYPES(GRTRACE_X)
#undef GRTRACE_X
};

static void show_fates(struct seq_file *m, struct grtrace_fates *fates)
{
	int f;

	for (f = 0; f < GRTRACE_NR_FATES; f++)
		seq_printf(m, ",%llu", *grt_fates_slot(fates, f));
}

int grt_events_by_type_show(struct seq_file *m)
{
	struct grt_counts *n = grt_statistics_total();
	struct grtrace_fates fates;
	int type;

	if (!n)
		return -ENOMEM;
	seq_puts(m, "type,name,seen" FATE_COLUMNS "\n");
	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		grt_counts_type(n, type, &fates);
		seq_printf(m, "%d,%s,%llu", type, type_names[type], fates.seen);
		show_fates(m, &fates);
		seq_putc(m, '\n');
	}
	kfree(n);
	return 0;
}

void grt_events_by_type_line(struct seq_file *m, const struct grt_counts *n)
{
	const char *comma = "";
	int type;

	seq_puts(m, "events_by_type=");
	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		if (!n->seen[type])
			continue;
		seq_printf(m, "%s%s:%llu", comma, type_names[type], n->seen[type]);
		comma = ",";
	}
	seq_putc(m, '\n');
}

static void show_bounds(struct seq_file *m, const char *unit)
{
	int i;

	for (i = 0; i < GRT_BUCKETS - 1; i++)
		seq_printf(m, "lt_%u_%s,", GRT_FIRST_BOUND << i, unit);
	seq_printf(m, "ge_%u_%s", GRT_FIRST_BOUND << (i - 1), unit);
}

/* Returns the sum of the buckets. */
static u64 show_buckets(struct seq_file *m, const u64 *buckets)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < GRT_BUCKETS; i++) {
		seq_printf(m, "%llu,", buckets[i]);
		sum += buckets[i];
	}
	return sum;
}

int grt_latency_hist_show(struct seq_file *m)
{
	struct grt_counts *n = grt_statistics_total();
	u64 samples;

	if (!n)
		return -ENOMEM;
	show_bounds(m, "ns");
	seq_puts(m, ",max_ns,total_ns,samples\n");
	samples = show_buckets(m, n->cost);
	seq_printf(m, "%llu,%llu,%llu\n", grt_statistics_cost_max_ns(), n->cost_ns, samples);
	if (!READ_ONCE(grt_cost_sample))
		seq_puts(m, "# no event is timed: echo 64 > cost_sample times every 64th\n");
	kfree(n);
	return 0;
}

int grt_size_hist_show(struct seq_file *m)
{
	struct grt_counts *n = grt_statistics_total();
	u64 *buckets, events;
	int type;

	if (!n)
		return -ENOMEM;
	buckets = n->text_sizes;
	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		u64 written = n->fate[type][GRTRACE_FATE_WRITTEN];

		if (!grt_has_text(type))
			buckets[grt_bucket(type_bytes[type])] += written;
	}
	show_bounds(m, "bytes");
	seq_puts(m, ",total_bytes,written\n");
	events = show_buckets(m, buckets);
	seq_printf(m, "%llu,%llu\n", n->bytes_written, events);
	kfree(n);
	return 0;
}

int grt_result_hist_show(struct seq_file *m)
{
	struct grt_counts *n = grt_statistics_total();
	struct grtrace_fates fates;
	u64 others = 0;
	int f;

	if (!n)
		return -ENOMEM;
	grt_counts_fates(n, &fates);
	for (f = GRTRACE_FATE_WRITTEN + 1; f < GRTRACE_FATE_BUFFER_FULL; f++)
		others += *grt_fates_slot(&fates, f);
	seq_puts(m, "result,events\n");
	seq_printf(m, "ok,%llu\n", fates.written);
	seq_printf(m, "full,%llu\n", fates.buffer_full);
	seq_printf(m, "oversize,%llu\n", fates.oversize);
	seq_printf(m, "disabled,%llu\n", fates.disabled);
	seq_printf(m, "other,%llu\n", others);
	kfree(n);
	return 0;
}

int grt_pc_cseq_show(struct seq_file *m)
{
	int cpu;

	seq_puts(m, "cpu,cseq\n");
	for_each_possible_cpu(cpu)
		seq_printf(m, "%d,%llu\n", cpu, READ_ONCE(per_cpu_ptr(grt_cpus, cpu)->cseq));
	return 0;
}

int grt_pc_stats_show(struct seq_file *m)
{
	struct grt_counts *n = kmalloc(sizeof(*n), GFP_KERNEL);
	struct grtrace_fates fates;
	int cpu;

	if (!n)
		return -ENOMEM;
	seq_puts(m, "cpu,seen" FATE_COLUMNS ",bytes_written,bytes_dropped,subbufs,overruns\n");
	for_each_possible_cpu(cpu) {
		grt_statistics_cpu(cpu, n);
		grt_counts_fates(n, &fates);
		seq_printf(m, "%d,%llu", cpu, fates.seen);
		show_fates(m, &fates);
		seq_printf(m, ",%llu,%llu,%llu,%llu\n", n->bytes_written, n->bytes_dropped,
			   n->subbufs, n->overruns);
	}
	kfree(n);
	return 0;
}

static void show_second(struct seq_file *m, struct grt_second *s)
{
	u64 burst = 0;
	int i;

	for (i = 0; i < GRT_TENTHS; i++)
		burst = max(burst, s->tenths[i]);
	seq_printf(m, "%llu,%llu,%llu,%llu", s->second, s->start_ns, s->fates.seen, s->bytes);
	show_fates(m, &s->fates);
	seq_printf(m, ",%llu,%llu,", burst, GRT_TENTHS * burst);
	/* An unknown value is shown as empty, not as 0. */
	if (s->tokens != GRT_NO_TOKENS)
		seq_printf(m, "%llu", s->tokens);
	seq_putc(m, '\n');
}

int grt_sec_stats_show(struct seq_file *m)
{
	unsigned int i, nr;
	struct grt_second *rows = grt_statistics_seconds(&nr);

	if (!rows)
		return -ENOMEM;
	seq_puts(m, "second,start_ns,events,bytes" FATE_COLUMNS ",burst,max_rate,tokens\n");
	for (i = 0; i < nr; i++)
		show_second(m, &rows[i]);
	kfree(rows);
	return 0;
}
