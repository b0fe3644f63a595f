/* SPDX-License-Identifier: LGPL-2.1 */
/* The inside of a model, for the files of this folder only. */
#ifndef GRT_MODEL_PRIVATE_H
#define GRT_MODEL_PRIVATE_H

#include "cpu.h"
#include "dep.h"
#include "entry.h"
#include "jobmap.h"
#include "hw_queue.h"
#include "inflight.h"
#include "loss.h"
#include "model.h"
#include "mover.h"
#include "omitted.h"
#include "client.h"
#include "policy_log.h"
#include "snapshot_log.h"
#include "piece.h"
#include "pool.h"
#include "ring_state.h"
#include "ringfilter.h"
#include "spans.h"

/* The jobs in flight of one fence context, in the order of their first events. */
struct grt_ctx {
	uint32_t head, tail;
	uint32_t next_free;
	uint32_t is_synthetic;
	uint32_t turn;		/* the first job that is not committed, GRT_NONE = none */
	uint32_t queued;	/* submitted jobs that are not committed */
	uint32_t commits;	/* COMMITs since the latest SUBMIT */
	uint32_t client;	/* of the latest job, often of the next; GRT_NONE = none */
	uint64_t strangers_ns;	/* since this SUBMIT, all have unseen jobs in front; 0 = none */
	uint64_t id;
	uint64_t commit_ns;	/* the latest COMMIT, 0 = none */
	uint64_t commit_seqno;	/* of the youngest job that is committed */
	uint64_t turn_ns;	/* when the first job that is not committed had its turn */
	struct grt_front *front;	/* owned: what its first jobs waited for; NULL: not needed so far */
};

#define GRT_MAX_RETIRED	16384	/* see fence.c */

/* The waits inside a job, as its driver reports them. */
struct grt_gpu_wait {
	uint64_t ns, from_ns;	/* sum of ended waits; begin of the current one, 0 = none */
	bool is_over;		/* at least one wait is over */
	uint32_t next_free;
};

/*
 * What the events of one boot of one machine have in common.  A merged trace has several boots;
 * the upper bits of a fence context say which.  See grtrace-merge(1).
 */
#define GRT_BOOT_SHIFT	48
struct grt_boot {
	bool is_declared;	/* the source declares dependencies at SUBMIT */
	bool was_in_doubt;	/* a job was judged before it was known whether it does */
	bool has_no_deps;	/* the source reports no dependencies */
	bool misses_ends;	/* a job was handed over before a fence of it seemed over */
};

/* What a pass over a trace finds out about a ring too late, for the next pass. */
struct grt_late {
	struct grt_unseen unseen;
	bool has_mixed;		/* jobs take different numbers of credits */
	bool is_untracked;	/* a job ended without a COMMIT */
	uint64_t unordered_ns;	/* of the hardware queue with the same number */
	struct grt_losses doubts; /* of the ring state; owned */
};

