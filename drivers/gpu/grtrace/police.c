// SPDX-License-Identifier: GPL-2.0
/*
 * The pipeline, stage by stage.
 *
 * Jobs are followed before anything is decided, then come the cheap tests; the limiter
 * comes late, so that its budget is spent only on events that would be written.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "changes.h"
#include "cost.h"
#include "counters.h"
#include "hooks.h"
#include "jobs.h"
#include "police.h"
#include "rings.h"
#include "rules.h"
#include "seconds.h"
#include "session.h"
#include "transport/transport.h"

struct grt_policy grt_policy = {
	.mask.level = GRT_LEVEL_VERBOSE,
	.watch.is_allow = 1,
	.sample_pct = 100,
};

/* Adapters ask for types themselves, before they find out what an event would say. */
DEFINE_STATIC_KEY_FALSE(grtrace_masked);
EXPORT_SYMBOL_GPL(grtrace_masked);
DEFINE_STATIC_KEY_ARRAY_FALSE(grt_judged, GRTRACE_NR_EVENTS);
DEFINE_STATIC_KEY_FALSE(grt_listed);
DEFINE_STATIC_KEY_FALSE(grt_sampled);
DEFINE_STATIC_KEY_FALSE(grt_policed);
DEFINE_STATIC_KEY_FALSE(grt_stamped);
DEFINE_STATIC_KEY_FALSE(grt_followed);
DEFINE_STATIC_KEY_FALSE(grt_rated);
DEFINE_STATIC_KEY_FALSE(grt_pressed);
static DEFINE_STATIC_KEY_FALSE(grt_hooked);
/* Rings, contexts or a share decide about jobs. */
static DEFINE_STATIC_KEY_FALSE(grt_fated);

u64 grt_sample_below = GRT_SAMPLE_ALL;
u32 grt_refused[GRT_RINGSET_ROWS];
u32 grtrace_refused_types;	/* row 0 of that, for adapters */
EXPORT_SYMBOL_GPL(grtrace_refused_types);
static DEFINE_RAW_SPINLOCK(refused_lock);	/* inside that of the ring table */
/* By type: why it is refused on all rings, WRITTEN where it is not. */
static u8 type_fates[GRTRACE_NR_EVENTS];
static u64 rate_since_ns;	/* the limit holds as it is now */
static u32 types_of_filter;	/* refused while that hook is on */

static const u8 fates[] = {
#define GRTRACE_X(NAME, fate, text) GRTRACE_FATE_##fate,
	GRTRACE_VERDICTS(GRTRACE_X)
#undef GRTRACE_X
};

/* --- what rings decide ------------------------------------------------------- */

/* Rings that are listed alone decide like a filter of rings. */
static bool has_rings_listed_alone(const struct grt_watch *w)
{
	return !grt_watch_has_ctxs(w) && w->rings.nr;
}

static enum grtrace_fate ring_fate(u32 ring)
{
	const struct grt_policy *p = &grt_policy;
	enum grtrace_fate fate = grt_mask_ring_fate(&p->mask, ring, grt_ring_engine(ring));

	if (fate == GRTRACE_FATE_WRITTEN && has_rings_listed_alone(&p->watch) &&
	    grt_watch_refuses(&p->watch, 0, ring))
		return GRTRACE_FATE_FILTERED_WATCH;
	return fate;
}

/* Under refused_lock.  One store: whoever looks meanwhile sees the old or the new. */
static void refuse_row(u32 row)
{
	bool is_all = ring_fate(row) != GRTRACE_FATE_WRITTEN;

	WRITE_ONCE(grt_refused[row], is_all ? ~0u : grt_mask_types(&grt_policy.mask));
}

