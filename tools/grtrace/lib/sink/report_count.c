// SPDX-License-Identifier: LGPL-2.1
/* Tables: histograms, outcomes, costs, rules and labels. */
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "describe.h"
#include "job_words.h"
#include "key_names.h"
#include "report_tables.h"

static const struct grt_report_column latency_columns[] = {
	{ "stage", "HOW LONG JOBS TOOK", GRT_REPORT_TEXT },
	{ "from_ns", "from", GRT_REPORT_NS },
	{ "below_ns", "below", GRT_REPORT_NS },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "share", "share", GRT_REPORT_SHARE },
	{ NULL, "", GRT_REPORT_TEXT },
};

/* A row for each power of two with jobs. */
static void put_stage(struct grt_report_table *s, const struct grt_job_out *o, enum grt_stage stage)
{
	const struct grt_hist *h = &o->summary->all.stages[stage];
	bool is_bound = grt_rollup_is_bound(&o->summary->all, stage);
	uint64_t counts[65] = { 0 }, low, high, count;
	unsigned int at = 0;
	char bar[GRT_BAR_MAX], name[GRT_WORD_MAX];

	snprintf(name, sizeof(name), "%s%s", grt_stage_name(stage), is_bound ? ", at most" : "");

	while (grt_hist_next(h, &at, &low, &high, &count))
		counts[low ? 64 - __builtin_clzll(low) : 0] += count;
	for (int i = 0; i < 65; i++) {
		if (!counts[i])
			continue;
		grt_report_text(s, name);
		grt_report_u64(s, i ? 1ull << (i - 1) : 0);
		grt_report_u64(s, i < 64 ? 1ull << i : UINT64_MAX);
		grt_report_u64(s, counts[i]);
		grt_report_part(s, counts[i], h->count);
		grt_report_text(s, grt_bar(bar, o, counts[i], h->count));
	}
}

void grt_report_latency(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "latencies", latency_columns);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_stage(s, o, i);
}

static const struct grt_report_column size_columns[] = {
	{ "type", "WHAT THE RECORDS TAKE", GRT_REPORT_TEXT },
	{ "records", "records", GRT_REPORT_COUNT },
	{ "bytes", "bytes", GRT_REPORT_BYTES },
	{ "mean_bytes", "each", GRT_REPORT_BYTES },
	{ "share", "share", GRT_REPORT_SHARE },
	{ NULL, "", GRT_REPORT_TEXT },
};

void grt_report_size(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_record_count *records = o->summary->records;
	uint64_t all = 0;
	char bar[GRT_BAR_MAX];

	grt_report_init(s, "sizes", size_columns);
	for (int i = 0; i < GRT_SUMMARY_TYPES; i++)
		all += records[i].bytes;
	for (uint32_t i = 0; i < GRT_SUMMARY_TYPES; i++) {
		const struct grt_type *type = grt_type_by_number(
			i < GRTRACE_NR_EVENTS ? i : GRTRACE_STREAM_BASE + i - GRTRACE_NR_EVENTS);

		if (!records[i].records || !type)
			continue;
		grt_report_text(s, type->name);
		grt_report_u64(s, records[i].records);
		grt_report_u64(s, records[i].bytes);
		grt_report_u64(s, records[i].bytes / records[i].records);
		grt_report_part(s, records[i].bytes, all);
		grt_report_text(s, grt_bar(bar, o, records[i].bytes, all));
	}
}

static const struct grt_report_column result_columns[] = {
	{ "result", "HOW JOBS ENDED", GRT_REPORT_TEXT },
	{ "status", "status", GRT_REPORT_SIGNED },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "share", "share", GRT_REPORT_SHARE },
	{ NULL, "", GRT_REPORT_TEXT },
};

static void put_result(struct grt_report_table *s, const struct grt_job_out *o, const char *what,
		       const struct grt_outcome *result)
{
	char bar[GRT_BAR_MAX];

	grt_report_text(s, what);
	if (result->has_status)
		grt_report_s64(s, result->status);
	else
		grt_report_unknown(s);
	grt_report_u64(s, result->jobs);
	grt_report_part(s, result->jobs, o->summary->all.jobs);
	grt_report_text(s, grt_bar(bar, o, result->jobs, o->summary->all.jobs));
}

void grt_report_result(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_vec *all = &o->summary->outcomes;
	const struct grt_outcome more = { .jobs = o->summary->more_outcomes };

	grt_report_init(s, "results", result_columns);
	for (size_t i = 0; i < grt_vec_count(all, struct grt_outcome); i++) {
		const struct grt_outcome *result = grt_vec_at(all, struct grt_outcome, i);
		char name[32];

		if (result->is_killed)
			put_result(s, o, "killed with its process", result);
		else if (result->has_status)
			put_result(s, o, grt_status_name(result->status, name), result);
		else
			put_result(s, o, result->is_cut ? "the trace ended before" : "not known",
				   result);
	}
	if (more.jobs)
		put_result(s, o, "other statuses", &more);
}

static const struct grt_report_column drop_columns[] = {
	{ "fate", "WHAT BECAME OF EVENTS", GRT_REPORT_TEXT },
	{ "events", "events", GRT_REPORT_COUNT },
	{ "share", "share", GRT_REPORT_SHARE },
	{ "text", "", GRT_REPORT_TEXT },
};

