// SPDX-License-Identifier: LGPL-2.1
/* Whether times changed, by intervals that hold all at once. */
#include "diff_private.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "student.h"

/*
 * The spread between a few runs is itself a matter of chance.  So it is averaged with the spread
 * that the blocks of time let expect, which counts as much as this many runs more.
 */
#define PRIOR_RUNS	10
#define HIDDEN		4	/* thresholds: nobody calls it the same if it may have changed by more */
#define MOST_UNLIKE	2	/* a variance this many times as great does not fit that */
#define RUN_CONFIDENCE	0.95	/* of a run's own interval, and its width in deviations */
#define RUN_WIDTH	1.96
#define NINE_OF_TEN	1.2816	/* of a normal distribution are below it */

struct judge {
	struct grt_diff *d;
	double tail;			/* of each comparison, in one direction */
	double cached[GRT_STUDENT_MAX + 1];	/* grt_student() of @tail; 0: not known yet */
	unsigned int df;		/* several runs: of the spread between them */
	struct grt_diff_run *runs[GRT_NR_SIDES];	/* of one group */
	struct grt_vec ratios;		/* of double: spread between runs by what blocks expect */
};

static double student(struct judge *j, unsigned int df)
{
	if (df > GRT_STUDENT_MAX)
		df = GRT_STUDENT_MAX;
	if (j->cached[df] <= 0)
		j->cached[df] = grt_student(df, j->tail);
	return j->cached[df];
}

static const struct grt_time_blocks *blocks_of(const struct judge *j, int side, unsigned int run)
{
	return &j->d->side[side].runs[run]->blocks;
}

/*
 * A quantile of a run with its interval.  An estimate of few blocks is itself unsure, so it
 * counts for less (Korn and Graubard, 1998).
 */
static struct grt_interval quantile(struct judge *j, int side, unsigned int run,
				    enum grt_stage stage, unsigned int permille)
{
	const struct grt_diff_run *r = &j->runs[side][run];
	const struct grt_hist *h = &r->sum.stages[stage];
	double all[GRT_TIME_BLOCKS] = { 0 }, below[GRT_TIME_BLOCKS] = { 0 }, effective, less;
	double tail = grt_diff_has_runs(j->d) ? (1 - RUN_CONFIDENCE) / 2 : j->tail;
	uint64_t ns = grt_hist_quantile(h, permille);
	unsigned int df;

	for (const struct grt_block_row **row = r->rows; *row; row++)
		grt_block_row_below(*row, stage, ns, all, below);
	effective = grt_interval_effective(all, below, GRT_TIME_BLOCKS, permille, &df);
	if (effective <= 0)
		return (struct grt_interval){ 0 };
	less = grt_diff_has_runs(j->d) ? grt_student(GRT_STUDENT_MAX, tail) / grt_student(df, tail) :
					 student(j, GRT_STUDENT_MAX) / student(j, df);
	return grt_interval(h, effective * less * less, permille, 1 - 2 * tail);
}

/* The time from one job to the next, on average over the run, with its interval. */
static struct grt_interval rate(struct judge *j, int side, unsigned int run)
{
	const struct grt_diff_run *r = &j->runs[side][run];
	const struct grt_time_blocks *b = blocks_of(j, side, run);
	unsigned int count = grt_time_blocks_count(b), df;
	double lengths[GRT_TIME_BLOCKS], jobs = 0, ns = b->end_ns - b->begin_ns, off;
	struct grt_interval i = { 0 };

	for (unsigned int at = 0; at < count; at++) {
		lengths[at] = grt_time_block_ns(b, at);
		jobs += r->completed[at];
	}
	if (count < GRT_INTERVAL_BLOCKS || jobs <= 0 || r->sum.jobs == r->sum.cut)
		return i;
	off = grt_ratio_deviation(r->completed, lengths, count, &df) * ns / jobs;
	off *= grt_diff_has_runs(j->d) ? RUN_WIDTH : student(j, df);
	i.ns = ns / (r->sum.jobs - r->sum.cut);
	i.is_known = off < 1;
	if (i.is_known) {
		i.low_ns = i.ns / (1 + off);
		i.high_ns = i.ns / (1 - off);
	}
	return i;
}