static void refuse_rows(void)
{
	unsigned long flags;
	u32 row, type;

	raw_spin_lock_irqsave(&refused_lock, flags);
	for (type = 0; type < GRTRACE_NR_EVENTS; type++)
		WRITE_ONCE(type_fates[type], grt_mask_type_fate(&grt_policy.mask, type));
	for (row = 0; row < GRT_RINGSET_ROWS; row++)
		refuse_row(row);
	WRITE_ONCE(grtrace_refused_types, grt_refused[GRTRACE_NO_RING]);
	raw_spin_unlock_irqrestore(&refused_lock, flags);
}

enum grtrace_fate grt_refused_why(u16 type, u32 ring)
{
	enum grtrace_fate fate = READ_ONCE(type_fates[type]);

	if (likely(fate != GRTRACE_FATE_WRITTEN))
		return fate;
	fate = ring_fate(ring % GRT_RINGSET_ROWS);
	/* The masks were changed between the look into the table and this one. */
	return fate == GRTRACE_FATE_WRITTEN ? GRTRACE_FATE_FILTERED_TYPE : fate;
}

static void ring_met(u32 row, const char *device, const char *name)
{
	grt_ringset_meet(&grt_policy.mask.rings, row, device, name);
	grt_ringset_meet(&grt_policy.watch.rings, row, device, name);
	grt_rules_meet(row, device, name);
	raw_spin_lock(&refused_lock);
	refuse_row(row % GRT_RINGSET_ROWS);
	raw_spin_unlock(&refused_lock);
}

static void rings_forgotten(void)
{
	grt_ringset_forget(&grt_policy.mask.rings);
	grt_ringset_forget(&grt_policy.watch.rings);
	grt_rules_forget();
	refuse_rows();
}

/* --- switching --------------------------------------------------------------- */

static void drop_tokens(int cpu)
{
	struct grt_cpu *c = per_cpu_ptr(grt_cpus, cpu);

	c->tokens = 0;
	c->tokens_until = 0;
	c->no_token_until = 0;
}

/* As if nothing had passed yet. */
static void restart_rate(void)
{
	static struct grt_rate applied;
	struct grt_rate *r = &grt_policy.rate;

	if (r->limit_hz == applied.limit_hz && r->mode == applied.mode &&
	    r->burst == applied.burst)
		return;
	applied = *r;
	WRITE_ONCE(rate_since_ns, ktime_get_mono_fast_ns());
	grt_rate_restart(r, num_online_cpus());
	grt_counters_each(drop_tokens);
}

/* What is in flight when nobody follows it any more would never end. */
static void stop_following(void)
{
	if (!static_key_enabled(&grt_tracked))
		return;
	static_branch_disable(&grt_tracked);
	synchronize_rcu();
	grt_jobs_reset();
}

/* A time that was read before must not become that of an event much later. */
static void stop_stamping(void)
{
	int cpu;

	if (!static_key_enabled(&grt_stamped))
		return;
	static_branch_disable(&grt_stamped);
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		per_cpu_ptr(grt_cpus, cpu)->event_ts = 0;
}

/* Turns on, or off, the keys of the types for which that is due. */
static void judge_types(bool is_policed, bool is_on)
{
	const struct grt_policy *p = &grt_policy;
	bool is_all = is_policed || p->mask.engines || p->mask.rings.nr ||
		      has_rings_listed_alone(&p->watch);
	u32 refused = grt_mask_types(&p->mask), type;

	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		if ((is_all || refused >> type & 1) != is_on)
			continue;
		if (is_on)
			static_branch_enable(&grt_judged[type]);
		else
			static_branch_disable(&grt_judged[type]);
	}
}

