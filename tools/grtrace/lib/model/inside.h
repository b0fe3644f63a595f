/* SPDX-License-Identifier: LGPL-2.1 */
/* The inside of a model, for the files of this folder only. */
#ifndef GRT_INSIDE_H
#define GRT_INSIDE_H

#include "cpu.h"
#include "dep.h"
#include "jobmap.h"
#include "lane.h"
#include "loss.h"
#include "model.h"
#include "omitted.h"
#include "party.h"
#include "policy.h"
#include "pool.h"
#include "ringfilter.h"
#include "spans.h"
#include "track.h"

/* Jobs of one fence context in flight, by submission. */
struct grt_ctx {
	uint32_t head, tail;
	uint32_t next_free;
	uint32_t is_synthetic;
	uint32_t turn;		/* the first that is not committed, GRT_NONE = none */
	uint64_t id;
	uint64_t commit_ns;	/* the latest COMMIT, 0 = none */
	uint32_t party;		/* of the latest job, GRT_NONE = none: the next is the same mostly */
	struct grt_spans spans;	/* what the first ones waited for, one after the other */
};

#define GRT_MAX_GHOSTS	16384	/* see fence.c */

/* What a pass over a trace finds out about a ring too late. */
struct grt_late {
	uint64_t ns;		/* a job that was there before showed up then */
	bool has_mixed;		/* jobs take different numbers of credits */
};

struct grt_model {
	grt_job_fn *fn;
	void *arg;
	struct grt_pool pool;
	struct grt_jobmap jobs[2];	/* (ctx, seqno) to slot; [1]: synthetic ones */
	struct grt_keymap ctx_rows;	/* (ctx, is_synthetic) to row of @ctxs */
	struct grt_vec ctxs;		/* of struct grt_ctx */
	uint32_t free_ctx;
	struct grt_names names;
	struct grt_parties parties;
	struct grt_policies policies;
	struct grt_omitted omitted;
	struct grt_losses losses;
	struct grt_gap no_deps;		/* dependencies are left out there; jobs are not */
	struct grt_gap no_threads;	/* likewise what threads do */
	uint64_t next_no_deps_ns;	/* the first of @no_deps that was not met yet */
	struct grt_ringfilter ringfilter;
	bool lacks_rings;		/* some are left out, and those that are not are whole */
	bool has_odd_rings;		/* a pass before found that these are not */
	bool knows_rings, has_whole_rings;	/* made of the filter and the rings so far */
	struct grt_losses asleep;	/* spans in which the machine slept */
	struct grt_edges edges;
	struct grt_vec lanes;		/* of struct grt_lane, two per ring; see lane_of() */
	struct grt_vec tracks;		/* of struct grt_track, two per ring, likewise */
	struct grt_vec devices;		/* of struct grt_device */
	struct grt_vec idle_rows;	/* of struct grt_idle_row */
	struct grt_keymap idle_index;
	struct grt_vec charges;		/* of the job that leaves */
	struct grt_cpu cpu;		/* threads */
	struct grt_vec wakes;		/* jobs that threads wait for; see wake.c */
	uint64_t charges_from;	/* where the next job's begin, of all, in bytes; never 0 */
	struct grt_vec charge_at;	/* of uint64_t: where the latest is, by party and way */
	struct grt_vec late;		/* of struct grt_late per track */
	uint64_t start_ns;		/* of the session */
	uint64_t now_ns;		/* time of the latest event */
	uint64_t lost_ns;		/* end of the latest loss that jobs were suspected for */
	uint64_t uncounted_until_ns;	/* end of the latest loss of nobody knows how many events */
	uint64_t forgot_ns;		/* ends of fences up to then are not remembered */
	uint32_t ended;			/* jobs whose END is now: not settled yet */
	uint32_t held_head, held_tail;	/* completed jobs, kept for GRT_SKEW_NS or more */
	uint32_t nr_held;
	uint64_t held_until_ns;	/* some of these leave after it; UINT64_MAX: none */
	uint32_t held_fresh;		/* of these, the first that completed just now */
	uint32_t ghost_head, ghost_tail; /* jobs gone, whose end may still be asked for */
	uint32_t nr_ghosts, nr_fences;
	uint32_t found;			/* the slot that was asked for last */
	uint32_t oldest, newest;	/* jobs in flight, by their first event */
	uint32_t clock;			/* enum grtrace_clock_id */
	bool keeps_pieces, has_hindsight, wants_hindsight;
	bool is_declared;		/* jobs tell of their dependencies when submitted */
	bool has_no_deps;		/* the source knows no dependencies */
	bool has_begun;			/* an event came; the first may be of time 0 */
	bool is_over;
	int err;			/* sticky, of what cannot fail by itself */
	struct grt_model_totals totals;
	struct grt_ring_use unseen;	/* of a ring without an event of its own */
};

static inline uint64_t grt_held_ns(const struct grt_model *m)
{
	return grt_losses_count(&m->losses) ? 0 : GRT_HELD_NS;
}

static inline struct grt_slot *grt_slot_at(const struct grt_model *m, uint32_t i)
{
	return grt_pool_at(&m->pool, i);
}

static inline struct grt_ctx *grt_ctx_at(const struct grt_model *m, uint32_t row)
{
	return grt_vec_at(&m->ctxs, struct grt_ctx, row);
}

static inline struct grt_track *grt_track_at(const struct grt_model *m, uint32_t i)
{
	return grt_vec_at(&m->tracks, struct grt_track, i);
}

/*
 * The slot of a key, GRT_NONE if there is none.  Most events follow one of the same
 * job: that one is tried first.
 */