/* Fills in both sides of a value, from the intervals of all runs. */
static int put_sides(struct judge *j, struct grt_diff_value *v,
		     struct grt_interval (*const runs)[GRT_DIFF_MAX_RUNS])
{
	double spread = 0, noise = 0, ratio;
	unsigned int all = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++) {
		unsigned int count = j->d->side[side].nr_runs;
		double mean = 0;

		v->side[side] = runs[side][0];
		for (unsigned int run = 0; run < count; run++) {
			v->side[side].is_known &= runs[side][run].is_known;
			mean += (double)runs[side][run].ns / count;
		}
		v->side[side].ns = count > 1 ? mean + 0.5 : runs[side][0].ns;
		for (unsigned int run = 0; run < count; run++) {
			double off = runs[side][run].ns - mean, own;

			own = (runs[side][run].high_ns - runs[side][run].low_ns) / 2 / RUN_WIDTH;
			spread += off * off;
			noise += own * own;
			all++;
		}
	}
	if (!grt_diff_has_runs(j->d) || !v->side[0].is_known || !v->side[1].is_known)
		return 0;
	v->spread_ns = grt_square_root(spread / j->df);
	v->noise_ns = grt_square_root(noise / all);
	if (v->noise_ns <= 0)
		return 0;
	ratio = spread / j->df / (noise / all);
	return grt_vec_append(&j->ratios, &ratio, sizeof(ratio));
}

/* Several runs: the interval of each side, from the spread between all of them. */
static void put_intervals(struct judge *j, struct grt_diff_value *v)
{
	double expected = v->noise_ns * v->noise_ns * j->d->inflation;
	double spread = v->spread_ns * v->spread_ns, average, width, one;

	if (!v->side[GRT_BEFORE].is_known || !v->side[GRT_AFTER].is_known)
		return;
	average = (PRIOR_RUNS * expected + j->df * spread) / (PRIOR_RUNS + j->df);
	width = student(j, j->df + PRIOR_RUNS);
	/* These runs differ more than the others: here only they tell by how much. */
	if (spread > MOST_UNLIKE * expected) {
		average = spread;
		width = student(j, j->df);
	}
	/* If all rows of a run are slow together, there are only so many runs to judge by. */
	one = grt_student(j->df, (1 - j->d->wants.confidence) / 2);
	width = width > one ? width : one;
	width *= grt_square_root(average);
	for (int side = 0; side < GRT_NR_SIDES; side++) {
		struct grt_interval *i = &v->side[side];
		double off = width / grt_square_root(j->d->side[side].nr_runs);

		i->low_ns = off < i->ns ? i->ns - off : 0;
		i->high_ns = i->ns + off;
	}
}

/* Whether there may be a change of more than @ns either way. */
static bool may_hide(const struct grt_diff_value *v, double ns)
{
	return v->high_ns > ns || v->low_ns < -ns;
}

/* A change needs an interval without 0, and to be more than the threshold: a share of @whole_ns. */
static enum grt_change judge(struct grt_diff_value *v, double whole_ns, double threshold,
			      uint64_t min_change_ns)
{
	double from_ns = v->side[GRT_BEFORE].ns, change_ns = v->side[GRT_AFTER].ns - from_ns;
	double size_ns = change_ns < 0 ? -change_ns : change_ns;

	if (!v->side[GRT_BEFORE].is_known || !v->side[GRT_AFTER].is_known)
		return GRT_CHANGE_UNSURE;
	grt_interval_change(&v->side[GRT_BEFORE], &v->side[GRT_AFTER], &v->low_ns, &v->high_ns);
	if (v->low_ns <= 0 && v->high_ns >= 0)
		return may_hide(v, HIDDEN * (threshold * whole_ns > min_change_ns ? threshold * whole_ns : min_change_ns)) ?
		       GRT_CHANGE_UNSURE : GRT_CHANGE_SAME;
	if (size_ns < min_change_ns || size_ns <= threshold * whole_ns)
		return GRT_CHANGE_SAME;
	return change_ns > 0 ? GRT_CHANGE_WORSE : GRT_CHANGE_BETTER;
}

static void free_runs(struct judge *j)
{
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++)
			grt_diff_run_free(&j->runs[side][run]);
}

static int make_runs(struct judge *j, const struct grt_diff_members *m, size_t i)
{
	int err = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++) {
			int own = grt_diff_run(&j->runs[side][run], j->d, m, i, side, run);

			err = err ? err : own;
		}
	return err;
}