int grt_police_apply(void)
{
	struct grt_policy *p = &grt_policy;
	bool needs_jobs = p->track_jobs || grt_rules_count() || grt_hooks_need_jobs();
	bool is_followed = needs_jobs || grt_hooks_any();
	bool is_listed = grt_watch_has_ctxs(&p->watch), is_sampled = p->sample_pct < 100;
	bool is_masked = grt_mask_is_used(&p->mask) || has_rings_listed_alone(&p->watch);
	bool is_stamped = needs_jobs || p->rate.limit_hz;
	bool is_policed = is_followed || is_listed || is_sampled || p->rate.limit_hz || p->pressure.threshold_pct ||
			  grt_cost_sample;

	const struct { struct static_key_false *key; bool is_on; } keys[] = {
		{ &grt_policed, is_policed },
		{ &grt_hooked, grt_hooks_any() },
		{ &grt_fated, is_masked || is_listed || is_sampled },
		{ &grt_followed, is_followed },
		{ &grt_rated, p->rate.limit_hz },
		{ &grt_pressed, p->pressure.threshold_pct },
		{ &grt_listed, is_listed && !is_followed },
		{ &grt_sampled, is_sampled && !is_followed },
		{ &grtrace_masked, is_masked && !is_followed },
	};
	unsigned int i;

	lockdep_assert_held(&grt_session.lock);
	if (needs_jobs && grt_jobs_reserve())
		return -ENOMEM;
	WRITE_ONCE(grt_sample_below, grt_sample_limit(p->sample_pct));
	grt_watch_prepare(&p->watch);
	grt_pressure_prepare(&p->pressure, GRT_SUBBUFS);
	refuse_rows();
	restart_rate();
	/*
	 * What is wanted goes on before anything goes off, so that no event slips through
	 * between two stages that take over from each other.  The pipeline goes on before
	 * times are read early, and off after that: an event that has the time of its look
	 * at the pipeline must have had that look.
	 */
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].is_on)
			static_branch_enable(keys[i].key);
	judge_types(is_policed, true);
	if (is_stamped)
		static_branch_enable(&grt_stamped);
	if (needs_jobs)
		static_branch_enable(&grt_tracked);
	else
		stop_following();
	if (!is_stamped)
		stop_stamping();
	judge_types(is_policed, false);
	for (i = ARRAY_SIZE(keys); i--; )
		if (!keys[i].is_on)
			static_branch_disable(keys[i].key);
	return 0;
}

static const struct grt_listener listener = {
	.decided	 = grt_police_apply,
	.ring_met	 = ring_met,
	.rings_forgotten = rings_forgotten,
};

void grt_police_create(void)
{
	grt_listener = &listener;
}

void grt_police_set_ctxs(const struct grt_watch *from)
{
	lockdep_assert_held(&grt_session.lock);
	grt_watch_put_ctxs(&grt_policy.watch, from);
	synchronize_rcu();	/* nobody looks at the other list any more */
}

void grtrace_filter_types(u32 refused)
{
	WRITE_ONCE(types_of_filter, refused);
}
EXPORT_SYMBOL_GPL(grtrace_filter_types);

/* --- limits ------------------------------------------------------------------ */

u64 grt_rate_tokens(u64 at_ns)
{
	if (!grt_policy.rate.limit_hz || at_ns < READ_ONCE(rate_since_ns))
		return GRT_NO_TOKENS;
	return grt_rate_left(&grt_policy.rate, at_ns);
}

bool grt_claim_tokens(struct grt_cpu *c, u64 now)
{
	u64 until;
	u32 nr;

	if (now < c->no_token_until)
		return false;
	nr = grt_rate_claim(&grt_policy.rate, now, &until);
	if (!nr) {
		c->no_token_until = until;
		return false;
	}
	c->tokens = nr - 1;
	c->tokens_until = until;
	return true;
}

bool grt_thin_out(struct grt_cpu *c, const struct rchan_buf *buf, u64 ctx, u64 seqno)
{
	u64 share = grt_pressure_share(&grt_policy.pressure, GRT_PRESSURE_ALL - c->thinned,
				       grt_transport_waiting(buf), GRT_SUBBUFS);

	c->thinned = GRT_PRESSURE_ALL - share;
	/* Those of no job go last. */
	return ctx ? grt_sample_keeps(share, ctx, seqno, GRT_SALT_PRESSURE) : share;
}

