// SPDX-License-Identifier: LGPL-2.1
/* A comparison for people: the verdict, then the rows that matter most. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff_sink.h"
#include "error.h"
#include "quote.h"
#include "job_words.h"
#include "number.h"
#include "screen.h"

#define POINT	0.01	/* text shows a ring's time if it changed by this share */
#define MAX_LINES	12	/* unless --all-rows */

/* A quantile of a group, for sorting. */
struct line {
	const struct grt_diff_group *group;
	enum grt_stage stage;
	unsigned int nth;	/* index of the quantile */
};

static const struct grt_diff_quantile *quantile(const struct line *l)
{
	return &l->group->quantiles[l->stage][l->nth];
}

static bool is_change(const struct grt_diff_out *o, enum grt_change change)
{
	return change == GRT_CHANGE_WORSE || (o->is_both_ways && change == GRT_CHANGE_BETTER);
}

static int compare_lines(const void *a, const void *b)
{
	double x = quantile(a)->weight_ns, y = quantile(b)->weight_ns;

	return (x < y) - (x > y);
}

/* Rows that changed, most important first; or all rows, in their order. */
static int make_lines(const struct grt_diff_out *o, struct grt_vec *lines)
{
	const struct grt_diff *d = o->diff;

	for (size_t i = 0; i < grt_diff_count(d); i++)
		for (int stage = 0; stage < GRT_NR_STAGES; stage++)
			for (unsigned int nth = 0; nth < d->wants.nr_permilles; nth++) {
				const struct line l = { grt_diff_at(d, i), stage, nth };

				if (!grt_diff_has(d, l.group, stage) ||
				    (!o->has_all_rows && !is_change(o, quantile(&l)->change)))
					continue;
				if (grt_vec_append(lines, &l, sizeof(l)))
					return -1;
			}
	if (!o->has_all_rows && lines->bytes)
		qsort(lines->data, grt_vec_count(lines, struct line), sizeof(struct line),
		      compare_lines);
	return 0;
}

/* "gfx", or "gfx@0000:0b:00.0" if several devices are compared. */
static const char *word_group(char *buf, const struct grt_diff *d, const struct grt_diff_group *g)
{
	char name[sizeof(g->name) + sizeof(g->device) + 1];
	bool is_twice = false;

	if (d->wants.group == GRT_DIFF_ALL)
		return "all jobs";
	if (!*g->name)
		return "-";
	for (size_t i = 0; i < grt_diff_count(d); i++)
		is_twice |= grt_diff_at(d, i) != g && !strcmp(grt_diff_at(d, i)->name, g->name);
	snprintf(name, sizeof(name), "%s%s%s", g->name, is_twice ? "@" : "",
		 is_twice ? g->device : "");
	return grt_quote_text(buf, GRT_CLIENT_MAX, name);
}

/* "1.34 ms": three digits, because the two ends of an interval may be close. */
static const char *word_ns(char *buf, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = ns;
	unsigned int unit = 0;

	while (value >= 999.5 && unit < 3) {
		value /= 1000;
		unit++;
	}
	snprintf(buf, GRT_WORD_MAX, "%.*f %s", !unit || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2,
		 value, units[unit]);
	return buf;
}

/* "+1.40 ms" */
static const char *word_change(char *buf, uint64_t from_ns, uint64_t to_ns)
{
	char number[GRT_WORD_MAX];

	snprintf(buf, GRT_WORD_MAX + 1, "%s%s", to_ns < from_ns ? "-" : "+",
		 word_ns(number, to_ns < from_ns ? from_ns - to_ns : to_ns - from_ns));
	return buf;
}

/* "+45.2%"; a change from 0 has no percentage. */
static const char *word_percent(char *buf, uint64_t from_ns, uint64_t to_ns)
{
	if (!from_ns)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%+.1f%%", 100 * ((double)to_ns - (double)from_ns) / from_ns);
	return buf;
}

