/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What rings did in each column of a picture: its time is divided into columns, and a cell is a
 * column of a ring.  Sums are exact: the time of all states of a cell is that of its column but
 * sleep, and the cells of a ring sum to what reports say of it.  Memory depends on the size of the
 * picture, not on the number of jobs.
 */
#ifndef GRT_LANES_H
#define GRT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "idle.h"
#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_model;
struct grt_window;

#define GRT_LANES_MAX_COLUMNS	2000
#define GRT_LANES_MAX		128		/* rings; more are counted, but have no cells */
#define GRT_LANES_MAX_SHARES	(1u << 20)	/* sums of cells by process or culprit */
#define GRT_LANES_MAX_CULPRITS	(1u << 16)

/* A ring is in one of these states: a cause of enum grt_idle, or GRT_RING_BUSY. */
#define GRT_LANE_STATES	(GRT_NR_IDLES + 1)

/* The job or fence that a ring was idle for. */
struct grt_lane_culprit {
	uint64_t ctx, seqno;
	uint32_t client;		/* as of struct grt_ring_stretch */
};

/* Who has the greatest part of a sum. */
struct grt_lane_top {
	uint64_t ns;
	uint32_t who;		/* row of the processes or of the culprits; GRT_NONE: not known */
	bool is_lost;		/* there was no room for all: nobody knows whose is the greatest, and @ns is 0 */
};

struct grt_lane_cell {
	uint64_t ns[GRT_LANE_STATES];
	/*
	 * Of jobs: their time before COMMIT, and from there to START, where these are known.  Several
	 * jobs wait at once, so this may be more than the time of the column.
	 */
	uint64_t waiting_ns, on_ring_ns;
	struct grt_lane_top runner;	/* process whose jobs ran longest; see grt_lane.is_fifo */
	struct grt_lane_top culprit;	/* of idle time */
	uint64_t run_ns, ctx, seqno;	/* the job that ran longest */
	uint32_t runs;			/* jobs that ran */
};

struct grt_lane {
	uint32_t ring;			/* row of the names */
	bool is_fifo;			/* else a job "runs" from COMMIT to END, as others do meanwhile */
	bool has_time;			/* false: nothing is known of its time, as if jobs were written by hand */
	bool has_job, has_waiting, has_on_ring;
	struct grt_lane_cell *cells;	/* owned; one for each column */
	int64_t *full_waiting, *full_on_ring;	/* owned; see lanes.c */
};

/* Zeroed memory is empty. */
struct grt_lanes {
	uint32_t columns;
	uint64_t from_ns, to_ns;
	const struct grt_model *model;	/* not owned */
	const struct grt_query *query;	/* not owned: which rings have lanes; NULL: all */
	struct grt_vec lanes;		/* struct grt_lane, in the order in which rings appeared */
	struct grt_keymap rows;		/* of a ring */
	uint64_t more_rings;		/* rings with jobs, above GRT_LANES_MAX */
	struct grt_keymap more;		/* these */
	bool is_full;			/* there were too many shares or culprits: some tops are lost */

	struct grt_vec culprits;	/* struct grt_lane_culprit */
	struct grt_keymap culprit_rows;

	/* Private. */
	struct grt_vec shares;		/* uint64_t */
	struct grt_keymap share_rows;
	int err;
};

/*
 * Begins a pass over a trace; @window is settled.  Watches the rings of @model that @query chooses; NULL: all rings.
 * @columns: at most GRT_LANES_MAX_COLUMNS; a very short time has fewer.  0 or -errno.
 */
int grt_lanes_begin(struct grt_lanes *l, struct grt_model *model, const struct grt_window *window,
		    const struct grt_query *query, uint32_t columns);

/* Adds a job that has to do with the window.  0 or -errno. */
int grt_lanes_add(struct grt_lanes *l, const struct grt_job *job);

/* Whether the picture has this ring, a row of the names. */
bool grt_lanes_want(const struct grt_lanes *l, uint32_t ring);

/* After the last job. */
void grt_lanes_close(struct grt_lanes *l);
void grt_lanes_free(struct grt_lanes *l);

static inline size_t grt_lanes_count(const struct grt_lanes *l)
{
	return grt_vec_count(&l->lanes, struct grt_lane);
}

static inline struct grt_lane *grt_lane_at(const struct grt_lanes *l, size_t i)
{
	return grt_vec_at(&l->lanes, struct grt_lane, i);
}

static inline const struct grt_lane_culprit *grt_lane_culprit_at(const struct grt_lanes *l, uint32_t i)
{
	return grt_vec_at(&l->culprits, struct grt_lane_culprit, i);
}

/* When a column begins; that of @columns is the end. */
uint64_t grt_lanes_ns(const struct grt_lanes *l, uint32_t column);

/* The column of an instant; the first or the last one if it is outside. */
uint32_t grt_lanes_column(const struct grt_lanes *l, uint64_t ns);

/* The time of a cell whose state is known: that of the column, but sleep. */
uint64_t grt_lane_cell_ns(const struct grt_lane_cell *cell);

/* The state with most of the time; -1: none, the machine slept. */
int grt_lane_state(const struct grt_lane_cell *cell);

#endif /* GRT_LANES_H */