/* See straggler.c. */
struct grt_stragglers {
	struct grt_keymap gone;		/* (ctx, seqno) to row of @keys: jobs that lack an END */
	struct grt_vec keys;		/* of struct gone; the newest overwrites the oldest */
	uint32_t next;
	struct grt_keymap late;		/* those for which an event came later */
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
	struct grt_clients clients;
	struct grt_policy_log policies;
	struct grt_snapshot_log snapshots;
	struct grt_omitted omitted;
	struct grt_movers movers;
	struct grt_losses losses;
	struct grt_gap no_deps;		/* spans in which dependencies are left out, but no jobs */
	struct grt_gap no_threads;	/* likewise for events of threads */
	uint64_t next_no_deps_ns;	/* when the next span of @no_deps begins */
	struct grt_ringfilter ringfilter;
	bool lacks_rings;		/* some are left out; the others are whole */
	bool is_part;			/* a slice: what a ring without an event did is unknown */
	bool has_odd_rings;		/* an earlier pass found that the others are not whole */
	bool knows_rings, has_whole_rings;	/* grt_ringfilter_is_clean(): called; answer */
	struct grt_losses asleep;	/* spans in which the machine slept */
	struct grt_edges edges;
	struct grt_vec hwqs;		/* of struct grt_hw_queue, two per ring; see hwq_of() */
	struct grt_vec ring_states;		/* of struct grt_ring_state *, two per ring, likewise */
	struct grt_vec devices;		/* of struct grt_device */
	uint32_t ahead;			/* ring state far ahead of its device, or GRT_NONE */
	struct grt_namemap device_of;	/* name to row of @devices */
	struct grt_span window;		/* the time that counts */
	grt_ring_fn *watch;		/* NULL: nobody watches the rings */
	void *watch_arg;
	struct grt_vec idle_rows;	/* of struct grt_idle_row */
	struct grt_keymap idle_index;
	struct grt_job leaving;
	const struct grt_flying *flying;	/* of the job that leaves because the trace ends, or NULL */
	struct grt_vec charges;		/* of the job that leaves */
	struct grt_vec pieces;		/* likewise, of struct grt_piece, if they are kept */
	struct grt_vec gpu_waits;	/* of struct grt_gpu_wait; few drivers report any */
	struct grt_keymap gpu_wait_of;	/* slot to row of @gpu_waits */
	uint32_t free_gpu_wait;
	uint32_t commands[UINT8_MAX + 1];	/* of drivers; row 0: not known */
	unsigned int nr_commands;
	struct grt_keymap stack_of;	/* slot to row of @stack_pairs */
	struct grt_vec stack_pairs;	/* see stack.c */
	struct grt_keymap stack_pair_of;	/* the two stacks to their row */
	struct grt_cpu cpu;		/* threads */
	struct grt_entries entries;	/* ioctls of threads */
	struct grt_vec wakes;		/* jobs that threads wait for; see wake.c */
	uint64_t charges_from;	/* first charge of the next job, in bytes over all jobs; never 0 */
	struct grt_vec charge_at;	/* of uint64_t: the latest charge, by client and reason */
	struct grt_vec late;		/* of struct grt_late per ring state */
	struct grt_stragglers stragglers;
	struct grt_keymap asked;	/* (ctx, seqno) of jobs whose end was forgotten when it was asked for */
	uint64_t start_ns;		/* of the session */
	uint64_t now_ns;		/* time of the latest event */
	uint64_t lost_ns;		/* end of the latest loss that made jobs suspects */
	uint32_t newest_at_loss;	/* the newest job in flight at that loss that has not left; GRT_NONE: there is none */
	struct grt_vec heard;		/* of uint32_t: slots of those that had an event since; see suspect.c */
	uint64_t aged_ns;		/* suspects are given up then; UINT64_MAX: there are none */
	struct grt_vec over;		/* suspects that a later job ran past, by the end of the loss */
	size_t next_over;		/* of these, in the next pass: the first one of a loss to come */
	struct grt_keymap back;		/* (ctx, seqno) of jobs that were given up, and had an event after all */
	bool gives_up_none;		/* there is no room for all of these */
	uint64_t uncounted_until_ns;	/* end of the latest loss of an unknown number of events */
	uint64_t dropped_ns;		/* ends of fences up to then are dropped */
	uint64_t left_ns;		/* the jobs that left were complete by then */
	uint32_t ended;			/* jobs whose END is now, not accounted for yet */
	uint32_t held_head, held_tail;	/* completed jobs, kept for GRT_SKEW_NS or more */
	uint32_t nr_held;
	uint64_t held_until_ns;	/* after this time some of them leave; UINT64_MAX: there are none */
	uint32_t held_fresh;		/* the first of these that completed just now */
	uint32_t retired_head, retired_tail; /* finished jobs: others may still depend on their end */
	uint32_t nr_retired, nr_fences;
	uint32_t found;			/* the slot that was found last */
	uint32_t oldest, newest;	/* jobs in flight, by their first event, if that is not END */
	uint32_t clock;			/* enum grtrace_clock_id */
	bool has_coalesced;	/* a ring is of a driver that passes several jobs to the hardware at once */
	bool keeps_pieces, skips_sums, has_hindsight, wants_hindsight;
	struct grt_vec boots;		/* of struct grt_boot; empty unless the trace is merged */
	struct grt_boot boot;		/* of contexts without a row in @boots */
	bool has_begun;			/* an event came; the first may be of time 0 */
	bool is_over;
	int err;			/* sticky; of functions that return no error */
	struct grt_model_totals totals;
	struct grt_ring_use unseen;	/* of a ring without an event */
};

static inline uint64_t grt_held_ns(const struct grt_model *m)
{
	return grt_losses_count(&m->losses) ? 0 : GRT_HELD_NS;
}

static inline struct grt_slot *grt_slot_at(const struct grt_model *m, uint32_t i)
{
	return grt_pool_at(&m->pool, i);
}

static inline struct grt_edge *grt_dep_edge_at(const struct grt_model *m, uint32_t e)
{
	return grt_vec_at(&m->edges.rows, struct grt_edge, e);
}

static inline struct grt_ctx *grt_ctx_at(const struct grt_model *m, uint32_t row)
{
	return grt_vec_at(&m->ctxs, struct grt_ctx, row);
}

