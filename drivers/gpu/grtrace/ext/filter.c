// SPDX-License-Identifier: GPL-2.0
/*
 * Decides which jobs are kept.
 *
 * The decision is made once, when a job is submitted, and holds for all of its events, even if
 * the settings change.  So no job is kept in part.
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
static bool is_running;		/* a session runs */

/* Mark of a job: call filter_complete() at its end. */
#define MARK_WAITS	1

#define COUNT(member)	this_cpu_inc(counts.member)

void filter_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&counts, cpu), 0, sizeof(struct filter_counts));
	WRITE_ONCE(is_running, true);
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
	if (s && s->latency_us && READ_ONCE(is_running)) {
		/* The JOB record is written later, when the process may be gone: note its name. */
		if (job->rec.tgid == current->tgid)
			grtrace_process_note();
		job->marks[GRTRACE_HOOK_FILTER] = MARK_WAITS;
		return GRTRACE_VERDICT_IF_SLOW;
	}
	COUNT(jobs_passed);
	return GRTRACE_VERDICT_KEEP;
}

/* Keeps a finished job if it was slow.  If the filter went off meanwhile, keeps every job. */
void filter_complete(struct grtrace_job_state *job)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);
	u64 least_ns = s ? s->latency_us * NSEC_PER_USEC : 0;

	if (unlikely(!READ_ONCE(is_running)))
		return;
	if (job->rec.complete_ns < job->rec.submit_ns + least_ns) {
		COUNT(jobs_fast);
		return;
	}
	COUNT(jobs_passed);
	grtrace_write_job(job, GRTRACE_FATE_WRITTEN);
}

/* Writes the jobs that did not end in this session: their latency is not known. */
void filter_stopping(void)
{
	struct grtrace_job_state job;
	u32 at = 0;

	WRITE_ONCE(is_running, false);
	synchronize_rcu();	/* from here on no COMPLETE writes a JOB record */
	while (grtrace_job_copy(&at, &job)) {
		if (job.verdict != GRTRACE_VERDICT_IF_SLOW)
			continue;
		COUNT(jobs_unfinished);
		grtrace_write_job(&job, GRTRACE_FATE_WRITTEN);
	}
}

/* An event of an untracked job: its SUBMIT was not seen, or the table was full. */
enum grtrace_verdict filter_untracked(const struct grtrace_seen *ev)
{
	const struct filter_setup *s = rcu_dereference_sched(filter_in_force);

	/* A JOB record is of a job that was let in already. */
	if (ev->type == GRTRACE_JOB || !s || (!filter_has_owner(s) && !s->latency_us))
		return GRTRACE_VERDICT_KEEP;
	if (ev->type == GRTRACE_COMPLETE)
		COUNT(jobs_unknown);
	return filter_has_owner(s) ? GRTRACE_VERDICT_OWNER_UNKNOWN : GRTRACE_VERDICT_KEEP;
}
