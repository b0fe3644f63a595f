// SPDX-License-Identifier: LGPL-2.1
#include "job_column.h"

#include <stdio.h>

#include <linux/grtrace.h>

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

const char *grt_engine_name(uint32_t engine)
{
	static const char *const names[] = {
#define GRT_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ENGINES(GRT_X)
#undef GRT_X
	};

	return engine < GRTRACE_NR_ENGINES ? names[engine] : names[GRTRACE_ENGINE_OTHER];
}

const char *grt_ring_name(const struct grt_ring *ring, char *buf)
{
	if (*ring->name)
		return ring->name;
	snprintf(buf, GRT_RING_NAME_MAX, "ring %u", ring->id);
	return buf;
}

enum ring_text { RING_DEVICE, RING_NAME, RING_ENGINE };

static void get_ring(struct grt_cell *cell, const struct grt_names *names,
		     const struct grt_job *job, int which)
{
	const struct grt_ring *ring;

	if (job->ring == GRT_NONE)
		return;
	ring = grt_names_ring_at(names, job->ring);
	if (which == RING_DEVICE)
		set_text(cell, ring->device);
	else if (which == RING_NAME)
		set_text(cell, grt_ring_name(ring, cell->flags));
	else if (ring->is_defined)
		set_text(cell, grt_engine_name(ring->engine));
}

static void get_ctx(struct grt_cell *cell, const struct grt_names *names,
		    const struct grt_job *job, int which)
{
	(void)names, (void)which;
	set_u64(cell, job->ctx);
}

static void get_seqno(struct grt_cell *cell, const struct grt_names *names,
		      const struct grt_job *job, int which)
{
	(void)names, (void)which;
	set_u64(cell, job->seqno);
}

static void get_pid(struct grt_cell *cell, const struct grt_names *names,
		    const struct grt_job *job, int which)
{
	(void)which;
	if (job->process != GRT_NONE)
		set_u64(cell, grt_names_process_at(names, job->process)->tgid);
}

static void get_comm(struct grt_cell *cell, const struct grt_names *names,
		     const struct grt_job *job, int which)
{
	(void)which;
	if (job->process != GRT_NONE)
		set_text(cell, grt_names_process_at(names, job->process)->comm);
}

static void get_stamp(struct grt_cell *cell, const struct grt_names *names,
		      const struct grt_job *job, int which)
{
	(void)names;
	if (grt_job_has(job, which))
		set_u64(cell, job->at_ns[which]);
}

static void get_stage(struct grt_cell *cell, const struct grt_names *names,
		      const struct grt_job *job, int which)
{
	(void)names;
	if (grt_job_knows(job, which))
		set_u64(cell, job->stage_ns[which]);
}

static void get_status(struct grt_cell *cell, const struct grt_names *names,
		       const struct grt_job *job, int which)
{
	(void)names, (void)which;
	if (!job->has_status)
		return;
	cell->kind = GRT_CELL_S64;
	cell->signed_number = job->status;
}

static void get_flags(struct grt_cell *cell, const struct grt_names *names,
		      const struct grt_job *job, int which)
{
	(void)names, (void)which;
	set_text(cell, grt_job_flags(job->flags, cell->flags));
}

/* Labels come from rules, of which there are none yet: not known. */
static void get_label(struct grt_cell *cell, const struct grt_names *names,
		      const struct grt_job *job, int which)
{
	(void)names, (void)job, (void)which;
	cell->kind = GRT_CELL_UNKNOWN;
}

const struct grt_job_column grt_job_columns[] = {
	{ "device", get_ring, RING_DEVICE },
	{ "ring", get_ring, RING_NAME },
	{ "engine", get_ring, RING_ENGINE },
	{ "ctx", get_ctx, 0 },
	{ "seqno", get_seqno, 0 },
	{ "pid", get_pid, 0 },
	{ "comm", get_comm, 0 },
#define GRT_X(NAME, name) { #name "_ns", get_stamp, GRT_AT_##NAME },
	GRT_STAMPS(GRT_X)
#undef GRT_X
#define GRT_X(NAME, name, text) { #name "_ns", get_stage, GRT_STAGE_##NAME },
	GRT_STAGES(GRT_X)
#undef GRT_X
	{ "status", get_status, 0 },
	{ "flags", get_flags, 0 },
	{ "label", get_label, 0 },
};

const size_t grt_nr_job_columns = sizeof(grt_job_columns) / sizeof(grt_job_columns[0]);
