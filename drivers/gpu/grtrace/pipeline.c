// SPDX-License-Identifier: GPL-2.0
/*
 * The pipeline, stage by stage.
 *
 * Cheap tests come first.  The rate limiter comes late, so that its tokens are spent only on
 * events that would be written.  pipeline.h has the order of the stages.
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
#include "pipeline.h"
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

/* Adapters test the type mask before they collect the data of an event. */
DEFINE_STATIC_KEY_FALSE(grtrace_masked);
EXPORT_SYMBOL_GPL(grtrace_masked);
DEFINE_STATIC_KEY_ARRAY_FALSE(grt_judged, GRTRACE_NR_EVENTS);
DEFINE_STATIC_KEY_FALSE(grt_listed);
DEFINE_STATIC_KEY_FALSE(grt_sampled);
DEFINE_STATIC_KEY_FALSE(grt_staged);
DEFINE_STATIC_KEY_FALSE(grt_stamped);
DEFINE_STATIC_KEY_FALSE(grt_followed);
DEFINE_STATIC_KEY_FALSE(grt_rated);
DEFINE_STATIC_KEY_FALSE(grt_pressed);
DEFINE_STATIC_KEY_FALSE(grt_hooked);
DEFINE_STATIC_KEY_FALSE(grt_fated);

u64 grt_sample_below = GRT_SAMPLE_ALL;
u32 grt_refused[GRT_RINGSET_ROWS];
u8 grt_type_fates[GRTRACE_NR_EVENTS];
u32 grtrace_refused_types;	/* grt_refused[0], for adapters */
EXPORT_SYMBOL_GPL(grtrace_refused_types);
static DEFINE_RAW_SPINLOCK(refused_lock);	/* inside that of the ring table */
static u64 rate_since_ns;	/* when the limit was last changed */

/* --- decisions by ring ------------------------------------------------------- */

/* A watch list of rings without contexts works like a mask of rings. */
static bool has_rings_listed_alone(const struct grt_watch *w)
{
	return !grt_watch_has_ctxs(w) && grt_ringset_is_used(&w->rings);
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

/* Under refused_lock.  It is a single store, so events see the old or the new mask. */
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
		WRITE_ONCE(grt_type_fates[type], grt_mask_type_fate(&grt_policy.mask, type));
	for (row = 0; row < GRT_RINGSET_ROWS; row++)
		refuse_row(row);
	WRITE_ONCE(grtrace_refused_types, grt_refused[GRTRACE_NO_RING]);
	raw_spin_unlock_irqrestore(&refused_lock, flags);
}

enum grtrace_fate grt_refused_by_ring(u32 ring)
{
	enum grtrace_fate fate = ring_fate(ring % GRT_RINGSET_ROWS);

	/* The masks changed since the caller looked into the table. */
	return fate == GRTRACE_FATE_WRITTEN ? GRTRACE_FATE_FILTERED_TYPE : fate;
}

enum grtrace_fate grt_job_fate(u64 ctx, u64 seqno, u32 ring)
{
	enum grtrace_fate fate = ring_fate(ring % GRT_RINGSET_ROWS);

	if (fate != GRTRACE_FATE_WRITTEN)
		return fate;
	if (grt_watch_has_ctxs(&grt_policy.watch) && grt_is_unlisted(ctx, ring))
		return GRTRACE_FATE_FILTERED_WATCH;
	if (grt_is_unsampled(ctx, seqno))
		return GRTRACE_FATE_SAMPLED;
	return GRTRACE_FATE_WRITTEN;
}

static void ring_added(u32 row, const char *device, const char *name)
{
	grt_ringset_match_row(&grt_policy.mask.rings, row, device, name);
	grt_ringset_match_row(&grt_policy.watch.rings, row, device, name);
	grt_rules_match_row(row, device, name);
	raw_spin_lock(&refused_lock);
	refuse_row(row % GRT_RINGSET_ROWS);
	raw_spin_unlock(&refused_lock);
}

