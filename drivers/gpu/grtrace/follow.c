// SPDX-License-Identifier: GPL-2.0
/*
 * Tracks jobs in flight, asks hooks about them, and decides the fates of their events.
 *
 * Most events take the fast path: they lock the set of their job, update the job's row, and
 * unlock the set, without a call in between.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/string.h>

#include "counters.h"
#include "hooks.h"
#include "jobs.h"
#include "meters.h"
#include "pipeline.h"
#include "rules.h"

static u32 types_of_filter;	/* refused while the hook at FILTER is on */

static const u8 fates[] = {
#define GRTRACE_X(NAME, fate, text) GRTRACE_FATE_##fate,
	GRTRACE_VERDICTS(GRTRACE_X)
#undef GRTRACE_X
};

void grtrace_filter_types(u32 refused)
{
	WRITE_ONCE(types_of_filter, refused);
}
EXPORT_SYMBOL_GPL(grtrace_filter_types);

static __always_inline bool is_hooked(enum grtrace_hook_place place)
{
	return static_branch_unlikely(&grt_hook_on[place]);
}

static bool is_kept(enum grtrace_fate fate)
{
	return fate == GRTRACE_FATE_WRITTEN || fate == GRTRACE_FATE_AGGREGATED;
}

/* Applies a hook's verdict on a job that is being submitted. */
static __always_inline void apply_verdict(struct grtrace_job_state *job,
					  enum grtrace_verdict verdict)
{
	if (likely(verdict == GRTRACE_VERDICT_KEEP))
		return;
	if (job->verdict == GRTRACE_VERDICT_KEEP) {
		job->verdict = verdict;
		job->fate = fates[verdict];
	} else if (!is_kept(fates[verdict])) {
		/* An earlier hook will write one JOB record, but this hook refuses the job. */
		job->record_fate = fates[verdict];
	}
}

/* Records that summarize jobs which were let in already. */
static bool is_summary(u16 type)
{
	return type == GRTRACE_JOB || type == GRTRACE_WINDOW;
}

static __always_inline enum grtrace_fate fate_of_type(u16 type)
{
	return unlikely(grt_is_refused(type, GRTRACE_NO_RING)) ?
		grt_refused_why(type, GRTRACE_NO_RING) : GRTRACE_FATE_WRITTEN;
}

/* The filter refuses events of this type; their jobs are not refused. */
static __always_inline bool is_refused_by_filter(u16 type)
{
	return is_hooked(GRTRACE_HOOK_FILTER) && READ_ONCE(types_of_filter) >> type & 1;
}

static enum grtrace_fate judge_untracked(struct grt_cpu *c, const struct grtrace_seen *ev)
{
	enum grtrace_verdict verdict = GRTRACE_VERDICT_KEEP;
	enum grtrace_fate fate = fate_of_type(ev->type) ?:
				 grt_job_fate(grtrace_job_ctx(ev), ev->seqno, ev->ring);
	unsigned int place;

	if (static_branch_unlikely(&grt_metered))
		grt_meter_untracked(ev->ts, ev->ring, ev->type);
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
	for (place = GRTRACE_HOOK_FILTER; place < GRTRACE_HOOK_MONITOR && !verdict; place++) {
		if (static_key_enabled(&grt_hook_on[place]) && grt_hook_at(place)->untracked)
			verdict = grt_hook_at(place)->untracked(ev);
	}
	if (!is_summary(ev->type))
		c->hooks.verdicts[verdict]++;
	return fates[verdict];
}

noinline enum grtrace_fate grt_follow_untracked(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts,
					       u32 ring, u32 what)
{
	/* A hook may write an event while it judges one: each nesting level has its own. */
	struct grtrace_seen *ev = &c->hook_events[c->hook_depth];
	enum grtrace_fate fate;

	*ev = (struct grtrace_seen){
		.ctx = ctx, .seqno = seqno, .ts = ts, .ring = ring, .status = c->status,
		.type = GRT_TYPE_OF(what), .flags = GRT_FLAGS_OF(what),
	};
	c->rule_flags = 0;
	c->hook_depth++;
	fate = judge_untracked(c, ev);
	c->hook_depth--;
	return fate;
}

