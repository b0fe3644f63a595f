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

static const struct grt_diff_value *value(const struct line *l)
{
	return grt_diff_value(l->group, l->stage, l->nth);
}

static bool is_change(const struct grt_diff_out *o, enum grt_change change)
{
	return change == GRT_CHANGE_WORSE || (o->is_both_ways && change == GRT_CHANGE_BETTER);
}

static int compare_lines(const void *a, const void *b)
{
	double x = value(a)->weight_ns, y = value(b)->weight_ns;

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

				if (!grt_diff_has(l.group, stage) ||
				    (!o->has_all_rows && !is_change(o, value(&l)->change)))
					continue;
				if (grt_vec_append(lines, &l, sizeof(l)))
					return -1;
			}
	if (!o->has_all_rows && lines->bytes)
		qsort(lines->data, grt_vec_count(lines, struct line), sizeof(struct line),
		      compare_lines);
	return 0;
}

/* "gfx", "gfx game", or "gfx@0000:0b:00.0" if several devices are compared; GRT_CLIENT_MAX bytes. */
static const char *word_group(char *buf, const struct grt_diff *d, const struct grt_diff_group *g)
{
	char name[sizeof(g->name) + sizeof(g->device) + sizeof(g->process) + 2];
	bool is_twice = false;

	if (g->scope == GRT_DIFF_ALL)
		return "all jobs";
	if (!*g->name)
		return "-";
	for (size_t i = 0; i < grt_diff_count(d); i++)
		is_twice |= strcmp(grt_diff_at(d, i)->device, g->device) &&
			    !strcmp(grt_diff_at(d, i)->name, g->name);
	snprintf(name, sizeof(name), "%s%s%s%s%s", g->name, is_twice ? "@" : "",
		 is_twice ? g->device : "", *g->process ? " " : "", g->process);
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
static const char *word_percent(char *buf, double from, double to)
{
	if (from <= 0)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%+.1f%%", 100 * (to - from) / from);
	return buf;
}

/* "+40.1 .. +50.3%" */
static const char *word_range(char *buf, double from, double low, double high)
{
	if (from <= 0)
		return "-";
	snprintf(buf, GRT_WORD_MAX, "%+.1f .. %+.1f%%", 100 * (low - from) / from,
		 100 * (high - from) / from);
	return buf;
}

static const char *word_rate(char *buf, double per_second)
{
	snprintf(buf, GRT_WORD_MAX, "%.*f/s", per_second < 99.95 ? 1 : 0, per_second);
	return buf;
}

/* "1 TIMEOUT", "3 jobs failed (EIO)" */
static void say_trouble(FILE *f, const struct grt_diff_trouble *t)
{
	char count[GRT_NUMBER_MAX];
	uint64_t n = t->side[GRT_AFTER];

	fputs(grt_format_count(count, n), f);
	if (!strcmp(t->kind, "failed"))
		fprintf(f, " %s failed (%s)", grt_plural(n, "job", "jobs"), t->name);
	else if (!strcmp(t->kind, "killed"))
		fprintf(f, " %s killed with %s process", grt_plural(n, "job", "jobs"),
			grt_plural(n, "its", "their"));
	else if (!strcmp(t->name, "TIMEOUT"))
		fprintf(f, " %s (TIMEOUT)", grt_plural(n, "hang", "hangs"));
	else
		fprintf(f, " %s", *t->name ? t->name : "ERROR");
}

/* One sentence: what B has and A never had. */
static void say_new(const struct grt_diff_out *o)
{
	FILE *f = o->how->file;
	bool is_first = true;

	for (size_t i = 0; i < grt_vec_count(&o->diff->troubles, struct grt_diff_trouble); i++) {
		const struct grt_diff_trouble *t =
			grt_vec_at(&o->diff->troubles, struct grt_diff_trouble, i);

		if (!t->is_new)
			continue;
		fputs(is_first ? "worse: new in B: " : ", ", f);
		say_trouble(f, t);
		is_first = false;
	}
	if (!is_first)
		putc('\n', f);
}

/* The group whose jobs per second changed most; NULL: none did. */
static const struct grt_diff_group *slowest(const struct grt_diff *d, enum grt_change change,
					    double *most)
{
	const struct grt_diff_group *slowest = NULL;

	*most = 0;
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		const struct grt_diff_group *g = grt_diff_at(d, i);
		double size = g->rate.side[GRT_AFTER].ns / (double)(g->rate.side[GRT_BEFORE].ns ?: 1);

		if (!g->has_rate || g->rate.change != change)
			continue;
		if (!slowest || (change == GRT_CHANGE_WORSE ? size > *most : size < *most)) {
			slowest = g;
			*most = size;
		}
	}
	return slowest;
}

