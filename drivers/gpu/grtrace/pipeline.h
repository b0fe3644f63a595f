/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pipeline: which events are kept.  This file and pipeline.c own the static keys and
 * the order of decisions; each stage is a file of policy/, or a hook of an extension
 * module, and costs a patched-out jump while it is not used.
 *
 *	grt_is_refused()   type and ring: one table lookup
 *	grt_is_unlisted()  watch lists
 *	grt_is_unsampled() sampled jobs
 *	grt_follow()	   jobs in flight, and hooks
 *	grt_rate_allows()  limit of events per second
 *	grt_has_room()	   fewer events while the buffer fills
 *
 * While jobs are tracked, or a hook is on, grt_follow() does the work of the three stages before
 * it.  So a job's latency is known whichever of its events are kept, and the decision about a
 * job is made once, when it is submitted.
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

/* The settings of the user.  Change them under the session lock, then grt_pipeline_apply(). */
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
 * By type: on while any stage may refuse an event of the type, or has to see it.  The keys of
 * the stages are tested only then, so types that a level or type mask keeps cost nothing.
 */
extern struct static_key_false grt_judged[GRTRACE_NR_EVENTS];
/* On while one of the following is. */
DECLARE_STATIC_KEY_FALSE(grt_staged);
/* Contexts are listed, or jobs sampled.  Off while jobs are tracked: grt_follow() does it then. */
DECLARE_STATIC_KEY_FALSE(grt_listed);
DECLARE_STATIC_KEY_FALSE(grt_sampled);
DECLARE_STATIC_KEY_FALSE(grt_followed);
DECLARE_STATIC_KEY_FALSE(grt_rated);
DECLARE_STATIC_KEY_FALSE(grt_pressed);
/* Hooks decide about jobs, or sum them up. */
DECLARE_STATIC_KEY_FALSE(grt_hooked);
/* Masks, watch lists or sampling decide about jobs. */
DECLARE_STATIC_KEY_FALSE(grt_fated);
/* On while the pipeline reads an event's time, and keeps it in event_ts of its CPU. */
DECLARE_STATIC_KEY_FALSE(grt_stamped);

/* Turns @key on or off.  Sleeps. */
static inline void grt_key_set(struct static_key_false *key, bool is_on)
{
	if (is_on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

/* By row of the ring table: bit mask of refused types; row 0 is for no ring. */
extern u32 grt_refused[GRT_RINGSET_ROWS];
/* By type: its fate if it is refused on all rings, else WRITTEN. */
extern u8 grt_type_fates[GRTRACE_NR_EVENTS];
extern u64 grt_sample_below;

/* Salts keep the samplers independent: half of a half is a quarter. */
#define GRT_SALT_SAMPLE		0
#define GRT_SALT_PRESSURE	1

/* Is an event of @type on row @ring refused, whatever its job is? */
static __always_inline bool grt_is_refused(u16 type, u32 ring)
{
	return READ_ONCE(grt_refused[ring % GRT_RINGSET_ROWS]) & 1u << type;
}

/* The fate of a refused event whose type is not refused on all rings. */
enum grtrace_fate grt_refused_by_ring(u32 ring);

/* The fate of an event for which grt_is_refused() is true. */
static __always_inline enum grtrace_fate grt_refused_why(u16 type, u32 ring)
{
	enum grtrace_fate fate = READ_ONCE(grt_type_fates[type]);

	return likely(fate != GRTRACE_FATE_WRITTEN) ? fate : grt_refused_by_ring(ring);
}

/* The fate that masks, lists and sampling give all events of a job; @ctx is 0 for no job. */
enum grtrace_fate grt_job_fate(u64 ctx, u64 seqno, u32 ring);

/* Do the watch lists refuse the event?  @ctx is 0 for an event of no job. */
static __always_inline bool grt_is_unlisted(u64 ctx, u32 ring)
{
	return !grt_watch_keeps(&grt_policy.watch, ctx) &&
	       grt_watch_refuses(&grt_policy.watch, ctx, ring);
}

/* Does sampling drop the job? */
static __always_inline bool grt_is_unsampled(u64 ctx, u64 seqno)
{
	return ctx && !grt_sample_keeps(READ_ONCE(grt_sample_below), ctx, seqno, GRT_SALT_SAMPLE);
}

/* Packs into one argument: a type, the offset of its time in struct grtrace_job, and flags. */
#define GRT_WHAT(type, stamp, flags)	((type) | (stamp) << 8 | (u32)(flags) << 16)
#define GRT_TYPE_OF(what)	((u8)(what))
#define GRT_STAMP_OF(what)	((u8)((what) >> 8))
#define GRT_FLAGS_OF(what)	((u16)((what) >> 16))

/*
 * Each updates the row of the event's job, asks hooks, and returns the fate that they decide.
 * The event is on CPU @c at @ts ns; @ctx is 0 for an event of no job.  Interrupts off.
 *
 * _submit: a SUBMIT by thread @tid of process @tgid.  _written: a SUBMIT given as a record.
 * _end: a COMPLETE, whose status is in c->status.  _error: an ERROR.  _untracked: an event of no
 * tracked job.  They are in follow.c.
 */
enum grtrace_fate grt_follow(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what);
enum grtrace_fate grt_follow_submit(struct grt_cpu *c, const struct grtrace_job_info *job, u64 ts,
				    u32 tgid, u32 tid);
enum grtrace_fate grt_follow_written(struct grt_cpu *c, const struct grtrace_submit *submit,
				     u64 ts);
enum grtrace_fate grt_follow_end(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what);
enum grtrace_fate grt_follow_error(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring,
				   u32 what);
enum grtrace_fate grt_follow_untracked(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring,
				       u32 what);

/* Claims tokens for CPU @c at time @now ns, and takes one.  False: none is left. */
bool grt_claim_tokens(struct grt_cpu *c, u64 now);
/* Is the event kept although the buffer fills?  @ctx is 0 for an event of no job. */
bool grt_thin_out(struct grt_cpu *c, const struct rchan_buf *buf, u64 ctx, u64 seqno);

/* Registers the pipeline for changes of rules, hooks and rings; call it before the first. */
void grt_pipeline_create(void);

/*
 * Switches stages on and off, as grt_policy says.  Sleeps, under the session lock.  Returns 0,
 * or -ENOMEM if there is no memory for the table of jobs; then nothing was switched.
 */
int grt_pipeline_apply(void);

/* Replaces the contexts of the watch list by those of @from.  Sleeps, under the session lock. */
void grt_pipeline_set_ctxs(const struct grt_watch *from);

/*
 * Returns how many events the rate limiter would have let pass at @at_ns, if no token was
 * taken since.  U64_MAX: there is no limit, or it was set later.  Any context but NMI.
 */
u64 grt_rate_tokens(u64 at_ns);

#endif