/* The fate of its type, if masks or lists refuse that; else the fate of its job. */
static __always_inline enum grtrace_fate fate_of_event(const struct grtrace_job_state *job,
						       u16 type)
{
	enum grtrace_fate fate = GRTRACE_FATE_WRITTEN;

	if (static_branch_unlikely(&grt_fated))
		fate = fate_of_type(type);
	return unlikely(fate != GRTRACE_FATE_WRITTEN) ? fate : job->fate;
}

/* The fate of an event of @job, counted for the hooks.  Under the lock of the job's set. */
static __always_inline enum grtrace_fate judge_event(struct grt_cpu *c,
						     struct grtrace_job_state *job, u16 type)
{
	if (static_branch_unlikely(&grt_fated) && unlikely(grt_is_refused(type, GRTRACE_NO_RING)))
		return grt_refused_why(type, GRTRACE_NO_RING);
	if (unlikely(is_refused_by_filter(type)) && is_kept(job->fate)) {
		c->hooks.of_type++;
		return GRTRACE_FATE_FILTERED_EXT;
	}
	/* Errors of summed-up jobs are written, because no summary contains them. */
	if (unlikely(type == GRTRACE_ERROR)) {
		c->hooks.verdicts[GRTRACE_VERDICT_KEEP]++;
		return job->fate == GRTRACE_FATE_AGGREGATED ? GRTRACE_FATE_WRITTEN : job->fate;
	}
	job->events++;
	c->hooks.verdicts[job->verdict]++;
	return job->fate;
}

/* Updates the row of a job with an event.  Under the lock of the job's set. */
static __always_inline void update_row(struct grtrace_job_state *job, u64 ts, u32 ring, u32 what)
{
	*(u64 *)((u8 *)&job->rec + GRT_STAMP_OF(what)) = ts;
	if (unlikely(GRT_FLAGS_OF(what)))
		job->rec.hdr.flags |= GRT_FLAGS_OF(what) & GRT_FLAGS_OF_ALL_TYPES;
	if (unlikely(!job->rec.ring))
		job->rec.ring = ring;
}

/*
 * The slow path: a meter begins a new slice, or the filter refuses this type.  Unlocks the
 * set.
 */
static noinline enum grtrace_fate follow_slow(struct grt_cpu *c, struct grt_job_set *set,
					      struct grtrace_job_state *job, u64 ts, u32 ring,
					      u32 what)
{
	u16 type = GRT_TYPE_OF(what);
	enum grtrace_fate fate;

	if (static_branch_unlikely(&grt_metered))
		grt_meter_event(job, ts, ring, type);
	update_row(job, ts, ring, what);
	fate = static_branch_unlikely(&grt_hooked) ? judge_event(c, job, type) :
						     fate_of_event(job, type);
	grt_job_unlock(set);
	return fate;
}

