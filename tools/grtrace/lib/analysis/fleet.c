// SPDX-License-Identifier: LGPL-2.1
#include "fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"

static void add(uint64_t *to, uint64_t more)
{
	if (__builtin_add_overflow(*to, more, to))
		*to = UINT64_MAX;
}

static int add_jobs(struct grt_fleet_sums *to, const struct grt_rollup_row *row)
{
	add(&to->jobs, row->jobs);
	add(&to->cut, row->cut);
	add(&to->failed, row->failed);
	add(&to->unjudged, row->unjudged);
	add(&to->bounds, row->bounds);
	add(&to->total_bounds, row->total_bounds);
	add(&to->exec_bounds, row->exec_bounds);
	if (grt_hist_merge(&to->total, &row->stages[GRT_STAGE_TOTAL]) ||
	    grt_hist_merge(&to->exec, &row->stages[GRT_STAGE_EXEC]))
		return grt_fail_memory();
	return 0;
}

static void free_sums(struct grt_fleet_sums *s)
{
	grt_hist_free(&s->total);
	grt_hist_free(&s->exec);
}

/* --- owners --- */

static struct grt_fleet_owner *owner_at(const struct grt_fleet *f, uint32_t row)
{
	return grt_vec_at(&f->owners, struct grt_fleet_owner, row);
}

/* The row of an owner, which is also found in other traces by its kind and name.  GRT_NONE without memory. */
static uint32_t owner_row(struct grt_fleet *f, const struct grt_names *names, uint32_t cgroup)
{
	char text[GRT_OWNER_MAX], key[GRT_OWNER_MAX + 32] = "";
	const struct grt_cgroup *c = cgroup == GRT_NONE ? NULL : grt_cgroup_names_at(&names->cgroups, cgroup);
	struct grt_fleet_owner new = { .name = NULL };
	const char *name = NULL;
	uint32_t row;

	if (c) {
		new.kind = c->workload.owner;
		name = grt_cgroup_owner(&names->cgroups, c, text);
		snprintf(key, sizeof(key), "%s %s", grt_owner_name(new.kind), name);
	}
	row = grt_namemap_get(&f->owner_rows, key);
	if (row != GRT_NONE)
		return row;
	row = grt_fleet_owners(f);
	new.name = c ? strdup(name) : NULL;
	if ((c && !new.name) || grt_namemap_set(&f->owner_rows, key, row) ||
	    grt_vec_append(&f->owners, &new, sizeof(new))) {
		free(new.name);
		return GRT_NONE;
	}
	return row;
}

static int add_owners(struct grt_fleet *f, const struct grt_summary *s)
{
	const struct grt_rollup *pods = &s->groups[GRT_BY_POD];
	const struct grt_names *names = grt_model_names(s->model);
	int err = 0;

	for (size_t i = 0; i < grt_rollup_count(pods) && !err; i++) {
		const struct grt_rollup_row *row = grt_rollup_at(pods, i);
		uint32_t owner = owner_row(f, names, row->key.cgroup ? row->key.cgroup - 1 : GRT_NONE);

		if (owner == GRT_NONE)
			return grt_fail_memory();
		owner_at(f, owner)->traces++;
		err = add_jobs(&owner_at(f, owner)->sums, row);
	}
	return err;
}

/* --- waits --- */

static void add_time(struct grt_fleet_sums *s, uint64_t ns, bool is_others, bool is_unsure)
{
	add(&s->waited_ns, ns);
	if (is_unsure)
		add(&s->unsure_ns, ns);
	else if (is_others)
		add(&s->others_ns, ns);
}

static int add_wait(struct grt_fleet *f, struct grt_fleet_sums *trace, const struct grt_names *names,
		    const struct grt_owner_wait *wait)
{
	struct grt_owner_wait own = *wait;
	bool is_others, is_unsure;

	own.victim = own.culprit = owner_row(f, names, wait->victim);
	if (wait->has_culprit)
		own.culprit = owner_row(f, names, wait->culprit);
	if (own.victim == GRT_NONE || own.culprit == GRT_NONE)
		return grt_fail_memory();
	is_others = wait->has_culprit && own.culprit != own.victim;
	is_unsure = wait->has_culprit && !(owner_at(f, own.victim)->name && owner_at(f, own.culprit)->name);
	add_time(&owner_at(f, own.victim)->sums, wait->ns, is_others, is_unsure);
	add_time(trace, wait->ns, is_others, is_unsure);
	add_time(&f->all, wait->ns, is_others, is_unsure);
	return grt_owner_waits_add(&f->waits, &own);
}