/* --- jobs that are followed, and hooks ------------------------------------------ */

static __always_inline bool is_hooked(enum grtrace_hook_place place)
{
	return static_branch_unlikely(&grt_hook_on[place]);
}

/* What becomes of all events of a job, as far as the policy goes. */
static enum grtrace_fate job_fate(const struct grtrace_seen *ev)
{
	enum grtrace_fate fate = ring_fate(ev->ring % GRT_RINGSET_ROWS);

	u64 ctx = grtrace_job_ctx(ev);

	if (fate != GRTRACE_FATE_WRITTEN)
		return fate;
	if (grt_watch_has_ctxs(&grt_policy.watch) && grt_is_unlisted(ctx, ev->ring))
		return GRTRACE_FATE_FILTERED_WATCH;
	if (grt_is_left_out(ctx, ev->seqno))
		return GRTRACE_FATE_SAMPLED;
	return GRTRACE_FATE_WRITTEN;
}

static bool is_kept(enum grtrace_fate fate)
{
	return fate == GRTRACE_FATE_WRITTEN || fate == GRTRACE_FATE_AGGREGATED;
}

static __always_inline void ask_about_job(struct grtrace_job_state *job,
					  const struct grtrace_seen *ev,
					  enum grtrace_hook_place place)
{
	const struct grtrace_hook *hook;
	enum grtrace_verdict verdict;

	if (!is_hooked(place) || !is_kept(job->fate))
		return;
	hook = grt_hook_at(place);
	verdict = hook->submit ? hook->submit(job, ev) : GRTRACE_VERDICT_KEEP;
	if (job->verdict != GRTRACE_VERDICT_KEEP)
		return;
	job->verdict = verdict;
	job->fate = fates[verdict];
}

static __always_inline void monitor(struct grtrace_job_state *job, const struct grtrace_seen *ev)
{
	if (is_hooked(GRTRACE_HOOK_MONITOR))
		grt_hook_at(GRTRACE_HOOK_MONITOR)->event(job, ev);
}

/* Sums and whole jobs: they tell of what was let in. */
static bool is_summary(u16 type)
{
	return type == GRTRACE_JOB || type == GRTRACE_WINDOW;
}

static __always_inline enum grtrace_fate fate_of_type(u16 type)
{
	return unlikely(grt_is_refused(type, GRTRACE_NO_RING)) ?
		grt_refused_why(type, GRTRACE_NO_RING) : GRTRACE_FATE_WRITTEN;
}

/* The filter refuses the type, and no job for that. */
static __always_inline bool is_refused_by_filter(u16 type)
{
	return is_hooked(GRTRACE_HOOK_FILTER) && READ_ONCE(types_of_filter) >> type & 1;
}

static __always_inline void tell_end(struct grtrace_job_state *job, enum grtrace_hook_place place)
{
	if (is_hooked(place) && job->marks[place])
		grt_hook_at(place)->complete(job);
}

static enum grtrace_fate judge_stranger(struct grt_cpu *c, const struct grtrace_seen *ev)
{
	enum grtrace_verdict verdict = GRTRACE_VERDICT_KEEP;
	enum grtrace_fate fate = fate_of_type(ev->type) ?: job_fate(ev);
	unsigned int place;

	monitor(NULL, ev);
	if (fate != GRTRACE_FATE_WRITTEN || ev->type == GRTRACE_WINDOW)
		return fate;
	if (!is_summary(ev->type) && is_refused_by_filter(ev->type)) {
		c->hooks.of_type++;
		return GRTRACE_FATE_FILTERED_EXT;
	}
	if (!grtrace_job_ctx(ev)) {
		c->hooks.of_no_job++;
		return fate;
	}
	for (place = GRTRACE_HOOK_FILTER; place < GRTRACE_NR_HOOKS && !verdict; place++) {
		if (static_key_enabled(&grt_hook_on[place]) && grt_hook_at(place)->stranger)
			verdict = grt_hook_at(place)->stranger(ev);
	}
	if (!is_summary(ev->type))
		c->hooks.verdicts[verdict]++;
	return fates[verdict];
}

