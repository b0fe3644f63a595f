// SPDX-License-Identifier: LGPL-2.1
/* The tables of a comparison, for CSV and JSON. */
#include "diff_sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "job_words.h"

const char *grt_diff_stat(char *buf, unsigned int permille)
{
	if (permille % 10)
		snprintf(buf, 8, "p%u.%u", permille / 10 % 100, permille % 10);
	else
		snprintf(buf, 8, "p%u", permille / 10 % 100);
	return buf;
}

enum grt_change grt_diff_verdict(const struct grt_diff_out *o)
{
	const struct grt_diff *d = o->diff;
	uint64_t all[GRT_NR_CHANGES];

	for (int i = 0; i < GRT_NR_CHANGES; i++)
		all[i] = d->changes[i] + d->rates[i] + d->troubled[i];
	if (all[GRT_CHANGE_WORSE])
		return GRT_CHANGE_WORSE;
	if (all[GRT_CHANGE_BETTER] && o->is_both_ways)
		return GRT_CHANGE_BETTER;
	/* That nothing went wrong is no comparison. */
	all[GRT_CHANGE_SAME] -= d->troubled[GRT_CHANGE_SAME];
	return all[GRT_CHANGE_SAME] || all[GRT_CHANGE_BETTER] ? GRT_CHANGE_SAME :
	       GRT_CHANGE_UNSURE;
}

static void put_called(struct grt_report_table *s, const struct grt_diff_group *g)
{
	grt_report_text(s, grt_diff_scope_name(g->scope));
	grt_report_text(s, g->device);
	grt_report_text(s, g->name);
	grt_report_text(s, g->process);
}

static const struct grt_report_column diff_columns[] = {
	{ "scope", NULL, GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "name", NULL, GRT_REPORT_TEXT },
	{ "process", NULL, GRT_REPORT_TEXT },
	{ "stage", NULL, GRT_REPORT_TEXT },
	{ "stat", NULL, GRT_REPORT_TEXT },
	{ "a_jobs", NULL, GRT_REPORT_COUNT },
	{ "a_ns", NULL, GRT_REPORT_NS },
	{ "a_low_ns", NULL, GRT_REPORT_NS },
	{ "a_high_ns", NULL, GRT_REPORT_NS },
	{ "b_jobs", NULL, GRT_REPORT_COUNT },
	{ "b_ns", NULL, GRT_REPORT_NS },
	{ "b_low_ns", NULL, GRT_REPORT_NS },
	{ "b_high_ns", NULL, GRT_REPORT_NS },
	{ "change_ns", NULL, GRT_REPORT_SIGNED },
	{ "change_low_ns", NULL, GRT_REPORT_SIGNED },
	{ "change_high_ns", NULL, GRT_REPORT_SIGNED },
	{ "change", NULL, GRT_REPORT_CHANGE },
	{ "threshold", NULL, GRT_REPORT_SHARE },
	{ "verdict", NULL, GRT_REPORT_TEXT },
};

/* A change relative to 0 cannot be expressed. */
static void put_relative(struct grt_report_table *s, double from, double to)
{
	if (from > 0)
		grt_report_real(s, (to - from) / from);
	else
		grt_report_unknown(s);
}

static void put_unknown(struct grt_report_table *s, int count)
{
	while (count--)
		grt_report_unknown(s);
}

static void put_side(struct grt_report_table *s, const struct grt_interval *i, uint64_t jobs)
{
	grt_report_u64(s, jobs);
	if (!i->is_known) {
		put_unknown(s, 3);
		return;
	}
	grt_report_u64(s, i->ns);
	grt_report_u64(s, i->low_ns);
	grt_report_u64(s, i->high_ns);
}

static void put_quantile(struct grt_report_table *s, const struct grt_diff *d,
			 const struct grt_diff_group *g, enum grt_stage stage, unsigned int i)
{
	const struct grt_diff_value *v = grt_diff_value(g, stage, i);
	const struct grt_interval *a = &v->side[GRT_BEFORE], *b = &v->side[GRT_AFTER];
	char stat[8];

	put_called(s, g);
	grt_report_text(s, grt_stage_name(stage));
	grt_report_text(s, grt_diff_stat(stat, d->wants.permilles[i]));
	put_side(s, a, g->times[GRT_BEFORE][stage].count);
	put_side(s, b, g->times[GRT_AFTER][stage].count);
	if (a->is_known && b->is_known) {
		grt_report_s64(s, b->ns - a->ns);
		grt_report_s64(s, v->low_ns);
		grt_report_s64(s, v->high_ns);
		put_relative(s, a->ns, b->ns);
	} else {
		put_unknown(s, 4);
	}
	grt_report_real(s, d->wants.threshold[stage]);
	grt_report_text(s, grt_change_name(v->change));
}

