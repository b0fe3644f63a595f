/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulation of the kernel's DRM scheduler and its hardware.  It produces the records of a
 * session and knows everything that happened, so results for a trace can be compared with the
 * truth.
 *
 * The caller adds rings and contexts, then lets time pass with sim_run() and acts in between:
 * sim_submit(), sim_signal() and so on.
 */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/grtrace.h>

#define SIM_NONE	UINT32_MAX
#define SIM_NEVER	UINT64_MAX

#define SIM_MAX_RINGS	6
#define SIM_MAX_CTXS	16
#define SIM_MAX_JOBS	128
#define SIM_MAX_FENCES	64
#define SIM_MAX_DEPS	6
#define SIM_MAX_RESETS	64
#define SIM_MAX_ACTIONS	512
#define SIM_MAX_EVENTS	2048
#define SIM_MAX_LOSSES	8
#define SIM_MAX_MASKS	3
#define SIM_CPUS	4

/* What goes wrong with a job. */
enum sim_flag {
	SIM_FAIL	= 1 << 0,	/* runs, ends with EIO */
	SIM_RUN_ERROR	= 1 << 1,	/* the driver refuses it, EINVAL */
	SIM_HANG	= 1 << 2,	/* never ends */
	SIM_NO_HW	= 1 << 3,	/* ends without running */
};

struct sim_dep {
	uint64_t ctx, seqno;
	uint32_t job;		/* SIM_NONE: a foreign fence */
	uint32_t fence;
	bool is_self, is_pipelined;
	bool is_named;		/* a DEPENDENCY names it */
	uint64_t found_ns;	/* the scheduler found it unsignalled */
};

/* Times that never came are SIM_NEVER. */
struct sim_job {
	uint64_t ctx_id, seqno;
	uint32_t ctx, ring;
	uint32_t next;		/* next job of its context */
	uint32_t credits, flags;
	uint32_t commit_number;	/* order of commits */
	uint64_t duration_ns;
	uint64_t submit_ns, commit_ns, begin_ns, end_ns, complete_ns;
	int32_t status;
	struct sim_dep deps[SIM_MAX_DEPS];
	uint32_t nr_deps, next_dep;	/* next_dep: the next one for the scheduler to check */
};

/* An entity: jobs in order, on one ring. */
struct sim_ctx {
	uint64_t id, last_seqno, client_id;
	uint32_t ring, tgid, priority;	/* priority: 3 is the highest */
	bool is_kernel, is_dead, is_dying;
	uint32_t head;			/* its first job that is not committed */
	uint32_t tail;
	uint32_t last_committed;
	const struct sim_dep *blocked;	/* what its first job waits for */
	uint64_t last_end_ns, last_complete_ns;
	uint64_t last_submit_ns;
	uint16_t last_cpu;
};

struct sim_fence {
	uint64_t ctx, seqno, signaled_ns;
	bool is_awaited;	/* a DEPENDENCY named it before it was signalled */
};

struct sim_ring {
	char name[16];
	uint32_t device, hw;	/* @hw: index of the ring with the same hardware */
	uint32_t order, credit_limit;
	uint32_t in_use;
	uint32_t given_back;	/* while stopped: credits of the jobs on the ring */
	uint32_t last_ctx;	/* for round robin */
	bool is_woken, is_stopped;
	/* The hardware, for rings with their own. */
	uint32_t queue[SIM_MAX_JOBS], queue_head, queue_tail;
	uint32_t executing;
	uint64_t due_ns;
	uint64_t advance;	/* manual mode: so many jobs may end */
	uint32_t armed;		/* number of the action that ends @executing, 0 = none */
	bool is_frozen, hangs_next;
};

struct sim_reset {
	uint32_t ring, job;	/* @job: the lost one, or SIM_NONE */
	uint64_t from_ns, to_ns;
};

union sim_record {
	struct grtrace_hdr hdr;
	struct grtrace_job_key key;
	struct grtrace_submit submit;
	struct grtrace_commit commit;
	struct grtrace_end end;
	struct grtrace_complete complete;
	struct grtrace_dependency dependency;
	struct grtrace_fence_signaled fence_signaled;
	struct grtrace_error error;
};

struct sim_event {
	union sim_record rec;
	uint32_t job;		/* SIM_NONE: no job */
	bool is_dropped;
};

enum sim_act {
	SIM_LOOK, SIM_DONE, SIM_END_JOB, SIM_COMPLETE, SIM_DIE, SIM_TIMEOUT, SIM_RESET,
	SIM_RECOVER,
};

struct sim_loss {
	uint64_t from_ns, to_ns;
	uint32_t reason;	/* enum grtrace_fate */
};

/* Events about dependencies are filtered out. */
struct sim_mask {
	uint64_t from_ns, to_ns;	/* SIM_NEVER: to the end */
};

struct sim_action {
	uint64_t ns;
	uint32_t number;	/* order among actions at the same time */
	uint32_t what;		/* ring, job or context */
	enum sim_act act;
};

