// SPDX-License-Identifier: LGPL-2.1
#include "blame.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"

static struct grt_blame_row *row_at(const struct grt_blame *b, uint32_t i)
{
	return grt_vec_at(&b->rows, struct grt_blame_row, i);
}

/* Culprit and reason in one number; GRT_NONE + 1 is 0. */
static uint32_t number_of(const struct grt_charge *c)
{
	return (c->client + 1) * GRT_NR_BLAME_REASONS + c->reason;
}

static __attribute__((noinline)) struct grt_blame_row *
add_row(struct grt_blame *b, uint32_t victim, const struct grt_charge *c)
{
	struct grt_blame_row *row = grt_vec_grow(&b->rows, sizeof(*row));

	if (row)
		*row = (struct grt_blame_row){
			.victim = victim, .culprit = c->client, .reason = c->reason,
		};
	return row;
}

/* The rows of a victim of low number, see grt_blame.low; NULL without memory. */
static uint32_t *low_rows(struct grt_blame *b, uint32_t victim)
{
	if (!b->low[victim])
		b->low[victim] =
			calloc(GRT_BLAME_LOW * GRT_NR_BLAME_REASONS, sizeof(*b->low[victim]));
	return b->low[victim];
}

static __attribute__((noinline)) struct grt_blame_row *
search_row(struct grt_blame *b, uint32_t victim, const struct grt_charge *c)
{
	uint32_t i = grt_keymap_get(&b->index, victim, number_of(c));

	if (i != GRT_NONE)
		return row_at(b, i);
	if (grt_keymap_put(&b->index, victim, number_of(c), grt_blame_count(b)))
		return NULL;
	return add_row(b, victim, c);
}

/* @low: low_rows() of this victim; NULL where its number is not low. */
static inline struct grt_blame_row *row_of(struct grt_blame *b, uint32_t *low, uint32_t victim,
					   const struct grt_charge *c)
{
	uint32_t number = number_of(c);

	if (!low || number >= GRT_BLAME_LOW * GRT_NR_BLAME_REASONS)
		return search_row(b, victim, c);
	if (low[number])
		return row_at(b, low[number] - 1);
	low[number] = grt_blame_count(b) + 1;
	return add_row(b, victim, c);
}

static void free_index(struct grt_blame *b)
{
	for (int i = 0; i < GRT_BLAME_LOW; i++) {
		free(b->low[i]);
		b->low[i] = NULL;
	}
	grt_keymap_free(&b->index);
}

int grt_blame_add(struct grt_blame *b, const struct grt_job *job)
{
	uint32_t *low = NULL;

	/* A job that is cut by an end of the trace is not part of any sum. */
	if (job->client == GRT_NONE || job->flags & GRT_JOB_CUT)
		return 0;
	if (job->client < GRT_BLAME_LOW) {
		low = low_rows(b, job->client);
		if (!low)
			return grt_fail_memory();
	}
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge *c = &job->charges[i];
		struct grt_blame_row *row;

		if (!c->ns)
			continue;
		row = row_of(b, low, job->client, c);
		if (!row)
			return grt_fail_memory();
		if (__builtin_add_overflow(row->ns, c->ns, &row->ns))
			row->ns = UINT64_MAX;
		row->jobs++;
		if (c->ns <= row->worst_ns)
			continue;
		row->worst_ns = c->ns;
		row->worst_ctx = job->ctx;
		row->worst_seqno = job->seqno;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct grt_blame_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->victim != y->victim)
		return x->victim < y->victim ? -1 : 1;
	if (x->culprit != y->culprit)
		return x->culprit < y->culprit ? -1 : 1;
	return x->reason - y->reason;
}

void grt_blame_sort(struct grt_blame *b)
{
	free_index(b);	/* the rows move */
	if (b->rows.bytes)
		qsort(b->rows.data, grt_blame_count(b), sizeof(struct grt_blame_row),
		      compare_rows);
}

void grt_blame_free(struct grt_blame *b)
{
	grt_vec_free(&b->rows);
	free_index(b);
}
