// SPDX-License-Identifier: LGPL-2.1
/* Which rows of all runs belong together: those of one name. */
#include "diff_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key_names.h"
#include "namemap.h"

/* A row of a run and the group it belongs to; a row may belong to several. */
struct member {
	uint32_t group, row;
	bool has_blocks;	/* @row is one of the summary's blocks, not of its rollup */
};

static const struct grt_rollup *places_of(const struct grt_summary *s)
{
	return &s->groups[GRT_BY_RING_PROCESS];
}

static const struct grt_ring *ring_of(const struct grt_summary *s, uint32_t row)
{
	return row == GRT_NONE ? NULL : grt_names_ring_at(grt_model_names(s->model), row);
}

/* The only device of a side's jobs; NULL: there are several, or none is known. */
static const char *only_device(const struct grt_diff_side *side)
{
	const char *only = NULL;

	for (unsigned int run = 0; run < side->nr_runs; run++) {
		const struct grt_rollup *rings = &side->runs[run]->groups[GRT_BY_RING];

		for (size_t i = 0; i < grt_rollup_count(rings); i++) {
			const struct grt_ring *ring =
				ring_of(side->runs[run], grt_rollup_key_at(rings, i)->ring);

			if (!ring || !*ring->device)
				continue;
			if (only && strcmp(only, ring->device))
				return NULL;
			only = ring->device;
		}
	}
	return only;
}

static void name_process(const struct grt_summary *s, uint32_t row, char *name, size_t bytes)
{
	const struct grt_names *names = grt_model_names(s->model);
	const struct grt_process *p;

	if (row == GRT_NONE)
		return;
	p = grt_names_process_at(names, grt_rollup_last_name(names, row));
	snprintf(name, bytes, "%s", p->tgid ? p->comm : "kernel");
}

static void name_ring(const struct grt_summary *s, uint32_t row, struct grt_diff_group *g)
{
	const struct grt_ring *ring = ring_of(s, row);
	char name[GRT_RING_NAME_MAX];

	if (!ring)
		return;
	snprintf(g->name, sizeof(g->name), "%s", grt_ring_name(ring, name));
	snprintf(g->device, sizeof(g->device), "%s", ring->device);
}

/* Rows match by name: process ids differ from run to run, and a GPU may change its slot. */
static void call(const struct grt_summary *s, uint32_t ring, uint32_t process,
		 struct grt_diff_group *g)
{
	const struct grt_ring *r = ring_of(s, ring);

	switch (g->scope) {
	case GRT_DIFF_PLACE:
		name_process(s, process, g->process, sizeof(g->process));
		/* fall through */
	case GRT_DIFF_RING:
		name_ring(s, ring, g);
		break;
	case GRT_DIFF_PROCESS:
		name_process(s, process, g->name, sizeof(g->name));
		break;
	case GRT_DIFF_ENGINE:
		if (r && r->is_defined)
			snprintf(g->name, sizeof(g->name), "%s", grt_engine_name(r->engine));
		break;
	default:
		break;
	}
}

/* The texts of a group as one, which no other group has. */
static void key_of(const struct grt_diff *d, const struct grt_diff_group *g, char *key,
		   size_t bytes)
{
	snprintf(key, bytes, "%u\n%s\n%s\n%s", g->scope, d->ignores_device ? "" : g->device,
		 g->name, g->process);
}

#define KEY_MAX	(sizeof(((struct grt_diff_group *)0)->device) + \
		 sizeof(((struct grt_diff_group *)0)->name) + 32)

/* The number of the group of a ring and process; made with @may_add.  GRT_NONE: none. */
static int find_group(struct grt_diff *d, struct grt_namemap *known,
		      const struct grt_diff_group *called, bool may_add, uint32_t *number)
{
	char key[KEY_MAX];
	int err = 0;

	key_of(d, called, key, sizeof(key));
	*number = grt_namemap_get(known, key);
	if (*number != GRT_NONE || !may_add)
		return 0;
	*number = grt_diff_count(d);
	err = grt_vec_append(&d->groups, called, sizeof(*called));
	return err ? err : grt_namemap_set(known, key, *number);
}

/* Processes with few jobs on a ring have no row of their own there. */
static bool is_wanted(const struct grt_rollup *places, size_t i, enum grt_diff_scope scope)
{
	return scope != GRT_DIFF_PLACE ||
	       grt_rollup_at(places, i)->jobs > GRT_TIME_BLOCK_JOBS;
}

static int add_row(struct grt_diff *d, struct grt_namemap *known, int side, unsigned int run,
		   const struct member *row, struct grt_vec *list, bool may_add)
{
	const struct grt_summary *s = d->side[side].runs[run];
	const struct grt_rollup *places = places_of(s);
	uint32_t ring, process, ring_group = GRT_NONE;
	int err = 0;

	if (row->has_blocks) {
		ring = grt_time_blocks_row(&s->blocks, row->row)->ring;
		process = grt_time_blocks_row(&s->blocks, row->row)->process;
	} else {
		ring = grt_rollup_key_at(places, row->row)->ring;
		process = grt_rollup_key_at(places, row->row)->process;
	}
	for (int scope = 0; scope < GRT_NR_DIFF_SCOPES && !err; scope++) {
		struct grt_diff_group called = { .scope = scope, .ring_group = ring_group };
		struct member member = *row;
		/* What is left of a ring belongs to no process. */
		bool is_rest = row->has_blocks && process == GRT_TIME_BLOCK_REST;

		if (!(d->wants.scopes >> scope & 1) ||
		    (is_rest && (scope == GRT_DIFF_PLACE || scope == GRT_DIFF_PROCESS)))
			continue;
		call(s, ring, is_rest ? GRT_NONE : process, &called);
		err = find_group(d, known, &called,
				 may_add && is_wanted(places, row->row, scope), &member.group);
		if (scope == GRT_DIFF_RING)
			ring_group = member.group;
		if (!err && !may_add && member.group != GRT_NONE)
			err = grt_vec_append(list, &member, sizeof(member));
	}
	return err;
}

