// SPDX-License-Identifier: GPL-2.0
/* How long calls of a function take, or how long it is from one point to another. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "call_times.h"
#include "error.h"
#include "format.h"
#include "number.h"
#include "probe.h"
#include "probe_watch.h"
#include "report_table.h"

#define SPEC_BYTES	512
#define BAR		40	/* letters of the longest one */

struct timing {
	const struct grt_probe_request *request;
	struct grt_call_times times;
	uint64_t lost;
	bool has_key;
};

static const struct grt_report_column total_columns[] = {
	{ "pid", "pid", GRT_REPORT_ID },
	{ "comm", "process", GRT_REPORT_TEXT },
	{ "count", "count", GRT_REPORT_COUNT },
	{ "p50_ns", "p50", GRT_REPORT_NS },
	{ "p99_ns", "p99", GRT_REPORT_NS },
	{ "max_ns", "max", GRT_REPORT_NS },
	{ "mean_ns", "mean", GRT_REPORT_NS },
	{ "min_ns", "min", GRT_REPORT_NS },
};

static const struct grt_report_column hist_columns[] = {
	{ "from_ns", "from", GRT_REPORT_NS },
	{ "below_ns", "to below", GRT_REPORT_NS },
	{ "count", "count", GRT_REPORT_COUNT },
	{ NULL, "", GRT_REPORT_TEXT },
};

/* --- hits --- */

static int take_hit(void *arg, const struct grt_probe_hit *hit)
{
	struct timing *t = arg;
	uint64_t key = t->has_key ? hit->values[0].number : hit->tid;

	if (!hit->probe)
		return grt_call_begins(&t->times, key, hit->ns);
	/* Thread 0 is the idle one of each CPU. */
	return grt_call_ends(&t->times, key, hit->ns, hit->tgid ? hit->tgid : hit->tid,
			     hit->tid ? hit->comm : "(idle)");
}

static void take_loss(void *arg, uint64_t count)
{
	struct timing *t = arg;

	t->lost += count;
	grt_call_times_cut(&t->times);
}

static const struct grt_probe_watch_ops ops = { .hit = take_hit, .lost = take_loss };

/* --- output --- */

static void put_times(struct grt_report_table *t, const struct grt_hist *h)
{
	grt_report_u64(t, h->count);
	if (!h->count)
		for (int i = 0; i < 5; i++)
			grt_report_unknown(t);
	if (!h->count)
		return;
	grt_report_u64(t, grt_hist_quantile(h, 500));
	grt_report_u64(t, grt_hist_quantile(h, 990));
	grt_report_u64(t, h->max);
	grt_report_u64(t, grt_hist_mean(h));
	grt_report_u64(t, h->min);
}

static void put_totals(struct grt_report_table *t, const struct grt_call_times *times)
{
	size_t count = grt_vec_count(&times->processes, struct grt_call_process);

	for (size_t i = 0; i < count; i++) {
		const struct grt_call_process *p = grt_call_process_at(times, i);

		grt_report_u64(t, p->pid);
		grt_report_text(t, p->comm);
		put_times(t, &p->times);
	}
	grt_report_nothing(t);
	grt_report_text(t, "(all)");
	put_times(t, &times->times);
}

/* A row for each power of two between the shortest and the longest time; 0 and 1 ns share one. */
static void put_hist(struct grt_report_table *t, const struct grt_hist *h)
{
	uint64_t counts[GRT_HIST_POWERS], most = grt_hist_powers(h, counts);
	unsigned int first = grt_hist_power_of(h->min | 1), last = grt_hist_power_of(h->max | 1);
	char bar[BAR + 1];

	counts[1] += counts[0];
	if (counts[1] > most)
		most = counts[1];
	for (unsigned int i = first; i <= last; i++) {
		unsigned int len = counts[i] * BAR / most;

		grt_report_u64(t, i > 1 ? grt_hist_power_from(i) : 0);
		grt_report_u64(t, grt_hist_power_below(i));
		grt_report_u64(t, counts[i]);
		memset(bar, '*', len);
		bar[len] = '\0';
		grt_report_text(t, *bar ? bar : counts[i] ? "." : " ");
	}
}

