// SPDX-License-Identifier: GPL-2.0
/*
 * The policy, stage by stage.
 *
 * Jobs are followed before anything is decided: a job's latency does not depend on
 * which of its events are wanted.  Then the cheap tests; the limiter comes late, so that
 * its budget is spent only on events that would be written.  Direct calls: an ops table
 * would cost one retpoline per stage and event.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/ktime.h>

#include "cost.h"
#include "counters.h"
#include "hooks.h"
#include "jobs.h"
#include "police.h"
#include "policy/sample.h"
#include "rings.h"
#include "rules.h"
#include "session.h"
#include "transport/transport.h"

/* No choice of jobs agrees with another one. */
#define SALT_SAMPLE	0
#define SALT_PRESSURE	1

enum stage { STAGE_MASK, STAGE_WATCH, STAGE_SAMPLE, STAGE_RATE, STAGE_PRESSURE, NR_STAGES };

struct grt_policy grt_policy = {
	.mask.level = GRT_LEVEL_VERBOSE,
	.watch.is_allow = 1,
	.sample_pct = 100,
};

DEFINE_STATIC_KEY_FALSE(grt_policed);
DEFINE_STATIC_KEY_FALSE(grt_tracked);
static DEFINE_STATIC_KEY_ARRAY_FALSE(stage_on, NR_STAGES);
DEFINE_STATIC_KEY_FALSE(grtrace_masked);
EXPORT_SYMBOL_GPL(grtrace_masked);

static u64 sample_limit = GRT_SAMPLE_ALL;
static DEFINE_RAW_SPINLOCK(rate_lock);
static u64 rate_began_ns;	/* under it */

/* One for each stage, in the order of the enum. */
static void wanted_stages(bool *is_on)
{
	const struct grt_policy *p = &grt_policy;

	is_on[STAGE_MASK] = grt_mask_is_used(&p->mask);
	is_on[STAGE_WATCH] = grt_watch_is_used(&p->watch);
	is_on[STAGE_SAMPLE] = p->sample_pct < 100;
	is_on[STAGE_RATE] = p->rate.limit_hz;
	is_on[STAGE_PRESSURE] = p->pressure.threshold_pct;
}

/* As if nothing had passed yet. */
static void restart_rate(void)
{
	static struct grt_rate applied;
	struct grt_rate *r = &grt_policy.rate;

	raw_spin_lock_irq(&rate_lock);
	if (r->limit_hz != applied.limit_hz || r->mode != applied.mode ||
	    r->burst != applied.burst) {
		applied = *r;
		rate_began_ns = ktime_get_mono_fast_ns();
		grt_rate_restart(r, rate_began_ns);
	}
	raw_spin_unlock_irq(&rate_lock);
}

static void forget_times(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(grt_cpus, cpu)->event_ts = 0;
}

/* What is in flight when nobody follows it any more would never end. */
static void follow_jobs(bool is_on)
{
	bool was_on = static_key_enabled(&grt_tracked);

	grt_switch(&grt_tracked, is_on);
	if (!was_on || is_on)
		return;
	synchronize_rcu();
	forget_times();
	grt_jobs_reset();
}

int grt_police_apply(void)
{
	bool needs_jobs = grt_policy.track_jobs || grt_rules_count() || grt_hooks_need_jobs();
	bool is_on[NR_STAGES], is_any = needs_jobs || grt_hooks_any() || grt_cost_sample;
	unsigned int i;

	lockdep_assert_held(&grt_session.lock);
	if (needs_jobs && grt_jobs_reserve())
		return -ENOMEM;
	WRITE_ONCE(sample_limit, grt_sample_limit(grt_policy.sample_pct));
	grt_mask_prepare(&grt_policy.mask);
	restart_rate();
	wanted_stages(is_on);
	for (i = 0; i < NR_STAGES; i++) {
		grt_switch(&stage_on[i], is_on[i]);
		is_any |= is_on[i];
	}
	/*
	 * While jobs are followed an event has the time of its look at the policy: one
	 * that is written without that look would have none.
	 */
	if (!needs_jobs)
		follow_jobs(false);
	grt_switch(&grt_policed, is_any);
	if (needs_jobs)
		follow_jobs(true);
	/* The short cut of adapters; who follows jobs has to see all of their events. */
	grt_switch(&grtrace_masked, is_on[STAGE_MASK] && !needs_jobs && !grt_hooks_any());
	return 0;
}

static bool is_rate_ok(u64 now)
{
	bool is_ok;

	raw_spin_lock(&rate_lock);
	is_ok = grt_rate_takes(&grt_policy.rate, now);
	raw_spin_unlock(&rate_lock);
	return is_ok;
}

u64 grt_rate_tokens(u64 at_ns)
{
	unsigned long flags;
	u64 left = U64_MAX;

	raw_spin_lock_irqsave(&rate_lock, flags);
	if (grt_policy.rate.limit_hz && at_ns >= rate_began_ns)
		left = grt_rate_left(&grt_policy.rate, at_ns);
	raw_spin_unlock_irqrestore(&rate_lock, flags);
	return left;
}