static int add_rows(struct grt_diff *d, struct grt_namemap *known, int side, unsigned int run,
		    struct grt_vec *list, bool may_add)
{
	const struct grt_summary *s = d->side[side].runs[run];
	int err = 0;

	for (uint32_t i = 0; i < grt_rollup_count(places_of(s)) && !err; i++)
		err = add_row(d, known, side, run, &(struct member){ .row = i }, list, may_add);
	for (uint32_t i = 0; i < grt_time_blocks_rows(&s->blocks) && !err && !may_add; i++)
		if (grt_time_blocks_row(&s->blocks, i)->counts)
			err = add_row(d, known, side, run,
				      &(struct member){ .row = i, .has_blocks = true }, list, false);
	return err;
}

/* Adds the time of a run's rings to their groups. */
static int add_uses(struct grt_diff *d, struct grt_namemap *known, int side, unsigned int run)
{
	const struct grt_summary *s = d->side[side].runs[run];
	const struct grt_rollup *rings = &s->groups[GRT_BY_RING];
	unsigned int own = 1 + run + side * GRT_DIFF_MAX_RUNS;

	for (size_t i = 0; i < grt_rollup_count(rings); i++) {
		struct grt_diff_group called = { .scope = GRT_DIFF_RING }, *g;
		uint32_t ring = grt_rollup_key_at(rings, i)->ring, number;
		const struct grt_ring_use *use;

		call(s, ring, GRT_NONE, &called);
		if (find_group(d, known, &called, false, &number))
			return -ENOMEM;
		if (number == GRT_NONE || ring == GRT_NONE)
			continue;
		g = grt_diff_at(d, number);
		use = grt_model_ring_use(s->model, ring);
		g->has_twins |= g->used_by == own;
		g->used_by = own;
		g->is_unordered |= ring_of(s, ring)->order != GRTRACE_ORDER_FIFO;
		grt_use_add_times(&g->use[side], use);
	}
	return 0;
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->has_blocks != y->has_blocks)
		return x->has_blocks ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

int grt_diff_match(struct grt_diff *d, struct grt_diff_members *m)
{
	const char *devices[] = { only_device(&d->side[GRT_BEFORE]), only_device(&d->side[GRT_AFTER]) };
	struct grt_namemap known = { 0 };
	int err = 0;

	d->ignores_device = devices[0] && devices[1] && strcmp(devices[0], devices[1]);
	/* All groups first: a row that is small here may be large in another run. */
	for (int may_add = 1; may_add >= 0; may_add--)
		for (int side = 0; side < GRT_NR_SIDES; side++)
			for (unsigned int run = 0; run < d->side[side].nr_runs && !err; run++)
				err = add_rows(d, &known, side, run, &m->list[side][run], may_add);
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < d->side[side].nr_runs && !err; run++)
			err = add_uses(d, &known, side, run);
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (unsigned int run = 0; run < d->side[side].nr_runs; run++) {
			struct grt_vec *list = &m->list[side][run];

			if (list->bytes)
				qsort(list->data, grt_vec_count(list, struct member),
				      sizeof(struct member), compare_members);
		}
	grt_namemap_free(&known);
	return err;
}

void grt_diff_members_free(struct grt_diff_members *m)
{
	for (int side = 0; side < GRT_NR_SIDES; side++)
		for (int run = 0; run < GRT_DIFF_MAX_RUNS; run++)
			grt_vec_free(&m->list[side][run]);
}

/* The first member of group @group or a later one. */
static size_t first_member(const struct grt_vec *list, uint32_t group)
{
	size_t from = 0, to = grt_vec_count(list, struct member);

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (grt_vec_at(list, struct member, middle)->group < group)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int grt_diff_run(struct grt_diff_run *r, const struct grt_diff *d,
		 const struct grt_diff_members *m, size_t i, int side, unsigned int run)
{
	const struct grt_summary *s = d->side[side].runs[run];
	const struct grt_vec *list = &m->list[side][run];
	size_t from = first_member(list, i), to = first_member(list, i + 1), nr_rows = 0;
	int err = 0;

	*r = (struct grt_diff_run){ .rows = calloc(to - from + 1, sizeof(*r->rows)) };
	if (!r->rows)
		return grt_fail_memory();
	for (; from < to && !err; from++) {
		const struct member *member = grt_vec_at(list, struct member, from);

		if (!member->has_blocks) {
			err = grt_rollup_row_add(&r->sum, grt_rollup_at(places_of(s), member->row));
			continue;
		}
		r->rows[nr_rows] = grt_time_blocks_row(&s->blocks, member->row);
		grt_block_row_jobs(r->rows[nr_rows++], r->completed);
	}
	return err;
}

void grt_diff_run_free(struct grt_diff_run *r)
{
	grt_rollup_row_free(&r->sum);
	free(r->rows);
}