/* Adds up the times of all runs. */
static void sum_up(struct judge *j, struct grt_diff_group *g)
{
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int stage = -1; stage < GRT_NR_STAGES; stage++) {
			struct grt_diff_times *t = stage < 0 ? NULL : &g->times[side][stage];
			unsigned __int128 sum = 0;

			for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++) {
				const struct grt_rollup_row *row = &j->runs[side][run].sum;

				if (!t) {
					g->jobs[side] += row->jobs;
					continue;
				}
				t->count += row->stages[stage].count;
				sum += row->stages[stage].sum;
				if (t->max_ns < row->stages[stage].max)
					t->max_ns = row->stages[stage].max;
			}
			if (t && t->count)
				t->mean_ns = (sum + t->count / 2) / t->count;
		}
	for (int side = 0; side < GRT_NR_SIDES; side++)
		g->has[side] = g->jobs[side];
}

/* Whether all runs have enough jobs for some interval of this quantile. */
static bool may_judge(const struct judge *j, const struct grt_diff_group *g, int stage,
		      unsigned int permille)
{
	const struct grt_diff_wants *w = &j->d->wants;

	for (int side = 0; side < GRT_NR_SIDES; side++) {
		if (g->times[side][stage].count < w->min_jobs)
			return false;
		for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++) {
			uint64_t low, high, count = j->runs[side][run].sum.stages[stage].count;

			if (!count || !*j->runs[side][run].rows ||
			    !grt_interval_ranks(count, permille, w->confidence, &low, &high))
				return false;
		}
	}
	return true;
}

static bool may_judge_rate(const struct judge *j, const struct grt_diff_group *g)
{
	const struct grt_diff *d = j->d;

	for (int side = 0; side < GRT_NR_SIDES; side++) {
		if (d->has_losses[side] || g->jobs[side] < d->wants.min_jobs)
			return false;
		for (unsigned int run = 0; run < d->side[side].nr_runs; run++)
			if (!*j->runs[side][run].rows)
				return false;
	}
	return true;
}

/* Room for the values of the stages that both sides know: there may be very many groups. */
static int make_values(const struct grt_diff_wants *w, struct grt_diff_group *g)
{
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		if (w->stages >> stage & 1 && g->times[GRT_BEFORE][stage].count &&
		    g->times[GRT_AFTER][stage].count)
			g->stages |= 1u << stage;
	g->nr_quantiles = w->nr_permilles;
	g->values = calloc(__builtin_popcount(g->stages) * g->nr_quantiles + 1, sizeof(*g->values));
	return g->values ? 0 : grt_fail_memory();
}

/* Which values of a group can be judged: the confidence is that of all of them together. */
static int prepare(struct judge *j, struct grt_diff_group *g)
{
	const struct grt_diff_wants *w = &j->d->wants;

	sum_up(j, g);
	if (g->ring_group != GRT_NONE) {
		const struct grt_diff_group *ring = grt_diff_at(j->d, g->ring_group);

		g->is_hidden = ring->jobs[GRT_BEFORE] == g->jobs[GRT_BEFORE] &&
			       ring->jobs[GRT_AFTER] == g->jobs[GRT_AFTER];
	}
	if (!g->has[GRT_BEFORE] || !g->has[GRT_AFTER] || g->is_hidden)
		return 0;
	if (make_values(w, g))
		return -ENOMEM;
	for (int stage = 0; stage < GRT_NR_STAGES; stage++)
		for (unsigned int i = 0; i < w->nr_permilles && grt_diff_has(g, stage); i++) {
			bool may = may_judge(j, g, stage, w->permilles[i]);

			grt_diff_value(g, stage, i)->change = may ? GRT_CHANGE_SAME :
							      GRT_CHANGE_UNSURE;
			j->d->comparisons += may;
		}
	g->has_rate = w->has_rates;
	g->rate.change = may_judge_rate(j, g) ? GRT_CHANGE_SAME : GRT_CHANGE_UNSURE;
	j->d->comparisons += g->has_rate && g->rate.change == GRT_CHANGE_SAME;
	return 0;
}

/* Roughly the jobs' time that changed: of the jobs at the quantile or beyond it. */
static double weight(const struct grt_diff_group *g, const struct grt_diff_value *v, int stage,
		     unsigned int permille)
{
	double ns = (double)v->side[GRT_AFTER].ns - (double)v->side[GRT_BEFORE].ns;

	return (ns < 0 ? -ns : ns) * g->times[GRT_AFTER][stage].count * (1 - permille / 1000.0);
}

