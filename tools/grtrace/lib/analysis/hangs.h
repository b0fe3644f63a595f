/* SPDX-License-Identifier: LGPL-2.1 */
/* Jobs that hung, and the jobs that waited because of that. */
#ifndef GRT_HANGS_H
#define GRT_HANGS_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "keymap.h"
#include "vec.h"

#define GRT_HANG_NAMES	3	/* processes whose names are kept */
#define GRT_MAX_HANGS	256	/* hangs that are kept; others are only counted */

struct grt_roots;

struct grt_hang {
	uint64_t ctx, seqno;
	bool has_job;			/* the job that hung is known */
	bool is_wanted;			/* it, or a job that waited for it, is wanted */
	struct grt_job job;		/* it, without charges */
	uint64_t jobs, processes;	/* that waited for it, directly or through others */
	uint64_t worst_ns;		/* the longest of these waits, and whose it was */
	uint64_t worst_ctx, worst_seqno;
	/* Of a job that is in flight when the trace ends: the jobs that cannot run before it is over. */
	uint64_t behind, behind_processes;
	uint32_t process[GRT_HANG_NAMES];	/* the first of @behind_processes; rows of the names */
	struct grt_job oldest;		/* of @behind: the first that was submitted, without charges */
	struct grt_charge waited;	/* what it waited for longest itself; ns 0: it did not, or not known */
	uint64_t latest_job;		/* number of the job that was added last, and its time so far */
	uint64_t latest_ns;
};

/* Zeroed memory is an empty table. */
struct grt_hangs {
	struct grt_vec rows;		/* of struct grt_hang */
	struct grt_keymap index;	/* by ctx and seqno */
	struct grt_keymap victims;	/* rows of hangs and processes that were counted */
	struct grt_keymap followers;	/* the same of @behind */
	uint64_t inflight, unknown;	/* jobs in flight; jobs that may be, because events are missing */
	uint64_t job_number, more;	/* @more: jobs that hung, but are not kept */
};

/*
 * Notes whether a job hung, and adds the roots of its wait; @roots has just followed it.  Jobs that are not
 * wanted may have held up others.  0 or -errno.
 */
int grt_hangs_add(struct grt_hangs *h, const struct grt_job *job, bool is_wanted,
		  struct grt_roots *roots);

void grt_hangs_free(struct grt_hangs *h);

static inline size_t grt_hangs_count(const struct grt_hangs *h)
{
	return grt_vec_count(&h->rows, struct grt_hang);
}

static inline const struct grt_hang *grt_hangs_at(const struct grt_hangs *h, size_t i)
{
	return grt_vec_at(&h->rows, struct grt_hang, i);
}

#endif /* GRT_HANGS_H */