static void say_rate(const struct grt_diff_out *o, const struct grt_diff_group *g)
{
	char group[GRT_CLIENT_MAX], from[GRT_WORD_MAX], to[GRT_WORD_MAX], percent[GRT_WORD_MAX];
	double a = grt_diff_per_second(g->rate.side[GRT_BEFORE].ns);
	double b = grt_diff_per_second(g->rate.side[GRT_AFTER].ns);

	fprintf(o->how->file, "throughput of %s, %s -> %s (%s)\n", word_group(group, o->diff, g),
		word_rate(from, a), word_rate(to, b), word_percent(percent, a, b));
}

static void say_quantiles(const struct grt_diff_out *o, const struct line *worst)
{
	const uint64_t *n = o->diff->changes;
	uint64_t judged = n[GRT_CHANGE_SAME] + n[GRT_CHANGE_WORSE] + n[GRT_CHANGE_BETTER];
	char group[GRT_CLIENT_MAX], change[GRT_CLIENT_MAX], percent[GRT_WORD_MAX], stat[8];
	const struct grt_interval *side = value(worst)->side;
	FILE *f = o->how->file;

	fprintf(f, "%" PRIu64 " of %" PRIu64 " %s", n[grt_diff_verdict(o)], judged,
		grt_plural(judged, "quantile", "quantiles"));
	if (grt_diff_verdict(o) == GRT_CHANGE_WORSE && n[GRT_CHANGE_BETTER])
		fprintf(f, ", %" PRIu64 " better", n[GRT_CHANGE_BETTER]);
	fprintf(f, "; most of all %s %s %s, %s (%s)\n", word_group(group, o->diff, worst->group),
		grt_stage_name(worst->stage),
		grt_diff_stat(stat, o->diff->wants.permilles[worst->nth]),
		word_change(change, side[GRT_BEFORE].ns, side[GRT_AFTER].ns),
		word_percent(percent, side[GRT_BEFORE].ns, side[GRT_AFTER].ns));
}

static void say_same(const struct grt_diff_out *o)
{
	const uint64_t *n = o->diff->changes, *rates = o->diff->rates;
	uint64_t judged = n[GRT_CHANGE_SAME] + n[GRT_CHANGE_WORSE] + n[GRT_CHANGE_BETTER];
	uint64_t better = n[GRT_CHANGE_BETTER] + rates[GRT_CHANGE_BETTER];
	FILE *f = o->how->file;

	fprintf(f, "no change beyond the threshold in %" PRIu64 " %s", judged,
		grt_plural(judged, "quantile", "quantiles"));
	if (better)
		fprintf(f, ", %" PRIu64 " better", better);
	putc('\n', f);
}

/* The first line of those that count for the verdict. */
static const struct line *worst_line(const struct grt_diff_out *o, const struct grt_vec *lines)
{
	const struct line *worst = NULL;

	for (size_t i = 0; i < grt_vec_count(lines, struct line); i++) {
		const struct line *l = grt_vec_at(lines, struct line, i);

		if (value(l)->change == grt_diff_verdict(o) &&
		    (!worst || value(l)->weight_ns > value(worst)->weight_ns))
			worst = l;
	}
	return worst;
}

static void say_verdict(const struct grt_diff_out *o, const struct grt_vec *lines)
{
	enum grt_change verdict = grt_diff_verdict(o);
	const struct line *worst = worst_line(o, lines);
	const struct grt_diff_group *slow;
	FILE *f = o->how->file;
	double most;

	fputs(grt_bold(o->how), f);
	say_new(o);
	slow = slowest(o->diff, verdict, &most);
	if (verdict == GRT_CHANGE_UNSURE) {
		fputs("nothing could be compared\n", f);
	} else if (!is_change(o, verdict)) {
		say_same(o);
	} else {
		if (worst) {
			fprintf(f, "%s: ", grt_change_name(verdict));
			say_quantiles(o, worst);
		}
		if (slow) {
			fprintf(f, "%s: ", grt_change_name(verdict));
			say_rate(o, slow);
		}
	}
	fputs(grt_plain(o->how), f);
}