static bool is_pressure_ok(struct grt_cpu *c, const struct rchan_buf *buf, u64 ctx, u64 seqno)
{
	u64 share = grt_pressure_share(&grt_policy.pressure, GRT_PRESSURE_ALL - c->thinned,
				       grt_transport_waiting(buf), GRT_SUBBUFS);

	c->thinned = GRT_PRESSURE_ALL - share;
	/* Those of no job go last. */
	return ctx ? grt_sample_keeps(share, ctx, seqno, SALT_PRESSURE) : share;
}

/* Whether its kind is wanted, and whether its job is. */
static void decide_wanted(struct grtrace_seen *ev, u64 job_ctx)
{
	enum grtrace_fate fate = GRTRACE_FATE_WRITTEN;

	if (static_branch_unlikely(&stage_on[STAGE_MASK])) {
		ev->fate = grt_mask_type_fate(&grt_policy.mask, ev->type);
		fate = grt_mask_ring_fate(&grt_policy.mask, ev->ring, grt_ring_engine(ev->ring));
	}
	if (static_branch_unlikely(&stage_on[STAGE_WATCH]) && fate == GRTRACE_FATE_WRITTEN &&
	    grt_watch_refuses(&grt_policy.watch, job_ctx, ev->ring))
		fate = GRTRACE_FATE_FILTERED_WATCH;
	if (static_branch_unlikely(&stage_on[STAGE_SAMPLE]) && fate == GRTRACE_FATE_WRITTEN &&
	    job_ctx && !grt_sample_keeps(READ_ONCE(sample_limit), job_ctx, ev->seqno, SALT_SAMPLE))
		fate = GRTRACE_FATE_SAMPLED;
	ev->is_refused = fate != GRTRACE_FATE_WRITTEN;
	if (ev->fate == GRTRACE_FATE_WRITTEN)
		ev->fate = fate;
}

static enum grtrace_fate limited(struct grt_cpu *c, const struct rchan_buf *buf,
				 const struct grtrace_seen *ev, u64 job_ctx)
{
	if (static_branch_unlikely(&stage_on[STAGE_RATE]) &&
	    !is_rate_ok(ev->ts ?: ktime_get_mono_fast_ns()))
		return GRTRACE_FATE_RATE_LIMITED;
	if (static_branch_unlikely(&stage_on[STAGE_PRESSURE]) &&
	    !is_pressure_ok(c, buf, job_ctx, ev->seqno))
		return GRTRACE_FATE_BACKPRESSURE;
	return GRTRACE_FATE_WRITTEN;
}

/* What a hook writes has the time of the event that it was asked about. */
static u64 time_of(struct grt_cpu *c)
{
	if (!c->is_policing)
		c->event_ts = max(c->last_ts, ktime_get_mono_fast_ns());
	return c->event_ts;
}

static void finish(struct grt_cpu *c, const struct grtrace_seen *ev)
{
	if (static_branch_unlikely(&grt_ruled) && ev->type == GRTRACE_COMPLETE)
		c->rule_flags = ev->is_refused ? 0 : grt_rules_check(&ev->job->rec);
	grt_jobs_put(ev->job, ev);
}

enum grtrace_fate grt_police(struct grt_cpu *c, const struct rchan_buf *buf,
			     struct grtrace_seen *ev)
{
	u64 job_ctx = grtrace_job_ctx(ev);
	struct grtrace_job_state *job = NULL;

	if (static_branch_unlikely(&grt_cost_timed) && !c->is_policing)
		grt_cost_begin(c);
	ev->fate = GRTRACE_FATE_WRITTEN;
	ev->is_refused = false;
	ev->job = NULL;
	ev->ts = 0;
	c->rule_flags = 0;
	if (static_branch_unlikely(&grt_tracked)) {
		ev->ts = time_of(c);
		if (job_ctx && ev->type != GRTRACE_JOB)
			job = grt_jobs_step(ev);
		ev->job = job;
	}
	c->is_policing++;
	grt_hook_ask(GRTRACE_HOOK_MONITOR, ev);
	decide_wanted(ev, job_ctx);
	grt_hook_ask(GRTRACE_HOOK_FILTER, ev);
	grt_hook_ask(GRTRACE_HOOK_SAMPLER, ev);
	grt_hook_ask(GRTRACE_HOOK_AGGREGATOR, ev);
	c->is_policing--;
	if (ev->fate == GRTRACE_FATE_WRITTEN)
		ev->fate = limited(c, buf, ev, job_ctx);
	if (job)
		finish(c, ev);
	return ev->fate;
}

void grt_police_meet(u32 row, const char *device, const char *name)
{
	grt_ringset_meet(&grt_policy.mask.rings, row, device, name);
	grt_ringset_meet(&grt_policy.watch.rings, row, device, name);
	grt_rules_meet(row, device, name);
}

void grt_police_forget(void)
{
	grt_ringset_forget(&grt_policy.mask.rings);
	grt_ringset_forget(&grt_policy.watch.rings);
	grt_rules_forget();
}

void grt_police_set_ctxs(const struct grt_watch *from)
{
	lockdep_assert_held(&grt_session.lock);
	grt_watch_put_ctxs(&grt_policy.watch, from);
	synchronize_rcu();	/* nobody looks at the other list any more */
}
