/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What goes on at one ring, as time passes: which jobs wait there and for what, how
 * many credits are in use, and from both what the ring's time went into.
 *
 *	queue.c		jobs from SUBMIT to COMMIT: behind another, ready, or waiting
 *	credit.c	credits in use, and when the ring was full
 *	timeline.c	busy and idle stretches, once their cause is certain
 *	device.c	the union of a device's rings
 */
#ifndef GRT_TRACK_H
#define GRT_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "deque.h"
#include "idle.h"
#include "job.h"
#include "spans.h"

/* What a stretch is beside an idle cause, in the order in which a union takes them. */
enum {
	GRT_LINE_BUSY = GRT_NR_IDLES,
	GRT_LINE_ASLEEP,	/* the machine slept: no time at all */
	GRT_LINE_MAYBE,		/* dependency or scheduler: unknown unless more is learned */
};

struct grt_stretch {
	uint64_t from_ns, to_ns;
	uint64_t ctx, seqno;	/* who it is charged to */
	uint32_t party;
	uint8_t state;		/* enum grt_idle or GRT_LINE_* */
};

struct grt_timeline {
	struct grt_deque open;	/* of struct grt_stretch, whose cause may change */
	struct grt_stretch last;	/* settled, may go on */
	struct grt_deque parts;	/* of struct grt_stretch, for the device */
	struct grt_ring_use use;
};

/* How many jobs that could be handed over ask for so many credits. */
struct grt_want {
	uint32_t credits, jobs;
};

struct grt_flip {
	uint64_t ns;
	bool is_full;
};

struct grt_credits {
	struct grt_vec wants;	/* of struct grt_want, by credits; few */
	struct grt_deque flips;	/* of struct grt_flip */
	uint32_t flips_gone;	/* forgotten at its front; wraps */
	uint32_t limit;		/* 0: not known */
	uint32_t in_use;
	uint32_t wanted;	/* by the most demanding of @wants, 0 = none there */
	uint32_t usual;		/* what the latest job took */
	uint32_t mismatches;	/* in a row */
	uint64_t agreed_ns;	/* when the count was taken over, or the first of @mismatches */
	uint64_t sure_ns;	/* @flips is right from here on; UINT64_MAX: it is not */
	bool is_full, is_mixed;
	uint32_t said;		/* what the source said at ... */
	uint64_t said_ns;	/* ... this time, if @has_said and it was not compared yet */
	bool has_said, is_known, is_adopted, is_lost;
	bool is_early;		/* taken over from a SUBMIT: a COMMIT knows better */
};

struct grt_track {
	uint32_t ring;		/* row of the names */
	bool is_live;		/* it had an event */
	bool is_synthetic, is_fifo;
	bool is_recovering;
	bool may_recover;	/* it was, when events were lost */
	bool is_untracked;	/* jobs end there without a COMMIT: its source has none */
	uint32_t queued;	/* placed here, not committed */
	uint32_t on;		/* committed, not ended */
	uint32_t on_credits;	/* what these take */
	bool had_strangers;	/* before the count of credits was lost */
	uint32_t suspects;	/* of both, jobs that may be over: events are missing */
	uint32_t doubtful;	/* of @queued, jobs whose dependencies may be left out */
	uint32_t ready;		/* first of those that wait for nothing known */
	uint32_t culprit;	/* party whose job ran here last */
	uint32_t device;	/* GRT_NONE: in no union */
	uint32_t lane;		/* GRT_NONE: not in order */
	uint64_t since_ns;	/* the timeline is told up to here */
	uint64_t doubt_ns;	/* up to then, a job may have run whose END is missing */
	uint64_t reset_from_ns, reset_to_ns;	/* the latest recovery */
	uint64_t lost_ctx, lost_seqno;		/* and the job it was for */
	uint32_t lost_party;
	uint64_t unsure_ns;	/* what is queued was not certain until then */
	uint64_t seen_late_ns;	/* what an earlier pass learned of the next */
	uint64_t shown_late_ns;	/* a job that was there before showed up as late as this */
	struct grt_credits credits;
	struct grt_timeline line;
};

struct grt_model;
struct grtrace_job_key;

/* The track of a ring, which begins at @ns if it is new; NULL: no ring, or no memory. */
struct grt_track *grt_track_of(struct grt_model *m, uint32_t ring, bool is_synthetic, uint64_t ns);