static inline uint32_t grt_slot_find(struct grt_model *m, bool is_synthetic, uint64_t ctx,
				     uint64_t seqno)
{
	const struct grt_slot *slot;
	uint32_t i = m->found;

	if (i != GRT_NONE) {
		slot = grt_slot_at(m, i);
		if (slot->has_key && slot->job.ctx == ctx && slot->job.seqno == seqno &&
		    !(slot->job.flags & GRT_JOB_SYNTHETIC) == !is_synthetic)
			return i;
	}
	i = grt_jobmap_get(&m->jobs[is_synthetic], &m->pool, ctx, seqno);
	if (i != GRT_NONE)
		m->found = i;
	return i;
}

/* Job @i is over, or lost. */
static inline void grt_queue_leave(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (grt_slot_is_queued(slot) || slot->is_on || slot->is_suspect)
		grt_queue_take_out(m, i, ns);
}

/* What became of job @i is known. */
static inline void grt_queue_trust(struct grt_model *m, uint32_t i)
{
	if (grt_slot_at(m, i)->is_suspect)
		grt_queue_clear(m, i);
}

/* model.c */
uint32_t grt_model_party_of(struct grt_model *m, const struct grt_slot *slot);
uint64_t grt_model_awake_ns(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns);
void grt_idle_sort(struct grt_model *m);

/*
 * gaps.c: what policies leave out.  grt_gaps_take_loss() returns 1 where jobs are whole and
 * what is not is noted, 0 where events of jobs may be missing from *@from_ns on, or -errno.
 */
int grt_gaps_take_loss(struct grt_model *m, const struct grtrace_loss *rec, uint64_t *from_ns);
int grt_gaps_take_policy(struct grt_model *m, const struct grtrace_policy *rec);
void grt_gaps_meet(struct grt_model *m, uint64_t ts_ns);	/* those that begin up to then */
int grt_gaps_learn(struct grt_model *m, const struct grt_model *earlier);
void grt_gaps_finish(struct grt_model *m);

/* life.c: one event moves its job one step. */
#define GRT_X(NAME, name)						\
	int grt_life_##name(struct grt_model *m, const struct grtrace_job_key *rec);
GRT_STAMPS(GRT_X)
#undef GRT_X
void grt_life_gpu_wait(struct grt_model *m, const struct grtrace_job_key *rec);
void grt_life_preempted(struct grt_model *m, const struct grtrace_ctx_switch *rec);

/* lanes and START, settle.c */
int grt_settle_commit(struct grt_model *m, uint32_t i);	/* its COMMIT came, ring known */
void grt_settle_now(struct grt_model *m);		/* time moves on */
static inline bool grt_settle_is_due(const struct grt_model *m)
{
	return (m->ended & m->held_fresh) != GRT_NONE;	/* not none of both */
}
void grt_settle_leave(struct grt_model *m, uint32_t i);	/* it goes, ended or not */
void grt_settle_recovered(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns);
/* Whether no job of @t has been running while it was reset. */
bool grt_settle_begins(const struct grt_model *m, const struct grt_track *t);
/*
 * The job that runs on the hardware of @t, GRT_NONE if none does, and since when.
 * It may be another ring's, where several share it; @is_sure: no events are missing.
 */
uint32_t grt_settle_running(const struct grt_model *m, const struct grt_track *t,
			uint64_t *from_ns, bool *is_sure);
/* Whether a job in front of @slot on its hardware has not ended. */
bool grt_settle_is_behind(const struct grt_model *m, const struct grt_slot *slot);
const struct grt_spans *grt_settle_runs(const struct grt_model *m, const struct grt_track *t);
uint32_t grt_settle_lane(struct grt_model *m, uint32_t ring, bool is_synthetic);

/* fence.c: slots that are no jobs (yet), and such that are no more. */
uint32_t grt_fence_open(struct grt_model *m, bool is_synthetic, uint64_t ctx, uint64_t seqno);
static inline uint32_t grt_fence_slot(struct grt_model *m, bool is_synthetic, uint64_t ctx,
				      uint64_t seqno)
{
	uint32_t i = grt_slot_find(m, is_synthetic, ctx, seqno);

	return i != GRT_NONE ? i : grt_fence_open(m, is_synthetic, ctx, seqno);
}
void grt_fence_unused(struct grt_model *m, uint32_t i);
void grt_fence_free(struct grt_model *m, uint32_t i);
void grt_ghost_add(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_ghosts_forget(struct grt_model *m);

/* charge.c: parts of t_submit_host, and who is to blame. */
void grt_charge_job(struct grt_model *m, uint32_t i);

/* wake.c: jobs that threads wait for leave later */
void grt_wake_told(void *arg, uint64_t ctx, uint64_t seqno, uint64_t ns);
void grt_wake_complete(struct grt_model *m, const struct grt_job *job);
void grt_wake_leave(struct grt_model *m, struct grt_job *job);
void grt_wake_finish(struct grt_model *m);
void grt_wake_free(struct grt_model *m);

/* finish.c */
enum grt_why { GRT_WHY_COMPLETE, GRT_WHY_LOST, GRT_WHY_KEY_REUSED, GRT_WHY_TRACE_END };
void grt_finish(struct grt_model *m, uint32_t i, enum grt_why why);
void grt_finish_held(struct grt_model *m, uint64_t up_to_ns);	/* inclusive */
/* Whether an event at @ns comes too late for job @i: it was complete, and leaves now. */
bool grt_finish_late(struct grt_model *m, uint32_t i, uint64_t ns);
int grt_finish_all(struct grt_model *m);

#endif /* GRT_INSIDE_H */
