/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chooses jobs by their process and cgroup: once, when a job is submitted.  All its events follow
 * that choice.  Events are also chosen by their ring, one by one.  Without such filters the verifier
 * removes all of this.
 */
#ifndef GRT_CHOOSE_BPF_H
#define GRT_CHOOSE_BPF_H

#include <bpf/bpf_core_read.h>

#include "record.bpf.h"
#include "rings.bpf.h"

#define ANSWER_PLACES	4	/* in a row */
#define ANSWER_ROWS	(GRT_BPF_FAMILY / ANSWER_PLACES)	/* chosen by the tgid */

/* Set before the programs are loaded. */
const volatile bool chooses_process, chooses_children;
const volatile __u64 chosen_cgroup;	/* its id; 0: jobs of all cgroups */

__u32 chosen_tgid;	/* set before the programs are attached: the command starts after they are loaded */

/*
 * Whether a process is chosen as a descendant: its start time and tgid, and the answer in bit 0.  0: free.
 * A "yes" must not be lost: once the parent of a process has ended, nobody can tell whose descendant it is.
 */
static volatile u64 answers[ANSWER_ROWS * ANSWER_PLACES];

struct job_key {
	u64 ctx, seqno;		/* 0:0: not known */
};

/* Jobs in flight that are chosen.  The loader makes it small when nothing is chosen. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GRT_BPF_CHOSEN);
	__type(key, struct job_key);
	__type(value, u8);
} chosen_jobs SEC(".maps");

static __always_inline struct job_key job_of(const struct dma_fence *fence)
{
	return (struct job_key){ .ctx = fence->context, .seqno = fence->seqno };
}

static __always_inline bool chooses_owner(void)
{
	return chooses_process || chosen_cgroup;
}

/* Whether the current process is a descendant of the chosen one. */
static __noinline int is_descendant(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	u32 tgid;

	for (u32 i = 0; i < GRT_BPF_ANCESTORS; i++) {
		task = BPF_CORE_READ(task, real_parent);
		tgid = BPF_CORE_READ(task, tgid);
		if (tgid == chosen_tgid)
			return 1;
		if (tgid <= 1)
			return 0;
	}
	note_lack(GRT_BPF_LACKS_ANCESTORS);
	return 0;
}

/* Takes a free place or that of a "no", which is worked out again.  Only a "yes" takes the place of a "yes". */
static __always_inline void keep_answer(volatile u64 *row, u64 answer)
{
	u32 nth = 0;

	for (u32 i = ANSWER_PLACES; i--; )
		if (!(row[i] & 1))
			nth = i;
	if (!(answer & 1) && row[nth] & 1)
		return;
	if (row[nth] & 1)
		note_lack(GRT_BPF_LACKS_FAMILY);
	row[nth] = answer;
}

/* The answer at the first SUBMIT of a process holds: its parent may end later. */
static __always_inline bool is_in_family(const struct task_struct *task, u32 tgid)
{
	volatile u64 *row = &answers[tgid % ANSWER_ROWS * ANSWER_PLACES];
	u64 tag = (task->group_leader->start_time ^ (u64)tgid << 40) & ~1ull;

	for (u32 i = 0; i < ANSWER_PLACES; i++) {
		u64 known = row[i];

		if ((known & ~1ull) == tag)
			return known & 1;
	}
	tag |= is_descendant();
	keep_answer(row, tag);
	return tag & 1;
}

/* Whether the current process is in the chosen cgroup, or in one below it. */
static __noinline int is_in_cgroup(void)
{
	u64 id;

	for (int level = 0; level < GRT_BPF_LEVELS; level++) {
		id = bpf_get_current_ancestor_cgroup_id(level);
		if (!id || id == chosen_cgroup)
			return id != 0;
	}
	note_lack(GRT_BPF_LACKS_LEVELS);
	return 0;
}

static __always_inline bool is_chosen_process(const struct task_struct *task, u32 tgid)
{
	if (chooses_process && tgid != chosen_tgid &&
	    !(chooses_children && is_in_family(task, tgid)))
		return false;
	return !chosen_cgroup || is_in_cgroup();
}

static __always_inline bool is_noted(u64 ctx, u64 seqno)
{
	const struct job_key key = { .ctx = ctx, .seqno = seqno };

	return !chooses_owner() || bpf_map_lookup_elem(&chosen_jobs, &key);
}

/* Whether the ring lets this event pass. */
static __always_inline bool is_of_ring(u32 ring)
{
	return !chooses_rings || !is_refused_ring(ring);
}

/*
 * SUBMIT's second step; @is_wanted is what see() said.  False: the event is counted already.  A job for
 * which there is no room is lost.
 */
static __always_inline bool choose_job(struct event *e, bool is_wanted, struct job_key key,
				       u32 ring, bool is_kernel_job)
{
	const u8 yes = 1;

	/* The current process does not own a kernel job. */
	if (!is_of_ring(ring) ||
	    (chooses_owner() &&
	     (is_kernel_job || !is_chosen_process(bpf_get_current_task_btf(),
						  bpf_get_current_pid_tgid() >> 32)))) {
		if (is_wanted)
			refuse(e);
		return false;
	}
	if (!chooses_owner() || !bpf_map_update_elem(&chosen_jobs, &key, &yes, BPF_ANY))
		return is_wanted;
	note_lack(GRT_BPF_LACKS_CHOSEN);
	if (is_wanted)
		__sync_fetch_and_add(&e->c->lost, 1);
	return false;
}

/* The second step of all events of jobs but the first and the last. */
static __always_inline bool is_chosen(struct event *e, u64 ctx, u64 seqno, u32 ring)
{
	if (is_of_ring(ring) && is_noted(ctx, seqno))
		return true;
	refuse(e);
	return false;
}

/* The second step of events of a ring. */
static __always_inline bool is_chosen_ring(struct event *e, u32 ring)
{
	if (is_of_ring(ring))
		return true;
	refuse(e);
	return false;
}

/* The second step of COMPLETE, after which the job is unknown. */
static __always_inline bool forget_job(struct event *e, bool is_wanted, struct job_key key,
				       u32 ring)
{
	if (is_of_ring(ring) &&
	    (!chooses_owner() || !bpf_map_delete_elem(&chosen_jobs, &key)))
		return is_wanted;
	if (is_wanted)
		refuse(e);
	return false;
}

#endif /* GRT_CHOOSE_BPF_H */