static inline size_t grt_ring_state_count(const struct grt_model *m)
{
	return grt_vec_count(&m->ring_states, struct grt_ring_state *);
}

/* All rings without an event share one constant state. */
static inline struct grt_ring_state *grt_ring_state_at(const struct grt_model *m, uint32_t i)
{
	return *grt_vec_at(&m->ring_states, struct grt_ring_state *, i);
}

static inline struct grt_hw_queue *grt_hw_queue_at(const struct grt_model *m, uint32_t hwq)
{
	return grt_vec_at(&m->hwqs, struct grt_hw_queue, hwq);
}

/* Whether the ring in row @row of the names had an event that was not written by hand. */
static inline bool grt_ring_state_was_seen(const struct grt_model *m, uint32_t row)
{
	return 2 * row < grt_ring_state_count(m) &&
	       grt_ring_state_at(m, 2 * row)->is_live;
}

static inline struct grt_boot *grt_boot_of(struct grt_model *m, uint64_t ctx)
{
	uint64_t i = ctx >> GRT_BOOT_SHIFT;

	if (!m->boots.bytes)
		return &m->boot;
	return i < grt_vec_count(&m->boots, struct grt_boot) ?
	       grt_vec_at(&m->boots, struct grt_boot, i) : &m->boot;
}

/*
 * The slot of a key, GRT_NONE if there is none.  Most events follow another event of their job,
 * so the slot that was found last is tried first.
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

static inline bool grt_has_own_queue(struct grt_model *m, const struct grt_slot *slot)
{
	return slot->ring_state != GRT_NONE && grt_ring_state_at(m, slot->ring_state)->has_own_queue;
}

/* Whether the source declares all dependencies of a job like @slot's when it is submitted. */
static inline bool grt_declares_deps(struct grt_model *m, const struct grt_slot *slot)
{
	return grt_boot_of(m, slot->job.ctx)->is_declared && !grt_has_own_queue(m, slot);
}

/* Whether dependencies of a job like @slot's may be missing between these times. */
static inline bool grt_lacks_deps(struct grt_model *m, const struct grt_slot *slot,
				  uint64_t from_ns, uint64_t to_ns)
{
	return grt_boot_of(m, slot->job.ctx)->has_no_deps || grt_has_own_queue(m, slot) ||
	       grt_gap_touches(&m->no_deps, from_ns, to_ns);
}

/* Job @i is over, or lost. */
static inline void grt_queue_leave(struct grt_model *m, uint32_t i, uint64_t ns)
{
	const struct grt_slot *slot = grt_slot_at(m, i);

	if (grt_slot_is_queued(slot) || slot->is_on || slot->is_suspect)
		grt_queue_remove(m, i, ns);
}

void grt_suspect_is_back(struct grt_model *m, uint32_t i);	/* suspect.c */

/* An event shows what became of job @i: it is no suspect any more. */
static inline void grt_queue_trust(struct grt_model *m, uint32_t i)
{
	if (grt_slot_at(m, i)->is_suspect)
		grt_queue_clear(m, i);
	if (grt_slot_at(m, i)->is_given_up)
		grt_suspect_is_back(m, i);
}

static inline uint32_t grt_model_client_of(struct grt_model *m, const struct grt_slot *slot)
{
	const struct grt_client client = {
		slot->job.ring, slot->job.process, slot->job.client_id,
	};

	return grt_clients_get(&m->clients, &client);
}

/* The part of these times that counts. */
static inline struct grt_span grt_in_window(const struct grt_model *m, uint64_t from_ns,
					    uint64_t to_ns)
{
	if (from_ns < m->window.from_ns)
		from_ns = m->window.from_ns;
	if (to_ns > m->window.to_ns)
		to_ns = m->window.to_ns;
	return (struct grt_span){ from_ns, from_ns < to_ns ? to_ns : from_ns };
}

static inline bool grt_is_in_window(const struct grt_model *m, uint64_t ns)
{
	return ns >= m->window.from_ns && ns < m->window.to_ns;
}

static inline uint64_t grt_window_ns(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_span span = grt_in_window(m, from_ns, to_ns);

	return span.to_ns - span.from_ns;
}

/* wall.c: of the time that counts */
uint64_t grt_model_awake_ns(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns);

/* model.c */
void grt_idle_sort(struct grt_model *m);

/*
 * gaps.c: what policies leave out. grt_gaps_add_loss() returns 1 if all jobs are whole: it notes
 * what else is missing.  It returns 0 if events of jobs may be missing from *@from_ns on, or
 * -errno.
 */
