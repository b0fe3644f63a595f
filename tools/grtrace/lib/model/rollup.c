// SPDX-License-Identifier: LGPL-2.1
#include "rollup.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

static struct grt_rollup_row *row_of(struct grt_rollup *r, uint32_t ring, uint32_t process)
{
	uint32_t i = grt_keymap_get(&r->index, ring, process);
	struct grt_rollup_row *row;

	if (i != GRT_NONE)
		return grt_rollup_at(r, i);
	i = grt_rollup_count(r);
	row = calloc(1, sizeof(*row));
	if (!row || grt_vec_append(&r->rows, &row, sizeof(row))) {
		free(row);
		grt_fail_memory();
		return NULL;
	}
	row->ring = ring;
	row->process = process;
	return grt_keymap_put(&r->index, ring, process, i) ? NULL : row;
}

static int add_times(struct grt_rollup_row *row, const struct grt_job *job)
{
	bool has_total = grt_job_knows(job, GRT_STAGE_TOTAL);

	for (unsigned int known = job->stages; known; known &= known - 1) {
		int stage = __builtin_ctz(known);
		int err = grt_hist_add(&row->stages[stage], job->stage_ns[stage]);

		if (err)
			return err;
		if (has_total)
			row->share_ns[stage] += job->stage_ns[stage];
	}
	if (has_total && grt_job_knows(job, GRT_STAGE_HW) &&
	    !grt_job_knows(job, GRT_STAGE_EXEC) && !(job->flags & GRT_JOB_NO_HW))
		row->unsplit_ns += job->stage_ns[GRT_STAGE_HW];
	return 0;
}

int grt_rollup_add(struct grt_rollup *r, const struct grt_job *job)
{
	struct grt_rollup_row *row = row_of(r, job->ring, job->process);

	if (!row)
		return -ENOMEM;
	row->jobs++;
	row->cut += !!(job->flags & GRT_JOB_CUT);
	row->lossy += !!(job->flags & GRT_JOB_LOSSY);
	row->killed += !!(job->flags & GRT_JOB_KILLED);
	row->inferred += !!(job->flags & GRT_JOB_INFERRED_START);
	row->failed += job->has_status && job->status;
	return job->flags & GRT_JOB_CUT ? 0 : add_times(row, job);
}

static int merge(struct grt_rollup_row *to, const struct grt_rollup_row *from)
{
	to->jobs += from->jobs;
	to->cut += from->cut;
	to->lossy += from->lossy;
	to->killed += from->killed;
	to->inferred += from->inferred;
	to->failed += from->failed;
	to->unsplit_ns += from->unsplit_ns;
	for (int i = 0; i < GRT_NR_STAGES; i++) {
		int err = grt_hist_merge(&to->stages[i], &from->stages[i]);

		if (err)
			return err;
		to->share_ns[i] += from->share_ns[i];
	}
	return 0;
}

int grt_rollup_by_ring(struct grt_rollup *to, const struct grt_rollup *from)
{
	for (size_t i = 0; i < grt_rollup_count(from); i++) {
		struct grt_rollup_row *row = row_of(to, grt_rollup_at(from, i)->ring, GRT_NONE);
		int err = row ? merge(row, grt_rollup_at(from, i)) : -ENOMEM;

		if (err)
			return err;
	}
	return 0;
}

int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from)
{
	row->ring = row->process = GRT_NONE;
	for (size_t i = 0; i < grt_rollup_count(from); i++) {
		int err = merge(row, grt_rollup_at(from, i));

		if (err)
			return err;
	}
	return 0;
}

void grt_rollup_row_free(struct grt_rollup_row *row)
{
	for (int i = 0; i < GRT_NR_STAGES; i++)
		grt_hist_free(&row->stages[i]);
}

static int compare_rows(const void *a, const void *b)
{
	const struct grt_rollup_row *x = *(struct grt_rollup_row * const *)a;
	const struct grt_rollup_row *y = *(struct grt_rollup_row * const *)b;

	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	if (x->stages[GRT_STAGE_TOTAL].sum != y->stages[GRT_STAGE_TOTAL].sum)
		return x->stages[GRT_STAGE_TOTAL].sum > y->stages[GRT_STAGE_TOTAL].sum ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

void grt_rollup_sort(struct grt_rollup *r)
{
	/* The rows move, so the index goes: nothing is added after sorting. */
	grt_keymap_free(&r->index);
	if (r->rows.bytes)
		qsort(r->rows.data, grt_rollup_count(r), sizeof(struct grt_rollup_row *),
		      compare_rows);
}

void grt_rollup_free(struct grt_rollup *r)
{
	for (size_t i = 0; i < grt_rollup_count(r); i++) {
		grt_rollup_row_free(grt_rollup_at(r, i));
		free(grt_rollup_at(r, i));
	}
	grt_vec_free(&r->rows);
	grt_keymap_free(&r->index);
}
