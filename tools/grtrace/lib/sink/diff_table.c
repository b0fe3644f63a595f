// SPDX-License-Identifier: LGPL-2.1
/* The tables of a comparison, for CSV and JSON. */
#include "diff_sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "job_words.h"

const char *grt_diff_scope(const struct grt_diff *d)
{
	return d->wants.group == GRT_DIFF_ALL ? "all" : grt_group_name(d->wants.group);
}

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
	const uint64_t *changes = o->diff->changes;

	if (changes[GRT_CHANGE_WORSE])
		return GRT_CHANGE_WORSE;
	if (changes[GRT_CHANGE_BETTER] && o->is_both_ways)
		return GRT_CHANGE_BETTER;
	return changes[GRT_CHANGE_SAME] || changes[GRT_CHANGE_BETTER] ? GRT_CHANGE_SAME :
	       GRT_CHANGE_UNSURE;
}

static void put_called(struct grt_report_table *s, const struct grt_diff *d,
		       const struct grt_diff_group *g)
{
	grt_report_text(s, grt_diff_scope(d));
	grt_report_text(s, g->device);
	grt_report_text(s, g->name);
}

static const struct grt_report_column diff_columns[] = {
	{ "scope", NULL, GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "name", NULL, GRT_REPORT_TEXT },
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
	{ "change", NULL, GRT_REPORT_CHANGE },
	{ "threshold", NULL, GRT_REPORT_SHARE },
	{ "verdict", NULL, GRT_REPORT_TEXT },
};

/* A change relative to 0 cannot be expressed. */
static void put_change(struct grt_report_table *s, uint64_t from_ns, uint64_t to_ns)
{
	grt_report_s64(s, to_ns - from_ns);
	if (from_ns)
		grt_report_real(s, ((double)to_ns - (double)from_ns) / from_ns);
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
	const struct grt_diff_quantile *q = &g->quantiles[stage][i];
	char stat[8];

	put_called(s, d, g);
	grt_report_text(s, grt_stage_name(stage));
	grt_report_text(s, grt_diff_stat(stat, d->wants.permilles[i]));
	for (int side = 0; side < GRT_NR_SIDES; side++)
		put_side(s, &q->side[side], g->sum[side].stages[stage].count);
	if (q->side[GRT_BEFORE].is_known && q->side[GRT_AFTER].is_known)
		put_change(s, q->side[GRT_BEFORE].ns, q->side[GRT_AFTER].ns);
	else
		put_unknown(s, 2);
	grt_report_real(s, d->wants.threshold[stage]);
	grt_report_text(s, grt_change_name(q->change));
}

/* Mean and largest have no confidence interval, so they are not judged. */
static void put_plain(struct grt_report_table *s, const struct grt_diff *d,
		      const struct grt_diff_group *g, enum grt_stage stage, const char *stat,
		      uint64_t from_ns, uint64_t to_ns)
{
	put_called(s, d, g);
	grt_report_text(s, grt_stage_name(stage));
	grt_report_text(s, stat);
	grt_report_u64(s, g->sum[GRT_BEFORE].stages[stage].count);
	grt_report_u64(s, from_ns);
	put_unknown(s, 2);
	grt_report_u64(s, g->sum[GRT_AFTER].stages[stage].count);
	grt_report_u64(s, to_ns);
	put_unknown(s, 2);
	put_change(s, from_ns, to_ns);
	put_unknown(s, 2);
}

void grt_report_diff(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "rows", diff_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			const struct grt_hist *a = &g->sum[GRT_BEFORE].stages[stage];
			const struct grt_hist *b = &g->sum[GRT_AFTER].stages[stage];

			if (!grt_diff_has(d, g, stage))
				continue;
			for (unsigned int q = 0; q < d->wants.nr_permilles; q++)
				put_quantile(s, d, g, stage, q);
			put_plain(s, d, g, stage, "mean", grt_hist_mean(a), grt_hist_mean(b));
			put_plain(s, d, g, stage, "max", a->max, b->max);
		}
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

static void put_share(struct grt_report_table *s, const struct grt_diff_group *g, const char *state,
		      const uint64_t *ns, const uint64_t *wall_ns, double least)
{
	double points = (double)ns[GRT_AFTER] / wall_ns[GRT_AFTER] -
			(double)ns[GRT_BEFORE] / wall_ns[GRT_BEFORE];

	if (points < least && points > -least)
		return;
	grt_report_text(s, g->device);
	grt_report_text(s, g->name);
	grt_report_text(s, state);
	grt_report_part(s, ns[GRT_BEFORE], wall_ns[GRT_BEFORE]);
	grt_report_part(s, ns[GRT_AFTER], wall_ns[GRT_AFTER]);
	grt_report_real(s, points);
}

