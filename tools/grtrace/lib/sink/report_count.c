// SPDX-License-Identifier: LGPL-2.1
/* Histograms, outcomes, costs, rules and labels, as tables. */
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "describe.h"
#include "job_words.h"
#include "report_sheet.h"

static const struct grt_sheet_column latency_columns[] = {
	{ "stage", "HOW LONG JOBS TOOK", GRT_SHEET_TEXT },
	{ "from_ns", "from", GRT_SHEET_NS },
	{ "below_ns", "below", GRT_SHEET_NS },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "share", "share", GRT_SHEET_SHARE },
	{ NULL, "", GRT_SHEET_TEXT },
};

/* A row per power of two that has jobs. */
static void put_stage(struct grt_sheet *s, const struct grt_job_out *o, enum grt_stage stage)
{
	const struct grt_hist *h = &o->summary->all.stages[stage];
	uint64_t counts[65] = { 0 }, low, high, count;
	unsigned int at = 0;
	char bar[GRT_BAR_MAX];

	while (grt_hist_next(h, &at, &low, &high, &count))
		counts[low ? 64 - __builtin_clzll(low) : 0] += count;
	for (int i = 0; i < 65; i++) {
		if (!counts[i])
			continue;
		grt_sheet_text(s, grt_stage_name(stage));
		grt_sheet_u64(s, i ? 1ull << (i - 1) : 0);
		grt_sheet_u64(s, i < 64 ? 1ull << i : UINT64_MAX);
		grt_sheet_u64(s, counts[i]);
		grt_sheet_part(s, counts[i], h->count);
		grt_sheet_text(s, grt_bar(bar, o, counts[i], h->count));
	}
}

void grt_sheet_latency(struct grt_sheet *s, const struct grt_job_out *o)
{
	grt_sheet_init(s, "latencies", latency_columns);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		put_stage(s, o, i);
}

static const struct grt_sheet_column size_columns[] = {
	{ "type", "WHAT THE RECORDS TAKE", GRT_SHEET_TEXT },
	{ "records", "records", GRT_SHEET_COUNT },
	{ "bytes", "bytes", GRT_SHEET_BYTES },
	{ "mean_bytes", "each", GRT_SHEET_BYTES },
	{ "share", "share", GRT_SHEET_SHARE },
	{ NULL, "", GRT_SHEET_TEXT },
};

void grt_sheet_size(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_record_count *records = o->summary->records;
	uint64_t all = 0;
	char bar[GRT_BAR_MAX];

	grt_sheet_init(s, "sizes", size_columns);
	for (int i = 0; i < GRT_SUMMARY_TYPES; i++)
		all += records[i].bytes;
	for (uint32_t i = 0; i < GRT_SUMMARY_TYPES; i++) {
		const struct grt_type *type = grt_type_by_number(
			i < GRTRACE_NR_EVENTS ? i : GRTRACE_STREAM_BASE + i - GRTRACE_NR_EVENTS);

		if (!records[i].records || !type)
			continue;
		grt_sheet_text(s, type->name);
		grt_sheet_u64(s, records[i].records);
		grt_sheet_u64(s, records[i].bytes);
		grt_sheet_u64(s, records[i].bytes / records[i].records);
		grt_sheet_part(s, records[i].bytes, all);
		grt_sheet_text(s, grt_bar(bar, o, records[i].bytes, all));
	}
}

static const struct grt_sheet_column result_columns[] = {
	{ "result", "HOW JOBS ENDED", GRT_SHEET_TEXT },
	{ "status", "status", GRT_SHEET_SIGNED },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "share", "share", GRT_SHEET_SHARE },
	{ NULL, "", GRT_SHEET_TEXT },
};

static void put_result(struct grt_sheet *s, const struct grt_job_out *o, const char *what,
		       const struct grt_outcome *result)
{
	char bar[GRT_BAR_MAX];

	grt_sheet_text(s, what);
	if (result->has_status)
		grt_sheet_s64(s, result->status);
	else
		grt_sheet_unknown(s);
	grt_sheet_u64(s, result->jobs);
	grt_sheet_part(s, result->jobs, o->summary->all.jobs);
	grt_sheet_text(s, grt_bar(bar, o, result->jobs, o->summary->all.jobs));
}

