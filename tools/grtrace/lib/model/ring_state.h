/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The state of one ring over time: which jobs wait there and for what, how many credits
 * are in use, and what the ring's time went into.
 *
 *	queue.c		jobs from SUBMIT to COMMIT: behind another, ready, or waiting
 *	order.c		the order of the jobs of a context
 *	ring_past.c	what a ring did until now
 *	reset.c		resets
 *	suspect.c	jobs that may be over, since events are missing
 *	hardware.c	what its hardware runs
 *	doubt.c		times where it is unknown why jobs waited
 *	unknown_deps.c	jobs with unknown dependencies
 *	credit.c	credits in use, and when the ring was full
 *	timeline.c	busy and idle stretches, once their cause is certain
 *	device.c	the union of a device's rings
 */
#ifndef GRT_RING_STATE_H
#define GRT_RING_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "deque.h"
#include "heap.h"
#include "idle.h"
#include "job.h"
#include "loss.h"
#include "spans.h"

/* States of a stretch besides the idle causes.  A device has the highest state of its rings. */
enum {
	GRT_LINE_BUSY = GRT_NR_IDLES,
	GRT_LINE_ASLEEP,	/* the machine slept: counts as no time */
	GRT_LINE_MAYBE,		/* dependency or scheduler: unknown unless more is learned */
};

struct grt_stretch {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;	/* the job or fence that is to blame */
	uint32_t client;
	uint8_t state;		/* enum grt_idle or GRT_LINE_* */
	bool is_unexplained;	/* GRT_IDLE_UNKNOWN: nothing ran, but why is not known */
};

/*
 * All open stretches of a ring are one list, by time.  Two more lists have those with an
 * uncertain cause, so that grt_timeline_ready() finds them without a walk over all others.
 */
enum grt_chain {
	GRT_CHAIN_ALL,
	GRT_CHAIN_WAITING,	/* GRT_IDLE_DEPENDENCY and GRT_LINE_MAYBE */
	GRT_CHAIN_DEPENDENCY,	/* GRT_IDLE_DEPENDENCY */
	GRT_NR_CHAINS
};

/* Links are numbers of rows, from 1 on; 0 = none. */
struct grt_open {
	struct grt_stretch s;	/* whose cause may change */
	uint32_t prev[GRT_NR_CHAINS], next[GRT_NR_CHAINS];
};

struct grt_timeline {
	struct grt_vec open;	/* of struct grt_open */
	uint32_t nr_open, free;
	uint32_t first[GRT_NR_CHAINS], end[GRT_NR_CHAINS];
	struct grt_stretch last;	/* final, but the next one may extend it */
	struct grt_deque parts;	/* of struct grt_stretch, for the device */
	uint64_t shown_ns;	/* up to then, the device knows the stretches */
	uint8_t told;		/* the state that the device counts, or GRT_NOT_TOLD */
	struct grt_ring_use use;
};

/* @jobs of the jobs that could be handed over need @credits credits each. */
struct grt_want {
	uint32_t credits, jobs;
};

struct grt_flip {
	uint64_t ns;
	uint64_t full_ns;	/* how long the ring was full before, in all */
	bool is_full;
};

/* From @ns on, @in_use credits are in use, and the most demanding job needs @wanted. */
struct grt_level {
	uint64_t ns;
	uint32_t in_use, wanted;
};

#define GRT_LEVELS	16	/* a power of two */

struct grt_credits {
	struct grt_vec wants;	/* of struct grt_want, sorted by credits; few */
	struct grt_deque flips;	/* of struct grt_flip */
	struct grt_level levels[GRT_LEVELS];	/* the latest ones */
	uint32_t next_level;	/* number of levels so far; wraps */
	uint32_t flips_gone;	/* dropped from the front of @flips; wraps */
	uint32_t limit;		/* 0: not known */
	uint32_t in_use;
	uint32_t wanted;	/* by the most demanding of @wants, 0 = none there */
	uint32_t usual;		/* what the latest job took */
	uint32_t mismatches;	/* in a row */
	uint64_t agreed_ns;	/* when the count was taken over; of @mismatches the first */
	uint64_t sure_ns;	/* @flips is right from then on; UINT64_MAX: it is not */
	bool is_full, is_mixed;
	uint32_t said;		/* the source's latest report ... */
	uint64_t said_ns;	/* ... and its time; valid with @has_said: not compared yet */
	bool has_said, is_known, is_adopted, is_lost;
	bool is_early;		/* taken over from a SUBMIT: a COMMIT knows better */
};

#define GRT_SOME_UNTRACKED	8

/* Up to when jobs may have been at a ring unseen.  @waiting_ns is not before @on_ns. */
struct grt_unseen {
	uint64_t on_ns;		/* there, or handed over to it: what the ring did is not known */
	uint64_t waiting_ns;	/* there, perhaps only in the queue: why the ring was idle is not known */
};

