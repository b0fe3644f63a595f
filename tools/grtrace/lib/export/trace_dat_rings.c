// SPDX-License-Identifier: LGPL-2.1
#include "trace_dat_rings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "heap.h"
#include "quote.h"

#define MAX_RINGS	65536		/* as in the names */
#define MAX_ROWS	1024		/* jobs of later rings are in the row of unknown rings */

/*
 * Jobs come in the order in which they are over, rows have the order of their ENDs.  So many jobs of
 * a ring wait for one with an earlier END.
 */
#define MAX_HELD	64

struct held_job {
	struct grt_dat_job event;
	uint64_t begin_ns, end_ns;	/* on the hardware, or the last stamp */
	bool has_begin, is_inferred;
};

struct grt_dat_row {
	struct grt_dat_lane lane;
	struct grt_heap order;		/* of @held, by end */
	bool is_named;
	bool is_used;			/* the latest event belongs to a task: a gap ends its colour */
	uint32_t nr_free, free[MAX_HELD];
	struct held_job held[MAX_HELD];
};

/* The largest event of a row, with the name of a ring. */
struct event {
	union {
		struct grt_dat_common common;
		struct grt_dat_job job;
		struct grt_dat_run run;
		struct grt_dat_gap gap;
		unsigned char bytes[sizeof(struct grt_dat_job) + 64];
	};
};

int grt_dat_rings_init(struct grt_dat_rings *t)
{
	struct grt_dat_ring unknown = { .title = "unknown" };

	return grt_vec_append(&t->all, &unknown, sizeof(unknown)) ? grt_fail_memory() : 0;
}

void grt_dat_rings_free(struct grt_dat_rings *t)
{
	for (size_t i = 0; i < grt_vec_count(&t->all, struct grt_dat_ring); i++) {
		struct grt_dat_row *row = grt_dat_ring_at(t, i)->row;

		if (row)
			grt_heap_free(&row->order);
		free(row);
	}
	grt_vec_free(&t->all);
	grt_map_free(&t->index);
}

uint32_t grt_dat_ring_index(const struct grt_dat_rings *t, uint32_t id)
{
	const uint64_t *index = grt_map_get(&t->index, id);

	return index ? *index : 0;
}

/* The ring, added if missing; the unknown one for 0, and if there are too many. */
static struct grt_dat_ring *add_ring(struct grt_dat_rings *t, uint32_t id)
{
	uint32_t index = grt_dat_ring_index(t, id);
	struct grt_dat_ring ring = { .row = NULL };
	uint64_t *to;

	if (index || !id || grt_map_count(&t->index) >= MAX_RINGS)
		return grt_dat_ring_at(t, index);
	snprintf(ring.title, sizeof(ring.title), "%u", id);
	to = grt_map_put(&t->index, id);
	if (!to || grt_vec_append(&t->all, &ring, sizeof(ring))) {
		grt_fail_memory();
		return NULL;
	}
	*to = grt_vec_count(&t->all, struct grt_dat_ring) - 1;
	return grt_dat_ring_at(t, *to);
}

int grt_dat_rings_define(struct grt_dat_rings *t, const struct grtrace_ring *rec)
{
	struct grt_dat_ring *ring = add_ring(t, rec->ring);
	char text[80];

	if (!ring)
		return -ENOMEM;
	if (ring == grt_dat_ring_at(t, 0))
		return 0;
	if (!ring->def.hdr.size)
		ring->def = *rec;
	snprintf(text, sizeof(text), "%.*s", (int)sizeof(rec->name), (const char *)rec->name);
	grt_quote_text(ring->name, sizeof(ring->name), text);
	snprintf(text, sizeof(text), "%.*s %.*s", (int)sizeof(rec->name), (const char *)rec->name,
		 (int)sizeof(rec->device), (const char *)rec->device);
	grt_quote_text(ring->title, sizeof(ring->title), text);
	snprintf(text, sizeof(text), "%.*s", (int)sizeof(rec->device), (const char *)rec->device);
	if (!*t->device)
		memcpy(t->device, text, sizeof(rec->device));
	t->has_devices |= strcmp(t->device, text) != 0;
	return 0;
}