struct sim {
	/* How the simulation behaves. */
	uint64_t rng;
	bool is_popped;		/* dependencies as up to Linux 6.16 */
	bool is_round_robin, is_manual;
	bool has_ties;		/* events take no time */
	bool stop_before_end;	/* a reset stops the ring before the lost job ends */
	uint32_t nr_cpus;
	uint64_t grid_ns;	/* times are multiples of it */
	uint64_t max_latency_ns, max_complete_ns, max_reset_ns, timeout_ns;

	uint64_t now_ns, last_ns;
	uint32_t nr_rings, nr_ctxs, nr_jobs, nr_fences, nr_resets, nr_actions, nr_events;
	uint32_t nr_losses, nr_masks;
	uint32_t kept_rings;	/* bit N: keep ring N, filter out the others; 0 = keep all */
	uint32_t actions_made, commits_made;
	struct sim_ring rings[SIM_MAX_RINGS];
	struct sim_ctx ctxs[SIM_MAX_CTXS];
	struct sim_job jobs[SIM_MAX_JOBS];
	struct sim_fence fences[SIM_MAX_FENCES];
	struct sim_reset resets[SIM_MAX_RESETS];
	struct sim_action actions[SIM_MAX_ACTIONS];
	struct sim_loss losses[SIM_MAX_LOSSES];
	struct sim_mask masks[SIM_MAX_MASKS];
	struct sim_event events[SIM_MAX_EVENTS];
};

/* Random numbers: [0, n), and true in @pct of 100 cases. */
uint64_t sim_random(struct sim *s, uint64_t n);
bool sim_chance(struct sim *s, unsigned int pct);
/* A delay of at most @max_ns, on the grid. */
uint64_t sim_delay(struct sim *s, uint64_t max_ns);

/* sim.c.  These return indices. */
uint32_t sim_add_ring(struct sim *s, uint32_t device, uint32_t hw, uint32_t order,
		      uint32_t credit_limit);
uint32_t sim_add_ctx(struct sim *s, uint32_t ring, uint32_t tgid, uint64_t client_id,
		     uint32_t priority);
uint32_t sim_add_fence(struct sim *s);

/* Copies ctx, credits, flags, duration and dependencies (job and fence) of @what. */
uint32_t sim_submit(struct sim *s, const struct sim_job *what);
void sim_signal(struct sim *s, uint32_t fence);
void sim_kill(struct sim *s, uint32_t ctx);
void sim_advance(struct sim *s, uint32_t ring, uint64_t count);
void sim_hang_next(struct sim *s, uint32_t ring);

/* Begins to reset the hardware of @ring.  False: it has no job, or a reset is going on. */
bool sim_reset(struct sim *s, uint32_t ring);

/* Lets time pass until @until_ns, or until nothing more happens by itself. */
void sim_run(struct sim *s, uint64_t until_ns);

/* sim-hw.c: for sim.c */
void sim_push_action(struct sim *s, enum sim_act act, uint32_t what, uint64_t delay_ns);
void sim_hw_push(struct sim *s, uint32_t job);
void sim_hw_done(struct sim *s, uint32_t hw, uint32_t number);
void sim_hw_kick(struct sim *s, uint32_t hw);
void sim_hw_timeout(struct sim *s, uint32_t hw);
void sim_hw_expire(struct sim *s, uint32_t hw);
void sim_hw_stop(struct sim *s, uint32_t hw);
void sim_hw_recover(struct sim *s, uint32_t hw);
/* sim.c: for sim-hw.c */
void sim_job_end(struct sim *s, uint32_t job, int32_t status, uint16_t flags);
void sim_wake(struct sim *s, uint32_t ring);

/* sim-emit.c: one event each */
void sim_emit_submit(struct sim *s, uint32_t job);
void sim_emit_commit(struct sim *s, uint32_t job);
void sim_emit_end(struct sim *s, uint32_t job, int32_t status, uint16_t flags);
void sim_emit_complete(struct sim *s, uint32_t job);
void sim_emit_dependency(struct sim *s, uint32_t job, struct sim_dep *dep, uint16_t flags);
void sim_emit_signaled(struct sim *s, const struct sim_fence *fence, uint64_t signaled_ns);
void sim_emit_error(struct sim *s, uint32_t ring, uint32_t job, uint32_t code, bool at_once);

/* Sorts the events in the order of a merged stream. */
void sim_sort_events(struct sim *s);
void sim_print_event(const struct sim *s, const struct sim_event *e, FILE *out);

/*
 * Policy number @i of the session, as text, and the time from which it is active.  The policies at
 * the start come first.  False: there are no more.
 */
#define SIM_POLICY_LEN	96
bool sim_policy(const struct sim *s, uint32_t i, char *text, uint64_t *since_ns);

static inline bool sim_is_killed(const struct sim_job *job)
{
	return job->commit_ns == SIM_NEVER && job->complete_ns != SIM_NEVER;
}

/* When the job left the queue: by COMMIT, or killed. */
static inline uint64_t sim_gone_ns(const struct sim_job *job)
{
	return job->commit_ns != SIM_NEVER ? job->commit_ns : job->complete_ns;
}

static inline bool sim_has_hw(const struct sim_job *job)
{
	return !(job->flags & (SIM_NO_HW | SIM_RUN_ERROR));
}

#endif /* SIM_H */
