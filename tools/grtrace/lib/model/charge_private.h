/* SPDX-License-Identifier: LGPL-2.1 */
/* The wait of a job while it is charged. */
#ifndef GRT_CHARGE_PRIVATE_H
#define GRT_CHARGE_PRIVATE_H

#include "model_private.h"

/*
 * The charges of a job while they are collected.  Positions are in bytes and count on from job to
 * job.
 */
struct grt_charge_list {
	uintptr_t charges;	/* address of the job's first charge, less its position */
	uint64_t *at;		/* latest of each client and reason, perhaps of an earlier job */
	uint64_t next, limit;	/* the end of them, and of the room for them */
	uint64_t own;		/* the first of this job's */
};

/* What is known of the wait of a job; times in order. */
struct grt_wait {
	struct grt_slot *slot;
	struct grt_ctx *ctx;
	struct grt_ring_state *ring_state;		/* NULL: none */
	uint64_t submit_ns, order_ns, ready_ns, commit_ns, end_ns;
	const struct grt_flying *flying;	/* of a job that is not committed when the trace ends; or NULL */
	bool knows_deps, knows_credits;
	bool has_follower;	/* the job behind it came before its COMMIT */
	bool is_log;		/* not of a job: only @followers are noted */
	struct grt_front *followers;	/* notes what is charged now for the jobs behind, or NULL */
	const struct grt_span_by *run;	/* what the hardware ran then; NULL: not looked for yet */
	uint64_t no_cpu_ns;	/* the part of t_sched without a CPU */
	bool knows_cpu;
	struct grt_charge_list list;
	uint64_t own_end;	/* of the list; the charges from there on are of a job in flight, ... */
	uint32_t own_pieces;	/* and so are the pieces from there on */
};

/* charge_time.c.  Prepares for the charges of one more job.  False without memory. */
bool grt_charge_begin(struct grt_model *m, struct grt_charge_list *b);

/* These charge the time as a piece of its own: to @by, or to nobody. */
void grt_charge_piece(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
		      const struct grt_span_by *by, uint64_t from_ns, uint64_t to_ns);
void grt_charge_nobody(struct grt_model *m, struct grt_wait *w, enum grt_stage stage,
		       uint64_t from_ns, uint64_t to_ns, enum grt_blame_reason reason);

/* Charges the time behind other jobs of the context to what these waited for. */
void grt_charge_order(struct grt_model *m, struct grt_wait *w);

/* Charges the time between ready and COMMIT.  Returns how long the ring was full. */
uint64_t grt_charge_ready(struct grt_model *m, struct grt_wait *w);

/* Charges the time in which the job waits for what its ring runs. */
void grt_charge_ring(struct grt_model *m, struct grt_wait *w, enum grt_stage stage, uint64_t from_ns,
		     uint64_t to_ns);

#endif /* GRT_CHARGE_PRIVATE_H */
