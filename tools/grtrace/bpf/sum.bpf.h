/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Follows jobs in the kernel instead of writing their events: to sum them up, for record --summary, or
 * to write one JOB record of each that was slow, for --slower-than.  The events are counted as
 * refused; the loader gives them their fate.
 */
#ifndef GRT_SUM_BPF_H
#define GRT_SUM_BPF_H

#include <bpf/bpf_core_read.h>

#include "choose.bpf.h"

struct open_job {
	u64 submit_ns, commit_ns, end_ns;	/* 0: not seen */
	u64 client_id;
	u32 ring, tgid, tid;
	u32 flags;
};

/* Jobs in flight.  The loader makes both small when nothing is summed up. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, struct job_key);
	__type(value, struct open_job);
} open_jobs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct grt_bpf_sum_key);
	__type(value, struct grt_bpf_sum);
} sums SEC(".maps");

static struct grt_bpf_sum empty_sum;
static u64 last_end_ns[GRT_BPF_MAX_RINGS];	/* of each ring */
__u64 sums_lost;				/* jobs that found no room */

/* The sum of a ring and process; a new one if there is none yet.  NULL: no room. */
static __always_inline struct grt_bpf_sum *sum_of(u32 ring, u32 tgid)
{
	const struct grt_bpf_sum_key key = { .ring = ring, .tgid = tgid };
	struct grt_bpf_sum *sum = bpf_map_lookup_elem(&sums, &key);

	if (sum)
		return sum;
	bpf_map_update_elem(&sums, &key, &empty_sum, BPF_NOEXIST);
	return bpf_map_lookup_elem(&sums, &key);
}

/* False: there is no room, nothing will be known of the job. */
static __always_inline bool open_submit(struct job_key key, u32 ring, u64 client_id,
					bool is_kernel_job)
{
	u64 pid_tgid = bpf_get_current_pid_tgid();
	const struct open_job job = {
		.submit_ns = bpf_ktime_get_ns(), .client_id = client_id, .ring = ring,
		.tgid = pid_tgid >> 32, .tid = pid_tgid,
		.flags = is_kernel_job ? GRTRACE_F_KERNEL_JOB : 0,
	};
	struct grt_bpf_sum *sum = sums_up ? sum_of(ring, is_kernel_job ? 0 : job.tgid) : NULL;

	if (sum && !is_kernel_job && !sum->comm[0])
		bpf_get_current_comm(sum->comm, sizeof(sum->comm));
	if ((sum || !sums_up) && !bpf_map_update_elem(&open_jobs, &key, &job, BPF_ANY))
		return true;
	if (sums_up)
		__sync_fetch_and_add(&sums_lost, 1);
	return false;
}

static __always_inline void open_commit(struct job_key key, u32 ring)
{
	struct open_job *job = bpf_map_lookup_elem(&open_jobs, &key);

	if (!job)
		return;
	job->commit_ns = bpf_ktime_get_ns();
	if (ring)
		job->ring = ring;
}

static __always_inline u32 bucket_of(u64 ns)
{
	u64 rest = ns >> GRT_BPF_SUM_SHIFT;
	u32 bucket = 0;

	for (u32 step = 16; step; step /= 2) {
		if (!(rest >> step))
			continue;
		rest >>= step;
		bucket += step;
	}
	return bucket % GRT_BPF_SUM_BUCKETS;
}

/* On a ring that runs one job at a time, this one could not begin before the END of the last one. */
static __always_inline u64 busy_since(u32 ring, u64 commit_ns, u64 end_ns)
{
	u64 *last = &last_end_ns[(ring - 1) % GRT_BPF_MAX_RINGS], from = *last;

	if (end_ns > from)
		*last = end_ns;
	return from > commit_ns ? from : commit_ns;
}

static __always_inline u32 owner_of(const struct open_job *job)
{
	return job->flags & GRTRACE_F_KERNEL_JOB ? 0 : job->tgid;
}

static __always_inline void sum_busy(const struct open_job *job)
{
	struct grt_bpf_sum *sum = sum_of(job->ring, owner_of(job));
	u64 from_ns = busy_since(job->ring, job->commit_ns, job->end_ns);

	if (sum && job->end_ns > from_ns)
		__sync_fetch_and_add(&sum->busy_ns, job->end_ns - from_ns);
}

static __always_inline void open_end(struct job_key key, u64 hw_done_ns)
{
	struct open_job *job = bpf_map_lookup_elem(&open_jobs, &key);

	if (!job)
		return;
	/* The verifier takes a fence's time for a pointer: they are a union.  What is read back is not. */
	*(volatile u64 *)&job->end_ns = hw_done_ns;
	if (!*(volatile u64 *)&job->end_ns)
		job->end_ns = bpf_ktime_get_ns();
	if (sums_up && job->commit_ns)
		sum_busy(job);
}

static __always_inline void sum_stage(struct grt_bpf_stage *stage, u64 ns)
{
	__sync_fetch_and_add(&stage->jobs, 1);
	__sync_fetch_and_add(&stage->ns, ns);
	__sync_fetch_and_add(&stage->buckets[bucket_of(ns)], 1);
}

static __always_inline void sum_job(const struct open_job *job, s32 status)
{
	struct grt_bpf_sum *sum = sum_of(job->ring, owner_of(job));

	/* Its COMMIT was on another ring than its SUBMIT, and there is no room for a sum of that ring. */
	if (!sum) {
		__sync_fetch_and_add(&sums_lost, 1);
		return;
	}
	__sync_fetch_and_add(&sum->jobs, 1);
	if (status)
		__sync_fetch_and_add(&sum->failed, 1);
	if (job->commit_ns > job->submit_ns)
		sum_stage(&sum->host, job->commit_ns - job->submit_ns);
	if (job->commit_ns && job->end_ns > job->commit_ns)
		sum_stage(&sum->hw, job->end_ns - job->commit_ns);
}

static __always_inline void write_job(const struct open_job *job, const struct job_key *key,
				      s32 status, u64 now)
{
	struct grtrace_job *ev;
	struct event e;

	if (!see(&e, GRTRACE_JOB) || !begin(&e, sizeof(*ev)))
		return;
	e.flags = job->flags;
	ev = e.record;
	ev->ctx = key->ctx;
	ev->seqno = key->seqno;
	ev->ring = job->ring;
	ev->tgid = job->tgid;
	ev->tid = job->tid;
	ev->status = status;
	ev->client_id = job->client_id;
	ev->submit_ns = job->submit_ns;
	ev->commit_ns = job->commit_ns;
	ev->end_ns = job->end_ns;
	ev->complete_ns = now;
	end(&e);
}

static __always_inline void open_complete(struct job_key key, s32 status)
{
	struct open_job *job = bpf_map_lookup_elem(&open_jobs, &key);
	u64 now = bpf_ktime_get_ns();

	if (!job)
		return;
	if (sums_up)
		sum_job(job, status);
	if (least_ns && now - job->submit_ns >= least_ns)
		write_job(job, &key, status, now);
	bpf_map_delete_elem(&open_jobs, &key);
}

#endif /* GRT_SUM_BPF_H */
