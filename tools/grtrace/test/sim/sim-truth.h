/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The truth about a simulated schedule, computed directly from the definitions.  Nothing changes
 * between two neighbouring stamps, so each question is answered once per such interval.
 */
#ifndef SIM_TRUTH_H
#define SIM_TRUTH_H

#include "idle.h"
#include "job.h"
#include "sim.h"

#define SIM_MAX_CLIENTS	(SIM_MAX_CTXS + 1)
#define SIM_MAX_CELLS	(2 * SIM_MAX_CLIENTS + 4)
#define SIM_MAX_POINTS	(SIM_MAX_JOBS * (5 + 2 * SIM_MAX_DEPS))

struct sim_client {
	uint32_t ring, tgid;
	uint64_t client_id;
};

/* Time that is charged to a client; SIM_NONE: to nobody. */
struct sim_cell {
	uint32_t client;
	uint8_t reason;
	uint64_t ns;
	uint64_t jobs, worst_ns;	/* of a matrix */
};

/* One uninterrupted cause; ctx and seqno: its job or fence, 0:0: none. */
struct sim_piece {
	uint64_t from_ns, ns, ctx, seqno;
	uint32_t client;
	uint8_t reason, stage;
};

#define SIM_MAX_PIECES	192

struct sim_pieces {
	uint32_t count;
	struct sim_piece piece[SIM_MAX_PIECES];
};

struct sim_cells {
	struct sim_cell cell[SIM_MAX_CELLS];
	uint32_t count;
};

struct sim_truth_job {
	bool has_stages;	/* it was committed */
	uint64_t start_ns;	/* SIM_NEVER: not known, and cannot be known */
	uint64_t order_end_ns, eligible_ns;
	uint64_t stage_ns[GRT_STAGE_SCHED + 1];
	uint64_t wait_ns;
	struct sim_cells charges;
};

/* A stretch in which a ring was idle for one cause. */
struct sim_stretch {
	uint64_t from_ns, to_ns;
	enum grt_idle cause;	/* GRT_NR_IDLES: busy */
};

struct sim_truth {
	struct sim_client clients[SIM_MAX_CLIENTS];
	uint64_t declared_ns;	/* time when a job first declared its dependencies at SUBMIT */
	uint32_t nr_clients;
	uint32_t nr_stretches[SIM_MAX_RINGS];
	uint32_t client_of[SIM_MAX_CTXS];
	struct sim_truth_job jobs[SIM_MAX_JOBS];
	uint64_t from_ns, to_ns;		/* first and last event of the trace */
	uint64_t first_ns[SIM_MAX_RINGS];	/* per ring, SIM_NEVER: none */
	uint64_t joined_ns[SIM_MAX_RINGS];	/* the same, whatever is missing */
	struct grt_ring_use rings[SIM_MAX_RINGS], devices[SIM_MAX_RINGS];
	struct sim_cells blame[SIM_MAX_CLIENTS];	/* by waiting client */
	struct sim_stretch stretches[SIM_MAX_RINGS][SIM_MAX_POINTS];
	struct sim_pieces pieces[SIM_MAX_JOBS];
};

/*
 * Dropped events do not count for from, to and first, but for everything else.  If @is_lossless is
 * false, the time before a ring's first event counts as known.
 */
void sim_truth(struct sim_truth *t, const struct sim *s, bool is_lossless);

/* Adds to the cell of @client and @through. */
struct sim_cell *sim_cell_add(struct sim_cells *c, uint32_t client, uint8_t reason, uint64_t ns);
const struct sim_cell *sim_cell_find(const struct sim_cells *c, uint32_t client, uint8_t reason);

/* The dependency of a job that ends last; NULL: it waits for none. */
const struct sim_dep *sim_last_dep(const struct sim *s, const struct sim_job *job);

/* Appends a piece, or adds it to the last one. */
void sim_piece_add(struct sim_pieces *p, const struct sim_piece *what);

/* When a dependency is over.  0: the job does not wait for it. */
uint64_t sim_dep_end_ns(const struct sim *s, const struct sim_dep *dep);

#endif /* SIM_TRUTH_H */