static void rings_cleared(void)
{
	grt_ringset_clear_names(&grt_policy.mask.rings);
	grt_ringset_clear_names(&grt_policy.watch.rings);
	grt_rules_clear_names();
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

/* Starts the rate limit afresh, if it was changed. */
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

/* Empties the table: without tracking, no COMPLETE would remove the jobs in flight. */
static void stop_following(void)
{
	if (!static_key_enabled(&grt_tracked))
		return;
	static_branch_disable(&grt_tracked);
	synchronize_rcu();
	grt_jobs_reset();
}

/* Clears event_ts: when stamping goes on again, an old time must not stamp a new event. */
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

/* Turns on (or off) the keys of those types that need it. */
static void judge_types(bool is_staged, bool is_on)
{
	const struct grt_policy *p = &grt_policy;
	bool is_all = is_staged || p->mask.engines || p->mask.rings.nr ||
		      has_rings_listed_alone(&p->watch);
	u32 refused = grt_mask_types(&p->mask), type;

	for (type = 0; type < GRTRACE_NR_EVENTS; type++) {
		if ((is_all || refused >> type & 1) == is_on)
			grt_key_set(&grt_judged[type], is_on);
	}
}

/* Which stages are needed. */
struct stages {
	bool needs_jobs, is_followed, is_listed, is_sampled, is_masked, is_stamped, is_staged;
};

static struct stages stages_wanted(const struct grt_policy *p)
{
	struct stages s = {
		.needs_jobs = p->track_jobs || grt_rules_count() || grt_hooks_need_jobs(),
		.is_listed = grt_watch_has_ctxs(&p->watch),
		.is_sampled = p->sample_pct < 100,
		.is_masked = grt_mask_is_used(&p->mask) || has_rings_listed_alone(&p->watch),
	};

	s.is_followed = s.needs_jobs || grt_hooks_any();
	s.is_stamped = s.needs_jobs || p->rate.limit_hz;
	s.is_staged = s.is_followed || s.is_listed || s.is_sampled || p->rate.limit_hz ||
		      p->pressure.threshold_pct || grt_cost_sample;
	return s;
}

/* Computes what the stages read from the settings. */
static void prepare(struct grt_policy *p)
{
	WRITE_ONCE(grt_sample_below, grt_sample_limit(p->sample_pct));
	grt_watch_prepare(&p->watch);
	grt_pressure_prepare(&p->pressure, GRT_SUBBUFS);
	refuse_rows();
	restart_rate();
}

/*
 * Switch all keys on before any goes off: when one stage takes over from another, no event may
 * slip through between them.  Stamping is on only while the pipeline is on: an event that uses
 * event_ts must have passed the pipeline, which sets it.
 */
int grt_pipeline_apply(void)
{
	const struct grt_policy *p = &grt_policy;
	const struct stages s = stages_wanted(p);
	const struct { struct static_key_false *key; bool is_on; } keys[] = {
		{ &grt_staged, s.is_staged },
		{ &grt_hooked, grt_hooks_judge() },
		{ &grt_fated, s.is_masked || s.is_listed || s.is_sampled },
		{ &grt_followed, s.is_followed },
		{ &grt_rated, p->rate.limit_hz },
		{ &grt_pressed, p->pressure.threshold_pct },
		{ &grt_listed, s.is_listed && !s.is_followed },
		{ &grt_sampled, s.is_sampled && !s.is_followed },
		{ &grtrace_masked, s.is_masked && !s.is_followed },
	};
	unsigned int i;

	lockdep_assert_held(&grt_session.lock);
	if (s.needs_jobs && grt_jobs_reserve())
		return -ENOMEM;
	prepare(&grt_policy);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].is_on)
			static_branch_enable(keys[i].key);
	judge_types(s.is_staged, true);
	if (s.is_stamped)
		static_branch_enable(&grt_stamped);
	if (s.needs_jobs)
		static_branch_enable(&grt_tracked);
	else
		stop_following();
	if (!s.is_stamped)
		stop_stamping();
	judge_types(s.is_staged, false);
	for (i = ARRAY_SIZE(keys); i--; )
		if (!keys[i].is_on)
			static_branch_disable(keys[i].key);
	return 0;
}

static const struct grt_listener listener = {
	.decided	 = grt_pipeline_apply,
	.ring_added	 = ring_added,
	.rings_cleared = rings_cleared,
};

void grt_pipeline_create(void)
{
	grt_listener = &listener;
}

void grt_pipeline_set_ctxs(const struct grt_watch *from)
{
	lockdep_assert_held(&grt_session.lock);
	grt_watch_put_ctxs(&grt_policy.watch, from);
	synchronize_rcu();	/* no event reads the old list any more */
}

/* --- limits ------------------------------------------------------------------ */

u64 grt_rate_tokens(u64 at_ns)
{
	if (!READ_ONCE(grt_policy.rate.limit_hz) || at_ns < READ_ONCE(rate_since_ns))
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
	/* Events of no job are dropped last. */
	return ctx ? grt_sample_keeps(share, ctx, seqno, GRT_SALT_PRESSURE) : share;
}