struct grt_ring_state {
	uint32_t ring;		/* row of the names */
	bool is_live;		/* it had an event */
	bool is_synthetic, is_fifo;
	bool is_recovering;	/* see also resets of its hardware queue */
	bool may_recover;	/* it was recovering when events were lost */
	bool is_untracked;	/* its source reports no COMMITs */
	bool has_own_queue;	/* dependencies of its jobs are never known */
	bool coalesces;		/* an END stands for all jobs of its context up to that one */
	bool is_fenceless;	/* a job without a fence of the hardware may run after its END */
	uint64_t nr_untracked;	/* jobs that seem to lack a COMMIT ... */
	struct grt_span untracked[2 * GRT_SOME_UNTRACKED]; /* ... and when: first and latest */
	uint32_t queued;	/* placed here, not committed */
	uint32_t on;		/* committed, not ended */
	uint32_t on_credits;	/* the credits of these */
	uint32_t ended;		/* jobs that ran to their END; wraps */
	bool had_strangers;	/* it had unseen jobs when the count of credits was lost */
	uint32_t suspects;	/* of @queued and @on, jobs that may be over: events are missing */
	struct grt_vec passable;	/* of uint32_t: suspects that waited for nothing; see suspect.c */
	uint32_t doubtful;	/* of @queued, jobs whose dependencies may be left out */
	uint32_t ready;		/* first of the jobs that look ready */
	uint32_t nr_ready;
	struct grt_heap ready_dues; /* when they became ready; see grt_ring_state_ready_since() */
	uint32_t device;	/* its row; GRT_NONE: of no device */
	uint32_t hwq;		/* its hardware queue; GRT_NONE: not FIFO */
	uint64_t since_ns;	/* the timeline is complete up to then */
	uint64_t doubt_ns;	/* up to then, a job may have run whose END is missing */
	uint64_t reset_from_ns, reset_to_ns;	/* the latest recovery */
	uint64_t lost_ctx, lost_seqno;		/* and the job it was for */
	uint32_t lost_client;
	uint32_t hung_prev, hung_next;	/* rings of the device that are reset for a job; GRT_NONE: none */
	struct grt_spans resets;	/* the latest ones; one that goes on ends at UINT64_MAX */
	struct grt_losses doubts;	/* where the cause of waits is unknown; see grt_late */
	uint32_t strange;	/* jobs queued that are no candidates yet, because unseen ones are in front */
	uint64_t strange_ns;	/* when the last one left */
	uint64_t unsure_ns;	/* until then, it was uncertain what is queued */
	struct grt_unseen unseen;	/* @shown_late of the earlier pass */
	struct grt_unseen shown_late;	/* the latest times at which jobs showed up that may be from before */
	struct grt_credits credits;
	struct grt_front *room;	/* owned: what jobs waited for that were ready; NULL: not needed so far */
	struct grt_front *last_room;	/* the same for jobs in flight when the trace ends that may not have been ready */
	struct grt_timeline line;
};

struct grt_model;
struct grt_slot;
struct grtrace_job_key;

/* The state of a ring, which begins at @ns if it is new; NULL: no ring, or no memory. */
struct grt_ring_state *grt_ring_state_of(struct grt_model *m, uint32_t ring, bool is_synthetic,
					 uint64_t ns);

/* The definition of @ring came, perhaps again. */
void grt_ring_state_defined(struct grt_model *m, uint32_t ring);

/* Job @i, which waits at @t, looks ready from @ns on; or no longer does. */
void grt_ring_state_link_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i,
			       uint64_t ns);
void grt_ring_state_unlink_ready(struct grt_model *m, struct grt_ring_state *t, uint32_t i);

/* Job @i is ready since @ns: corrects the time in its slot. */
void grt_ring_state_move_ready(struct grt_model *m, uint32_t i, uint64_t ns);

/* The earliest time since which a job at @t is ready; UINT64_MAX: none is. */
uint64_t grt_ring_state_ready_since(const struct grt_model *m, struct grt_ring_state *t);

/* Something that may be there since the start of the trace shows only at @ns. */
void grt_ring_state_show_late(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);
/* The same, but it was not handed over before. */
void grt_ring_state_show_late_commit(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);

/* A job from @from_ns to @to_ns had no COMMIT, and no known loss explains that. */
void grt_ring_state_miss_commit(struct grt_ring_state *t, uint64_t from_ns, uint64_t to_ns);
/* Whether a job really had no COMMIT, now that all losses are known: LOSS records come late. */
bool grt_ring_state_is_untracked(const struct grt_model *m, const struct grt_ring_state *t);

