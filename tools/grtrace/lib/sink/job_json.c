// SPDX-License-Identifier: LGPL-2.1
/* Jobs as JSON, one object per line; a summary as one object.  An unknown value is null. */
#include "group_cell.h"
#include "origin.h"
#include "policies.h"
#include "snapshots.h"
#include "why_table.h"

static void add_cell(struct grt_json *j, const char *name, const struct grt_cell *cell)
{
	switch (cell->kind) {
	case GRT_CELL_UNKNOWN:
		grt_json_null(j, name);
		break;
	case GRT_CELL_TEXT:
		grt_json_text(j, name, cell->text);
		break;
	case GRT_CELL_U64:
		grt_json_u64(j, name, cell->number);
		break;
	case GRT_CELL_S64:
		grt_json_s64(j, name, cell->signed_number);
		break;
	}
}

void grt_job_json_add(struct grt_json *j, const struct grt_job_out *o, const struct grt_job *job)
{
	struct grt_view view;
	struct grt_cell cell;

	grt_summary_view(o->summary, job, &view);
	for (size_t i = 0; i < grt_nr_columns; i++) {
		grt_column_get(&cell, &grt_columns[i], &view);
		add_cell(j, grt_columns[i].name, &cell);
	}
}

static void add_job(struct grt_json *j, const char *name, const struct grt_job_out *o,
		    const struct grt_job *job)
{
	grt_json_open(j, name, '{');
	grt_job_json_add(j, o, job);
	grt_json_close(j, '}');
}

static void job_line(struct grt_job_out *o, const struct grt_job *job)
{
	struct grt_json j = { .file = o->file };

	add_job(&j, NULL, o, job);
	putc('\n', o->file);
}

/* Without jobs, print nothing. */
static void end(struct grt_job_out *o)
{
	(void)o;
}

static void add_stages(struct grt_json *j, const struct grt_rollup_row *row)
{
	grt_json_open(j, "stages", '{');
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		const struct grt_hist *h = &row->stages[i];

		if (!h->count) {
			grt_json_null(j, grt_stage_name(i));
			continue;
		}
		grt_json_open(j, grt_stage_name(i), '{');
		grt_json_u64(j, "count", h->count);
		grt_json_u64(j, "sum_ns", grt_hist_sum(h));
		grt_json_share(j, "share", row->share_ns[i], row->share_ns[GRT_STAGE_TOTAL]);
		grt_json_u64(j, "mean_ns", grt_hist_mean(h));
		grt_json_u64(j, "min_ns", h->min);
		grt_json_u64(j, "p50_ns", grt_hist_quantile(h, 500));
		grt_json_u64(j, "p90_ns", grt_hist_quantile(h, 900));
		grt_json_u64(j, "p99_ns", grt_hist_quantile(h, 990));
		grt_json_u64(j, "p999_ns", grt_hist_quantile(h, 999));
		grt_json_u64(j, "max_ns", h->max);
		grt_json_close(j, '}');
	}
	grt_json_close(j, '}');
}

static void add_group_row(struct grt_json *j, const struct grt_summary *s, enum grt_group group,
			  const struct grt_rollup_row *row)
{
	grt_json_open(j, NULL, '{');
	for (int i = 0; i < GRT_NR_GROUP_CELLS; i++) {
		struct grt_cell cell;

		if (!grt_group_has(group, i))
			continue;
		grt_group_cell(&cell, s, group, row, i);
		add_cell(j, grt_group_cell_name(i), &cell);
	}
	grt_json_u64(j, "jobs", row->jobs);
	grt_json_u64(j, "cut", row->cut);
	grt_json_u64(j, "lossy", row->lossy);
	if (row->unjudged) {
		grt_json_null(j, "failed");
		grt_json_null(j, "killed");
	} else {
		grt_json_u64(j, "failed", row->failed);
		grt_json_u64(j, "killed", row->killed);
	}
	grt_json_u64(j, "start_inferred", row->inferred);
	add_stages(j, row);
	grt_json_u64(j, "upper_bounds", row->bounds);
	grt_json_close(j, '}');
}

static void add_group(struct grt_json *j, const struct grt_summary *s, enum grt_group group)
{
	const struct grt_rollup *rows = &s->groups[group];

	grt_json_open(j, grt_group_plural(group), '[');
	for (size_t i = 0; i < grt_rollup_count(rows); i++)
		add_group_row(j, s, group, grt_rollup_at(rows, i));
	grt_json_close(j, ']');
}

static void add_counts(struct grt_json *j, const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);

	grt_json_open(j, "lost", '{');
#define GRT_X(NAME, name, nr, CLASS, text) \
	grt_json_u64(j, nr == GRTRACE_FATE_WRITTEN ? "missing" : #name, t->lost[nr]);
	GRTRACE_FATES(GRT_X)
#undef GRT_X
	grt_json_close(j, '}');
	grt_json_u64(j, "uncounted_losses", t->uncounted);
	grt_json_bool(j, "is_cut", t->is_cut);
	grt_json_u64(j, "unknown_events", o->unknown_events);
	grt_json_open(j, "errors", '{');
#define GRT_X(NAME, nr, text) grt_json_u64(j, #NAME, t->errors[nr]);
	GRTRACE_ERRORS(GRT_X)
#undef GRT_X
	grt_json_close(j, '}');
}