static void say_verdict(const struct grt_diff_out *o, const struct grt_vec *lines)
{
	const uint64_t *n = o->diff->changes;
	uint64_t judged = n[GRT_CHANGE_SAME] + n[GRT_CHANGE_WORSE] + n[GRT_CHANGE_BETTER];
	char group[GRT_CLIENT_MAX], change[GRT_CLIENT_MAX], percent[GRT_WORD_MAX], stat[8];
	FILE *f = o->side[0]->file;
	const struct line *worst = NULL;
	const struct grt_interval *side;

	for (size_t i = 0; i < grt_vec_count(lines, struct line); i++) {
		const struct line *l = grt_vec_at(lines, struct line, i);

		if (quantile(l)->change == grt_diff_verdict(o) &&
		    (!worst || quantile(l)->weight_ns > quantile(worst)->weight_ns))
			worst = l;
	}
	fputs(grt_bold(o->side[0]), f);
	if (worst && is_change(o, grt_diff_verdict(o))) {
		side = quantile(worst)->side;
		fprintf(f, "%s: %" PRIu64 " of %" PRIu64 " %s", grt_change_name(grt_diff_verdict(o)),
			n[grt_diff_verdict(o)], judged, grt_plural(judged, "quantile", "quantiles"));
		if (grt_diff_verdict(o) == GRT_CHANGE_WORSE && n[GRT_CHANGE_BETTER])
			fprintf(f, ", %" PRIu64 " better", n[GRT_CHANGE_BETTER]);
		fprintf(f, "; most of all %s %s %s, %s (%s)\n", word_group(group, o->diff, worst->group),
			grt_stage_name(worst->stage),
			grt_diff_stat(stat, o->diff->wants.permilles[worst->nth]),
			word_change(change, side[GRT_BEFORE].ns, side[GRT_AFTER].ns),
			word_percent(percent, side[GRT_BEFORE].ns, side[GRT_AFTER].ns));
	} else if (!judged) {
		fputs("nothing could be compared\n", f);
	} else {
		fprintf(f, "no change beyond the threshold in %" PRIu64 " %s", judged,
			grt_plural(judged, "quantile", "quantiles"));
		if (n[GRT_CHANGE_BETTER])
			fprintf(f, ", %" PRIu64 " better", n[GRT_CHANGE_BETTER]);
		putc('\n', f);
	}
	fputs(grt_plain(o->side[0]), f);
}

static void add_side(struct grt_table *t, const struct grt_interval *i)
{
	char value[GRT_WORD_MAX], low[GRT_WORD_MAX], high[GRT_WORD_MAX];

	if (!i->is_known) {
		grt_table_add(t, "-");
		grt_table_add(t, "-");
		return;
	}
	grt_table_add(t, "%s", word_ns(value, i->ns));
	grt_table_add(t, "%s .. %s", word_ns(low, i->low_ns), word_ns(high, i->high_ns));
}

static void add_line(struct grt_table *t, const struct grt_diff_out *o, const struct line *l)
{
	const struct grt_diff_quantile *q = quantile(l);
	const struct grt_interval *a = &q->side[GRT_BEFORE], *b = &q->side[GRT_AFTER];
	bool is_known = a->is_known && b->is_known;
	char word[GRT_CLIENT_MAX], stat[8];

	grt_table_add(t, " %s", word_group(word, o->diff, l->group));
	grt_table_add(t, "%s", grt_stage_name(l->stage));
	grt_table_add(t, "%s", grt_diff_stat(stat, o->diff->wants.permilles[l->nth]));
	add_side(t, a);
	add_side(t, b);
	grt_table_add(t, "%s", is_known ? word_change(word, a->ns, b->ns) : "-");
	grt_table_add(t, "%s", is_known ? word_percent(word, a->ns, b->ns) : "-");
	for (int side = 0; side < GRT_NR_SIDES; side++)
		grt_table_add(t, "%s", grt_format_count(word, l->group->sum[side].stages[l->stage].count));
	grt_table_add(t, "%s", grt_change_name(q->change));
}