int grt_gaps_add_loss(struct grt_model *m, const struct grtrace_loss *rec, uint64_t *from_ns);
int grt_gaps_add_policy(struct grt_model *m, const struct grtrace_policy *rec);
void grt_gaps_enter(struct grt_model *m, uint64_t ts_ns);	/* gaps that begin by then */
int grt_gaps_learn(struct grt_model *m, const struct grt_model *earlier);
void grt_gaps_finish(struct grt_model *m);

/* Whether @a was submitted before @b of the same context: numbers count up, or wrap after 32 bits. */
static inline bool grt_is_older(uint64_t a, uint64_t b)
{
	return (a | b) >> 32 ? a < b : (int32_t)((uint32_t)a - (uint32_t)b) < 0;
}

/* order.c: job @i is new, and gets its place in its context. */
void grt_order_enter(struct grt_model *m, struct grt_ctx *ctx, uint32_t i);
/*
 * The first job behind job @i in its context that is committed already, @within_ns of this one's COMMIT at
 * most; GRT_NONE: none.
 */
uint32_t grt_order_committed_behind(const struct grt_model *m, uint32_t i, uint64_t within_ns);
/*
 * Job @i is committed: notes when the job in front of it was.  True: a younger job of the context was committed
 * before @ns, so job @i did not count as one that waits from then on.
 */
bool grt_order_commit(struct grt_model *m, uint32_t i, uint64_t ns);

/* life.c: one event moves its job one step. */
#define GRT_X(NAME, name)						\
	int grt_life_##name(struct grt_model *m, const struct grtrace_job_key *rec);
GRT_STAMPS(GRT_X)
#undef GRT_X
void grt_life_preempted(struct grt_model *m, const struct grtrace_ctx_switch *rec);
int grt_life_dependency(struct grt_model *m, const struct grtrace_dependency *rec);

/* coalesced.c: what an event shows about the older jobs of its context.  Called before life.c gets the event ... */
int grt_coalesced_end(struct grt_model *m, const struct grtrace_job_key *rec);
int grt_coalesced_complete(struct grt_model *m, const struct grtrace_job_key *rec);
/* ... and after that. */
void grt_coalesced_start(struct grt_model *m, const struct grtrace_job_key *rec);

/* stack.c */
int grt_stack_event(struct grt_model *m, const struct grtrace_stack *rec);
void grt_stack_leave(struct grt_model *m, uint32_t i, struct grt_job *job);	/* of a slot with has_stack */
void grt_stack_free(struct grt_model *m);

/* gpu_wait.c */
int grt_gpu_wait_event(struct grt_model *m, const struct grtrace_job_key *rec);
struct grt_gpu_wait grt_gpu_wait_remove(struct grt_model *m, uint32_t i);

/* hardware queues and START, infer_start.c */
int grt_infer_commit(struct grt_model *m, uint32_t i);	/* its COMMIT came, and its ring is known */
void grt_infer_now(struct grt_model *m);		/* time moves on */
static inline bool grt_infer_is_due(const struct grt_model *m)
{
	return (m->ended & m->held_fresh) != GRT_NONE;	/* one of them is not GRT_NONE */
}
void grt_infer_leave(struct grt_model *m, uint32_t i);	/* it leaves, ended or not */
void grt_infer_recovered(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns);

/* hardware.c: what the hardware of a ring runs, and ran. */
/* The first job of @t that has not ended, GRT_NONE = none. */
uint32_t grt_hw_first(const struct grt_model *m, const struct grt_ring_state *t);
/* The nearest job in front of @slot that is not over, GRT_NONE = none. */
uint32_t grt_hw_in_front(const struct grt_model *m, const struct grt_slot *slot);
/* Whether the jobs of @t begin only after its reset: the first one is not the job that hung. */
bool grt_hw_begins(const struct grt_model *m, const struct grt_ring_state *t);
/*
 * The job that runs on the hardware of @t, GRT_NONE if none does, and since when.  It may belong
 * to another ring that shares the hardware.  @is_sure: no events are missing, and no job overtook
 * another.
 */
uint32_t grt_hw_running(const struct grt_model *m, const struct grt_ring_state *t,
			uint64_t *from_ns, bool *is_sure);
/* Whether a job in front of @slot on its hardware has not ended. */
bool grt_hw_is_behind(const struct grt_model *m, const struct grt_slot *slot);
/* The job that ran on the hardware of @t at @ns, if one did; NULL: not remembered. */
const struct grt_span_by *grt_hw_job_at(const struct grt_model *m, const struct grt_ring_state *t,
					uint64_t ns);