static int add_waits(struct grt_fleet *f, struct grt_fleet_sums *trace, const struct grt_summary *s)
{
	struct grt_owner_waits waits = { .rows = { 0 } };
	int err = grt_owner_waits_make(&waits, &s->blame, s->model);

	for (size_t i = 0; i < grt_owner_waits_count(&waits) && !err; i++)
		err = add_wait(f, trace, grt_model_names(s->model), grt_owner_waits_at(&waits, i));
	grt_owner_waits_free(&waits);
	return err;
}

/* --- all of it --- */

static void free_trace(struct grt_fleet_trace *t)
{
	free(t->name);
	free(t->host);
	free_sums(&t->sums);
}

static int fill_trace(struct grt_fleet_trace *t, const char *name, const struct grt_summary *s)
{
	struct grt_machine machine = grt_machine_names_common(&grt_model_names(s->model)->machines);
	const struct grt_model_totals *totals = grt_model_totals(s->model);

	t->name = strdup(name);
	t->host = strdup(machine.host);
	if (!t->name || !t->host)
		return grt_fail_memory();
	t->wall_ns = grt_model_wall_ns(s->model);
	t->devices = s->devices;
	t->hung = s->hung_jobs;
	t->is_lost_known = !grt_losses_uncounted(totals) && !totals->is_cut;
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		add(&t->lost, (GRT_LOST_REASONS >> i & 1) ? totals->lost[i] : 0);
	return add_jobs(&t->sums, &s->all);
}

int grt_fleet_add(struct grt_fleet *f, const char *name, const struct grt_summary *s)
{
	struct grt_fleet_trace trace = { .name = NULL };
	int err = fill_trace(&trace, name, s);

	if (!err)
		err = add_jobs(&f->all, &s->all);
	if (!err)
		err = add_owners(f, s);
	if (!err)
		err = add_waits(f, &trace.sums, s);
	if (!err && grt_vec_append(&f->traces, &trace, sizeof(trace)))
		err = grt_fail_memory();
	if (err)
		free_trace(&trace);
	return err;
}

static int compare_traces(const void *a, const void *b)
{
	const struct grt_fleet_trace *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	return order ? order : strcmp(x->name, y->name);
}

static int compare_owners(const void *a, const void *b, void *arg)
{
	const struct grt_fleet *f = arg;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t x_ns = grt_hist_sum(&owner_at(f, x)->sums.exec), y_ns = grt_hist_sum(&owner_at(f, y)->sums.exec);

	if (x_ns != y_ns)
		return x_ns > y_ns ? -1 : 1;
	return (x > y) - (x < y);
}

int grt_fleet_sort(struct grt_fleet *f)
{
	for (uint32_t i = 0; i < grt_fleet_owners(f); i++)
		if (grt_vec_append(&f->by_time, &i, sizeof(i)))
			return grt_fail_memory();
	if (f->by_time.bytes)
		qsort_r(f->by_time.data, grt_fleet_owners(f), sizeof(uint32_t), compare_owners, f);
	if (f->traces.bytes)
		qsort(f->traces.data, grt_fleet_traces(f), sizeof(struct grt_fleet_trace), compare_traces);
	grt_owner_waits_sort(&f->waits);
	return 0;
}

void grt_fleet_free(struct grt_fleet *f)
{
	for (size_t i = 0; i < grt_fleet_traces(f); i++)
		free_trace(grt_vec_at(&f->traces, struct grt_fleet_trace, i));
	for (size_t i = 0; i < grt_fleet_owners(f); i++) {
		free(owner_at(f, i)->name);
		free_sums(&owner_at(f, i)->sums);
	}
	free_sums(&f->all);
	grt_vec_free(&f->traces);
	grt_vec_free(&f->owners);
	grt_vec_free(&f->by_time);
	grt_owner_waits_free(&f->waits);
	grt_namemap_free(&f->owner_rows);
	memset(f, 0, sizeof(*f));
}
