// SPDX-License-Identifier: GPL-2.0
/*
 * The file jobs: jobs in flight.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>

#include "../jobs.h"
#include "control.h"

/* The latest step that was seen.  A job without a START event may still be running. */
static const char *stage_of(const struct grtrace_job *job)
{
	if (job->end_ns)
		return "ended";
	if (job->start_ns)
		return "running";
	return job->commit_ns ? "committed" : "queued";
}

/* An unknown time is shown as empty, not as 0. */
static void put_time(struct seq_file *m, u64 ns)
{
	if (ns)
		seq_printf(m, ",%llu", ns);
	else
		seq_putc(m, ',');
}

static const char *ring_name(u32 ring, struct grtrace_ring *row)
{
	return grtrace_ring_describe(ring, row) ? row->name : "";
}

int grt_jobs_show(struct seq_file *m)
{
	struct grtrace_ring row;
	struct grtrace_job_state state;
	u64 latest, now;
	u32 at = 0;

	seq_puts(m, "ring,name,ctx,seqno,tgid,tid,client_id,stage,submit_ns,commit_ns,start_ns,end_ns,age_ns,stage_ns\n");
	while (grtrace_job_copy(&at, &state)) {
		const struct grtrace_job *job = &state.rec;

		latest = max3(job->start_ns, max(job->submit_ns, job->commit_ns), job->end_ns);
		/* The clock may step back, but the times of events never do. */
		now = max(ktime_get_mono_fast_ns(), latest);
		seq_printf(m, "%u,%s,%llu,%llu,%u,%u,%llu,%s", job->ring,
			   ring_name(job->ring, &row), job->ctx, job->seqno, job->tgid, job->tid,
			   job->client_id, stage_of(job));
		put_time(m, job->submit_ns);
		put_time(m, job->commit_ns);
		put_time(m, job->start_ns);
		put_time(m, job->end_ns);
		seq_printf(m, ",%llu,%llu\n", now - job->submit_ns, now - latest);
	}
	return 0;
}