/* Mean and largest have no confidence interval, so they are not judged. */
static void put_plain(struct grt_report_table *s, const struct grt_diff_group *g,
		      enum grt_stage stage, const char *stat, uint64_t from_ns, uint64_t to_ns)
{
	put_called(s, g);
	grt_report_text(s, grt_stage_name(stage));
	grt_report_text(s, stat);
	grt_report_u64(s, g->times[GRT_BEFORE][stage].count);
	grt_report_u64(s, from_ns);
	put_unknown(s, 2);
	grt_report_u64(s, g->times[GRT_AFTER][stage].count);
	grt_report_u64(s, to_ns);
	put_unknown(s, 2);
	grt_report_s64(s, to_ns - from_ns);
	put_unknown(s, 2);
	put_relative(s, from_ns, to_ns);
	put_unknown(s, 2);
}

void grt_report_diff(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "rows", diff_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			const struct grt_diff_times *a = &g->times[GRT_BEFORE][stage];
			const struct grt_diff_times *b = &g->times[GRT_AFTER][stage];

			if (!grt_diff_has(g, stage))
				continue;
			for (unsigned int q = 0; q < d->wants.nr_permilles; q++)
				put_quantile(s, d, g, stage, q);
			put_plain(s, g, stage, "mean", a->mean_ns, b->mean_ns);
			put_plain(s, g, stage, "max", a->max_ns, b->max_ns);
		}
	}
}

static const struct grt_report_column rate_columns[] = {
	{ "scope", NULL, GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "name", NULL, GRT_REPORT_TEXT },
	{ "process", NULL, GRT_REPORT_TEXT },
	{ "a_jobs", NULL, GRT_REPORT_COUNT },
	{ "a_per_s", NULL, GRT_REPORT_SHARE },
	{ "b_jobs", NULL, GRT_REPORT_COUNT },
	{ "b_per_s", NULL, GRT_REPORT_SHARE },
	{ "change", NULL, GRT_REPORT_CHANGE },
	{ "change_low", NULL, GRT_REPORT_CHANGE },
	{ "change_high", NULL, GRT_REPORT_CHANGE },
	{ "threshold", NULL, GRT_REPORT_SHARE },
	{ "verdict", NULL, GRT_REPORT_TEXT },
};

static void put_rate(struct grt_report_table *s, const struct grt_interval *i, uint64_t jobs)
{
	grt_report_u64(s, jobs);
	if (i->is_known)
		grt_report_real(s, grt_diff_per_second(i->ns));
	else
		grt_report_unknown(s);
}

static void report_rates(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "throughput", rate_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);
		const struct grt_interval *a = &g->rate.side[GRT_BEFORE];
		const struct grt_interval *b = &g->rate.side[GRT_AFTER];
		double rate = grt_diff_per_second(a->ns);

		if (!g->has_rate)
			continue;
		put_called(s, g);
		put_rate(s, a, g->jobs[GRT_BEFORE]);
		put_rate(s, b, g->jobs[GRT_AFTER]);
		if (a->is_known && b->is_known) {
			/* A longer time is a lower rate. */
			put_relative(s, rate, grt_diff_per_second(b->ns));
			put_relative(s, rate, grt_diff_per_second(a->ns + g->rate.high_ns));
			put_relative(s, rate, grt_diff_per_second(a->ns + g->rate.low_ns));
		} else {
			put_unknown(s, 3);
		}
		grt_report_real(s, d->wants.rate_threshold);
		grt_report_text(s, grt_change_name(g->rate.change));
	}
}

static const struct grt_report_column trouble_columns[] = {
	{ "kind", "WHAT WENT WRONG", GRT_REPORT_TEXT },
	{ "name", "", GRT_REPORT_TEXT },
	{ "a", "A", GRT_REPORT_COUNT },
	{ "b", "B", GRT_REPORT_COUNT },
	{ "verdict", "verdict", GRT_REPORT_TEXT },
};