/* --- rows --- */

static int put(struct grt_dat_rings *t, struct grt_dat_row *row, uint64_t ns,
	       const void *ev, size_t bytes)
{
	return grt_dat_lane_put(&row->lane, t->scratch, ns, ev, bytes);
}

/* The first event of a row says which ring it is; the next one is at @ns. */
static int put_name(struct grt_dat_rings *t, uint32_t index, uint64_t ns)
{
	const struct grt_dat_ring *ring = grt_dat_ring_at(t, index);
	unsigned char ev[GRT_DAT_MAX_EVENT];
	struct grt_dat_text none = { NULL, 0 };
	struct grt_dat_shape shape;
	size_t bytes;

	if (ring->row->is_named || !ring->def.hdr.size)
		return 0;
	ring->row->is_named = ring->row->is_used = true;
	grt_dat_shape(&shape, grt_type_by_number(GRTRACE_RING));
	bytes = grt_dat_fill(ev, &shape, &ring->def.hdr, "", grt_dat_task_of_ring(t->tasks, index), &none);
	return put(t, ring->row, ns < t->from_ns ? ns : t->from_ns, ev, bytes);
}

/* Makes the row of a ring if it has none.  0, or -errno with a cause. */
static int make_row(struct grt_dat_rings *t, uint32_t index)
{
	struct grt_dat_ring *ring = grt_dat_ring_at(t, index);

	if (ring->row)
		return 0;
	ring->row = calloc(1, sizeof(*ring->row));
	if (!ring->row)
		return grt_fail_memory();
	ring->row->nr_free = MAX_HELD;
	for (uint32_t i = 0; i < MAX_HELD; i++)
		ring->row->free[i] = i;
	return 0;
}

static int put_gap(struct grt_dat_rings *t, uint32_t index, struct grt_dat_row *row)
{
	const struct grt_dat_ring *ring = grt_dat_ring_at(t, index);
	struct event ev = { .gap = { .common = { .type = GRT_DAT_GAP }, .ring = ring->def.ring } };
	size_t bytes = grt_dat_add_text(&ev, sizeof(ev.gap), sizeof(ev), &ev.gap.ring_name, ring->name);

	row->is_used = false;
	return put(t, row, row->lane.last_ns, &ev, bytes);
}

static int put_run(struct grt_dat_rings *t, uint32_t index, struct grt_dat_row *row,
		   const struct held_job *job)
{
	const struct grt_dat_job *from = &job->event;
	struct event ev = { .run = {
		.common = { .type = GRT_DAT_RUN, .pid = from->common.pid },
		.ctx = from->ctx, .seqno = from->seqno, .ring = from->ring, .tgid = from->tgid,
		.is_inferred = job->is_inferred,
	} };
	size_t bytes = grt_dat_add_text(&ev, sizeof(ev.run), sizeof(ev), &ev.run.ring_name,
					grt_dat_ring_at(t, index)->name);

	memcpy(ev.run.comm, from->comm, sizeof(ev.run.comm));
	return put(t, row, job->begin_ns, &ev, bytes);
}

/* Puts the job with the earliest END. */
static int put_first(struct grt_dat_rings *t, uint32_t index, struct grt_dat_row *row)
{
	uint32_t slot = grt_heap_first(&row->order)->id;
	struct held_job *job = &row->held[slot];
	struct event ev = { .job = job->event };
	bool runs;
	size_t bytes = grt_dat_add_text(&ev, sizeof(ev.job), sizeof(ev), &ev.job.ring_name,
					grt_dat_ring_at(t, index)->name);
	int err = put_name(t, index, job->has_begin ? job->begin_ns : job->end_ns);

	grt_heap_pop(&row->order);
	runs = job->has_begin && job->end_ns > row->lane.last_ns;
	if (!err && row->is_used && (!runs || job->begin_ns > row->lane.last_ns))
		err = put_gap(t, index, row);
	if (!err && runs)
		err = put_run(t, index, row, job);
	if (!err)
		err = put(t, row, job->end_ns, &ev, bytes);
	row->is_used = true;
	row->free[row->nr_free++] = slot;
	return err;
}

/* --- jobs --- */

