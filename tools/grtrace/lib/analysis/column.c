// SPDX-License-Identifier: LGPL-2.1
#include "column.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <linux/grtrace.h>

#include "key_names.h"
#include "rules.h"

static void set_text(struct grt_cell *cell, const char *text)
{
	cell->kind = *text ? GRT_CELL_TEXT : GRT_CELL_UNKNOWN;
	cell->text = text;
}

static void set_u64(struct grt_cell *cell, uint64_t value)
{
	cell->kind = GRT_CELL_U64;
	cell->number = value;
}

enum ring_text { RING_DEVICE, RING_NAME, RING_ENGINE };

static void get_ring(struct grt_cell *cell, const struct grt_view *view, int which)
{
	const struct grt_ring *ring;

	if (view->job->ring == GRT_NONE)
		return;
	ring = grt_names_ring_at(view->names, view->job->ring);
	if (which == RING_DEVICE)
		set_text(cell, ring->device);
	else if (which == RING_NAME)
		set_text(cell, grt_ring_name(ring, cell->buf));
	else if (ring->is_defined)
		set_text(cell, grt_engine_name(ring->engine));
}

static void get_ctx(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	set_u64(cell, view->job->ctx);
}

static void get_seqno(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	set_u64(cell, view->job->seqno);
}

static void get_pid(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	if (view->job->process != GRT_NONE)
		set_u64(cell, grt_names_process_at(view->names, view->job->process)->tgid);
}

static void get_comm(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	if (view->job->process != GRT_NONE)
		set_text(cell, grt_names_process_at(view->names, view->job->process)->comm);
}

static void get_stamp(struct grt_cell *cell, const struct grt_view *view, int which)
{
	if (grt_job_has(view->job, which))
		set_u64(cell, view->job->at_ns[which]);
}

static void get_stage(struct grt_cell *cell, const struct grt_view *view, int which)
{
	if (grt_job_knows(view->job, which))
		set_u64(cell, view->job->stage_ns[which]);
}

static void get_status(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	if (!view->job->has_status)
		return;
	cell->kind = GRT_CELL_S64;
	cell->signed_number = view->job->status;
}

static void get_flags(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	set_text(cell, grt_job_flags(view->job->flags, cell->buf));
}

static void get_label(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	if (view->rules)
		set_text(cell, grt_rules_names(view->rules, view->labels, cell->buf));
}

static const struct grt_cgroup *cgroup_of(const struct grt_view *view)
{
	return grt_names_cgroup_of(view->names, view->job->process);
}

/* The context tells the boot, so this is known of kernel jobs, too. */
static void get_machine(struct grt_cell *cell, const struct grt_view *view, int is_boot)
{
	const struct grt_machine *m = grt_machine_names_of_ctx(&view->names->machines, view->job->ctx);

	set_text(cell, is_boot ? m->boot_id : m->host);
}

static void get_pidns(struct grt_cell *cell, const struct grt_view *view, int which)
{
	(void)which;
	if (view->job->process != GRT_NONE && grt_names_process_at(view->names, view->job->process)->pidns)
		set_u64(cell, grt_names_process_at(view->names, view->job->process)->pidns);
}

static void get_cgroup_id(struct grt_cell *cell, const struct grt_view *view, int which)
{
	const struct grt_cgroup *c = cgroup_of(view);

	(void)which;
	if (c)
		set_u64(cell, c->id);
}

static void get_place(struct grt_cell *cell, const struct grt_view *view, int which)
{
	const struct grt_cgroup *c = cgroup_of(view);

	if (c)
		set_text(cell, grt_cgroup_text(&view->names->cgroups, c, which));
}

const struct grt_column grt_columns[] = {
	{ "device", get_ring, RING_DEVICE, GRT_COLUMN_NAME },
	{ "ring", get_ring, RING_NAME, GRT_COLUMN_RING },
	{ "engine", get_ring, RING_ENGINE, GRT_COLUMN_ENGINE },
	{ "ctx", get_ctx, 0, GRT_COLUMN_NUMBER },
	{ "seqno", get_seqno, 0, GRT_COLUMN_NUMBER },
	{ "pid", get_pid, 0, GRT_COLUMN_NUMBER },
	{ "comm", get_comm, 0, GRT_COLUMN_NAME },
#define GRT_X(NAME, name) { #name "_ns", get_stamp, GRT_AT_##NAME, GRT_COLUMN_STAMP },
	GRT_STAMPS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { #name "_ns", get_stage, GRT_STAGE_##NAME, GRT_COLUMN_STAGE },
	GRT_STAGES(GRT_X)
#undef GRT_X
	{ "status", get_status, 0, GRT_COLUMN_STATUS },
	{ "flags", get_flags, 0, GRT_COLUMN_FLAGS },
	{ "label", get_label, 0, GRT_COLUMN_LABELS },
#define GRT_X(NAME, name, text) { #name "_ns", get_stage, GRT_STAGE_##NAME, GRT_COLUMN_STAGE },
	GRT_CPU_STAGES(GRT_X)
#undef GRT_X
	{ "host", get_machine, false, GRT_COLUMN_NAME },
	{ "boot_id", get_machine, true, GRT_COLUMN_NAME },
	{ "pidns", get_pidns, 0, GRT_COLUMN_NUMBER },
	{ "cgroup_id", get_cgroup_id, 0, GRT_COLUMN_NUMBER },
	{ "cgroup", get_place, GRT_CGROUP_PATH, GRT_COLUMN_CGROUP },
	{ "namespace", get_place, GRT_CGROUP_NAMESPACE, GRT_COLUMN_NAME },
	{ "pod", get_place, GRT_CGROUP_POD, GRT_COLUMN_POD },
	{ "container", get_place, GRT_CGROUP_CONTAINER, GRT_COLUMN_NAME },
	{ "slurm_job", get_place, GRT_CGROUP_SLURM_JOB, GRT_COLUMN_NAME },
	{ "unit", get_place, GRT_CGROUP_UNIT, GRT_COLUMN_NAME },
};

const size_t grt_nr_columns = sizeof(grt_columns) / sizeof(grt_columns[0]);
_Static_assert(sizeof(grt_columns) / sizeof(grt_columns[0]) <= GRT_MAX_COLUMNS, "room for all");
