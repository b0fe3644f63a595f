// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of an event.
 *
 * A job is judged once, when it is submitted, and that holds for all of its events,
 * whatever is asked for meanwhile: so no job is kept in parts.
 */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "filter.h"
#include "../version.h"

struct filter_setup __rcu *filter_in_force;
static DEFINE_PER_CPU(struct filter_counts, counts);

#define COUNT(member)	this_cpu_inc(counts.member)

/* Under nobody's eyes: no session runs, or it has not begun. */
void filter_counts_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&counts, cpu), 0, sizeof(struct filter_counts));
}

void filter_counts_sum(struct filter_counts *sum)
{
	u64 *to = (u64 *)sum;
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const u64 *from = (const u64 *)per_cpu_ptr(&counts, cpu);

		for (i = 0; i < sizeof(*sum) / sizeof(*to); i++)
			to[i] += READ_ONCE(from[i]);
	}
}

/* It is submitted.  @s may be NULL: nothing is asked of it. */
static enum filter_verdict judge(const struct filter_setup *s, const struct grtrace_seen *ev)
{
	enum filter_verdict verdict = s ? filter_judge_owner(s, ev) : FILTER_PASSES;

	if (verdict == FILTER_PASSES && s && s->latency_us) {
		verdict = FILTER_BY_LATENCY;
		/* Its record comes when nobody knows that name any more. */
		if (ev->tgid == current->tgid)
			grtrace_process_note();
	}
	ev->job->marks[GRTRACE_HOOK_FILTER] = verdict;
	if (verdict != FILTER_PASSES)
		COUNT(marked);
	/* Those of others are not ours to count. */
	if (ev->is_refused || verdict == FILTER_BY_LATENCY)
		return verdict;
	if (verdict == FILTER_PASSES)
		COUNT(jobs_passed);
	else if (verdict == FILTER_UNKNOWN)
		COUNT(jobs_unknown);
	else
		COUNT(jobs_refused);
	return verdict;
}

/* It is over: was it slow enough?  Off by now: whoever was waiting for that gets it. */
static void judge_latency(const struct filter_setup *s, const struct grtrace_seen *ev)
{
	const struct grtrace_job *job = &ev->job->rec;
	u64 least_ns = s ? s->latency_us * NSEC_PER_USEC : 0;

	if (ev->is_refused)
		return;
	if (job->complete_ns < job->submit_ns + least_ns) {
		COUNT(jobs_fast);
		return;
	}
	COUNT(jobs_passed);
	grtrace_write(&job->hdr, job->ring);
}

/* Its SUBMIT was not seen, or found no room. */
static enum filter_verdict judge_stranger(const struct filter_setup *s,
					  const struct grtrace_seen *ev)
{
	if (!s || (!filter_has_owner(s) && !s->latency_us))
		return FILTER_PASSES;
	if (ev->type == GRTRACE_COMPLETE && !ev->is_refused)
		COUNT(jobs_unknown);
	return filter_has_owner(s) ? FILTER_UNKNOWN : FILTER_PASSES;
}

static enum filter_verdict verdict_of(const struct filter_setup *s, const struct grtrace_seen *ev)
{
	enum filter_verdict verdict;

	if (!grtrace_job_ctx(ev))
		return FILTER_PASSES;	/* nobody's */
	if (!ev->job)
		return judge_stranger(s, ev);
	if (ev->type == GRTRACE_SUBMIT)
		return judge(s, ev);
	verdict = ev->job->marks[GRTRACE_HOOK_FILTER];
	if (ev->type == GRTRACE_COMPLETE && verdict != FILTER_PASSES) {
		if (verdict == FILTER_BY_LATENCY)
			judge_latency(s, ev);
		COUNT(unmarked);
	}
	return verdict;
}

enum grtrace_fate filter_event(const struct grtrace_seen *ev)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);
	bool is_counted = ev->fate == GRTRACE_FATE_WRITTEN;
	enum filter_verdict verdict;

	/* They tell of what was let in. */
	if (ev->type == GRTRACE_JOB || ev->type == GRTRACE_WINDOW)
		return GRTRACE_FATE_WRITTEN;
	verdict = verdict_of(s, ev);
	if ((verdict == FILTER_PASSES || verdict == FILTER_BY_LATENCY) &&
	    s && s->types && !(s->types >> ev->type & 1)) {
		if (is_counted)
			COUNT(events_of_type);
		return GRTRACE_FATE_FILTERED_EXT | GRTRACE_FATE_ALONE;
	}
	if (is_counted)
		COUNT(events[verdict]);
	switch (verdict) {
	case FILTER_PASSES:
		return GRTRACE_FATE_WRITTEN;
	case FILTER_BY_LATENCY:
		return GRTRACE_FATE_AGGREGATED;
	default:
		return GRTRACE_FATE_FILTERED_EXT;
	}
}

static int __init filter_init(void)
{
	return filter_setup_create();
}

static void __exit filter_exit(void)
{
	filter_setup_destroy();
}

module_init(filter_init);
module_exit(filter_exit);
MODULE_DESCRIPTION("grtrace: keeps jobs by owner, latency and type");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