void grt_sheet_result(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_vec *all = &o->summary->outcomes;
	const struct grt_outcome more = { .jobs = o->summary->more_outcomes };

	grt_sheet_init(s, "results", result_columns);
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

static const struct grt_sheet_column drop_columns[] = {
	{ "fate", "WHAT BECAME OF EVENTS", GRT_SHEET_TEXT },
	{ "events", "events", GRT_SHEET_COUNT },
	{ "share", "share", GRT_SHEET_SHARE },
	{ "text", "", GRT_SHEET_TEXT },
};

static uint64_t count_events(const struct grt_job_out *o)
{
	uint64_t events = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		events += grt_model_totals(o->summary->model)->events[i];
	return events;
}

void grt_sheet_drops(struct grt_sheet *s, const struct grt_job_out *o)
{
	static const struct {
		const char *name, *text;
	} fates[] = {
#define GRT_X(NAME, member, nr, text) [nr] = { #member, text },
		GRTRACE_FATES(GRT_X)
#undef GRT_X
	};
	const uint64_t *lost = grt_model_totals(o->summary->model)->lost;
	uint64_t events = count_events(o), all = events;

	grt_sheet_init(s, "fates", drop_columns);
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		all += lost[i];
	grt_sheet_text(s, fates[GRTRACE_FATE_WRITTEN].name);
	grt_sheet_u64(s, events);
	grt_sheet_part(s, events, all);
	grt_sheet_text(s, "in this trace");
	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		bool is_missing = i == GRTRACE_FATE_WRITTEN;

		if (!lost[i])
			continue;
		grt_sheet_text(s, is_missing ? "missing" : fates[i].name);
		grt_sheet_u64(s, lost[i]);
		grt_sheet_part(s, lost[i], all);
		grt_sheet_text(s, is_missing ? "written, but not in this file" : fates[i].text);
	}
}

static const struct grt_sheet_column overhead_columns[] = {
	{ "name", "WHAT TRACING AND THIS REPORT COST", GRT_SHEET_TEXT },
	{ "value", "", GRT_SHEET_COUNT },
	{ "unit", "", GRT_SHEET_TEXT },
	{ "text", "", GRT_SHEET_TEXT },
};

static void put_cost(struct grt_sheet *s, const char *name, bool is_known, double value,
		     const char *unit, const char *text)
{
	grt_sheet_text(s, name);
	if (is_known)
		grt_sheet_u64(s, value + 0.5);
	else
		grt_sheet_unknown(s);
	grt_sheet_text(s, unit);
	grt_sheet_text(s, text);
}

void grt_sheet_overhead(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);
	double span_s = (t->last_ns - t->first_ns) / 1e9, own_s = o->cost.own_ns / 1e9;
	uint64_t events = count_events(o), bytes = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		bytes += o->summary->records[i].bytes;
	grt_sheet_init(s, "overhead", overhead_columns);
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

static const struct grt_sheet_column rule_columns[] = {
	{ "label", "RULES", GRT_SHEET_TEXT },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "share", "share", GRT_SHEET_SHARE },
	{ "rule", "", GRT_SHEET_TEXT },
};

void grt_sheet_rules(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_rules *rules = o->summary->wants.rules;

	grt_sheet_init(s, "rules", rule_columns);
	for (unsigned int i = 0; rules && i < rules->count; i++) {
		const struct grt_rule *rule = &rules->rules[i];

		grt_sheet_text(s, rule->name);
		if (rule->when)
			grt_sheet_u64(s, o->summary->all.labels[i]);
		else
			grt_sheet_unknown(s);
		if (rule->when)
			grt_sheet_part(s, o->summary->all.labels[i], o->summary->all.jobs);
		else
			grt_sheet_unknown(s);
		grt_sheet_text(s, rule->when ? rule->text : "off");
	}
}

static const struct grt_sheet_column label_columns[] = {
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "ring", "LABELS BY RING", GRT_SHEET_TEXT },
	{ "label", "", GRT_SHEET_TEXT },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
	{ "share", "of its jobs", GRT_SHEET_SHARE },
};

void grt_sheet_labels(struct grt_sheet *s, const struct grt_job_out *o)
{
	const struct grt_rollup *rings = &o->summary->groups[GRT_BY_RING];
	const struct grt_rules *rules = o->summary->wants.rules;
	const struct grt_names *names = grt_model_names(o->summary->model);

	grt_sheet_init(s, "labels", label_columns);
	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rings, i);
		char name[GRT_RING_NAME_MAX];

		for (unsigned int j = 0; rules && j < rules->count; j++) {
			const struct grt_ring *ring;

			if (!row->labels[j] || row->key.ring == GRT_NONE)
				continue;
			ring = grt_names_ring_at(names, row->key.ring);
			grt_sheet_text(s, ring->device);
			grt_sheet_text(s, grt_ring_name(ring, name));
			grt_sheet_text(s, rules->rules[j].name);
			grt_sheet_u64(s, row->labels[j]);
			grt_sheet_part(s, row->labels[j], row->jobs);
		}
	}
}