void grt_report_diff_idle(struct grt_report_table *s, const struct grt_diff *d, double least)
{
	const struct grt_model *m[] = { d->side[GRT_BEFORE]->model, d->side[GRT_AFTER]->model };
	const uint64_t wall_ns[] = { grt_model_wall_ns(m[0]), grt_model_wall_ns(m[1]) };

	grt_report_init(s, "idle", idle_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);
		const struct grt_ring_use *use[GRT_NR_SIDES];
		bool is_fifo = true;

		if (g->ring[GRT_BEFORE] == GRT_NONE || g->ring[GRT_AFTER] == GRT_NONE ||
		    !wall_ns[GRT_BEFORE] || !wall_ns[GRT_AFTER])
			continue;
		for (int side = 0; side < GRT_NR_SIDES; side++) {
			use[side] = grt_model_ring_use(m[side], g->ring[side]);
			is_fifo &= grt_names_ring_at(grt_model_names(m[side]), g->ring[side])->order ==
				   GRTRACE_ORDER_FIFO;
		}
		put_share(s, g, is_fifo ? "busy" : "occupied",
			  (uint64_t[]){ use[0]->busy_ns, use[1]->busy_ns }, wall_ns,
			  least);
		for (int cause = 0; cause < GRT_NR_IDLES; cause++)
			put_share(s, g, grt_idle_name(cause),
				  (uint64_t[]){ use[0]->idle_ns[cause], use[1]->idle_ns[cause] },
				  wall_ns, least);
	}
}

static const struct grt_report_column only_columns[] = {
	{ "scope", NULL, GRT_REPORT_TEXT },
	{ "device", NULL, GRT_REPORT_TEXT },
	{ "name", "ON ONE SIDE ONLY", GRT_REPORT_TEXT },
	{ "stage", "", GRT_REPORT_TEXT },
	{ "side", "in", GRT_REPORT_TEXT },
	{ "jobs", "jobs", GRT_REPORT_COUNT },
};

static void put_only(struct grt_report_table *s, const struct grt_diff *d,
		     const struct grt_diff_group *g, const char *stage, bool is_after, uint64_t jobs)
{
	put_called(s, d, g);
	grt_report_text(s, stage);
	grt_report_text(s, is_after ? "b" : "a");
	grt_report_u64(s, jobs);
}

void grt_report_diff_only(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_init(s, "only", only_columns);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		if (!g->has[GRT_BEFORE] || !g->has[GRT_AFTER]) {
			put_only(s, d, g, "", g->has[GRT_AFTER], g->sum[g->has[GRT_AFTER]].jobs);
			continue;
		}
		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			uint64_t a = g->sum[GRT_BEFORE].stages[stage].count;
			uint64_t b = g->sum[GRT_AFTER].stages[stage].count;

			if (d->wants.stages >> stage & 1 && !a != !b)
				put_only(s, d, g, grt_stage_name(stage), b, a + b);
		}
	}
}

static void all_idle(struct grt_report_table *s, const struct grt_diff *d)
{
	grt_report_diff_idle(s, d, 0);
}

static void (*const tables[])(struct grt_report_table *s, const struct grt_diff *d) = {
	grt_report_diff, all_idle, grt_report_diff_only,
};

#define NR_SHEETS	(sizeof(tables) / sizeof(tables[0]))

void grt_diff_csv(const struct grt_diff_out *o)
{
	for (size_t i = 0; i < NR_SHEETS; i++) {
		struct grt_report_table table;

		tables[i](&table, o->diff);
		if (i)
			putc('\n', o->side[0]->file);
		grt_report_print_csv(&table, o->side[0]->file, o->side[0]->na);
		grt_report_free(&table);
	}
}

static void put_trace(struct grt_json *j, const char *name, const struct grt_job_out *o)
{
	const struct grt_model_totals *t = grt_model_totals(o->summary->model);

	grt_json_open(j, name, '{');
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
	grt_json_close(j, '}');
}

void grt_diff_json(const struct grt_diff_out *o)
{
	struct grt_json j = { .file = o->side[0]->file };

	grt_json_open(&j, NULL, '{');
	grt_json_text(&j, "verdict", grt_change_name(grt_diff_verdict(o)));
	grt_json_real(&j, "confidence", o->diff->wants.confidence);
	grt_json_bool(&j, "ignores_device", o->diff->ignores_device);
	grt_json_open(&j, "quantiles", '{');
	for (int i = 0; i < GRT_NR_CHANGES; i++)
		grt_json_u64(&j, grt_change_name(i), o->diff->changes[i]);
	grt_json_close(&j, '}');
	put_trace(&j, "a", o->side[GRT_BEFORE]);
	put_trace(&j, "b", o->side[GRT_AFTER]);
	for (size_t i = 0; i < NR_SHEETS; i++) {
		struct grt_report_table table;

		tables[i](&table, o->diff);
		grt_report_print_json(&table, &j);
		grt_report_free(&table);
	}
	grt_json_close(&j, '}');
	putc('\n', j.file);
}
