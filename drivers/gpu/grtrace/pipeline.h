/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pipeline: which events are kept.  This file and pipeline.c own the static keys and
 * the order of decisions; each stage is a file of policy/, or a hook of an extension
 * module, and costs a patched-out jump while it is not used.
 *
 *	grt_is_refused()   type and ring: one look into a table
 *	grt_is_unlisted()  watch lists
 *	grt_is_left_out()  sampled jobs
 *	grt_follow()	   jobs in flight, and hooks
 *	grt_rate_allows()  so many events per second
 *	grt_has_room()	   fewer events while the buffer fills
 *
 * While jobs are followed, or a hook is on, grt_follow() does the work of those before it: a
 * job's latency does not depend on which of its events are wanted, and what is decided of
 * a job is decided once, when it is submitted.
 */
#ifndef _GRTRACE_PIPELINE_H
#define _GRTRACE_PIPELINE_H

#include <linux/grtrace_hook.h>
#include <linux/jump_label.h>

#include "policy/mask.h"
#include "policy/pressure.h"
#include "policy/rate.h"
#include "policy/sample.h"
#include "policy/watch.h"

struct grt_cpu;
struct rchan_buf;

/* What was asked for.  Changed under the session lock, then grt_pipeline_apply(). */
struct grt_policy {
	struct grt_mask mask;
	struct grt_watch watch;
	u64 sample_pct;		/* share of the jobs that are kept */
	struct grt_rate rate;
	struct grt_pressure pressure;
	u64 track_jobs;
};

extern struct grt_policy grt_policy;

/*
 * By type: on while any stage may refuse, or wants to see, an event of it; the keys of the
 * stages are looked at only then.  So what a level or a mask of types keeps costs nothing.
 */
extern struct static_key_false grt_judged[GRTRACE_NR_EVENTS];
/* On while one of the following is. */
DECLARE_STATIC_KEY_FALSE(grt_staged);
/* Contexts are listed, or jobs sampled, and not followed: then grt_follow() does that. */
DECLARE_STATIC_KEY_FALSE(grt_listed);
DECLARE_STATIC_KEY_FALSE(grt_sampled);
DECLARE_STATIC_KEY_FALSE(grt_followed);
DECLARE_STATIC_KEY_FALSE(grt_rated);
DECLARE_STATIC_KEY_FALSE(grt_pressed);
/* Hooks decide about jobs, or sum them up. */
DECLARE_STATIC_KEY_FALSE(grt_hooked);
/* Rings, contexts or a share decide about jobs. */
DECLARE_STATIC_KEY_FALSE(grt_fated);
/* On while an event's time is read before it is judged, and kept in event_ts of its CPU. */
DECLARE_STATIC_KEY_FALSE(grt_stamped);

/* Sleeps. */
static inline void grt_key_set(struct static_key_false *key, bool is_on)
{
	if (is_on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

/* By row of the ring table: the types that are refused there; row 0 is for no ring. */
extern u32 grt_refused[GRT_RINGSET_ROWS];
/* By type: why it is refused on all rings, WRITTEN where it is not. */
extern u8 grt_type_fates[GRTRACE_NR_EVENTS];
extern u64 grt_sample_below;

/* Salts keep the samplers independent: half of a half is a quarter. */
#define GRT_SALT_SAMPLE		0
#define GRT_SALT_PRESSURE	1

/* Whether an event of @type on row @ring is refused for that alone. */
static __always_inline bool grt_is_refused(u16 type, u32 ring)
{
	return READ_ONCE(grt_refused[ring % GRT_RINGSET_ROWS]) & 1u << type;
}

enum grtrace_fate grt_refused_by_ring(u32 ring);

/* Why it is. */
static __always_inline enum grtrace_fate grt_refused_why(u16 type, u32 ring)
{
	enum grtrace_fate fate = READ_ONCE(grt_type_fates[type]);

	return likely(fate != GRTRACE_FATE_WRITTEN) ? fate : grt_refused_by_ring(ring);
}

/* What becomes of all events of a job, as far as the policy goes; @ctx is 0 for no job. */
enum grtrace_fate grt_job_fate(u64 ctx, u64 seqno, u32 ring);

/* Whether the watch lists refuse an event; @ctx is 0 where it is of no job. */
static __always_inline bool grt_is_unlisted(u64 ctx, u32 ring)
{
	return !grt_watch_keeps(&grt_policy.watch, ctx) &&
	       grt_watch_refuses(&grt_policy.watch, ctx, ring);
}

/* Whether a job is not of the share that is kept. */
static __always_inline bool grt_is_left_out(u64 ctx, u64 seqno)
{
	return ctx && !grt_sample_keeps(READ_ONCE(grt_sample_below), ctx, seqno, GRT_SALT_SAMPLE);
}

/* A type, where its time goes in struct grtrace_job, and flags, in one argument. */
#define GRT_WHAT(type, stamp, flags)	((type) | (stamp) << 8 | (u32)(flags) << 16)
#define GRT_TYPE_OF(what)	((u8)(what))
#define GRT_STAMP_OF(what)	((u8)((what) >> 8))
#define GRT_FLAGS_OF(what)	((u16)((what) >> 16))

/*
 * The fate of an event on CPU @c at @ts, as far as jobs and hooks go: its job moves on.  @ctx
 * is 0 where it is of no job.  Interrupts off.
 *
 * _submit: of a SUBMIT by thread @tid of process @tgid.  _written: of one that was written as
 * a record.  _end: of a COMPLETE, whose status is in c->status.  _error: of an ERROR.
 * _stranger: of what is of no job in flight.  They are in follow.c.
 */
enum grtrace_fate grt_follow(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what);
enum grtrace_fate grt_follow_submit(struct grt_cpu *c, const struct grtrace_job_info *job, u64 ts,
				    u32 tgid, u32 tid);
enum grtrace_fate grt_follow_written(struct grt_cpu *c, const struct grtrace_submit *submit,
				     u64 ts);
enum grtrace_fate grt_follow_end(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what);
enum grtrace_fate grt_follow_error(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring,
				   u32 what);
enum grtrace_fate grt_follow_stranger(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring,
				      u32 what);

/* Claims tokens for CPU @c, and takes one.  False: there is none. */
bool grt_claim_tokens(struct grt_cpu *c, u64 now);
/* Whether an event is among those that are kept while the buffer fills; @ctx as above. */
bool grt_thin_out(struct grt_cpu *c, const struct rchan_buf *buf, u64 ctx, u64 seqno);

/* Before the first change. */
void grt_pipeline_create(void);

/*
 * Switches stages on and off, by what was asked for.  Sleeps, under the session lock.
 * 0, or -ENOMEM: no room for the jobs in flight, and nothing was switched.
 */
int grt_pipeline_apply(void);

/* Puts contexts in the place of those of the watch list.  Sleeps, under the session lock. */
void grt_pipeline_set_ctxs(const struct grt_watch *from);

/*
 * Events that the rate limiter would have let pass at @at_ns, since when none took any;
 * U64_MAX without a limit, or if it was set later.  Any context but NMI.
 */
u64 grt_rate_tokens(u64 at_ns);

#endif