static int measure(struct judge *j, struct grt_diff_group *g)
{
	struct grt_interval runs[GRT_NR_SIDES][GRT_DIFF_MAX_RUNS];
	const struct grt_diff_wants *w = &j->d->wants;
	int err = 0;

	for (int stage = 0; stage < GRT_NR_STAGES && g->values; stage++)
		for (unsigned int i = 0; i < w->nr_permilles && !err; i++) {
			struct grt_diff_value *v = grt_diff_value(g, stage, i);

			if (!grt_diff_has(g, stage) || v->change == GRT_CHANGE_UNSURE)
				continue;
			for (int side = 0; side < GRT_NR_SIDES; side++)
				for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++)
					runs[side][run] = quantile(j, side, run, stage, w->permilles[i]);
			err = put_sides(j, v, runs);
			v->weight_ns = weight(g, v, stage, w->permilles[i]);
		}
	if (err || !g->has_rate || g->rate.change == GRT_CHANGE_UNSURE)
		return err;
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < j->d->side[side].nr_runs; run++)
			runs[side][run] = rate(j, side, run);
	return put_sides(j, &g->rate, runs);
}

static void decide(struct judge *j, struct grt_diff_value *v, int whole, double threshold,
		   uint64_t min_change_ns, uint64_t *changes)
{
	if (v->change != GRT_CHANGE_UNSURE) {
		if (grt_diff_has_runs(j->d))
			put_intervals(j, v);
		v->change = judge(v, v->side[whole].ns, threshold, min_change_ns);
	}
	changes[v->change]++;
}

static void decide_all(struct judge *j, struct grt_diff_group *g)
{
	struct grt_diff *d = j->d;

	for (int stage = 0; stage < GRT_NR_STAGES && g->values; stage++)
		for (unsigned int i = 0; i < d->wants.nr_permilles; i++)
			if (grt_diff_has(g, stage))
				decide(j, grt_diff_value(g, stage, i), GRT_BEFORE,
				       d->wants.threshold[stage], d->wants.min_change_ns, d->changes);
	/* Twice the time is half as many jobs per second. */
	if (g->has_rate)
		decide(j, &g->rate, GRT_AFTER, d->wants.rate_threshold, 0, d->rates);
}

static int compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * How much more runs differ than blocks let expect: by the value that nine of ten stay below, so
 * that it suffices for nearly all of them.
 */
static double inflation(struct judge *j)
{
	size_t count = grt_vec_count(&j->ratios, double);
	double part = 2 / (9.0 * j->df), root, ratio;

	if (!count)
		return 1;
	qsort(j->ratios.data, count, sizeof(double), compare_reals);
	/* By chance alone it is that of a chi-square distribution (Wilson and Hilferty, 1931). */
	root = 1 - part + NINE_OF_TEN * grt_square_root(part);
	ratio = *grt_vec_at(&j->ratios, double, count * 9 / 10) / (root * root * root);
	return ratio > 1 ? ratio : 1;
}

static int for_groups(struct judge *j, const struct grt_diff_members *m,
		      int (*each)(struct judge *j, struct grt_diff_group *g))
{
	int err = 0;

	for (size_t i = 0; i < grt_diff_count(j->d) && !err; i++) {
		if (each == measure && !grt_diff_at(j->d, i)->values)
			continue;
		err = make_runs(j, m, i);
		if (!err)
			err = each(j, grt_diff_at(j->d, i));
		free_runs(j);
	}
	return err;
}

int grt_diff_judge(struct grt_diff *d, const struct grt_diff_members *m)
{
	struct judge j = { .d = d };
	int err = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++) {
		j.df += d->side[side].nr_runs - 1;
		j.runs[side] = calloc(d->side[side].nr_runs, sizeof(*j.runs[side]));
		if (!j.runs[side])
			err = grt_fail_memory();
	}
	if (!err)
		err = for_groups(&j, m, prepare);
	j.tail = grt_diff_tail(d);
	if (!err)
		err = for_groups(&j, m, measure);
	d->inflation = grt_diff_has_runs(d) ? inflation(&j) : 1;
	for (size_t i = 0; i < grt_diff_count(d) && !err; i++)
		decide_all(&j, grt_diff_at(d, i));
	for (int side = 0; side < GRT_NR_SIDES; side++)
		free(j.runs[side]);
	grt_vec_free(&j.ratios);
	return err;
}