/* An event of a job, as hooks see it; one may write while it is asked, so there are two. */
static struct grtrace_seen *show(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what)
{
	struct grtrace_seen *ev = &c->asked[c->is_policing];

	*ev = (struct grtrace_seen){
		.ctx = ctx, .seqno = seqno, .ts = ts, .ring = ring, .status = c->status,
		.type = GRT_TYPE_OF(what), .flags = GRT_FLAGS_OF(what),
	};
	return ev;
}

noinline enum grtrace_fate grt_follow_stranger(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts,
					       u32 ring, u32 what)
{
	struct grtrace_seen *ev = show(c, ctx, seqno, ts, ring, what);
	enum grtrace_fate fate;

	c->rule_flags = 0;
	c->is_policing++;
	fate = judge_stranger(c, ev);
	c->is_policing--;
	return fate;
}

/* Under the lock of its set.  What hooks make of an event of @job, and count. */
static enum grtrace_fate judge_event(struct grt_cpu *c, struct grtrace_job_state *job, u16 type)
{
	enum grtrace_fate fate = fate_of_type(type);

	if (unlikely(fate != GRTRACE_FATE_WRITTEN))
		return fate;
	if (unlikely(is_refused_by_filter(type)) && is_kept(job->fate)) {
		c->hooks.of_type++;
		return GRTRACE_FATE_FILTERED_EXT;
	}
	/* Errors are told in any case, and summed up nowhere. */
	if (unlikely(type == GRTRACE_ERROR)) {
		c->hooks.verdicts[GRTRACE_VERDICT_KEEP]++;
		return job->fate == GRTRACE_FATE_AGGREGATED ? GRTRACE_FATE_WRITTEN : job->fate;
	}
	job->events++;
	c->hooks.verdicts[job->verdict]++;
	return job->fate;
}

/* What an event tells of its job.  Under the lock of its set. */
static __always_inline void move_on(struct grtrace_job_state *job, u64 ts, u32 ring, u32 what)
{
	u8 stamp = GRT_STAMP_OF(what);

	if (likely(stamp))
		*(u64 *)((u8 *)&job->rec + stamp) = ts;
	if (unlikely(GRT_FLAGS_OF(what)))
		job->rec.hdr.flags |= GRT_FLAGS_OF(what) & GRT_FLAGS_OF_ALL_TYPES;
	if (unlikely(!job->rec.ring))
		job->rec.ring = ring;
}

/* For a monitor, or hooks that think of this type otherwise than of its job. */
static noinline enum grtrace_fate follow_closely(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts,
						 u32 ring, u32 what)
{
	struct grt_job_set *set = grt_job_lock(ctx, seqno);
	struct grtrace_job_state *job = grt_job_find(set, ctx, seqno);
	enum grtrace_fate fate;

	if (!job) {
		grt_job_unlock(set);
		return grt_follow_stranger(c, ctx, seqno, ts, ring, what);
	}
	move_on(job, ts, ring, what);
	c->is_policing++;
	monitor(job, show(c, ctx, seqno, ts, ring, what));
	fate = judge_event(c, job, GRT_TYPE_OF(what));
	c->is_policing--;
	grt_job_unlock(set);
	return fate;
}

static __always_inline bool is_looked_at(u16 type)
{
	return is_hooked(GRTRACE_HOOK_MONITOR) || is_refused_by_filter(type) ||
	       type == GRTRACE_ERROR;
}

/* No call but at its end, so nothing has to be saved for it. */
enum grtrace_fate grt_follow(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what)
{
	struct grtrace_job_state *job;
	struct grt_job_set *set;
	enum grtrace_fate fate;

