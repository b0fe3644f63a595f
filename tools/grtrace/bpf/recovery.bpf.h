/* SPDX-License-Identifier: GPL-2.0 */
/* Timeouts and resets of the scheduler, which have no tracepoints.  A part of capture.bpf.c. */
#ifndef GRT_RECOVERY_BPF_H
#define GRT_RECOVERY_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>
#include <linux/ptrace.h>

#include "choose.bpf.h"
#include "record.bpf.h"
#include "rings.bpf.h"

#define TIMEOUT_NOTES	256
#define HANDLED_NOTES	64	/* timeouts that are handled at the same time */

/*
 * Jobs whose timeout is recorded, direct mapped; 0: none.  Their driver may tell of the same timeout next,
 * in the same thread.
 */
static u64 timeouts[TIMEOUT_NOTES];

static __always_inline u64 timeout_tag(struct job_key job)
{
	return job.ctx * SPREAD + job.seqno;
}

static __always_inline void note_timeout(struct job_key job)
{
	u64 tag = timeout_tag(job);

	timeouts[tag % TIMEOUT_NOTES] = tag;
}

/* Is this timeout recorded?  Then the next one of the job is another one. */
static __always_inline bool take_timeout(struct job_key job)
{
	u64 tag = timeout_tag(job);
	bool is_noted = timeouts[tag % TIMEOUT_NOTES] == tag;

	if (is_noted)
		timeouts[tag % TIMEOUT_NOTES] = 0;
	return is_noted;
}

/* A thread in which a driver handles the timeout of this scheduler.  The thread's id gives its place. */
struct handler {
	u64 sched;
	u32 tid;
};

static struct handler handlers[HANDLED_NOTES];

/*
 * A scheduler is noted here when its timeout fires, and forgotten when its driver stops or starts it.  Its
 * address gives its place, where a newer one replaces an older one.
 */
static u64 handled[HANDLED_NOTES];

static __always_inline u64 *handled_note(const struct drm_gpu_scheduler *sched)
{
	return &handled[((u64)sched * SPREAD >> 32) % HANDLED_NOTES];
}

/* Forgets the scheduler; returns whether it was noted. */
static __always_inline bool take_handled(const struct drm_gpu_scheduler *sched)
{
	u64 *note = handled_note(sched);

	if (*note != (u64)sched)
		return false;
	*note = 0;
	return true;
}

static __always_inline void note_handled(const struct drm_gpu_scheduler *sched)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct handler *handler = &handlers[tid % HANDLED_NOTES];
	u64 *note = handled_note(sched);

	/* The RECOVERED of the one that loses its place will not come. */
	if ((handler->tid && handler->tid != tid) || (*note && *note != (u64)sched))
		lose(GRTRACE_ERROR);
	handler->sched = (u64)sched;
	handler->tid = tid;
	*note = (u64)sched;
}

/* For kprobes, which get plain addresses. */
static __always_inline struct job_key key_of(const struct drm_sched_job *job)
{
	return (struct job_key){
		.ctx = BPF_CORE_READ(job, s_fence, finished.context),
		.seqno = BPF_CORE_READ(job, s_fence, finished.seqno),
	};
}

static __always_inline int error(const struct drm_gpu_scheduler *sched, struct job_key key,
				 u32 code, s32 status)
{
	const u32 ring = ring_of(key.ctx, sched);
	struct grtrace_error *ev;
	struct event e;

	if (!see(&e, GRTRACE_ERROR))
		return 0;
	/* A reset without a guilty job is recorded whichever jobs are chosen. */
	if (e.is_narrow && !(key.ctx ? is_chosen(&e, key.ctx, key.seqno, ring) : is_chosen_ring(&e, ring)))
		return 0;
	if (!begin(&e, sizeof(*ev)))
		return 0;
	ev = e.record;
	ev->ctx = key.ctx;
	ev->seqno = key.seqno;
	ev->ring = ring;
	ev->code = code;
	ev->status = status;
	end(&e);
	return 0;
}

/* The scheduler's timeout fired.  The first pending job is the one that runs. */
SEC("kprobe/drm_sched_job_timedout")
int BPF_KPROBE(timedout, struct work_struct *work)
{
	struct drm_gpu_scheduler *sched = NULL;
	struct drm_sched_job *job = NULL;
	struct list_head *head, *first;
	struct job_key key = { };

	sched = (void *)work - bpf_core_field_offset(sched->work_tdr);
	head = (void *)sched + bpf_core_field_offset(sched->pending_list);
	first = BPF_CORE_READ(head, next);
	job = (void *)first - bpf_core_field_offset(job->list);
	/* It just ended. */
	if (first == head)
		return 0;
	/* The list is not locked: do not name a job that is just leaving it. */
	if (first && BPF_CORE_READ(job, sched) == sched)
		key = key_of(job);
	if (key.ctx)
		note_timeout(key);
	note_handled(sched);
	return error(sched, key, GRTRACE_ERROR_TIMEOUT, -62);	/* -ETIME */
}

/* A ring is stopped for a reset; the second argument is the guilty job or NULL. */
SEC("kprobe/drm_sched_stop")
int BPF_KPROBE(stop, struct drm_gpu_scheduler *sched, struct drm_sched_job *bad)
{
	struct job_key none = { };

	take_handled(sched);
	return error(sched, bad ? key_of(bad) : none, GRTRACE_ERROR_RESET, 0);
}

SEC("kprobe/drm_sched_start")
int BPF_KPROBE(start, struct drm_gpu_scheduler *sched)
{
	struct job_key none = { };

	take_handled(sched);
	return error(sched, none, GRTRACE_ERROR_RECOVERED, 0);
}

/*
 * The driver has handled a timeout.  Some drivers do not stop and start the scheduler for that: amdgpu may
 * end the job alone, or reset just the ring, and xe and etnaviv may give the job more time.
 */
SEC("kretprobe/drm_sched_job_timedout")
int BPF_KRETPROBE(timeout_handled)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct handler *handler = &handlers[tid % HANDLED_NOTES];
	const struct drm_gpu_scheduler *sched = (void *)handler->sched;
	struct job_key none = { };

	if (handler->tid != tid)
		return 0;
	handler->tid = 0;
	return take_handled(sched) ? error(sched, none, GRTRACE_ERROR_RECOVERED, 0) : 0;
}

#endif /* GRT_RECOVERY_BPF_H */