static void print_lines(const struct grt_diff_out *o, const struct grt_vec *lines)
{
	double percent = 100 * o->diff->wants.confidence;
	size_t count = grt_vec_count(lines, struct line);
	struct grt_table t;

	if (!lines->bytes)
		return;
	grt_table_init(&t, "lllrrrrrrrrl");
	grt_table_add(&t, "%s", o->has_all_rows ? "QUANTILES" : "WHAT CHANGED");
	grt_table_add(&t, " ");
	grt_table_add(&t, " ");
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		grt_table_add(&t, "%c", 'A' + side);
		grt_table_add(&t, "%g %% sure", percent);
	}
	grt_table_add(&t, "change");
	grt_table_add(&t, " ");
	grt_table_add(&t, "jobs A");
	grt_table_add(&t, "jobs B");
	grt_table_add(&t, "verdict");
	for (size_t i = 0; i < count && (o->has_all_rows || i < MAX_LINES); i++)
		add_line(&t, o, grt_vec_at(lines, struct line, i));
	grt_screen_table(o->side[0], &t);
	if (!o->has_all_rows && count > MAX_LINES)
		fprintf(o->side[0]->file, " and %zu more: --all-rows shows them\n", count - MAX_LINES);
	fprintf(o->side[0]->file, " intervals assume no distribution; buckets make them wider; "
		"quantiles are within %s\n", GRT_HIST_ERROR_TEXT);
}

/* Mean and largest have no confidence interval. */
static void print_plain(const struct grt_diff_out *o)
{
	static const char *const titles[] = { " ", "mean A", "mean B", "change", "max A", "max B" };
	const struct grt_diff *d = o->diff;
	char word[GRT_CLIENT_MAX];
	struct grt_table t;

	grt_table_init(&t, "llrrrrr");
	grt_table_add(&t, "NOT JUDGED");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		grt_table_add(&t, "%s", titles[i]);
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);

		for (int stage = 0; stage < GRT_NR_STAGES; stage++) {
			const struct grt_hist *a = &g->sum[GRT_BEFORE].stages[stage];
			const struct grt_hist *b = &g->sum[GRT_AFTER].stages[stage];

			if (!grt_diff_has(d, g, stage))
				continue;
			grt_table_add(&t, " %s", word_group(word, d, g));
			grt_table_add(&t, "%s", grt_stage_name(stage));
			grt_table_add(&t, "%s", word_ns(word, grt_hist_mean(a)));
			grt_table_add(&t, "%s", word_ns(word, grt_hist_mean(b)));
			grt_table_add(&t, "%s", word_percent(word, grt_hist_mean(a), grt_hist_mean(b)));
			grt_table_add(&t, "%s", word_ns(word, a->max));
			grt_table_add(&t, "%s", word_ns(word, b->max));
		}
	}
	if (grt_table_has_rows(&t))
		grt_screen_table(o->side[0], &t);
	else
		grt_table_free(&t);
}

static void print_idle(const struct grt_diff_out *o)
{
	const struct grt_job_out *out = o->side[0];
	struct grt_report_table table;

	grt_report_diff_idle(&table, o->diff, o->has_all_rows ? 0 : POINT);
	if (grt_report_rows(&table)) {
		putc('\n', out->file);
		grt_report_print_text(&table, out->file, out->na, grt_bold(out), grt_plain(out));
	}
	grt_report_free(&table);
}

static void print_only(const struct grt_diff_out *o)
{
	const struct grt_job_out *out = o->side[0];
	const uint64_t unsure = o->diff->changes[GRT_CHANGE_UNSURE];
	struct grt_report_table table;

	grt_report_diff_only(&table, o->diff);
	if (grt_report_rows(&table)) {
		putc('\n', out->file);
		grt_report_print_text(&table, out->file, out->na, grt_bold(out), grt_plain(out));
	}
	grt_report_free(&table);
	if (unsure)
		fprintf(out->file, "\n%" PRIu64 " %s too few jobs to judge%s\n", unsure,
			grt_plural(unsure, "quantile has", "quantiles have"), o->has_all_rows ? "" : ": --all-rows shows them");
}

static void say_devices(const struct grt_diff_out *o)
{
	if (o->diff->ignores_device)
		fputs("rings are matched by name only: each trace has one GPU, but not the same one\n",
		      o->side[0]->file);
}

void grt_diff_text(const struct grt_diff_out *o)
{
	struct grt_vec lines = { 0 };

	if (!make_lines(o, &lines)) {
		say_verdict(o, &lines);
		for (int side = 0; side < GRT_NR_SIDES; side++) {
			fprintf(o->side[0]->file, "%c: ", 'A' + side);
			grt_headline(o->side[side]);
		}
		say_devices(o);
		print_lines(o, &lines);
		if (o->has_all_rows)
			print_plain(o);
		print_idle(o);
		print_only(o);
	}
	grt_vec_free(&lines);
}