	if (!static_branch_likely(&grt_tracked) || unlikely(!ctx))
		return grt_follow_stranger(c, ctx, seqno, ts, ring, what);
	if (static_branch_unlikely(&grt_hooked) && is_looked_at(GRT_TYPE_OF(what)))
		return follow_closely(c, ctx, seqno, ts, ring, what);
	set = grt_job_lock(ctx, seqno);
	job = grt_job_find(set, ctx, seqno);
	if (unlikely(!job)) {
		grt_job_unlock(set);
		return grt_follow_stranger(c, ctx, seqno, ts, ring, what);
	}
	move_on(job, ts, ring, what);
	fate = job->fate;
	if (static_branch_unlikely(&grt_fated) &&
	    unlikely(grt_is_refused(GRT_TYPE_OF(what), GRTRACE_NO_RING))) {
		grt_job_unlock(set);
		return grt_refused_why(GRT_TYPE_OF(what), GRTRACE_NO_RING);
	}
	if (static_branch_unlikely(&grt_hooked)) {
		job->events++;
		c->hooks.verdicts[job->verdict]++;
	}
	grt_job_unlock(set);
	return fate;
}

/* A hook that marked it wants to be told, or the filter does not want this type. */
static __always_inline bool wants_end(const struct grtrace_job_state *job)
{
	return job->marks[GRTRACE_HOOK_FILTER] | job->marks[GRTRACE_HOOK_SAMPLER] |
	       job->marks[GRTRACE_HOOK_AGGREGATOR];
}

/* With hooks, that are told of the end of a job.  Unlocks the set. */
static noinline enum grtrace_fate end_closely(struct grt_cpu *c, struct grt_job_set *set,
					      struct grtrace_job_state *job)
{
	enum grtrace_fate fate = judge_event(c, job, GRTRACE_COMPLETE);

	grt_job_end(set, job);
	grt_job_unlock(set);
	c->is_policing++;
	tell_end(job, GRTRACE_HOOK_FILTER);
	tell_end(job, GRTRACE_HOOK_SAMPLER);
	tell_end(job, GRTRACE_HOOK_AGGREGATOR);
	c->is_policing--;
	grt_job_drop(set, job);
	return fate;
}

enum grtrace_fate grt_follow_end(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what)
{
	struct grtrace_job_state *job;
	struct grt_job_set *set;
	enum grtrace_fate fate;

	if (!static_branch_likely(&grt_tracked) || unlikely(!ctx))
		return grt_follow_stranger(c, ctx, seqno, ts, ring, what);
	set = grt_job_lock(ctx, seqno);
	job = grt_job_find(set, ctx, seqno);
	if (unlikely(!job)) {
		grt_job_unlock(set);
		return grt_follow_stranger(c, ctx, seqno, ts, ring, what);
	}
	move_on(job, ts, ring, what);
	job->rec.status = c->status;
	if (static_branch_unlikely(&grt_ruled))
		c->rule_flags = is_kept(job->fate) ? grt_rules_check(&job->rec) : 0;
	if (static_branch_unlikely(&grt_hooked)) {
		if (is_hooked(GRTRACE_HOOK_MONITOR))
			monitor(job, show(c, ctx, seqno, ts, ring, what));
		if (wants_end(job))
			return end_closely(c, set, job);
		fate = judge_event(c, job, GRTRACE_COMPLETE);
	} else {
		fate = job->fate;
		if (static_branch_unlikely(&grt_fated))
			fate = fate_of_type(GRTRACE_COMPLETE) ?: fate;
	}
	grt_job_end(set, job);
	grt_job_drop(set, job);
	grt_job_unlock(set);
	return fate;
}