static void fill_job(const struct grt_dat_rings *t, struct grt_dat_job *to,
		     const struct grt_job *job)
{
	const struct grt_process *process = job->process == GRT_NONE ? NULL :
					    grt_names_process_at(t->names, job->process);
	char comm[sizeof(process->comm)] = "";

	*to = (struct grt_dat_job){
		.common = { .type = GRT_DAT_JOB,
			    .pid = grt_dat_task_of_process(t->tasks, job->process) },
		.ctx = job->ctx, .seqno = job->seqno, .tid = job->tid,
		.tgid = process ? process->tgid : 0, .flags = job->flags,
		.status = job->has_status ? job->status : 0,
		.known = job->stages | (uint32_t)job->stamps << GRT_NR_STAGES |
			 (job->has_status ? GRT_DAT_HAS_STATUS : 0),
	};
	for (int i = 0; i < GRT_NR_STAMPS; i++)
		to->at_ns[i] = grt_job_has(job, i) ? job->at_ns[i] : 0;
	for (int i = 0; i < GRT_NR_STAGES; i++)
		to->stage_ns[i] = grt_job_knows(job, i) ? job->stage_ns[i] : 0;
	if (process) {
		grt_quote_text(comm, sizeof(comm), process->comm);
		memcpy(to->comm, comm, sizeof(to->comm));
	}
}

int grt_dat_rings_job(struct grt_dat_rings *t, const struct grt_job *job)
{
	uint32_t id = job->ring == GRT_NONE ? 0 : grt_names_ring_at(t->names, job->ring)->id;
	bool has_end = grt_job_has(job, GRT_AT_END);
	uint64_t end_ns = has_end ? job->at_ns[GRT_AT_END] : grt_job_last_ns(job);
	struct grt_dat_ring *ring = add_ring(t, id);
	struct grt_dat_row *row;
	struct held_job *held;
	uint32_t index;
	int err;

	if (!ring)
		return -ENOMEM;
	index = ring - grt_dat_ring_at(t, 0);
	if (index >= MAX_ROWS)
		index = 0;
	err = make_row(t, index);
	if (err)
		return err;
	row = grt_dat_ring_at(t, index)->row;
	if (!row->nr_free)
		err = put_first(t, index, row);
	if (err)
		return err;
	held = &row->held[row->free[--row->nr_free]];
	fill_job(t, &held->event, job);
	held->event.ring = id;
	held->has_begin = index && has_end && grt_job_has(job, GRT_AT_START);
	held->begin_ns = job->at_ns[GRT_AT_START];
	held->is_inferred = job->flags & GRT_JOB_INFERRED_START;
	held->end_ns = end_ns;
	return grt_heap_put(&row->order, end_ns, held - row->held) ? grt_fail_memory() : 0;
}

void grt_dat_rings_warn(const struct grt_dat_rings *t)
{
	size_t count = grt_vec_count(&t->all, struct grt_dat_ring);

	if (count > MAX_ROWS)
		grt_warn("grtrace slice --ring takes some rings out of a trace",
			 "there is room for %d rings: jobs of %zu more are in the row of unknown rings", MAX_ROWS - 1,
			 count - MAX_ROWS);
}

int grt_dat_rings_close(struct grt_dat_rings *t)
{
	for (uint32_t i = 0; i < grt_vec_count(&t->all, struct grt_dat_ring) && i < MAX_ROWS; i++) {
		int err = i ? make_row(t, i) : 0;
		struct grt_dat_row *row = grt_dat_ring_at(t, i)->row;

		while (row && !err && grt_heap_count(&row->order))
			err = put_first(t, i, row);
		if (row && !err)
			err = put_name(t, i, t->from_ns);
		if (row && !err && row->is_used)
			err = put_gap(t, i, row);
		if (row && !err)
			err = grt_dat_lane_close(&row->lane, t->scratch);
		if (err)
			return err;
	}
	return 0;
}

struct grt_dat_lane *grt_dat_ring_lane(const struct grt_dat_rings *t, uint32_t index)
{
	struct grt_dat_row *row = grt_dat_ring_at(t, index)->row;

	return row ? &row->lane : NULL;
}
