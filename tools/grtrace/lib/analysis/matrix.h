/* SPDX-License-Identifier: LGPL-2.1 */
/* Who waited for whom: time, summed by waiting client, other client and kind of wait. */
#ifndef GRT_MATRIX_H
#define GRT_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_matrix_row {
	uint32_t victim;	/* a client; see grt_model_client() */
	uint32_t culprit;	/* a client; GRT_NONE: nobody's job */
	uint8_t kind;		/* of the matrix: enum grt_blame_reason, or enum grt_root */
	uint64_t ns;		/* UINT64_MAX: or more */
	uint64_t jobs;		/* jobs of the victim that waited */
	uint64_t worst_ns;	/* the longest time of one job, and that job's key */
	uint64_t worst_ctx, worst_seqno;
};

/* Waits of one job for one culprit, of one kind. */
struct grt_matrix_sum {
	uint32_t culprit;
	uint8_t kind;
	uint64_t ns;
};

/* Most traces have few clients: clients of low number are found without a search. */
#define GRT_MATRIX_LOW	128

/* Zeroed memory is an empty matrix, but for @kinds. */
struct grt_matrix {
	uint32_t kinds;		/* how many there are */
	struct grt_vec rows;	/* of struct grt_matrix_row */
	uint32_t *low[GRT_MATRIX_LOW];	/* owned; by victim: NULL, or row + 1 by culprit and kind */
	struct grt_keymap index;	/* the other rows, by victim, culprit and kind */
	/* The job whose waits are being added. */
	const struct grt_job *job;
	struct grt_vec sums;		/* of struct grt_matrix_sum */
	struct grt_keymap sum_rows;	/* of culprits of high number */
	uint32_t *low_sums;		/* owned; of the others, by culprit and kind: its row + 1, or 0 */
};

/* The waits of @job follow.  False: it is no part of any sum. */
bool grt_matrix_begin(struct grt_matrix *m, const struct grt_job *job);

/* Adds a wait of that job.  A job may have several for one culprit and kind.  0 or -errno. */
int grt_matrix_add(struct grt_matrix *m, uint32_t culprit, uint8_t kind, uint64_t ns);

/* There are no more waits of that job.  0 or -errno. */
int grt_matrix_end(struct grt_matrix *m);

/* Adds all charges of a job, as blame; the kinds are GRT_NR_BLAME_REASONS.  0 or -errno. */
int grt_matrix_add_blame(struct grt_matrix *m, const struct grt_job *job);

/* Puts most time first.  Add nothing afterwards. */
void grt_matrix_sort(struct grt_matrix *m);
void grt_matrix_free(struct grt_matrix *m);

static inline size_t grt_matrix_count(const struct grt_matrix *m)
{
	return grt_vec_count(&m->rows, struct grt_matrix_row);
}

static inline const struct grt_matrix_row *grt_matrix_at(const struct grt_matrix *m, size_t i)
{
	return grt_vec_at(&m->rows, struct grt_matrix_row, i);
}

#endif /* GRT_MATRIX_H */