/* A job that is submitted, as hooks see it. */
static noinline enum grtrace_fate submit_closely(struct grt_cpu *c, struct grtrace_job_state *job)
{
	struct grtrace_seen *ev = &c->asked[c->is_policing];

	*ev = (struct grtrace_seen){
		.ctx = job->rec.ctx, .seqno = job->rec.seqno, .ts = job->rec.submit_ns,
		.client_id = job->rec.client_id, .ring = job->rec.ring, .tgid = job->rec.tgid,
		.tid = job->rec.tid, .type = GRTRACE_SUBMIT, .flags = job->rec.hdr.flags,
	};
	if (static_branch_unlikely(&grt_fated))
		job->fate = job_fate(ev);
	if (!static_branch_likely(&grt_hooked))
		return fate_of_type(GRTRACE_SUBMIT) ?: job->fate;
	c->is_policing++;
	monitor(job, ev);
	ask_about_job(job, ev, GRTRACE_HOOK_FILTER);
	ask_about_job(job, ev, GRTRACE_HOOK_SAMPLER);
	ask_about_job(job, ev, GRTRACE_HOOK_AGGREGATOR);
	c->is_policing--;
	return judge_event(c, job, GRTRACE_SUBMIT);
}

static noinline enum grtrace_fate submit_stranger(struct grt_cpu *c,
						  const struct grtrace_job_info *job, u64 ts,
						  u32 tgid, u32 tid)
{
	struct grtrace_seen *ev = &c->asked[c->is_policing];
	enum grtrace_fate fate;

	*ev = (struct grtrace_seen){
		.ctx = job->ctx, .seqno = job->seqno, .ts = ts, .client_id = job->client_id,
		.ring = job->ring, .tgid = tgid, .tid = tid, .type = GRTRACE_SUBMIT,
		.flags = job->flags,
	};
	c->is_policing++;
	fate = judge_stranger(c, ev);
	c->is_policing--;
	return fate;
}

enum grtrace_fate grt_follow_submit(struct grt_cpu *c, const struct grtrace_job_info *info, u64 ts,
				    u32 tgid, u32 tid)
{
	struct grtrace_job_state *job;
	enum grtrace_fate fate;
	struct grt_job_set *set;

	if (!static_branch_likely(&grt_tracked) || unlikely(!info->ctx))
		return submit_stranger(c, info, ts, tgid, tid);
	set = grt_job_lock(info->ctx, info->seqno);
	job = grt_job_begin(set, info->ctx, info->seqno);
	if (unlikely(!job)) {
		grt_job_unlock(set);
		return submit_stranger(c, info, ts, tgid, tid);
	}
	job->rec.hdr.flags = info->flags & GRT_FLAGS_OF_ALL_TYPES;
	job->rec.ring = info->ring;
	job->rec.client_id = info->client_id;
	job->rec.tgid = tgid;
	job->rec.tid = tid;
	job->rec.submit_ns = ts;
	fate = GRTRACE_FATE_WRITTEN;
	if (static_branch_unlikely(&grt_hooked) || static_branch_unlikely(&grt_fated))
		fate = submit_closely(c, job);
	grt_job_unlock(set);
	return fate;
}

enum grtrace_fate grt_follow_written(struct grt_cpu *c, const struct grtrace_submit *submit, u64 ts)
{
	const struct grtrace_job_info info = {
		.ctx = submit->ctx, .seqno = submit->seqno, .client_id = submit->client_id,
		.ring = submit->ring, .flags = submit->hdr.flags,
	};

	return grt_follow_submit(c, &info, ts, submit->tgid, submit->tid);
}

void grtrace_hook_counts(struct grtrace_hook_counts *to)
{
	const u64 *from;
	unsigned int i;
	int cpu;

	memset(to, 0, sizeof(*to));
	for_each_possible_cpu(cpu) {
		from = (const u64 *)&per_cpu_ptr(grt_cpus, cpu)->hooks;
		for (i = 0; i < sizeof(*to) / sizeof(u64); i++)
			((u64 *)to)[i] += READ_ONCE(from[i]);
	}
}
EXPORT_SYMBOL_GPL(grtrace_hook_counts);
