// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a job.
 *
 * A job is judged once, when it is submitted, and that holds for all of its events,
 * whatever is asked for meanwhile: so no job is kept in part.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "filter.h"

struct filter_setup __rcu *filter_in_force;
static DEFINE_PER_CPU(struct filter_counts, counts);

/* Of a job: filter_complete() is to be called. */
#define MARK_WAITS	1

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

static const enum grtrace_verdict verdicts[] = {
	[FILTER_PASSES]	    = GRTRACE_VERDICT_KEEP,
	[FILTER_NOT_PID]    = GRTRACE_VERDICT_NOT_PID,
	[FILTER_NOT_UID]    = GRTRACE_VERDICT_NOT_UID,
	[FILTER_NOT_CGROUP] = GRTRACE_VERDICT_NOT_CGROUP,
	[FILTER_UNKNOWN]    = GRTRACE_VERDICT_OWNER_UNKNOWN,
};

enum grtrace_verdict filter_submit(struct grtrace_job_state *job)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);
	enum filter_owner owner = s ? filter_judge_owner(s, &job->rec) : FILTER_PASSES;

	if (owner != FILTER_PASSES) {
		if (owner == FILTER_UNKNOWN)
			COUNT(jobs_unknown);
		else
			COUNT(jobs_refused);
		return verdicts[owner];
	}
	if (s && s->latency_us) {
		/* Its record comes when nobody knows that name any more. */
		if (job->rec.tgid == current->tgid)
			grtrace_process_note();
		job->marks[GRTRACE_HOOK_FILTER] = MARK_WAITS;
		return GRTRACE_VERDICT_IF_SLOW;
	}
	COUNT(jobs_passed);
	return GRTRACE_VERDICT_KEEP;
}

/* It is over: was it slow enough?  Off by now: whoever was waiting for that gets it. */
void filter_complete(struct grtrace_job_state *job)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);
	u64 least_ns = s ? s->latency_us * NSEC_PER_USEC : 0;

	if (job->rec.complete_ns < job->rec.submit_ns + least_ns) {
		COUNT(jobs_fast);
		return;
	}
	COUNT(jobs_passed);
	grtrace_tell_job(job, GRTRACE_FATE_WRITTEN);
}

/* Its SUBMIT was not seen, or found no room. */
enum grtrace_verdict filter_stranger(const struct grtrace_seen *ev)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);

	/* A whole job tells of what was let in. */
	if (ev->type == GRTRACE_JOB || !s || (!filter_has_owner(s) && !s->latency_us))
		return GRTRACE_VERDICT_KEEP;
	if (ev->type == GRTRACE_COMPLETE)
		COUNT(jobs_unknown);
	return filter_has_owner(s) ? GRTRACE_VERDICT_OWNER_UNKNOWN : GRTRACE_VERDICT_KEEP;
}
