// SPDX-License-Identifier: LGPL-2.1
/* Evaluates a filter; filter_parse.c makes it. */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

#include "event_view.h"
#include "filter_private.h"
#include "key_names.h"

enum truth { IS_FALSE, IS_TRUE, IS_UNKNOWN };

static enum truth truth_of(bool is_true)
{
	return is_true ? IS_TRUE : IS_FALSE;
}

static enum truth compare(enum filter_op op, int order)
{
	switch (op) {
	case FILTER_EQ:
		return truth_of(!order);
	case FILTER_NE:
		return truth_of(order);
	case FILTER_LT:
		return truth_of(order < 0);
	case FILTER_LE:
		return truth_of(order <= 0);
	case FILTER_GT:
		return truth_of(order > 0);
	default:
		return truth_of(order >= 0);
	}
}

static int order_of(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static enum truth compare_stage(const struct filter_node *n, const struct grt_job *job)
{
	int stage = n->column->which;
	unsigned __int128 part, whole;

	if (!grt_job_knows(job, stage))
		return IS_UNKNOWN;
	if (!n->is_share)
		return compare(n->op, order_of(job->stage_ns[stage], n->number));
	/* A share of a total of 0 is unknown. */
	if (!grt_job_knows(job, GRT_STAGE_TOTAL) || !job->stage_ns[GRT_STAGE_TOTAL])
		return IS_UNKNOWN;
	part = (unsigned __int128)job->stage_ns[stage] * FILTER_WHOLE;
	whole = (unsigned __int128)job->stage_ns[GRT_STAGE_TOTAL] * n->number;
	return compare(n->op, (part > whole) - (part < whole));
}

static enum truth compare_bits(const struct filter_node *n, uint64_t bits)
{
	return truth_of(!(bits & n->number) == (n->op == FILTER_NE));
}

static enum truth compare_cell(const struct filter_node *n, const struct grt_view *view)
{
	struct grt_cell cell;

	grt_column_get(&cell, n->column, view);
	switch (cell.kind) {
	case GRT_CELL_TEXT:
		return compare(n->op, strcmp(cell.text, n->text) ? 1 : 0);
	case GRT_CELL_U64:
		return compare(n->op, order_of(cell.number, n->number));
	case GRT_CELL_S64:
		return compare(n->op, (cell.signed_number > n->status) -
			       (cell.signed_number < n->status));
	default:
		return IS_UNKNOWN;
	}
}

/* A ring matches by number, by name, or by DEVICE/NAME. */
static enum truth compare_ring(const struct filter_node *n, const struct grt_view *view)
{
	const struct grt_ring *ring = view->event ? view->event->ring : NULL;
	char name[GRT_RING_NAME_MAX];

	if (!view->event && view->job->ring != GRT_NONE)
		ring = grt_names_ring_at(view->names, view->job->ring);
	if (!ring)
		return IS_UNKNOWN;
	return compare(n->op, !grt_ring_is(ring, n->text, strlen(n->text)) &&
		       strcmp(grt_ring_name(ring, name), n->text));
}

/* If the path is not known, the job may be in any cgroup, so the answer is not known, either. */
static enum truth compare_cgroup(const struct filter_node *n, const struct grt_view *view)
{
	const struct grt_cgroup *c = grt_names_cgroup_of(view->names, view->job->process);
	bool is_number = *n->text != '/';

	if (!c || (!c->text && !is_number))
		return IS_UNKNOWN;
	return compare(n->op, !grt_cgroup_is(c, n->text));
}

static enum truth compare_pod(const struct filter_node *n, const struct grt_view *view)
{
	const struct grt_cgroup *c = grt_names_cgroup_of(view->names, view->job->process);

	if (!c || !c->text)
		return IS_UNKNOWN;
	return compare(n->op, !grt_cgroup_is_pod(&view->names->cgroups, c, n->text));
}

static enum truth compare_node(const struct filter_node *n, const struct grt_view *view)
{
	const struct grt_job *job = view->job;

	switch (n->column->kind) {
	case GRT_COLUMN_RING:
		return compare_ring(n, view);
	case GRT_COLUMN_CGROUP:
		return compare_cgroup(n, view);
	case GRT_COLUMN_POD:
		return compare_pod(n, view);
	case GRT_COLUMN_EVENT_FLAGS:
		return compare(n->op, !grt_event_has_flag(view->event->rec, n->number));
	case GRT_COLUMN_STAGE:
		return compare_stage(n, job);
	case GRT_COLUMN_STAMP:
		if (!grt_job_has(job, n->column->which))
			return IS_UNKNOWN;
		return compare(n->op, order_of(job->at_ns[n->column->which], n->number));
	case GRT_COLUMN_STATUS:
		if (!job->has_status)
			return IS_UNKNOWN;
		return compare(n->op, (job->status > n->status) - (job->status < n->status));
	case GRT_COLUMN_FLAGS:
		return compare_bits(n, job->flags);
	case GRT_COLUMN_LABELS:
		return compare_bits(n, view->labels);
	default:
		return compare_cell(n, view);
	}
}

/* Recurses; the number of nodes limits the depth. */
static enum truth evaluate(const struct grt_filter *f, unsigned int i, const struct grt_view *view)
{
	const struct filter_node *n = &f->nodes[i];
	enum truth left, right, decisive;

	if (n->op < FILTER_NOT)
		return compare_node(n, view);
	left = evaluate(f, n->left, view);
	if (n->op == FILTER_NOT)
		return left == IS_UNKNOWN ? left : truth_of(left == IS_FALSE);
	decisive = n->op == FILTER_OR ? IS_TRUE : IS_FALSE;
	if (left == decisive)
		return left;
	right = evaluate(f, n->right, view);
	return right == decisive || left != IS_UNKNOWN ? right : left;
}

bool grt_filter_matches(const struct grt_filter *f, const struct grt_view *view)
{
	return evaluate(f, f->root, view) == IS_TRUE;
}

bool grt_filter_uses_labels(const struct grt_filter *f)
{
	for (unsigned int i = 0; i < f->nr_nodes; i++)
		if (f->nodes[i].op < FILTER_NOT && f->nodes[i].column->kind == GRT_COLUMN_LABELS)
			return true;
	return false;
}

void grt_filter_destroy(struct grt_filter *f)
{
	if (!f)
		return;
	for (unsigned int i = 0; i < f->nr_nodes; i++)
		free(f->nodes[i].text);
	free(f);
}