static void add_line(struct grt_table *t, const struct grt_diff_out *o, const struct line *l)
{
	const struct grt_diff_value *v = value(l);
	const struct grt_interval *a = &v->side[GRT_BEFORE], *b = &v->side[GRT_AFTER];
	bool is_known = a->is_known && b->is_known;
	char word[GRT_CLIENT_MAX], stat[8];

	grt_table_add(t, " %s", word_group(word, o->diff, l->group));
	grt_table_add(t, "%s", grt_stage_name(l->stage));
	grt_table_add(t, "%s", grt_diff_stat(stat, o->diff->wants.permilles[l->nth]));
	grt_table_add(t, "%s", a->is_known ? word_ns(word, a->ns) : "-");
	grt_table_add(t, "%s", b->is_known ? word_ns(word, b->ns) : "-");
	grt_table_add(t, "%s", is_known ? word_change(word, a->ns, b->ns) : "-");
	grt_table_add(t, "%s", is_known ? word_percent(word, a->ns, b->ns) : "-");
	grt_table_add(t, "%s", is_known ? word_range(word, a->ns, a->ns + v->low_ns,
						     a->ns + v->high_ns) : "-");
	for (int side = 0; side < GRT_NR_SIDES; side++)
		grt_table_add(t, "%s", grt_format_count(word, l->group->times[side][l->stage].count));
	grt_table_add(t, "%s", grt_change_name(v->change));
}

/* Says what the intervals are. */
static void say_method(const struct grt_diff_out *o)
{
	const struct grt_diff *d = o->diff;
	FILE *f = o->how->file;

	fprintf(f, " %g %% sure of all %" PRIu64 " comparisons together, ", 100 * d->wants.confidence,
		d->comparisons);
	if (grt_diff_has_runs(d))
		fprintf(f, "from the spread between %u and %u runs", d->side[GRT_BEFORE].nr_runs,
			d->side[GRT_AFTER].nr_runs);
	else
		fprintf(f, "from the spread between %u and %u blocks of time", d->blocks[GRT_BEFORE],
			d->blocks[GRT_AFTER]);
	fprintf(f, "; quantiles are within %s\n", GRT_HIST_ERROR_TEXT);
}

static void print_lines(const struct grt_diff_out *o, const struct grt_vec *lines)
{
	size_t count = grt_vec_count(lines, struct line);
	struct grt_table t;

	if (!lines->bytes)
		return;
	grt_table_init(&t, "lllrrrrrrrl");
	grt_table_add(&t, "%s", o->has_all_rows ? "QUANTILES" : "WHAT CHANGED");
	grt_table_add(&t, " ");
	grt_table_add(&t, " ");
	for (int side = 0; side < GRT_NR_SIDES; side++)
		grt_table_add(&t, "%c", 'A' + side);
	grt_table_add(&t, "change");
	grt_table_add(&t, " ");
	grt_table_add(&t, "%g %% sure", 100 * o->diff->wants.confidence);
	grt_table_add(&t, "jobs A");
	grt_table_add(&t, "jobs B");
	grt_table_add(&t, "verdict");
	for (size_t i = 0; i < count && (o->has_all_rows || i < MAX_LINES); i++)
		add_line(&t, o, grt_vec_at(lines, struct line, i));
	grt_screen_table(o->how, &t);
	if (!o->has_all_rows && count > MAX_LINES)
		fprintf(o->how->file, " and %zu more: --all-rows shows them\n", count - MAX_LINES);
	say_method(o);
}

static void add_rate(struct grt_table *t, const struct grt_diff_out *o,
		     const struct grt_diff_group *g)
{
	const struct grt_interval *a = &g->rate.side[GRT_BEFORE], *b = &g->rate.side[GRT_AFTER];
	double from = grt_diff_per_second(a->ns), to = grt_diff_per_second(b->ns);
	bool is_known = a->is_known && b->is_known;
	char word[GRT_CLIENT_MAX];

	grt_table_add(t, " %s", word_group(word, o->diff, g));
	grt_table_add(t, "%s", a->is_known ? word_rate(word, from) : "-");
	grt_table_add(t, "%s", b->is_known ? word_rate(word, to) : "-");
	grt_table_add(t, "%s", is_known ? word_percent(word, from, to) : "-");
	/* A longer time is a lower rate. */
	grt_table_add(t, "%s", is_known ?
		      word_range(word, from, grt_diff_per_second(a->ns + g->rate.high_ns),
				 grt_diff_per_second(a->ns + g->rate.low_ns)) : "-");
	grt_table_add(t, "%s", grt_change_name(g->rate.change));
}

