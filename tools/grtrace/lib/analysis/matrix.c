// SPDX-License-Identifier: LGPL-2.1
#include "matrix.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

static struct grt_matrix_row *row_at(const struct grt_matrix *m, uint32_t i)
{
	return grt_vec_at(&m->rows, struct grt_matrix_row, i);
}

static __attribute__((noinline)) struct grt_matrix_row *
add_row(struct grt_matrix *m, uint32_t culprit, uint8_t kind)
{
	struct grt_matrix_row *row = grt_vec_grow(&m->rows, sizeof(*row));

	if (row)
		*row = (struct grt_matrix_row){
			.victim = m->job->client, .culprit = culprit, .kind = kind,
		};
	return row;
}

/* The rows of a victim of low number, see grt_matrix.low; NULL without memory. */
static uint32_t *low_rows(struct grt_matrix *m, uint32_t victim)
{
	if (!m->low[victim])
		m->low[victim] =
			calloc((size_t)GRT_MATRIX_LOW * m->kinds, sizeof(*m->low[victim]));
	return m->low[victim];
}

static __attribute__((noinline)) struct grt_matrix_row *
search_row(struct grt_matrix *m, uint32_t culprit, uint8_t kind, uint32_t number)
{
	uint32_t i = grt_keymap_get(&m->index, m->job->client, number);

	if (i != GRT_NONE)
		return row_at(m, i);
	if (grt_keymap_put(&m->index, m->job->client, number, grt_matrix_count(m)))
		return NULL;
	return add_row(m, culprit, kind);
}

/* Culprit and kind in one number; GRT_NONE + 1 is 0. */
static uint32_t number_of(const struct grt_matrix *m, uint32_t culprit, uint8_t kind)
{
	return (culprit + 1) * m->kinds + kind;
}

/* @low: low_rows() of this victim; NULL where its number is not low. */
static inline struct grt_matrix_row *row_of(struct grt_matrix *m, uint32_t *low, uint32_t culprit,
					    uint8_t kind)
{
	uint32_t number = number_of(m, culprit, kind);

	if (!low || number >= GRT_MATRIX_LOW * m->kinds)
		return search_row(m, culprit, kind, number);
	if (low[number])
		return row_at(m, low[number] - 1);
	low[number] = grt_matrix_count(m) + 1;
	return add_row(m, culprit, kind);
}

static void free_index(struct grt_matrix *m)
{
	for (int i = 0; i < GRT_MATRIX_LOW; i++) {
		free(m->low[i]);
		m->low[i] = NULL;
	}
	grt_keymap_free(&m->index);
}

bool grt_matrix_begin(struct grt_matrix *m, const struct grt_job *job)
{
	/* A job that is cut by an end of the trace is not part of any sum. */
	if (job->client == GRT_NONE || job->flags & GRT_JOB_CUT)
		return false;
	m->job = job;
	return true;
}

/* Adds the sum of a job's waits for one culprit and kind. */
static inline int add(struct grt_matrix *m, uint32_t *low, uint32_t culprit, uint8_t kind,
		      uint64_t ns)
{
	struct grt_matrix_row *row;

	if (!ns)
		return 0;
	row = row_of(m, low, culprit, kind);
	if (!row)
		return grt_fail_memory();
	if (__builtin_add_overflow(row->ns, ns, &row->ns))
		row->ns = UINT64_MAX;
	row->jobs++;
	if (ns <= row->worst_ns)
		return 0;
	row->worst_ns = ns;
	row->worst_ctx = m->job->ctx;
	row->worst_seqno = m->job->seqno;
	return 0;
}

/* The row in @sums of a culprit and kind; GRT_NONE: there is none yet. */
static uint32_t sum_row(const struct grt_matrix *m, uint32_t number)
{
	if (number >= GRT_MATRIX_LOW * m->kinds)
		return grt_keymap_get(&m->sum_rows, number, 0);
	return m->low_sums && m->low_sums[number] ? m->low_sums[number] - 1 : GRT_NONE;
}

static int set_sum_row(struct grt_matrix *m, uint32_t number, uint32_t row)
{
	if (number >= GRT_MATRIX_LOW * m->kinds)
		return grt_keymap_put(&m->sum_rows, number, 0, row);
	if (!m->low_sums)
		m->low_sums = calloc((size_t)GRT_MATRIX_LOW * m->kinds, sizeof(*m->low_sums));
	if (!m->low_sums)
		return -ENOMEM;
	m->low_sums[number] = row + 1;
	return 0;
}

int grt_matrix_add(struct grt_matrix *m, uint32_t culprit, uint8_t kind, uint64_t ns)
{
	uint32_t number = number_of(m, culprit, kind), row = sum_row(m, number);
	struct grt_matrix_sum *sum;

	if (row == GRT_NONE) {
		row = grt_vec_count(&m->sums, struct grt_matrix_sum);
		sum = grt_vec_grow(&m->sums, sizeof(*sum));
		if (!sum || set_sum_row(m, number, row))
			return grt_fail_memory();
		*sum = (struct grt_matrix_sum){ .culprit = culprit, .kind = kind };
	}
	sum = grt_vec_at(&m->sums, struct grt_matrix_sum, row);
	if (__builtin_add_overflow(sum->ns, ns, &sum->ns))
		sum->ns = UINT64_MAX;
	return 0;
}

int grt_matrix_end(struct grt_matrix *m)
{
	uint32_t *low = NULL;
	int err = 0;

	if (m->job->client < GRT_MATRIX_LOW) {
		low = low_rows(m, m->job->client);
		if (!low)
			err = grt_fail_memory();
	}
	for (size_t i = 0; i < grt_vec_count(&m->sums, struct grt_matrix_sum); i++) {
		const struct grt_matrix_sum *sum = grt_vec_at(&m->sums, struct grt_matrix_sum, i);
		uint32_t number = number_of(m, sum->culprit, sum->kind);

		if (!err)
			err = add(m, low, sum->culprit, sum->kind, sum->ns);
		if (number < GRT_MATRIX_LOW * m->kinds)
			m->low_sums[number] = 0;
		else
			grt_keymap_del(&m->sum_rows, number, 0);
	}
	m->sums.bytes = 0;
	return err;
}

int grt_matrix_add_blame(struct grt_matrix *m, const struct grt_job *job)
{
	uint32_t *low = NULL;
	int err = 0;

	if (!grt_matrix_begin(m, job))
		return 0;
	if (job->client < GRT_MATRIX_LOW) {
		low = low_rows(m, job->client);
		if (!low)
			return grt_fail_memory();
	}
	for (uint32_t i = 0; i < job->nr_charges && !err; i++)
		err = add(m, low, job->charges[i].client, job->charges[i].reason,
			  job->charges[i].ns);
	return err;
}

static int compare_rows(const void *a, const void *b)
{
	const struct grt_matrix_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->victim != y->victim)
		return x->victim < y->victim ? -1 : 1;
	if (x->culprit != y->culprit)
		return x->culprit < y->culprit ? -1 : 1;
	return x->kind - y->kind;
}

void grt_matrix_sort(struct grt_matrix *m)
{
	free_index(m);	/* the rows move */
	if (m->rows.bytes)
		qsort(m->rows.data, grt_matrix_count(m), sizeof(struct grt_matrix_row),
		      compare_rows);
}

void grt_matrix_free(struct grt_matrix *m)
{
	grt_vec_free(&m->rows);
	grt_vec_free(&m->sums);
	grt_keymap_free(&m->sum_rows);
	free(m->low_sums);
	m->low_sums = NULL;
	free_index(m);
}
