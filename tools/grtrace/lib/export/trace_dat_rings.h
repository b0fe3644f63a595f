/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Each ring as a CPU of its own, after the machine's CPUs: which job it ran, and its finished jobs.
 * They are made by the model, not recorded.
 */
#ifndef GRT_TRACE_DAT_RINGS_H
#define GRT_TRACE_DAT_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "job.h"
#include "map.h"
#include "names.h"
#include "trace_dat_events.h"
#include "trace_dat_pages.h"
#include "trace_dat_tasks.h"

struct grt_dat_row;

struct grt_dat_ring {
	struct grtrace_ring def;	/* hdr.size 0: not defined */
	char name[40], title[80];	/* title: with its device */
	struct grt_dat_row *row;	/* owned; NULL: no job yet */
};

struct grt_dat_rings {
	/* Filled in by the caller. */
	const struct grt_names *names;
	struct grt_dat_tasks *tasks;
	struct grt_dat_scratch *scratch;
	uint64_t from_ns;		/* rings are named at this time */

	struct grt_vec all;		/* struct grt_dat_ring; 0: all jobs whose ring is not known */
	struct grt_map index;		/* number of a ring -> its index */
	char device[40];		/* of the first ring */
	bool has_devices;		/* there are others */
};

/* 0, or -ENOMEM with a cause, as all of these. */
int grt_dat_rings_init(struct grt_dat_rings *t);
void grt_dat_rings_free(struct grt_dat_rings *t);

int grt_dat_rings_define(struct grt_dat_rings *t, const struct grtrace_ring *rec);

/* The index of the ring with number @id; 0 if it is not known. */
uint32_t grt_dat_ring_index(const struct grt_dat_rings *t, uint32_t id);

static inline struct grt_dat_ring *grt_dat_ring_at(const struct grt_dat_rings *t, uint32_t index)
{
	return grt_vec_at(&t->all, struct grt_dat_ring, index);
}

int grt_dat_rings_job(struct grt_dat_rings *t, const struct grt_job *job);

/* No more jobs come.  Rings without jobs get a row, too. */
int grt_dat_rings_close(struct grt_dat_rings *t);

/* Warns of rings behind the last row. */
void grt_dat_rings_warn(const struct grt_dat_rings *t);

/* The lane of a ring, NULL if it has none. */
struct grt_dat_lane *grt_dat_ring_lane(const struct grt_dat_rings *t, uint32_t index);

#endif /* GRT_TRACE_DAT_RINGS_H */