void grt_report_diff_trouble(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "trouble", trouble_columns);
	for (size_t i = 0; i < grt_vec_count(&d->troubles, struct grt_diff_trouble); i++) {
		const struct grt_diff_trouble *t =
			grt_vec_at(&d->troubles, struct grt_diff_trouble, i);

		grt_report_text(s, t->kind);
		grt_report_text(s, t->name);
		grt_report_u64(s, t->side[GRT_BEFORE]);
		grt_report_u64(s, t->side[GRT_AFTER]);
		grt_report_text(s, t->is_judged ? grt_change_name(t->change) : "");
	}
}

static const struct grt_report_column idle_columns[] = {
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "ring", "WHERE THE TIME OF RINGS WENT", GRT_REPORT_TEXT },
	{ "state", "", GRT_REPORT_TEXT },
	{ "a_share", "A", GRT_REPORT_SHARE },
	{ "b_share", "B", GRT_REPORT_SHARE },
	{ "points", "change in points", GRT_REPORT_CHANGE },
};

/* A change has a value only if the unknown time of the two sides cannot reverse it. */
static void put_share(struct grt_report_table *s, const struct grt_diff_group *g, const char *state,
		      uint64_t from_ns, uint64_t to_ns, double least)
{
	const struct grt_ring_use *a = &g->use[GRT_BEFORE], *b = &g->use[GRT_AFTER];
	double a_ns = grt_use_span_ns(a), b_ns = grt_use_span_ns(b);
	double points = to_ns / b_ns - from_ns / a_ns;
	uint64_t unsure_a = grt_use_unsure_ns(a), unsure_b = grt_use_unsure_ns(b);
	bool is_exact = (!unsure_a && !unsure_b) || (from_ns == unsure_a && to_ns == unsure_b);

	if (points < least && points > -least)
		return;
	grt_report_text(s, g->device);
	grt_report_text(s, g->name);
	grt_report_text(s, state);
	grt_report_part(s, from_ns, a_ns);
	grt_report_part(s, to_ns, b_ns);
	if (is_exact || (points > 0 ? points > unsure_a / a_ns : -points > unsure_b / b_ns))
		grt_report_real(s, points);
	else
		grt_report_unknown(s);
}

static void put_shares(struct grt_report_table *s, const struct grt_diff_group *g, double least)
{
	const struct grt_ring_use *a = &g->use[GRT_BEFORE], *b = &g->use[GRT_AFTER];

	put_share(s, g, g->is_unordered ? "occupied" : "busy", a->busy_ns, b->busy_ns, least);
	for (int cause = 0; cause < GRT_IDLE_UNKNOWN; cause++)
		put_share(s, g, grt_idle_name(cause), a->idle_ns[cause], b->idle_ns[cause], least);
	put_share(s, g, "unexplained", a->unexplained_ns, b->unexplained_ns, least);
	put_share(s, g, grt_idle_name(GRT_IDLE_UNKNOWN), grt_use_unsure_ns(a), grt_use_unsure_ns(b), least);
}

void grt_report_diff_idle(struct grt_report_table *s, const struct grt_diff *d, double least)
{
	grt_report_init(s, "idle", idle_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		/* Several rings may share a name: which one is meant is then not known. */
		if (grt_use_span_ns(&g->use[GRT_BEFORE]) && grt_use_span_ns(&g->use[GRT_AFTER]) && !g->has_twins)
			put_shares(s, g, least);
	}
}

static const struct grt_report_column only_columns[] = {
	{ "scope", NULL, GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "name", "ON ONE SIDE ONLY", GRT_REPORT_TEXT },
	{ "process", "", GRT_REPORT_TEXT },
	{ "stage", "", GRT_REPORT_TEXT },
	{ "side", "in", GRT_REPORT_TEXT },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
};

static void put_only(struct grt_report_table *s, const struct grt_diff_group *g, const char *stage,
		     bool is_after, uint64_t jobs)
{
	put_called(s, g);
	grt_report_text(s, stage);
	grt_report_text(s, is_after ? "b" : "a");
	grt_report_u64(s, jobs);
}

