// SPDX-License-Identifier: LGPL-2.1
/* Tables of --per-pod with --blame and --roots: which pods waited for which. */
#include "owner_waits.h"
#include "report_tables.h"
#include "wait_kinds.h"

#define OWNER_COLUMNS(title, kind)			\
	{ "owner", NULL, GRT_REPORT_TEXT },		\
	{ "name", title, GRT_REPORT_TEXT },		\
	{ "waited_ns", "waited", GRT_REPORT_NS },	\
	{ "share", "share", GRT_REPORT_SHARE },		\
	{ kind, kind, GRT_REPORT_TEXT },		\
	{ "by_owner", NULL, GRT_REPORT_TEXT },		\
	{ "by_name", "for", GRT_REPORT_TEXT },

static const struct grt_report_column blame_columns[] = {
	OWNER_COLUMNS("WHICH POD WAITED FOR WHICH", "through")
};

static const struct grt_report_column root_columns[] = {
	OWNER_COLUMNS("WHICH POD WAITED FOR WHICH", "root")
};

/* Adds two cells: the kind of an owner, and its name.  @row: the owner's first cgroup; GRT_NONE: not known. */
static void put_owner(struct grt_report_table *s, const struct grt_names *names, uint32_t row)
{
	char name[GRT_OWNER_MAX];
	const struct grt_cgroup *c;

	if (row == GRT_NONE) {
		grt_report_unknown(s);
		grt_report_unknown(s);
		return;
	}
	c = grt_cgroup_names_at(&names->cgroups, row);
	grt_report_text(s, grt_owner_name(c->workload.owner));
	grt_report_text(s, grt_cgroup_owner(&names->cgroups, c, name));
}

/* @is_nobody: the wait was for no job. */
static void put_culprit(struct grt_report_table *s, const struct grt_names *names, const struct grt_owner_wait *row,
			bool is_nobody)
{
	if (row->has_culprit || !is_nobody) {
		put_owner(s, names, row->culprit);
		return;
	}
	grt_report_nothing(s);
	grt_report_nothing(s);
}

/* The sum of all waits, for the shares; UINT64_MAX: or more. */
static uint64_t sum_of(const struct grt_owner_waits *waits)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < grt_owner_waits_count(waits); i++)
		if (__builtin_add_overflow(sum, grt_owner_waits_at(waits, i)->ns, &sum))
			sum = UINT64_MAX;
	return sum;
}

static void put_waits(struct grt_report_table *s, const struct grt_job_out *o, const struct grt_matrix *m,
		      const struct grt_wait_kinds *kinds)
{
	const struct grt_names *names = grt_model_names(o->summary->model);
	struct grt_owner_waits waits = { .rows = { 0 } };
	uint64_t sum;

	s->failed = grt_owner_waits_make(&waits, m, o->summary->model);
	sum = sum_of(&waits);
	for (size_t i = 0; !s->failed && i < grt_owner_waits_count(&waits) && (!o->top || i < o->top); i++) {
		const struct grt_owner_wait *row = grt_owner_waits_at(&waits, i);

		put_owner(s, names, row->victim);
		grt_report_u64(s, row->ns);
		grt_report_part(s, row->ns, sum);
		grt_report_text(s, kinds->name(row->kind));
		put_culprit(s, names, row, kinds->is_nobody(row->kind));
	}
	grt_owner_waits_free(&waits);
}

void grt_report_owner_blame(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "pod_blame", blame_columns);
	grt_report_set_drops(s, blame_columns, "0001000");
	put_waits(s, o, &o->summary->blame, &grt_blame_kinds);
}

void grt_report_owner_roots(struct grt_report_table *s, const struct grt_job_out *o)
{
	grt_report_init(s, "pod_roots", root_columns);
	grt_report_set_drops(s, root_columns, "0001000");
	put_waits(s, o, &o->summary->root_sums, &grt_root_kinds);
}