static uint64_t count_events(const struct grt_job_out *o)
{
	uint64_t events = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		events += grt_model_totals(o->summary->model)->events[i];
	return events;
}

void grt_report_drops(struct grt_report_table *s, const struct grt_job_out *o)
{
	static const struct {
		const char *name, *text;
	} fates[] = {
#define GRT_X(NAME, member, nr, CLASS, text) [nr] = { #member, text },
		GRTRACE_FATES(GRT_X)
#undef GRT_X
	};
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	uint64_t events = count_events(o), all = events;

	grt_report_init(s, "fates", drop_columns);
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		all += lost[i];
	grt_report_text(s, fates[GRTRACE_FATE_WRITTEN].name);
	grt_report_u64(s, events);
	grt_report_part(s, events, all);
	grt_report_text(s, "in this trace");
	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		bool is_missing = i == GRTRACE_FATE_WRITTEN;

		if (!lost[i])
			continue;
		grt_report_text(s, is_missing ? "missing" : fates[i].name);
		grt_report_u64(s, lost[i]);
		grt_report_part(s, lost[i], all);
		grt_report_text(s, is_missing ? "written, but not in this file" : fates[i].text);
	}
}

static const struct grt_report_column overhead_columns[] = {
	{ "name", "WHAT TRACING AND THIS REPORT COST", GRT_REPORT_TEXT },
	{ "value", "", GRT_REPORT_COUNT },
	{ "unit", "", GRT_REPORT_TEXT },
	{ "text", "", GRT_REPORT_TEXT },
};

static void put_cost(struct grt_report_table *s, const char *name, bool is_known, double value,
		     const char *unit, const char *text)
{
	grt_report_text(s, name);
	if (is_known)
		grt_report_u64(s, value + 0.5);
	else
		grt_report_unknown(s);
	grt_report_text(s, unit);
	grt_report_text(s, text);
}

void grt_report_overhead(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);
	double span_s = (t->last_ns - t->first_ns) / 1e9, own_s = o->cost.own_ns / 1e9;
	uint64_t events = count_events(o), bytes = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		bytes += o->summary->records[i].bytes;
	grt_report_init(s, "overhead", overhead_columns);
	put_cost(s, "events", true, events, "events", "in this trace");
	put_cost(s, "event_rate", span_s > 0, events / span_s, "events/s",
		 "written while it was recorded");
	put_cost(s, "event_bytes", true, bytes, "bytes", "of events, before compression");
	put_cost(s, "bytes_per_event", events, (double)bytes / events, "bytes", "");
	put_cost(s, "byte_rate", span_s > 0, bytes / span_s, "bytes/s", "");
	put_cost(s, "events_per_job", o->summary->all.jobs,
		 (double)events / o->summary->all.jobs, "events", "of all types");
	put_cost(s, "write_time", o->cost.has_write_ns, o->cost.write_ns, "ns",
		 "mean of one event, if the module measured it");
	put_cost(s, "report_time", true, o->cost.own_ns / 1e3, "us", "to read and analyse");
	put_cost(s, "report_rate", own_s > 0, events / own_s, "events/s", "");
}

static const struct grt_report_column rule_columns[] = {
	{ "label", "RULES", GRT_REPORT_TEXT },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "share", "share", GRT_REPORT_SHARE },
	{ "rule", "", GRT_REPORT_TEXT },
};

void grt_report_rules(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_rules *rules = o->summary->wants.rules;

	grt_report_init(s, "rules", rule_columns);
	for (unsigned int i = 0; rules && i < rules->count; i++) {
		const struct grt_rule *rule = &rules->rules[i];

		grt_report_text(s, rule->name);
		if (rule->when)
			grt_report_u64(s, o->summary->all.labels[i]);
		else
			grt_report_unknown(s);
		if (rule->when)
			grt_report_part(s, o->summary->all.labels[i], o->summary->all.jobs);
		else
			grt_report_unknown(s);
		grt_report_text(s, rule->when ? rule->text : "off");
	}
}

static const struct grt_report_column label_columns[] = {
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "ring", "LABELS BY RING", GRT_REPORT_TEXT },
	{ "label", "", GRT_REPORT_TEXT },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
	{ "share", "of its jobs", GRT_REPORT_SHARE },
};

void grt_report_labels(struct grt_report_table *s, const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	const struct grt_rules *rules = o->summary->wants.rules;
	const struct grt_names *names = grt_model_names(o->summary->model);

	grt_report_init(s, "labels", label_columns);
	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rings, i);
		char name[GRT_RING_NAME_MAX];

		for (unsigned int j = 0; rules && j < rules->count; j++) {
			const struct grt_ring *ring;

			if (!row->labels[j] || row->key.ring == GRT_NONE)
				continue;
			ring = grt_names_ring_at(names, row->key.ring);
			grt_report_text(s, ring->device);
			grt_report_text(s, grt_ring_name(ring, name));
			grt_report_text(s, rules->rules[j].name);
			grt_report_u64(s, row->labels[j]);
			grt_report_part(s, row->labels[j], row->jobs);
		}
	}
}