static int print(const struct timing *t)
{
	struct grt_report_table tables[2];
	int err;

	grt_report_init(&tables[0], "totals", total_columns);
	grt_report_init(&tables[1], "histogram", hist_columns);
	put_totals(&tables[0], &t->times);
	if (t->times.times.count)
		put_hist(&tables[1], &t->times.times);
	err = tables[0].failed ? tables[0].failed : tables[1].failed;
	if (!err)
		grt_print_as(t->request->format, tables, 2);
	grt_report_free(&tables[0]);
	grt_report_free(&tables[1]);
	return err ? grt_fail_memory() : 0;
}

/* What the numbers do not have. */
static void tell_rest(const struct timing *t, uint64_t missed)
{
	const struct grt_call_times *c = &t->times;
	const struct {
		uint64_t count;
		const char *one, *many, *hint;
	} rows[] = {
		{ c->nr_open, "call had begun, but not ended", "calls had begun, but not ended", NULL },
		{ c->unbegun, "call ended whose beginning was not seen", "calls ended whose beginnings were not seen",
		  NULL },
		{ c->replaced, "call began again before it ended", "calls began again before they ended",
		  "--key tells them apart" },
		{ c->cut, "call is left out, because hits were lost", "calls are left out, because hits were lost",
		  NULL },
		{ t->lost, "hit is lost", "hits are lost", "a larger buffer loses less: -b 16M" },
		{ missed, "hit was missed by the kernel's probe", "hits were missed by the kernel's probes", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].count)
			grt_warn(rows[i].hint, "%" PRIu64 " %s", rows[i].count,
				 grt_plural(rows[i].count, rows[i].one, rows[i].many));
}

/* --- the probes --- */

/* "[-x FILE] FUNCTION[SUFFIX] [key=VALUE]" */
static int print_spec(const struct grt_probe_request *q, const char *point, const char *suffix,
		      const char *key, size_t key_len, char to[SPEC_BYTES])
{
	int len = snprintf(to, SPEC_BYTES, "%s%s%s%s%s%s%.*s", q->file ? "-x " : "", q->file ? q->file : "",
			   q->file ? " " : "", point, suffix, key ? " key=" : "", (int)key_len, key ? key : "");

	return len < SPEC_BYTES ? 0 : grt_fail(EINVAL, NULL, "the probe of '%s' is too long", point);
}

static int open_watch(const struct timing *t, struct grt_probe_watch **watch)
{
	const struct grt_probe_request *q = t->request;
	const char *comma = q->key ? strchr(q->key, ',') : NULL;
	char from[SPEC_BYTES], to[SPEC_BYTES];
	static const char *const values[] = { "key" };
	const struct grt_words words = { .words = { from, to }, .count = 2 };
	const struct grt_probe_watch_options options = {
		.probes = &words, .values = values, .nr_values = 1, .has_tasks = q->per_process,
		.buffer_bytes = q->buffer_bytes,
	};
	int err = print_spec(q, q->time, "", q->key, comma ? (size_t)(comma - q->key) : q->key ? strlen(q->key) : 0,
			     from);
	const char *last = comma ? comma + 1 : q->key;

	if (!err)
		err = print_spec(q, q->until ? q->until : q->time, q->until ? "" : "%return", last,
				 last ? strlen(last) : 0, to);
	return err ? err : grt_probe_watch_open(watch, &options);
}

static int watch_until_over(struct timing *t, struct grt_probe_watch *watch, struct grt_probe_run *run)
{
	int err = grt_probe_watch_start(watch);

	if (!err)
		err = grt_probe_run_start(run);
	while (!err && !run->is_over) {
		grt_probe_run_wait(run, -1);
		err = grt_probe_watch_read(watch, &ops, t);
	}
	if (!err)
		err = grt_probe_watch_stop(watch);
	return err ? err : grt_probe_watch_read(watch, &ops, t);
}

int grt_probe_time(const struct grt_probe_request *q, int *code)
{
	struct timing t = {
		.request = q, .has_key = q->key, .times = { .nests = !q->until, .per_process = q->per_process },
	};
	struct grt_probe_watch *watch = NULL;
	struct grt_probe_run run;
	uint64_t missed;
	int err = open_watch(&t, &watch);

	if (err)
		return err;
	err = grt_probe_run_open(&run, q);
	if (!err)
		err = watch_until_over(&t, watch, &run);
	missed = grt_probe_watch_missed(watch);
	*code = grt_probe_run_close(&run);
	grt_probe_watch_close(watch);
	if (!err)
		err = print(&t);
	if (!err)
		tell_rest(&t, missed);
	grt_call_times_free(&t.times);
	return err;
}
