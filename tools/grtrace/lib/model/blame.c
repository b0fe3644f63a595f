// SPDX-License-Identifier: LGPL-2.1
#include "blame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "keymap.h"

/* Makes sure that @v has zeroed bytes up to @bytes.  0 or -ENOMEM. */
static int reach(struct grt_vec *v, size_t bytes)
{
	size_t old = v->bytes;
	void *more;

	if (bytes <= old)
		return 0;
	more = grt_vec_grow(v, bytes - old);
	if (!more)
		return -ENOMEM;
	memset(more, 0, bytes - old);
	return 0;
}

static __attribute__((noinline)) struct grt_blame_row *
add_row(struct grt_blame *b, struct grt_vec *culprits, uint32_t victim, const struct grt_charge *c)
{
	size_t at = (size_t)(c->party + 1) * GRT_NR_THROUGHS + c->through;
	struct grt_blame_row *row;

	if (reach(culprits, (at + 1) * sizeof(uint32_t)))
		return NULL;
	row = grt_vec_grow(&b->rows, sizeof(*row));
	if (!row)
		return NULL;
	*grt_vec_at(culprits, uint32_t, at) = grt_blame_count(b);
	*row = (struct grt_blame_row){
		.victim = victim, .culprit = c->party, .through = c->through,
	};
	return row;
}

/* Parties are numbered from 0 on and few: rows are found without a search. */
static inline struct grt_blame_row *row_of(struct grt_blame *b, struct grt_vec *culprits,
					   uint32_t victim, const struct grt_charge *c)
{
	size_t at = (size_t)(c->party + 1) * GRT_NR_THROUGHS + c->through;
	uint32_t nr = 0;

	if (at < grt_vec_count(culprits, uint32_t))
		nr = *grt_vec_at(culprits, uint32_t, at);
	if (!nr)
		return add_row(b, culprits, victim, c);
	return grt_vec_at(&b->rows, struct grt_blame_row, nr - 1);
}

static void free_index(struct grt_blame *b)
{
	for (size_t i = 0; i < grt_vec_count(&b->victims, struct grt_vec); i++)
		grt_vec_free(grt_vec_at(&b->victims, struct grt_vec, i));
	grt_vec_free(&b->victims);
}

int grt_blame_add(struct grt_blame *b, const struct grt_job *job)
{
	struct grt_vec *culprits;

	if (job->party == GRT_NONE)
		return 0;
	if (reach(&b->victims, (job->party + 1ul) * sizeof(struct grt_vec)))
		return grt_fail_memory();
	culprits = grt_vec_at(&b->victims, struct grt_vec, job->party);
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge *c = &job->charges[i];
		struct grt_blame_row *row;

		if (!c->ns)
			continue;
		row = row_of(b, culprits, job->party, c);
		if (!row)
			return grt_fail_memory();
		row->ns += c->ns;
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
	return x->through - y->through;
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
