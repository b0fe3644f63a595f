// SPDX-License-Identifier: LGPL-2.1
#include "diff.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "key_names.h"

const char *grt_change_name(enum grt_change change)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_CHANGES(GRT_X)
#undef GRT_X
	};

	return names[change];
}

static const struct grt_rollup *rows_of(const struct grt_diff *d, int side)
{
	uint32_t group = d->wants.group == GRT_DIFF_ALL ? GRT_BY_RING : d->wants.group;

	return &d->side[side]->groups[group];
}

static const struct grt_ring *ring_of(const struct grt_summary *s, const struct grt_rollup_row *row)
{
	if (row->key.ring == GRT_NONE)
		return NULL;
	return grt_names_ring_at(grt_model_names(s->model), row->key.ring);
}

/* The only device of a side's jobs; NULL: there are several, or none is known. */
static const char *only_device(const struct grt_summary *s)
{
	const struct grt_rollup *rings = &s->groups[GRT_BY_RING];
	const char *only = NULL;

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		const struct grt_ring *ring = ring_of(s, grt_rollup_at(rings, i));

		if (!ring || !*ring->device)
			continue;
		if (only && strcmp(only, ring->device))
			return NULL;
		only = ring->device;
	}
	return only;
}

/* Rows match by name: process ids differ from run to run, and a GPU may change its slot. */
static void call(const struct grt_diff *d, const struct grt_summary *s,
		 const struct grt_rollup_row *row, struct grt_diff_group *g)
{
	const struct grt_ring *ring = ring_of(s, row);
	char name[GRT_RING_NAME_MAX];

	if (d->wants.group == GRT_BY_PROCESS && row->key.process != GRT_NONE) {
		const struct grt_process *p =
			grt_names_process_at(grt_model_names(s->model), row->key.process);

		snprintf(g->name, sizeof(g->name), "%s", p->tgid ? p->comm : "kernel");
	} else if (d->wants.group == GRT_BY_ENGINE && ring && ring->is_defined) {
		snprintf(g->name, sizeof(g->name), "%s", grt_engine_name(ring->engine));
	} else if (d->wants.group == GRT_BY_RING && ring) {
		snprintf(g->name, sizeof(g->name), "%s", grt_ring_name(ring, name));
		snprintf(g->device, sizeof(g->device), "%s", ring->device);
	}
}

static bool is_same(const struct grt_diff *d, const struct grt_diff_group *a,
		    const struct grt_diff_group *b)
{
	return !strcmp(a->name, b->name) && (d->ignores_device || !strcmp(a->device, b->device));
}

static struct grt_diff_group *group_of(struct grt_diff *d, const struct grt_diff_group *called)
{
	for (size_t i = 0; i < grt_diff_count(d); i++) {
		struct grt_diff_group *g = grt_vec_at(&d->groups, struct grt_diff_group, i);

		if (is_same(d, g, called))
			return g;
	}
	if (grt_vec_append(&d->groups, called, sizeof(*called)))
		return NULL;
	return grt_vec_at(&d->groups, struct grt_diff_group, grt_diff_count(d) - 1);
}

static int add_side(struct grt_diff *d, int side)
{
	const struct grt_rollup *rows = rows_of(d, side);

	for (size_t i = 0; i < grt_rollup_count(rows); i++) {
		const struct grt_rollup_row *row = grt_rollup_at(rows, i);
		struct grt_diff_group called = { .ring = { GRT_NONE, GRT_NONE } }, *g;
		int err;

		call(d, d->side[side], row, &called);
		g = group_of(d, &called);
		if (!g)
			return -ENOMEM;
		/* Several rings may share a name: the group is then no single ring. */
		g->ring[side] = g->has[side] || d->wants.group != GRT_BY_RING ? GRT_NONE :
				row->key.ring;
		g->has[side] = true;
		err = grt_rollup_row_add(&g->sum[side], row);
		if (err)
			return err;
	}
	return 0;
}

bool grt_diff_has(const struct grt_diff *d, const struct grt_diff_group *g, enum grt_stage stage)
{
	return d->wants.stages >> stage & 1 && g->sum[GRT_BEFORE].stages[stage].count &&
	       g->sum[GRT_AFTER].stages[stage].count;
}

/* A change needs intervals that are apart, and more than the threshold. */
static enum grt_change judge(const struct grt_diff_wants *w, enum grt_stage stage,
			     const struct grt_interval *side)
{
	uint64_t from_ns = side[GRT_BEFORE].ns, to_ns = side[GRT_AFTER].ns;
	uint64_t change_ns = from_ns < to_ns ? to_ns - from_ns : from_ns - to_ns;

	if (!side[GRT_BEFORE].is_known || !side[GRT_AFTER].is_known)
		return GRT_CHANGE_UNSURE;
	if (!grt_interval_apart(&side[GRT_BEFORE], &side[GRT_AFTER]) || change_ns < w->min_change_ns ||
	    change_ns <= w->threshold[stage] * from_ns)
		return GRT_CHANGE_SAME;
	return from_ns < to_ns ? GRT_CHANGE_WORSE : GRT_CHANGE_BETTER;
}

static void compare(struct grt_diff *d, struct grt_diff_group *g, enum grt_stage stage)
{
	const struct grt_hist *h[] = { &g->sum[GRT_BEFORE].stages[stage],
				       &g->sum[GRT_AFTER].stages[stage] };
	uint64_t jobs = h[0]->count < h[1]->count ? h[0]->count : h[1]->count;

	for (unsigned int i = 0; i < d->wants.nr_permilles; i++) {
		struct grt_diff_quantile *q = &g->quantiles[stage][i];
		unsigned int permille = d->wants.permilles[i];

		for (int side = 0; side < GRT_NR_SIDES; side++)
			q->side[side] = grt_interval(h[side], permille, d->wants.confidence);
		q->change = jobs < d->wants.min_jobs ? GRT_CHANGE_UNSURE :
			    judge(&d->wants, stage, q->side);
		d->changes[q->change]++;
		q->weight_ns = (double)q->side[GRT_AFTER].ns - (double)q->side[GRT_BEFORE].ns;
		if (q->weight_ns < 0)
			q->weight_ns = -q->weight_ns;
		/* Times the jobs at the quantile or beyond it. */
		q->weight_ns *= h[GRT_AFTER]->count * (1 - permille / 1000.0);
	}
}

int grt_diff_make(struct grt_diff *d, const struct grt_diff_wants *wants,
		  const struct grt_summary *before, const struct grt_summary *after)
{
	const char *devices[] = { only_device(before), only_device(after) };
	int err;

	*d = (struct grt_diff){ .wants = *wants, .side = { before, after } };
	d->ignores_device = devices[0] && devices[1] && strcmp(devices[0], devices[1]);
	err = add_side(d, GRT_BEFORE);
	if (!err)
		err = add_side(d, GRT_AFTER);
	for (size_t i = 0; i < grt_diff_count(d) && !err; i++) {
		struct grt_diff_group *g = grt_vec_at(&d->groups, struct grt_diff_group, i);

		for (int stage = 0; stage < GRT_NR_STAGES; stage++)
			if (grt_diff_has(d, g, stage))
				compare(d, g, stage);
	}
	return err;
}

void grt_diff_free(struct grt_diff *d)
{
	for (size_t i = 0; i < grt_diff_count(d); i++)
		for (int side = 0; side < GRT_NR_SIDES; side++)
			grt_rollup_row_free(&grt_vec_at(&d->groups, struct grt_diff_group, i)->sum[side]);
	grt_vec_free(&d->groups);
	*d = (struct grt_diff){ .changes = { 0 } };
}
