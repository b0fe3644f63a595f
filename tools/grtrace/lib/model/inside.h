/* SPDX-License-Identifier: LGPL-2.1 */
/* The inside of a model, for the files of this folder only. */
#ifndef GRT_INSIDE_H
#define GRT_INSIDE_H

#include "lane.h"
#include "loss.h"
#include "model.h"
#include "pool.h"

/* Jobs of one fence context in flight, by submission. */
struct grt_ctx {
	uint32_t head, tail;
	uint32_t next_free;
	uint32_t is_synthetic;
	uint64_t id;
};

struct grt_model {
	grt_job_fn *fn;
	void *arg;
	struct grt_pool pool;
	struct grt_keymap jobs[2];	/* (ctx, seqno) to slot; [1]: synthetic ones */
	struct grt_keymap ctx_rows;	/* (ctx, is_synthetic) to row of @ctxs */
	struct grt_vec ctxs;		/* of struct grt_ctx */
	uint32_t free_ctx;
	struct grt_names names;
	struct grt_losses losses;
	struct grt_vec lanes;		/* of struct grt_lane, two per ring; see lane_of() */
	struct grt_vec uses;		/* of struct grt_ring_use, one per ring */
	uint64_t now_ns;		/* time of the latest event */
	uint32_t ended;			/* jobs whose END is now: not settled yet */
	uint32_t held_head, held_tail;	/* completed jobs, kept for GRT_SKEW_NS */
	struct grt_model_totals totals;
};

static inline struct grt_slot *grt_slot_at(const struct grt_model *m, uint32_t i)
{
	return grt_pool_at(&m->pool, i);
}

/* life.c: one event moves its job one step. */
int grt_life_event(struct grt_model *m, const struct grtrace_job_key *rec, enum grt_stamp stamp);

/* lanes and START, settle.c */
int grt_settle_commit(struct grt_model *m, uint32_t i);	/* its COMMIT came, ring known */
void grt_settle_ended(struct grt_model *m);		/* time moves on from m->ended */
void grt_settle_leave(struct grt_model *m, uint32_t i);	/* it goes, ended or not */

/* finish.c */
enum grt_why { GRT_WHY_COMPLETE, GRT_WHY_LOST, GRT_WHY_KEY_REUSED, GRT_WHY_TRACE_END };
void grt_finish(struct grt_model *m, uint32_t i, enum grt_why why);
void grt_finish_held(struct grt_model *m, uint64_t up_to_ns);	/* inclusive */
int grt_finish_all(struct grt_model *m);

#endif /* GRT_INSIDE_H */
