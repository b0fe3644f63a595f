// SPDX-License-Identifier: LGPL-2.1
#include "job_lanes.h"

#include <stdlib.h>

#include "error.h"
#include "piece.h"

void grt_job_lanes_begin(struct grt_job_lanes *j, const struct grt_lanes *lanes)
{
	j->lanes = lanes;
	j->is_complete = j->has_learnt;
	for (unsigned int i = 0; i < j->count; i++) {
		free(j->rows[i].ns);
		j->rows[i].ns = NULL;
		j->rows[i].is_seen = false;
	}
	if (j->count)
		return;
	j->rows[0] = (struct grt_job_lane){ .ctx = j->ctx, .seqno = j->seqno };
	j->count = 1;
}

static void add_time(const struct grt_job_lanes *j, struct grt_job_lane *row, unsigned int stage,
		     uint64_t at_ns, uint64_t to_ns)
{
	const struct grt_lanes *l = j->lanes;
	uint64_t end_ns;

	if (at_ns < l->from_ns)
		at_ns = l->from_ns;
	if (to_ns > l->to_ns)
		to_ns = l->to_ns;
	for (uint32_t i = at_ns < to_ns ? grt_lanes_column(l, at_ns) : 0; at_ns < to_ns;
	     i++, at_ns = end_ns) {
		end_ns = grt_lanes_ns(l, i + 1);
		if (end_ns > to_ns || i + 1 == l->columns)
			end_ns = to_ns;
		row->ns[i][stage] += end_ns - at_ns;
	}
}

static void add_part(const struct grt_job_lanes *j, struct grt_job_lane *row, unsigned int stage,
		     enum grt_stamp from, enum grt_stamp to)
{
	const struct grt_job *job = &row->job;

	if (grt_job_has(job, from) && grt_job_has(job, to))
		add_time(j, row, stage, job->at_ns[from], job->at_ns[to]);
}

struct add {
	struct grt_job_lanes *lanes;
	struct grt_job_lane *row;
	bool has_pieces, learns;
};

static void learn(struct grt_job_lanes *j, const struct grt_charge *piece);

static int add_piece(void *arg, const struct grt_charge *piece)
{
	const struct add *a = arg;

	if (a->has_pieces && piece->stage < GRT_STAGE_TOTAL)
		add_time(a->lanes, a->row, piece->stage, piece->from_ns, piece->from_ns + piece->ns);
	if (a->learns && piece->ctx)
		learn(a->lanes, piece);
	return 0;
}

/* Where it is not known how a wait divides into stages, all of it is SUBMIT_HOST, or HW. */
static void add_stages(struct grt_job_lanes *j, struct grt_job_lane *row, const struct grt_job *job)
{
	bool has_start = grt_job_has(job, GRT_AT_START);
	struct add add = {
		.lanes = j, .row = row, .has_pieces = job->nr_pieces && grt_job_knows(job, GRT_STAGE_DEP),
		.learns = row == j->rows && !j->has_learnt,
	};

	grt_pieces_walk(job, 0, grt_pieces_end_ns(job), add_piece, &add);
	if (!add.has_pieces) {
		add_part(j, row, GRT_STAGE_SUBMIT_HOST, GRT_AT_SUBMIT, GRT_AT_COMMIT);
		add_part(j, row, GRT_STAGE_QUEUE, GRT_AT_COMMIT, GRT_AT_START);
	}
	if (has_start)
		add_part(j, row, GRT_STAGE_EXEC, GRT_AT_START, GRT_AT_END);
	else
		add_part(j, row, GRT_STAGE_HW, GRT_AT_COMMIT, GRT_AT_END);
	add_part(j, row, GRT_STAGE_COMPLETE, GRT_AT_END, GRT_AT_COMPLETE);
}

/* Adds to the wait for a job or fence; if there is no room, to none. */
static void learn(struct grt_job_lanes *j, const struct grt_charge *piece)
{
	unsigned int i = 1, least = 0;

	while (i < j->count && (j->rows[i].ctx != piece->ctx || j->rows[i].seqno != piece->seqno))
		i++;
	if (i == GRT_JOB_LANES_MAX) {
		for (i = 1; i < j->count; i++)
			if (!least || j->rows[i].wait_ns < j->rows[least].wait_ns)
				least = i;
		if (j->rows[least].wait_ns >= piece->ns)
			return;
		j->rows[least] = (struct grt_job_lane){ .ctx = piece->ctx, .seqno = piece->seqno };
		i = least;
	} else if (i == j->count) {
		j->rows[j->count++] = (struct grt_job_lane){ .ctx = piece->ctx, .seqno = piece->seqno };
	}
	j->rows[i].wait_ns += piece->ns;
}

int grt_job_lanes_add(struct grt_job_lanes *j, const struct grt_job *job)
{
	struct grt_job_lane *row = j->rows;

	while (row < j->rows + j->count && (row->ctx != job->ctx || row->seqno != job->seqno))
		row++;
	if (row == j->rows + j->count || row->is_seen)
		return 0;
	row->ns = calloc(j->lanes->columns, sizeof(*row->ns));
	if (!row->ns)
		return grt_fail_memory();
	row->is_seen = true;
	row->job = grt_job_alone(job);
	add_stages(j, row, job);
	return 0;
}

bool grt_job_lanes_wants_more(struct grt_job_lanes *j)
{
	j->has_learnt = true;
	return !j->is_complete && j->count > 1;
}

int grt_job_lane_stage(const struct grt_job_lane *row, uint32_t column)
{
	int most = -1;

	for (int stage = 0; row->ns && stage < GRT_STAGE_TOTAL; stage++)
		if (row->ns[column][stage] && (most < 0 || row->ns[column][stage] > row->ns[column][most]))
			most = stage;
	return most;
}

void grt_job_lanes_free(struct grt_job_lanes *j)
{
	for (unsigned int i = 0; i < j->count; i++)
		free(j->rows[i].ns);
	*j = (struct grt_job_lanes){ .ctx = 0 };
}