static void print_rates(const struct grt_diff_out *o)
{
	struct grt_table t;

	grt_table_init(&t, "lrrrrl");
	grt_table_add(&t, "JOBS PER SECOND");
	for (int side = 0; side < GRT_NR_SIDES; side++)
		grt_table_add(&t, "%c", 'A' + side);
	grt_table_add(&t, "change");
	grt_table_add(&t, "%g %% sure", 100 * o->diff->wants.confidence);
	grt_table_add(&t, "verdict");
	for (size_t i = 0; i < grt_diff_count(o->diff); i++) {
		const struct grt_diff_group *g = grt_diff_at(o->diff, i);

		if (g->has_rate && (o->has_all_rows || is_change(o, g->rate.change)))
			add_rate(&t, o, g);
	}
	if (grt_table_has_rows(&t))
		grt_screen_table(o->how, &t);
	else
		grt_table_free(&t);
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
			const struct grt_diff_times *a = &g->times[GRT_BEFORE][stage];
			const struct grt_diff_times *b = &g->times[GRT_AFTER][stage];

			if (!grt_diff_has(g, stage))
				continue;
			grt_table_add(&t, " %s", word_group(word, d, g));
			grt_table_add(&t, "%s", grt_stage_name(stage));
			grt_table_add(&t, "%s", word_ns(word, a->mean_ns));
			grt_table_add(&t, "%s", word_ns(word, b->mean_ns));
			grt_table_add(&t, "%s", word_percent(word, a->mean_ns, b->mean_ns));
			grt_table_add(&t, "%s", word_ns(word, a->max_ns));
			grt_table_add(&t, "%s", word_ns(word, b->max_ns));
		}
	}
	if (grt_table_has_rows(&t))
		grt_screen_table(o->how, &t);
	else
		grt_table_free(&t);
}

/* Prints a table, if it has rows, and frees it. */
static void print_table(const struct grt_job_out *out, struct grt_report_table *table)
{
	if (grt_report_rows(table)) {
		putc('\n', out->file);
		grt_report_print_text(table, out->file, out->na, grt_bold(out), grt_plain(out));
	}
	grt_report_free(table);
}

/* Jobs whose times are not compared. */
static void say_bounds(const struct grt_diff_out *o)
{
	uint64_t jobs = 0;
	char text[160], count[GRT_NUMBER_MAX];

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < o->diff->side[side].nr_runs; run++)
			jobs += o->side[side][run]->summary->all.bounds;
	if (!jobs)
		return;
	snprintf(text, sizeof(text), "\n%s %s over at the latest: these times are not compared\n",
		 grt_format_count(count, jobs), grt_plural(jobs, "job only shows when it was", "jobs only show when they were"));
	grt_text_fold(o->how->file, text, o->how->width, 1);
}

static void print_tables(const struct grt_diff_out *o)
{
	const uint64_t unsure = o->diff->changes[GRT_CHANGE_UNSURE];
	char text[160];
	struct grt_report_table table;

	grt_report_diff_trouble(&table, o->diff);
	print_table(o->how, &table);
	grt_report_diff_idle(&table, o->diff, o->has_all_rows ? 0 : POINT);
	print_table(o->how, &table);
	grt_report_diff_only(&table, o->diff);
	print_table(o->how, &table);
	say_bounds(o);
	if (unsure) {
		snprintf(text, sizeof(text), "\n%" PRIu64 " %s too few jobs, or jobs too unlike, to be judged%s\n",
			 unsure, grt_plural(unsure, "quantile has", "quantiles have"),
			 o->has_all_rows ? "" : ": --all-rows shows them");
		grt_text_fold(o->how->file, text, o->how->width, 1);
	}
}

/* Which traces a side has. */
static void say_runs(const struct grt_diff_out *o, int side)
{
	unsigned int count = o->diff->side[side].nr_runs;
	char name[300], jobs_count[GRT_NUMBER_MAX];
	uint64_t jobs = 0;
	FILE *f = o->how->file;

	fprintf(f, "%c: ", 'A' + side);
	if (count == 1) {
		grt_headline(o->side[side][0]);
		return;
	}
	for (unsigned int run = 0; run < count; run++)
		jobs += o->side[side][run]->summary->all.jobs;
	fprintf(f, "%u runs, %s %s: ", count, grt_format_count(jobs_count, jobs),
		grt_plural(jobs, "job", "jobs"));
	for (unsigned int run = 0; run < count; run++)
		fprintf(f, "%s%s", run ? ", " : "",
			grt_quote_text(name, sizeof(name), o->side[side][run]->info->name));
	putc('\n', f);
}

static void say_devices(const struct grt_diff_out *o)
{
	if (o->diff->ignores_device)
		fputs("rings are matched by name only: each trace has one GPU, but not the same one\n",
		      o->how->file);
}

void grt_diff_text(const struct grt_diff_out *o)
{
	struct grt_vec lines = { 0 };

	if (!make_lines(o, &lines)) {
		say_verdict(o, &lines);
		for (int side = 0; side < GRT_NR_SIDES; side++)
			say_runs(o, side);
		say_devices(o);
		print_lines(o, &lines);
		print_rates(o);
		if (o->has_all_rows)
			print_plain(o);
		print_tables(o);
	}
	grt_vec_free(&lines);
}
