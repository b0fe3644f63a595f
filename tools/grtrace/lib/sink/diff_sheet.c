// SPDX-License-Identifier: LGPL-2.1
/* A comparison as tables, and so as CSV and JSON. */
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

static void put_called(struct grt_sheet *s, const struct grt_diff *d, const struct grt_diff_group *g)
{
	grt_sheet_text(s, grt_diff_scope(d));
	grt_sheet_text(s, g->device);
	grt_sheet_text(s, g->name);
}

static const struct grt_sheet_column diff_columns[] = {
	{ "scope", NULL, GRT_SHEET_TEXT },
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "name", NULL, GRT_SHEET_TEXT },
	{ "stage", NULL, GRT_SHEET_TEXT },
	{ "stat", NULL, GRT_SHEET_TEXT },
	{ "a_jobs", NULL, GRT_SHEET_COUNT },
	{ "a_ns", NULL, GRT_SHEET_NS },
	{ "a_low_ns", NULL, GRT_SHEET_NS },
	{ "a_high_ns", NULL, GRT_SHEET_NS },
	{ "b_jobs", NULL, GRT_SHEET_COUNT },
	{ "b_ns", NULL, GRT_SHEET_NS },
	{ "b_low_ns", NULL, GRT_SHEET_NS },
	{ "b_high_ns", NULL, GRT_SHEET_NS },
	{ "change_ns", NULL, GRT_SHEET_SIGNED },
	{ "change", NULL, GRT_SHEET_CHANGE },
	{ "threshold", NULL, GRT_SHEET_SHARE },
	{ "verdict", NULL, GRT_SHEET_TEXT },
};

/* Relative to 0 there is no change that could be told. */
static void put_change(struct grt_sheet *s, uint64_t from_ns, uint64_t to_ns)
{
	grt_sheet_s64(s, to_ns - from_ns);
	if (from_ns)
		grt_sheet_real(s, ((double)to_ns - (double)from_ns) / from_ns);
	else
		grt_sheet_unknown(s);
}

static void put_unknown(struct grt_sheet *s, int count)
{
	while (count--)
		grt_sheet_unknown(s);
}

static void put_side(struct grt_sheet *s, const struct grt_interval *i, uint64_t jobs)
{
	grt_sheet_u64(s, jobs);
	if (!i->is_known) {
		put_unknown(s, 3);
		return;
	}
	grt_sheet_u64(s, i->ns);
	grt_sheet_u64(s, i->low_ns);
	grt_sheet_u64(s, i->high_ns);
}

static void put_quantile(struct grt_sheet *s, const struct grt_diff *d, const struct grt_diff_group *g,
			 enum grt_stage stage, unsigned int i)
{
	const struct grt_diff_quantile *q = &g->quantiles[stage][i];
	char stat[8];

	put_called(s, d, g);
	grt_sheet_text(s, grt_stage_name(stage));
	grt_sheet_text(s, grt_diff_stat(stat, d->wants.permilles[i]));
	for (int side = 0; side < GRT_NR_SIDES; side++)
		put_side(s, &q->side[side], g->sum[side].stages[stage].count);
	if (q->side[GRT_BEFORE].is_known && q->side[GRT_AFTER].is_known)
		put_change(s, q->side[GRT_BEFORE].ns, q->side[GRT_AFTER].ns);
	else
		put_unknown(s, 2);
	grt_sheet_real(s, d->wants.threshold[stage]);
	grt_sheet_text(s, grt_change_name(q->change));
}

/* Nothing is known of how sure these are, so they are not judged. */
static void put_plain(struct grt_sheet *s, const struct grt_diff *d, const struct grt_diff_group *g,
		      enum grt_stage stage, const char *stat, uint64_t from_ns, uint64_t to_ns)
{
	put_called(s, d, g);
	grt_sheet_text(s, grt_stage_name(stage));
	grt_sheet_text(s, stat);
	grt_sheet_u64(s, g->sum[GRT_BEFORE].stages[stage].count);
	grt_sheet_u64(s, from_ns);
	put_unknown(s, 2);
	grt_sheet_u64(s, g->sum[GRT_AFTER].stages[stage].count);
	grt_sheet_u64(s, to_ns);
	put_unknown(s, 2);
	put_change(s, from_ns, to_ns);
	put_unknown(s, 2);
}