/* The fast path, for most events.  Unlocks the set. */
static __always_inline enum grtrace_fate follow_fast(struct grt_cpu *c, struct grt_job_set *set,
						     struct grtrace_job_state *job, u64 ts,
						     u32 ring, u32 what)
{
	enum grtrace_fate fate;

	update_row(job, ts, ring, what);
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

/* A function of its own, so that no registers are saved for meters while they are off. */
static noinline enum grtrace_fate follow_metered(struct grt_cpu *c, struct grt_job_set *set,
						 struct grtrace_job_state *job, u64 ts, u32 ring,
						 u32 what)
{
	if (unlikely(!grt_meter_step_now(job, ts, ring, GRT_TYPE_OF(what))))
		return follow_slow(c, set, job, ts, ring, what);
	return follow_fast(c, set, job, ts, ring, what);
}

/* The job of an event and its set, locked.  NULL: the job is not tracked, nothing is locked. */
static __always_inline struct grtrace_job_state *lock_job(u64 ctx, u64 seqno,
							  struct grt_job_set **set,
							  unsigned long *row)
{
	struct grtrace_job_state *job;

	if (!static_branch_likely(&grt_tracked) || unlikely(!ctx))
		return NULL;
	*set = grt_job_lock(ctx, seqno);
	job = grt_job_find(*set, ctx, seqno, row);
	if (unlikely(!job))
		grt_job_unlock(*set);
	return job;
}

/* It only makes tail calls, so the compiler saves no registers. */
enum grtrace_fate grt_follow(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what)
{
	struct grtrace_job_state *job;
	struct grt_job_set *set;
	unsigned long row;

	job = lock_job(ctx, seqno, &set, &row);
	if (unlikely(!job))
		return grt_follow_untracked(c, ctx, seqno, ts, ring, what);
	if (unlikely(is_refused_by_filter(GRT_TYPE_OF(what))))
		return follow_slow(c, set, job, ts, ring, what);
	if (static_branch_unlikely(&grt_metered))
		return follow_metered(c, set, job, ts, ring, what);
	return follow_fast(c, set, job, ts, ring, what);
}

noinline enum grtrace_fate grt_follow_error(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring,
					    u32 what)
{
	struct grtrace_job_state *job;
	struct grt_job_set *set;
	unsigned long row;

	job = lock_job(ctx, seqno, &set, &row);
	if (!job)
		return grt_follow_untracked(c, ctx, seqno, ts, ring, what);
	return follow_slow(c, set, job, ts, ring, what);
}

/* The slow path: checks rules, and calls the hooks that marked the job.  Unlocks the set. */
static noinline enum grtrace_fate end_slow(struct grt_cpu *c, struct grt_job_set *set,
					   struct grtrace_job_state *job, unsigned long row,
					   u64 ts, u32 ring)
{
	enum grtrace_fate fate;

	if (static_branch_unlikely(&grt_metered))
		grt_meter_event(job, ts, ring, GRTRACE_COMPLETE);
	if (static_branch_unlikely(&grt_ruled))
		c->rule_flags = is_kept(job->fate) ? grt_rules_check(&job->rec) : 0;
	fate = static_branch_unlikely(&grt_hooked) ? judge_event(c, job, GRTRACE_COMPLETE) :
						     fate_of_event(job, GRTRACE_COMPLETE);
	grt_job_end(set, row);
	grt_job_unlock(set);
	if (static_branch_unlikely(&grt_hooked)) {
		c->hook_depth++;
		if (is_hooked(GRTRACE_HOOK_FILTER) && job->marks[GRTRACE_HOOK_FILTER])
			static_call(grt_filter_complete)(job);
		if (is_hooked(GRTRACE_HOOK_SAMPLER) && job->marks[GRTRACE_HOOK_SAMPLER])
			static_call(grt_sampler_complete)(job);
		if (is_hooked(GRTRACE_HOOK_AGGREGATOR) && job->marks[GRTRACE_HOOK_AGGREGATOR])
			static_call(grt_aggregator_complete)(job);
		c->hook_depth--;
	}
	grt_job_drop(set, row);
	return fate;
}

/* The fast path.  Unlocks the set. */
static __always_inline enum grtrace_fate end_fast(struct grt_job_set *set,
						  struct grtrace_job_state *job,
						  unsigned long row)
{
	enum grtrace_fate fate = job->fate;

	grt_job_end(set, row);
	grt_job_drop(set, row);
	grt_job_unlock(set);
	if (static_branch_unlikely(&grt_fated) &&
	    unlikely(grt_is_refused(GRTRACE_COMPLETE, GRTRACE_NO_RING)))
		return grt_refused_why(GRTRACE_COMPLETE, GRTRACE_NO_RING);
	return fate;
}

static noinline enum grtrace_fate end_metered(struct grt_cpu *c, struct grt_job_set *set,
					      struct grtrace_job_state *job, unsigned long row,
					      u64 ts, u32 ring)
{
	if (unlikely(!grt_meter_complete_now(job, ts, ring)))
		return end_slow(c, set, job, row, ts, ring);
	return end_fast(set, job, row);
}

/* It only makes tail calls, as grt_follow(). */
enum grtrace_fate grt_follow_end(struct grt_cpu *c, u64 ctx, u64 seqno, u64 ts, u32 ring, u32 what)
{
	struct grtrace_job_state *job;
	struct grt_job_set *set;
	unsigned long row;

	job = lock_job(ctx, seqno, &set, &row);
	if (unlikely(!job))
		return grt_follow_untracked(c, ctx, seqno, ts, ring, what);
	job->rec.complete_ns = ts;
	job->rec.status = c->status;
	if (unlikely(GRT_FLAGS_OF(what)))
		job->rec.hdr.flags |= GRT_FLAGS_OF(what) & GRT_FLAGS_OF_ALL_TYPES;
	if (static_branch_unlikely(&grt_hooked) || static_branch_unlikely(&grt_ruled))
		return end_slow(c, set, job, row, ts, ring);
	if (static_branch_unlikely(&grt_metered))
		return end_metered(c, set, job, row, ts, ring);
	return end_fast(set, job, row);
}

static noinline void judge_by_policy(struct grtrace_job_state *job)
{
	job->fate = grt_job_fate(job->rec.ctx, job->rec.seqno, job->rec.ring);
}

/* Asks masks, lists and hooks about a job that is submitted.  Under the lock of its set. */
static noinline enum grtrace_fate submit_slow(struct grt_cpu *c, struct grtrace_job_state *job)
{
	if (static_branch_unlikely(&grt_metered))
		grt_meter_event(job, job->rec.submit_ns, job->rec.ring, GRTRACE_SUBMIT);
	if (static_branch_unlikely(&grt_fated))
		judge_by_policy(job);
	if (!static_branch_likely(&grt_hooked))
		return fate_of_event(job, GRTRACE_SUBMIT);
	c->hook_depth++;
	if (is_hooked(GRTRACE_HOOK_FILTER) && likely(is_kept(job->fate)))
		apply_verdict(job, static_call(grt_filter_submit)(job));
	if (is_hooked(GRTRACE_HOOK_SAMPLER) && likely(is_kept(job->fate)))
		apply_verdict(job, static_call(grt_sampler_submit)(job));
	if (is_hooked(GRTRACE_HOOK_AGGREGATOR) && likely(is_kept(job->fate)))
		apply_verdict(job, static_call(grt_aggregator_submit)(job));
	c->hook_depth--;
	return judge_event(c, job, GRTRACE_SUBMIT);
}

static noinline enum grtrace_fate submit_untracked(struct grt_cpu *c,
						   const struct grtrace_job_info *job, u64 ts,
						   u32 tgid, u32 tid)
{
	struct grtrace_seen *ev = &c->hook_events[c->hook_depth];
	enum grtrace_fate fate;

	*ev = (struct grtrace_seen){
		.ctx = job->ctx, .seqno = job->seqno, .ts = ts, .client_id = job->client_id,
		.ring = job->ring, .tgid = tgid, .tid = tid, .type = GRTRACE_SUBMIT,
		.flags = job->flags,
	};
	c->hook_depth++;
	fate = judge_untracked(c, ev);
	c->hook_depth--;
	return fate;
}

enum grtrace_fate grt_follow_submit(struct grt_cpu *c, const struct grtrace_job_info *info, u64 ts,
				    u32 tgid, u32 tid)
{
	struct grtrace_job_state *job;
	enum grtrace_fate fate;
	struct grt_job_set *set;

	if (!static_branch_likely(&grt_tracked) || unlikely(!info->ctx) ||
	    unlikely(info->is_endless))
		return submit_untracked(c, info, ts, tgid, tid);
	set = grt_job_lock(info->ctx, info->seqno);
	job = grt_job_begin(set, info->ctx, info->seqno);
	if (unlikely(!job)) {
		grt_job_unlock(set);
		return submit_untracked(c, info, ts, tgid, tid);
	}
	job->rec.hdr.flags = info->flags & GRT_FLAGS_OF_ALL_TYPES;
	job->rec.ring = info->ring;
	job->rec.client_id = info->client_id;
	job->rec.tgid = tgid;
	job->rec.tid = tid;
	job->rec.submit_ns = ts;
	fate = GRTRACE_FATE_WRITTEN;
	if (static_branch_unlikely(&grt_hooked) || static_branch_unlikely(&grt_fated) ||
	    (static_branch_unlikely(&grt_metered) &&
	     unlikely(!grt_meter_submit_now(ts, info->ring))))
		fate = submit_slow(c, job);
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