/* Whether the source reports more credits in use than the committed jobs that were seen take. */
static inline bool grt_ring_state_has_strangers(const struct grt_ring_state *t)
{
	return t->credits.is_adopted && t->credits.in_use > t->on_credits;
}

/* Whether the ring's current or latest reset is for this job; some drivers end it afterwards. */
static inline bool grt_ring_state_is_lost(const struct grt_ring_state *t,
					  const struct grt_life *job)
{
	return job->ctx == t->lost_ctx && job->seqno == t->lost_seqno;
}

/* Whether it is uncertain at @ns what waits at the ring. */
bool grt_ring_state_is_unsure(const struct grt_model *m, const struct grt_ring_state *t,
			      uint64_t ns);

/* Job @i of @t, a suspect, waits for nothing: it should have been handed over.  0 or -ENOMEM. */
static inline int grt_ring_state_may_pass(struct grt_ring_state *t, uint32_t i)
{
	return grt_vec_append(&t->passable, &i, sizeof(i));
}

/* queue.c: the steps of job @i.  Times never go back, except for END. */
/* @depth: jobs of its context in front of it, as its source reports; 0: none, or unknown. */
int grt_queue_submit(struct grt_model *m, uint32_t i, uint32_t depth, uint64_t ns);
int grt_queue_commit(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_end(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_remove(struct grt_model *m, uint32_t i, uint64_t ns); /* see grt_queue_leave() */
void grt_queue_wait(struct grt_model *m, uint32_t i, uint64_t ns); /* for one more fence */
void grt_queue_wake(struct grt_model *m, uint32_t i, uint64_t ns); /* for one less */
/* Job @i turns out not to have been ready before @ns. */
void grt_queue_was_waiting(struct grt_model *m, uint32_t i, uint64_t ns);
/* It will stay unknown whether job @i was ready up to @ns, though it looked so ... */
void grt_queue_withdraw(struct grt_model *m, uint32_t i, uint64_t ns);
/* ... and stretches that no other ready job can change become final. */
void grt_queue_finalize(struct grt_model *m, struct grt_ring_state *t);
void grt_queue_lose_events(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);
void grt_queue_clear(struct grt_model *m, uint32_t i);	/* see grt_queue_trust() */
void grt_queue_finish(struct grt_model *m);

/* ring_past.c: adds what the ring did up to @ns to its timeline.  Call it before that changes. */
/* Time in which no job was committed.  @client: if the ring had no work, whose job comes now. */
void grt_ring_add_idle(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint32_t client);
static inline void grt_ring_report_idle(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint32_t client)
{
	if (!t->on && ns > t->since_ns)
		grt_ring_add_idle(m, t, ns, client);
}

/* Time in which jobs were committed, as @state; a reset in it counts as recovery. */
void grt_ring_report_gap(struct grt_model *m, struct grt_ring_state *t, uint64_t ns, uint8_t state,
			 uint32_t client);
/* The time up to now, before it becomes certain, or uncertain, what waits or runs at the ring. */
void grt_ring_report_all(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);
/* Time up to @ns, when the job of @slot ended. */
void grt_ring_report_run(struct grt_model *m, struct grt_ring_state *t, const struct grt_slot *slot,
			 uint64_t ns);
/* Time up to @ns, the end of the trace.  Jobs are committed; on a FIFO ring the first of them runs. */
void grt_ring_report_first(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);
/* Makes the time of @t up to now final, as far as it can be. */
void grt_ring_settle(struct grt_model *m, struct grt_ring_state *t);
/*
 * What a ring seems to do since its last stretch, up to now; more events may show that it did something
 * else.  False: no time has passed.
 */
bool grt_ring_now(const struct grt_model *m, const struct grt_ring_state *t, struct grt_stretch *s);

/* reset.c: a timeout, a reset or its end */
void grt_reset_event(struct grt_model *m, uint32_t ring, uint32_t code,
		     const struct grtrace_job_key *rec);
/* Events up to @ns are missing, and the end of a reset may be one of them. */
void grt_reset_lose_events(struct grt_model *m, struct grt_ring_state *t, uint64_t ns);

/* watch.c: tells of a final stretch, and of the time before the first event of a ring. */
void grt_watch_tell(struct grt_model *m, const struct grt_ring_state *t, const struct grt_stretch *s);
void grt_watch_begin(struct grt_model *m, const struct grt_ring_state *t);
/* @s as those see it who watch rings: the part in the window. */
struct grt_ring_stretch grt_watch_stretch(const struct grt_model *m, const struct grt_ring_state *t,
					  const struct grt_stretch *s);

/* doubt.c: it is unknown why job @i waited, so the time of its ring is unknown ... */
/* ... during its whole turn up to @ns: nobody knows when a fence was over that it waits for. */
void grt_queue_doubt_turn(struct grt_model *m, uint32_t i, uint64_t ns);
/* ... up to its COMMIT, at which it still seemed to wait for a fence.  The job leaves. */
void grt_queue_doubt_past(struct grt_model *m, uint32_t i);
/* ... since @ns: its fence was over then, but the event came only now. */
void grt_queue_doubt_since(struct grt_model *m, uint32_t i, uint64_t ns);
/* The trace is over: for all jobs whose fences may have ended without an event. */
void grt_queue_doubt_last(struct grt_model *m, uint64_t ns);

/* unknown_deps.c: it is unknown whether job @i was ready before @ns; it is ready now. */
void grt_queue_doubt(struct grt_model *m, uint32_t i, uint64_t ns);
/* It is unknown from @ns on what job @i depends on. */
void grt_queue_lose_deps(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_doubt_all(struct grt_model *m, uint64_t ns);	/* of all jobs that wait */

/* credit.c */
/* @jobs more jobs need @credits; @ns may be in the past if @jobs is positive. */
int grt_credits_want(struct grt_credits *c, uint32_t credits, int jobs, uint64_t ns);
int grt_credits_consume(struct grt_credits *c, uint32_t credits, uint64_t ns);
int grt_credits_give(struct grt_credits *c, uint32_t credits, uint64_t ns);
void grt_credits_lose(struct grt_credits *c);
/* The source says that @in_use credits are in use. */
int grt_credits_check(struct grt_credits *c, uint32_t in_use, bool is_submit, uint64_t ns);
void grt_credits_drop(struct grt_credits *c, uint64_t ns);
/* The number of flips so far; wraps. */
uint32_t grt_credits_flips(const struct grt_credits *c);
/*
 * How many of the kept flips are up to @ns.  @then: number of flips at about that time, where the
 * search begins.
 */
size_t grt_credits_flips_until(const struct grt_credits *c, uint64_t ns, uint32_t then);

/* How long the ring was full up to @ns in all, where @flips of the kept ones are up to then. */
uint64_t grt_credits_full_ns(const struct grt_credits *c, size_t flips, uint64_t ns);

/* Flips up to then are never taken back. */
uint64_t grt_credits_final_ns(const struct grt_credits *c);
void grt_credits_free(struct grt_credits *c);

/* timeline.c: stretches in the order of time.  To show is to pass one to the device only. */
void grt_timeline_add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s);
void grt_timeline_ready(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s,
			const struct grt_stretch *before);
void grt_timeline_finalize(struct grt_model *m, struct grt_ring_state *t, uint64_t up_to_ns);
void grt_timeline_show(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s);
/* The last stretch, if the ring was starved up to then, ended with a job of @client. */
void grt_timeline_starved_for(struct grt_ring_state *t, uint64_t ns, uint32_t client);
void grt_timeline_finish(struct grt_model *m, struct grt_ring_state *t);
void grt_timeline_free(struct grt_timeline *line);

/* device.c */
#define GRT_NOT_TOLD	UINT8_MAX
#define GRT_DEVICE_RANKS	(GRT_LINE_MAYBE + 2)

/* Each ring is counted with its state at @done_ns, or is silent. */
struct grt_device {
	uint32_t ring;		/* one of its rings */
	uint64_t done_ns;
	struct grt_heap dues;	/* ring states, by the time at which they may change */
	struct grt_vec silent;	/* of uint32_t: ring states */
	uint32_t hung;		/* ring state whose reset for a job began last, of those that go on; GRT_NONE: none */
	uint32_t counts[GRT_DEVICE_RANKS]; /* number of rings in each state, see device.c */
	struct grt_ring_use use;
};

int grt_device_join(struct grt_model *m, uint32_t ring_state);
/* If @t gets far ahead of silent rings, sets m->ahead to its number: the caller asks them. */
void grt_device_add(struct grt_model *m, struct grt_ring_state *t, const struct grt_stretch *s);
/* Numbers of the silent ring states of the device of @t. */
const struct grt_vec *grt_device_silent(const struct grt_model *m, const struct grt_ring_state *t);
/* Call it after the silent rings were asked. */
void grt_device_retry(struct grt_model *m, const struct grt_ring_state *t);
/* Call these when a reset of @t begins that is for a job, and when that reset ends. */
void grt_device_hangs(struct grt_model *m, struct grt_ring_state *t);
void grt_device_recovers(struct grt_model *m, struct grt_ring_state *t);
/*
 * A GPU may be reset as a whole, because of a job on one of its rings.  Returns that ring, of the
 * resets that go on the latest one; NULL: none.
 */
const struct grt_ring_state *grt_device_hung(const struct grt_model *m, const struct grt_ring_state *t);
void grt_device_finish(struct grt_model *m);
void grt_devices_free(struct grt_model *m);

#endif /* GRT_RING_STATE_H */