/* The definition of @ring came, perhaps again. */
void grt_track_defined(struct grt_model *m, uint32_t ring);

/* Job @i, which waits at @t, looks ready from @ns on; or it does no more. */
void grt_track_link_ready(struct grt_model *m, struct grt_track *t, uint32_t i, uint64_t ns);
void grt_track_unlink_ready(struct grt_model *m, struct grt_track *t, uint32_t i);

/* Something was there, perhaps from the beginning on, and shows only at @ns. */
void grt_track_show_late(struct grt_model *m, struct grt_track *t, uint64_t ns);

/* Whether the source says that more is committed than was seen. */
static inline bool grt_track_has_strangers(const struct grt_track *t)
{
	return t->credits.is_adopted && t->credits.in_use > t->on_credits;
}

/* Whether the ring is, or was last, reset for this job; some drivers end it afterwards. */
static inline bool grt_track_is_lost(const struct grt_track *t, const struct grt_job *job)
{
	return job->ctx == t->lost_ctx && job->seqno == t->lost_seqno;
}

/* Whether what waits at the ring is not certain at @ns. */
bool grt_track_is_unsure(const struct grt_model *m, const struct grt_track *t, uint64_t ns);

/* queue.c: job @i goes its way.  Times never go back, but for END. */
int grt_queue_submit(struct grt_model *m, uint32_t i, uint64_t ns);
int grt_queue_commit(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_end(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_take_out(struct grt_model *m, uint32_t i, uint64_t ns); /* see grt_queue_leave() */
void grt_queue_wait(struct grt_model *m, uint32_t i, uint64_t ns); /* for one more fence */
void grt_queue_wake(struct grt_model *m, uint32_t i, uint64_t ns); /* for one less */
/* It was not ready before @ns, it turns out now. */
void grt_queue_was_waiting(struct grt_model *m, uint32_t i, uint64_t ns);
/* Whether it was ready since it looks so will never be known. */
void grt_queue_doubt(struct grt_model *m, uint32_t i, uint64_t ns);
void grt_queue_error(struct grt_model *m, uint32_t ring, uint32_t code,
		     const struct grtrace_job_key *rec);
void grt_queue_suspect_all(struct grt_model *m, uint64_t ns);
void grt_queue_doubt_all(struct grt_model *m, uint64_t ns);
void grt_queue_clear(struct grt_model *m, uint32_t i);	/* a suspect; see grt_queue_trust() */
/* Tells its timeline what it can up to now. */
void grt_queue_tell_now(struct grt_model *m, struct grt_track *t);
void grt_queue_finish(struct grt_model *m);

/* credit.c */
int grt_credits_want(struct grt_credits *c, uint32_t credits, int jobs, uint64_t ns);
int grt_credits_take(struct grt_credits *c, uint32_t credits, uint64_t ns);
int grt_credits_give(struct grt_credits *c, uint32_t credits, uint64_t ns);
void grt_credits_lose(struct grt_credits *c);
/* The source says that @in_use credits are in use. */
int grt_credits_check(struct grt_credits *c, uint32_t in_use, bool is_submit, uint64_t ns);
void grt_credits_forget(struct grt_credits *c, uint64_t ns);
/* How many flips there were up to now; wraps. */
uint32_t grt_credits_flips(const struct grt_credits *c);
/* How many of those that are kept were up to @ns, which was about when there were @then. */
size_t grt_credits_flips_until(const struct grt_credits *c, uint64_t ns, uint32_t then);
void grt_credits_free(struct grt_credits *c);

/* timeline.c: stretches in the order of time. */
void grt_timeline_add(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s);
void grt_timeline_claim(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s,
			const struct grt_stretch *before);
void grt_timeline_settle(struct grt_model *m, struct grt_track *t, uint64_t up_to_ns);
void grt_timeline_finish(struct grt_model *m, struct grt_track *t);
void grt_timeline_free(struct grt_timeline *line);

/* device.c */
struct grt_device {
	uint32_t ring;		/* one of its rings */
	uint64_t done_ns;
	struct grt_vec tracks;	/* of uint32_t */
	struct grt_ring_use use;
};

int grt_device_join(struct grt_model *m, uint32_t track);
void grt_device_take(struct grt_model *m, struct grt_track *t, const struct grt_stretch *s);
void grt_device_finish(struct grt_model *m);
void grt_devices_free(struct grt_model *m);

#endif /* GRT_TRACK_H */
