// SPDX-License-Identifier: LGPL-2.1
/* What went wrong on each side: errors of the GPU, jobs that failed or were killed, losses. */
#include "diff_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "key_names.h"

#define MORE_OFTEN	2	/* as many for each job are a change, if not by chance */

static uint64_t jobs_of(const struct grt_diff *d, int side)
{
	uint64_t jobs = 0;

	for (unsigned int run = 0; run < d->side[side].nr_runs; run++)
		jobs += d->side[side].runs[run]->all.jobs;
	return jobs;
}

/*
 * If it is due to chance in which job it happened, the number on the after side is one of a
 * binomial distribution.
 */
static enum grt_change compare(const struct grt_diff *d, const uint64_t *count)
{
	double before = jobs_of(d, GRT_BEFORE), after = jobs_of(d, GRT_AFTER);
	unsigned int permille = 1000 * after / (before + after + 1) + 0.5;
	double more = count[GRT_AFTER] * before, less = count[GRT_BEFORE] * after;
	uint64_t low, high;

	if (permille < 1 || permille > 999)
		return GRT_CHANGE_SAME;
	grt_interval_ranks(count[GRT_BEFORE] + count[GRT_AFTER], permille, 1 - 2 * grt_diff_tail(d),
			   &low, &high);
	if (count[GRT_AFTER] >= high && more > MORE_OFTEN * less)
		return GRT_CHANGE_WORSE;
	return count[GRT_AFTER] < low && less > MORE_OFTEN * more ? GRT_CHANGE_BETTER :
	       GRT_CHANGE_SAME;
}

/* Adds up what both sides had of one kind. */
static int add(struct grt_diff *d, int side, const char *kind, const char *name, uint64_t count)
{
	struct grt_diff_trouble *t;

	for (size_t i = 0; i < grt_vec_count(&d->troubles, struct grt_diff_trouble); i++) {
		t = grt_vec_at(&d->troubles, struct grt_diff_trouble, i);
		if (!strcmp(t->kind, kind) && !strcmp(t->name, name)) {
			t->side[side] += count;
			return 0;
		}
	}
	t = grt_vec_grow(&d->troubles, sizeof(*t));
	if (!t)
		return -ENOMEM;
	*t = (struct grt_diff_trouble){ .kind = kind, .is_judged = strcmp(kind, "lost") };
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->side[side] = count;
	return 0;
}

static int add_errors(struct grt_diff *d, int side, const struct grt_model_totals *t)
{
	static const char *const names[GRT_NR_ERRORS] = {
#define GRT_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ERRORS(GRT_X)
#undef GRT_X
	};
	int err = 0;

	for (int code = 0; code < GRT_NR_ERRORS && !err; code++)
		/* The end of a reset is no trouble of its own. */
		if (t->errors[code] && code != GRTRACE_ERROR_RECOVERED)
			err = add(d, side, "error", code ? names[code] : "", t->errors[code]);
	return err;
}

static int add_outcomes(struct grt_diff *d, int side, const struct grt_summary *s)
{
	int err = 0;

	for (size_t i = 0; i < grt_vec_count(&s->outcomes, struct grt_outcome) && !err; i++) {
		const struct grt_outcome *o = grt_vec_at(&s->outcomes, struct grt_outcome, i);
		char name[32];

		if (o->is_killed)
			err = add(d, side, "killed", "", o->jobs);
		else if (o->has_status && o->status)
			err = add(d, side, "failed", grt_status_name(o->status, name), o->jobs);
	}
	if (!err && s->more_outcomes)
		err = add(d, side, "failed", "other", s->more_outcomes);
	return err;
}

static int add_losses(struct grt_diff *d, int side, const struct grt_model_totals *t)
{
	uint64_t lost = grt_diff_fates(t, GRT_LOST_REASONS);

	return lost ? add(d, side, "lost", "", lost) : 0;
}

int grt_diff_find_troubles(struct grt_diff *d)
{
	int err = 0;

	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < d->side[side].nr_runs && !err; run++) {
			const struct grt_summary *s = d->side[side].runs[run];

			err = add_errors(d, side, grt_model_totals(s->model));
			if (!err)
				err = add_outcomes(d, side, s);
			if (!err)
				err = add_losses(d, side, grt_model_totals(s->model));
		}
	for (size_t i = 0; i < grt_vec_count(&d->troubles, struct grt_diff_trouble); i++) {
		struct grt_diff_trouble *t = grt_vec_at(&d->troubles, struct grt_diff_trouble, i);

		if (!t->is_judged)
			continue;
		/* A process that ends may have jobs left: the first ones killed need not be new. */
		t->is_new = !t->side[GRT_BEFORE] && strcmp(t->kind, "killed");
		t->change = t->is_new ? GRT_CHANGE_WORSE : compare(d, t->side);
		d->troubled[t->change]++;
	}
	return err;
}