/* Sums that were made while recording. */
static void add_windows(struct grt_json *j, const struct grt_window_totals *t)
{
	if (!t->windows) {
		grt_json_null(j, "windows");
		return;
	}
	grt_json_open(j, "windows", '{');
	grt_json_u64(j, "count", t->windows);
	grt_json_u64(j, "jobs", t->jobs);
	grt_json_u64(j, "latency_sum_ns", t->latency_sum_ns);
	if (t->jobs) {
		grt_json_u64(j, "latency_min_ns", t->latency_min_ns);
		grt_json_u64(j, "latency_max_ns", t->latency_max_ns);
	} else {
		grt_json_null(j, "latency_min_ns");
		grt_json_null(j, "latency_max_ns");
	}
	grt_json_u64(j, "depth_peak", t->depth_peak);
	grt_json_close(j, '}');
}

static void add_origin(struct grt_json *j, const struct grt_summary *s, const char *key)
{
	char value[600] = "";

	grt_origin_find(grt_model_names(s->model)->metadata, key, value, sizeof(value));
	grt_json_text(j, key, value);
}

static void add_source(struct grt_json *j, const struct grt_summary *s)
{
	char value[80] = "";

	if (!grt_origin_source(grt_model_names(s->model)->metadata, value, sizeof(value)))
		*value = '\0';
	grt_json_text(j, "source", value);
}

/* The time that the report is about; null: all of the trace. */
static void add_window(struct grt_json *j, const struct grt_summary *s)
{
	const struct grt_window *w = s->wants.query.window;

	if (!w || !w->is_narrow) {
		grt_json_null(j, "only_time");
		return;
	}
	grt_json_open(j, "only_time", '{');
	grt_json_u64(j, "from_ns", w->from_ns);
	grt_json_u64(j, "to_ns", w->to_ns < w->last_ns ? w->to_ns : w->last_ns);
	grt_json_text(j, "rule", grt_window_rule_name(w->rule));
	grt_json_close(j, '}');
}

static void add_trace(struct grt_json *j, const struct grt_job_out *o)
{
	const struct grt_summary *s = o->summary;
	const struct grt_model_totals *t = grt_model_totals(s->model);
	struct grt_machine machine = grt_machine_names_common(&grt_model_names(s->model)->machines);
	uint64_t events = 0;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		events += t->events[i];
	grt_json_open(j, "trace", '{');
	grt_json_text(j, "name", o->info->name);
	grt_json_text(j, "host", o->info->host);
	grt_json_text(j, "boot_id", machine.boot_id);
	grt_json_text(j, "kernel", o->info->kernel);
	grt_json_text(j, "command", o->info->command);
	add_source(j, s);
#define GRT_X(key, words) add_origin(j, s, #key);
	GRT_ORIGINS(GRT_X)
#undef GRT_X
	grt_json_u64(j, "first_ns", t->first_ns);
	grt_json_u64(j, "last_ns", t->last_ns);
	grt_json_u64(j, "wall_ns", grt_model_wall_ns(s->model));
	grt_json_u64(j, "events", events);
	grt_json_u64(j, "jobs", s->all.jobs);
	grt_json_u64(j, "cut", s->all.cut);
	grt_json_u64(j, "lossy", s->all.lossy);
	grt_json_u64(j, "start_inferred", s->all.inferred);
	grt_json_u64(j, "key_inferred", s->inferred_keys);
	grt_json_u64(j, "end_inferred", s->inferred_ends);
	grt_json_u64(j, "complete_inferred", s->inferred_completes);
	grt_json_u64(j, "other_jobs", s->other_jobs);
	grt_json_u64(j, "synthetic_jobs", s->synthetic_jobs);
	grt_json_u64(j, "processes", s->processes);
	if (s->wants.query.pid)
		grt_json_u64(j, "only_pid", s->wants.query.pid);
	else
		grt_json_null(j, "only_pid");
	add_window(j, s);
	grt_policies_json(j, o);
	grt_snapshots_json(j, o);
	add_windows(j, &t->windows);
	add_counts(j, o);
	grt_json_u64(j, "upper_bounds", s->all.bounds);
	grt_json_close(j, '}');
}

static void summary(struct grt_job_out *o)
{
	bool is_screen = grt_out_is_screen(o);
	uint32_t groups = is_screen ? 1u << GRT_BY_RING | 1u << GRT_BY_RING_PROCESS : o->groups;
	struct grt_json j = { .file = o->file };

	grt_json_open(&j, NULL, '{');
	add_trace(&j, o);
	for (int i = 0; i < GRT_NR_GROUPS; i++)
		if (groups >> i & 1)
			add_group(&j, o->summary, i);
	for (size_t i = 0; i < grt_nr_report_makers; i++) {
		const struct grt_report_maker *maker = &grt_report_makers[i];
		struct grt_report_table table;

		if (!(maker->tables & o->tables) && !(is_screen && maker->on_screen))
			continue;
		maker->make(&table, o);
		grt_report_print_json(&table, &j);
		grt_report_free(&table);
	}
	grt_json_close(&j, '}');
	putc('\n', o->file);
}

static void why(struct grt_job_out *o, const struct grt_why *w)
{
	struct grt_json j = { .file = o->file };
	struct grt_report_table table;

	grt_json_open(&j, NULL, '{');
	add_job(&j, "job", o, grt_why_job(w));
	grt_report_why_roots(&table, o, w);
	grt_report_print_json(&table, &j);
	grt_report_free(&table);
	grt_report_why(&table, o, w);
	grt_report_print_json(&table, &j);
	grt_report_free(&table);
	grt_json_close(&j, '}');
	putc('\n', o->file);
}

const struct grt_job_sink grt_job_json = { "json", job_line, end, summary, why };