const struct grt_spans *grt_hw_runs(const struct grt_model *m, const struct grt_ring_state *t);
/* As grt_hw_runs(), but each job has a span of its own; NULL: no job ran so far. */
const struct grt_spans *grt_hw_jobs(const struct grt_model *m, const struct grt_ring_state *t);
uint32_t grt_hw_queue_of(struct grt_model *m, uint32_t ring, bool is_synthetic);

/* fence.c: slots that are not jobs yet, or no longer. */
uint32_t grt_fence_open(struct grt_model *m, bool is_synthetic, uint64_t ctx, uint64_t seqno);
static inline uint32_t grt_fence_slot(struct grt_model *m, bool is_synthetic, uint64_t ctx,
				      uint64_t seqno)
{
	uint32_t i = grt_slot_find(m, is_synthetic, ctx, seqno);

	return i != GRT_NONE ? i : grt_fence_open(m, is_synthetic, ctx, seqno);
}
void grt_fence_unused(struct grt_model *m, uint32_t i);
void grt_fence_free(struct grt_model *m, uint32_t i);
void grt_retired_add(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_retired_drop(struct grt_model *m);
/* A job depends on @ctx:@seqno, which left the model: the next pass keeps its end. */
void grt_fence_ask(struct grt_model *m, uint64_t ctx, uint64_t seqno);
static inline bool grt_fence_is_asked_for(const struct grt_model *m, uint64_t ctx, uint64_t seqno)
{
	return m->asked.used && grt_keymap_get(&m->asked, ctx, seqno) != GRT_NONE;
}
int grt_fences_learn(struct grt_model *m, const struct grt_model *earlier);

/* charge.c: parts of t_submit_host, and who is to blame. */
void grt_charge_job(struct grt_model *m, uint32_t i, struct grt_job *job);

/* wake.c: jobs that threads wait for leave later */
void grt_wake_told(void *arg, uint64_t ctx, uint64_t seqno, uint64_t ns);
void grt_wake_complete(struct grt_model *m, const struct grt_life *job);
void grt_wake_leave(struct grt_model *m, struct grt_job *job);
void grt_wake_finish(struct grt_model *m);
void grt_wake_free(struct grt_model *m);

/*
 * suspect.c: jobs that were in flight when events were lost, and may be over.  The model waits for evidence, as
 * long as GRT_SUSPECT_NS.
 */
#define GRT_SUSPECT_NS	60000000000ull
void grt_suspect_all(struct grt_model *m, uint64_t ns);		/* events are missing up to @ns */
void grt_suspect_heard(struct grt_model *m, uint32_t i);	/* an event of job @i, which was in flight at the latest loss */
void grt_suspects_aged(struct grt_model *m);			/* m->aged_ns has come */
/* Job @i, which was submitted after the loss, is handed over at @t. */
void grt_suspects_passed(struct grt_model *m, struct grt_ring_state *t, uint32_t i, uint64_t ns);
int grt_suspects_learn(struct grt_model *m, const struct grt_model *earlier);

/* suspect_over.c: job @i, on a FIFO ring, has no END, and a job behind it ended at @ns */
void grt_suspect_was_over(struct grt_model *m, uint32_t i, uint64_t ns);
/* In the next pass: another suspect that was over when a loss ended, at @ns.  False: there is none. */
bool grt_suspect_next_over(struct grt_model *m, uint64_t ns, uint32_t *i);

/* straggler.c: events of jobs that are gone */
void grt_straggler_gone(struct grt_model *m, struct grt_job *job);
bool grt_is_straggler(struct grt_model *m, const struct grtrace_job_key *rec);
int grt_stragglers_learn(struct grt_model *m, const struct grt_model *earlier);
void grt_stragglers_free(struct grt_stragglers *s);

/* finish.c */
enum grt_leave_reason {
	GRT_LEAVE_COMPLETE,
	GRT_LEAVE_LOST,
	GRT_LEAVE_KEY_REUSED,
	GRT_LEAVE_TRACE_END
};
void grt_finish(struct grt_model *m, uint32_t i, enum grt_leave_reason why);
void grt_finish_held(struct grt_model *m, uint64_t up_to_ns);	/* inclusive */
/*
 * Whether an event at @ns comes too late for job @i, which is complete; if so, the job leaves
 * now.
 */
bool grt_finish_late(struct grt_model *m, uint32_t i, uint64_t ns);
int grt_finish_all(struct grt_model *m);

#endif /* GRT_MODEL_PRIVATE_H */
