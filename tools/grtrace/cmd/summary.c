// SPDX-License-Identifier: GPL-2.0
/* Prints what record --summary counted: a row per ring and process, and how long jobs took. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/grtrace.h>

#include "bpf.h"
#include "error.h"
#include "format.h"
#include "number.h"
#include "record.h"
#include "report_table.h"
#include "vec.h"

static const struct grt_report_column total_columns[] = {
	{ "ring", "ring", GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "pid", "pid", GRT_REPORT_ID },
	{ "comm", "process", GRT_REPORT_TEXT },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "failed", "failed", GRT_REPORT_COUNT },
	{ "busy_ns", "busy", GRT_REPORT_NS },
	{ "t_submit_host_jobs", NULL, GRT_REPORT_COUNT },
	{ "t_submit_host_ns", NULL, GRT_REPORT_NS },
	{ "t_submit_host_mean_ns", "t_submit_host", GRT_REPORT_NS },
	{ "t_submit_host_p50_below_ns", "p50 below", GRT_REPORT_NS },
	{ "t_submit_host_p99_below_ns", "p99 below", GRT_REPORT_NS },
	{ "t_hw_jobs", NULL, GRT_REPORT_COUNT },
	{ "t_hw_ns", NULL, GRT_REPORT_NS },
	{ "t_hw_mean_ns", "t_hw", GRT_REPORT_NS },
	{ "t_hw_p50_below_ns", "p50 below", GRT_REPORT_NS },
	{ "t_hw_p99_below_ns", "p99 below", GRT_REPORT_NS },
};

static const struct grt_report_column hist_columns[] = {
	{ "ring", "ring", GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "below_ns", "took less than", GRT_REPORT_NS },
	{ "t_submit_host_jobs", "t_submit_host", GRT_REPORT_COUNT },
	{ "t_hw_jobs", "t_hw", GRT_REPORT_COUNT },
};

static uint64_t below_ns(unsigned int bucket)
{
	return 1ull << (bucket + GRT_BPF_SUM_SHIFT + 1);
}

/* The end of the bucket that has the value which @percent of all are not above. */
static void put_quantile(struct grt_report_table *t, const struct grt_bpf_stage *stage,
			 unsigned int percent)
{
	uint64_t need = (stage->jobs * percent + 99) / 100, sum = 0;

	for (unsigned int i = 0; i < GRT_BPF_SUM_BUCKETS; i++) {
		sum += stage->buckets[i];
		if (!need || sum < need)
			continue;
		grt_report_u64(t, below_ns(i));
		return;
	}
	grt_report_unknown(t);
}

static void put_stage(struct grt_report_table *t, const struct grt_bpf_stage *stage)
{
	grt_report_u64(t, stage->jobs);
	grt_report_u64(t, stage->ns);
	if (stage->jobs)
		grt_report_u64(t, stage->ns / stage->jobs);
	else
		grt_report_unknown(t);
	put_quantile(t, stage, 50);
	put_quantile(t, stage, 99);
}

static void put_ring(struct grt_report_table *t, const struct grtrace_ring *ring)
{
	grt_report_text(t, ring ? ring->name : "");
	grt_report_text(t, ring ? ring->device : "");
}

static void put_total(struct grt_report_table *t, const struct grt_bpf_total *total)
{
	put_ring(t, total->ring);
	if (total->tgid)
		grt_report_u64(t, total->tgid);
	else
		grt_report_unknown(t);
	grt_report_text(t, total->tgid ? total->sum.comm : "(kernel)");
	grt_report_u64(t, total->sum.jobs);
	grt_report_u64(t, total->sum.failed);
	/* Other rings may run several jobs at a time. */
	if (total->ring && total->ring->order == GRTRACE_ORDER_FIFO)
		grt_report_u64(t, total->sum.busy_ns);
	else
		grt_report_unknown(t);
	put_stage(t, &total->sum.host);
	put_stage(t, &total->sum.hw);
}

static const struct grt_bpf_total *total_at(const struct grt_vec *totals, size_t i)
{
	return grt_vec_at(totals, struct grt_bpf_total, i);
}

/* The rows of one ring, from number @first on; returns the number behind them. */
static size_t put_buckets(struct grt_report_table *t, const struct grt_vec *totals, size_t first)
{
	size_t count = grt_vec_count(totals, struct grt_bpf_total), end = first;

	while (end < count && total_at(totals, end)->ring == total_at(totals, first)->ring)
		end++;
	for (unsigned int bucket = 0; bucket < GRT_BPF_SUM_BUCKETS; bucket++) {
		uint64_t host = 0, hw = 0;

		for (size_t i = first; i < end; i++) {
			host += total_at(totals, i)->sum.host.buckets[bucket];
			hw += total_at(totals, i)->sum.hw.buckets[bucket];
		}
		if (!host && !hw)
			continue;
		put_ring(t, total_at(totals, first)->ring);
		grt_report_u64(t, below_ns(bucket));
		grt_report_u64(t, host);
		grt_report_u64(t, hw);
	}
	return end;
}

static int print_totals(const char *format, const struct grt_vec *totals)
{
	size_t count = grt_vec_count(totals, struct grt_bpf_total);
	struct grt_report_table tables[2];
	int err;

	grt_report_init(&tables[0], "totals", total_columns);
	grt_report_init(&tables[1], "histograms", hist_columns);
	for (size_t i = 0; i < count; i++)
		put_total(&tables[0], total_at(totals, i));
	for (size_t i = 0; i < count; )
		i = put_buckets(&tables[1], totals, i);
	err = tables[0].failed ? tables[0].failed : tables[1].failed;
	if (!err) {
		grt_print_as(format, tables, 2);
		/* Between the tables of two intervals. */
		if (!format || strcmp(format, "json"))
			putchar('\n');
		fflush(stdout);
	}
	grt_report_free(&tables[0]);
	grt_report_free(&tables[1]);
	return err ? grt_fail_memory() : 0;
}

int grt_record_summary(struct record *r)
{
	bool is_text = !r->format || !strcmp(r->format, "text");
	struct grt_vec totals = { NULL };
	uint64_t lost;
	int err = grt_bpf_sums(r->bpf, &totals, &lost);

	if (!err && (totals.bytes || !is_text))
		err = print_totals(r->format, &totals);
	else if (!err)
		printf("no job completed\n");
	if (!err && lost)
		grt_warn(NULL, "%" PRIu64 " %s not in the summary: there was no room for more", lost,
			 grt_plural(lost, "job is", "jobs are"));
	grt_vec_free(&totals);
	return err;
}
