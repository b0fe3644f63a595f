/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Sums over jobs: one row per ring and process, from which rows per ring and one
 * over everything are made.  Jobs that the trace's ends cut are counted, but are
 * in no time: what is left of them would not be typical.
 */
#ifndef GRT_ROLLUP_H
#define GRT_ROLLUP_H

#include <stdint.h>

#include "hist.h"
#include "keymap.h"
#include "job.h"
#include "vec.h"

struct grt_rollup_row {
	uint32_t ring;		/* row of the names, GRT_NONE: not known */
	uint32_t process;	/* row of the names, GRT_NONE: not known, or all */
	uint64_t jobs;
	uint64_t cut;		/* of these, cut by the trace's ends */
	uint64_t lossy;
	uint64_t failed;	/* status is an error; killed ones included */
	uint64_t killed;
	uint64_t inferred;	/* START derived from the ring's order */
	/* Sums over the jobs whose total is known: its shares. */
	uint64_t share_ns[GRT_NR_STAGES];
	uint64_t unsplit_ns;	/* t_hw where START is not known */
	struct grt_hist stages[GRT_NR_STAGES];
};

struct grt_rollup {
	struct grt_vec rows;	/* of struct grt_rollup_row * */
	struct grt_keymap index;
};

/* 0 or -errno. */
int grt_rollup_add(struct grt_rollup *r, const struct grt_job *job);
void grt_rollup_free(struct grt_rollup *r);

/* Adds up @from's rows by ring, all processes together, into the empty @to. */
int grt_rollup_by_ring(struct grt_rollup *to, const struct grt_rollup *from);

/* The same over everything, into the zeroed @row, for grt_rollup_row_free(). */
int grt_rollup_all(struct grt_rollup_row *row, const struct grt_rollup *from);
void grt_rollup_row_free(struct grt_rollup_row *row);

/* Rows in the order of their rings, then by the time their jobs took, most first. */
void grt_rollup_sort(struct grt_rollup *r);

static inline size_t grt_rollup_count(const struct grt_rollup *r)
{
	return grt_vec_count(&r->rows, struct grt_rollup_row *);
}

static inline struct grt_rollup_row *grt_rollup_at(const struct grt_rollup *r, size_t i)
{
	return *grt_vec_at(&r->rows, struct grt_rollup_row *, i);
}

#endif /* GRT_ROLLUP_H */