void grt_sheet_diff(struct grt_sheet *s, const struct grt_diff *d)
{
	grt_sheet_init(s, "rows", diff_columns);
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

static const struct grt_sheet_column idle_columns[] = {
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "ring", "WHERE THE TIME OF RINGS WENT", GRT_SHEET_TEXT },
	{ "state", "", GRT_SHEET_TEXT },
	{ "a_share", "A", GRT_SHEET_SHARE },
	{ "b_share", "B", GRT_SHEET_SHARE },
	{ "points", "change in points", GRT_SHEET_CHANGE },
};

static void put_share(struct grt_sheet *s, const struct grt_diff_group *g, const char *state,
		      const uint64_t *ns, const uint64_t *wall_ns, double least)
{
	double points = (double)ns[GRT_AFTER] / wall_ns[GRT_AFTER] -
			(double)ns[GRT_BEFORE] / wall_ns[GRT_BEFORE];

	if (points < least && points > -least)
		return;
	grt_sheet_text(s, g->device);
	grt_sheet_text(s, g->name);
	grt_sheet_text(s, state);
	grt_sheet_part(s, ns[GRT_BEFORE], wall_ns[GRT_BEFORE]);
	grt_sheet_part(s, ns[GRT_AFTER], wall_ns[GRT_AFTER]);
	grt_sheet_real(s, points);
}

void grt_sheet_diff_idle(struct grt_sheet *s, const struct grt_diff *d, double least)
{
	const struct grt_model *m[] = { d->side[GRT_BEFORE]->model, d->side[GRT_AFTER]->model };
	const uint64_t wall_ns[] = { grt_model_wall_ns(m[0]), grt_model_wall_ns(m[1]) };

	grt_sheet_init(s, "idle", idle_columns);
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

static const struct grt_sheet_column only_columns[] = {
	{ "scope", NULL, GRT_SHEET_TEXT },
	{ "device", NULL, GRT_SHEET_TEXT },
	{ "name", "ON ONE SIDE ONLY", GRT_SHEET_TEXT },
	{ "stage", "", GRT_SHEET_TEXT },
	{ "side", "in", GRT_SHEET_TEXT },
	{ "jobs", "jobs", GRT_SHEET_COUNT },
};

static void put_only(struct grt_sheet *s, const struct grt_diff *d, const struct grt_diff_group *g,
		     const char *stage, bool is_after, uint64_t jobs)
{
	put_called(s, d, g);
	grt_sheet_text(s, stage);
	grt_sheet_text(s, is_after ? "b" : "a");
	grt_sheet_u64(s, jobs);
}

void grt_sheet_diff_only(struct grt_sheet *s, const struct grt_diff *d)
{
	grt_sheet_init(s, "only", only_columns);
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

static void all_idle(struct grt_sheet *s, const struct grt_diff *d)
{
	grt_sheet_diff_idle(s, d, 0);
}

static void (*const sheets[])(struct grt_sheet *s, const struct grt_diff *d) = {
	grt_sheet_diff, all_idle, grt_sheet_diff_only,
};

#define NR_SHEETS	(sizeof(sheets) / sizeof(sheets[0]))

static void print_csv(const struct grt_diff_out *o)
{
	for (size_t i = 0; i < NR_SHEETS; i++) {
		struct grt_sheet sheet;

		sheets[i](&sheet, o->diff);
		if (i)
			putc('\n', o->side[0]->file);
		grt_sheet_print_csv(&sheet, o->side[0]->file, o->side[0]->na);
		grt_sheet_free(&sheet);
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

static void print_json(const struct grt_diff_out *o)
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
		struct grt_sheet sheet;

		sheets[i](&sheet, o->diff);
		grt_sheet_print_json(&sheet, &j);
		grt_sheet_free(&sheet);
	}
	grt_json_close(&j, '}');
	putc('\n', j.file);
}

const struct grt_diff_sink *grt_diff_sink_find(const char *name)
{
	static const struct grt_diff_sink sinks[] = {
		{ "text", grt_diff_text }, { "csv", print_csv }, { "json", print_json },
	};

	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
		if (!strcmp(sinks[i].name, name))
			return &sinks[i];
	grt_fail(EINVAL, "use --format text, csv or json", "no format '%s'", name);
	return NULL;
}