void grt_report_diff_only(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "only", only_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		if (g->is_hidden)
			continue;
		if (!g->has[GRT_BEFORE] || !g->has[GRT_AFTER]) {
			put_only(s, g, "", g->has[GRT_AFTER], g->jobs[g->has[GRT_AFTER]]);
			continue;
		}
		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			uint64_t a = g->times[GRT_BEFORE][stage].count;
			uint64_t b = g->times[GRT_AFTER][stage].count;

			if (d->wants.stages >> stage & 1 && !a != !b)
				put_only(s, g, grt_stage_name(stage), b, a + b);
		}
	}
}

static void all_idle(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_diff_idle(s, d, 0);
}

static void (*const tables[])(struct grt_report_table *s, const struct grt_diff *d) = {
	grt_report_diff, report_rates, grt_report_diff_trouble, all_idle, grt_report_diff_only,
};

#define NR_SHEETS	(sizeof(tables) / sizeof(tables[0]))

void grt_diff_csv(const struct grt_diff_out *o)
{
	for (size_t i = 0; i < NR_SHEETS; i++) {
		struct grt_report_table table;

		tables[i](&table, o->diff);
		if (i)
			putc('\n', o->how->file);
		grt_report_print_csv(&table, o->how->file, o->how->na);
		grt_report_free(&table);
	}
}

static void put_trace(struct grt_json *j, const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);

	grt_json_open(j, NULL, '{');
	grt_json_text(j, "name", o->info->name);
	grt_json_text(j, "host", o->info->host);
	grt_json_text(j, "kernel", o->info->kernel);
	grt_json_u64(j, "wall_ns", grt_model_wall_ns(o->summary->model));
	grt_json_u64(j, "jobs", o->summary->all.jobs);
	grt_json_u64(j, "cut", o->summary->all.cut);
	grt_json_u64(j, "lossy", o->summary->all.lossy);
	grt_json_u64(j, "other_jobs", o->summary->other_jobs);
	grt_json_u64(j, "lost_events", grt_lost_events(t));
	grt_json_u64(j, "left_out_events", grt_left_out_events(t));
	grt_json_bool(j, "is_cut", t->is_cut);
	grt_json_u64(j, "upper_bounds", o->summary->all.bounds);
	grt_json_close(j, '}');
}

static void put_runs(struct grt_json *j, const char *name, const struct grt_diff_out *o, int side)
{
	grt_json_open(j, name, '[');
	for (unsigned int run = 0; run < o->diff->side[side].nr_runs; run++)
		put_trace(j, o->side[side][run]);
	grt_json_close(j, ']');
}

static void put_verdicts(struct grt_json *j, const char *name, const uint64_t *changes)
{
	grt_json_open(j, name, '{');
	for (int i = 0; i < GRT_NR_CHANGES; i++)
		grt_json_u64(j, grt_change_name(i), changes[i]);
	grt_json_close(j, '}');
}

void grt_diff_json(const struct grt_diff_out *o)
{
	struct grt_json j = { .file = o->how->file };
	const struct grt_diff *d = o->diff;

	grt_json_open(&j, NULL, '{');
	grt_json_text(&j, "verdict", grt_change_name(grt_diff_verdict(o)));
	grt_json_real(&j, "confidence", d->wants.confidence);
	grt_json_u64(&j, "comparisons", d->comparisons);
	grt_json_text(&j, "spread_of", grt_diff_has_runs(d) ? "runs" : "blocks");
	grt_json_u64(&j, "a_blocks", d->blocks[GRT_BEFORE]);
	grt_json_u64(&j, "b_blocks", d->blocks[GRT_AFTER]);
	grt_json_bool(&j, "ignores_device", d->ignores_device);
	put_verdicts(&j, "quantiles", d->changes);
	put_verdicts(&j, "throughputs", d->rates);
	put_verdicts(&j, "troubles", d->troubled);
	put_runs(&j, "a", o, GRT_BEFORE);
	put_runs(&j, "b", o, GRT_AFTER);
	for (size_t i = 0; i < NR_SHEETS; i++) {
		struct grt_report_table table;

		tables[i](&table, d);
		grt_report_print_json(&table, &j);
		grt_report_free(&table);
	}
	grt_json_close(&j, '}');
	putc('\n', j.file);
}
