// SPDX-License-Identifier: GPL-2.0
/*
 * Records the life of GPU jobs without a kernel module: the same events as the adapter
 * drm_bridge, which says where each tracepoint fires, and the same records.
 *
 * Every tracepoint of gpu_sched has two names, one up to 6.16 and one from 6.17 on.  The loader
 * attaches to those that exist.
 */
#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>
#include <linux/ptrace.h>

#include "amdgpu.bpf.h"
#include "choose.bpf.h"
#include "cpu.bpf.h"
#include "display.bpf.h"
#include "fences.bpf.h"
#include "i915.bpf.h"
#include "ibs.bpf.h"
#include "jobs.bpf.h"
#include "mark.bpf.h"
#include "nouveau.bpf.h"
#include "processes.bpf.h"
#include "record.bpf.h"
#include "recovery.bpf.h"
#include "rings.bpf.h"
#include "stack.bpf.h"
#include "sum.bpf.h"
#include "twin.bpf.h"
#include "virtio_gpu.bpf.h"
#include "xe.bpf.h"

#define FOREIGN_TAGS	1024

char LICENSE[] SEC("license") = "GPL";

/* Set before the programs are loaded. */
const volatile bool errors_pipeline = true;	/* before 6.5 a fence with an error may pipeline */

/* As in the bridge: fences of dependencies that belong to no job, direct mapped. */
static u64 foreign_tags[FOREIGN_TAGS];

/*
 * The ring of a job that is submitted.  A context that is not known yet may belong to another scheduler
 * module than those before, with other ops.
 */
static __always_inline u32 ring_of_submit(u64 ctx, const struct drm_sched_fence *fence,
					  struct drm_gpu_scheduler *sched)
{
	u32 ring = use_ring_in_row(ctx, half(sched));

	if (ring)
		return ring;
	learn_ops(fence);
	return learn_context(ctx, sched);
}

static __always_inline u32 hw_credits(const struct drm_gpu_scheduler *sched)
{
	return bpf_core_field_exists(sched->credit_count) ? sched->credit_count.counter :
							    sched->hw_rq_count.counter;
}

static __always_inline u32 credits_of(const struct drm_sched_job *job)
{
	return bpf_core_field_exists(job->credits) ? job->credits : 1;
}

static __always_inline u64 client_of(const struct drm_sched_fence *fence)
{
	return bpf_core_field_exists(fence->drm_client_id) ? fence->drm_client_id : 0;
}

/* The bridge's header compat/sched.h has the sources of these rules. */
static __always_inline bool is_kernel_job(const struct task_struct *task, u64 client_id,
					  const struct drm_sched_entity *entity)
{
	return (task->flags & PF_KTHREAD) || client_id > ~0ull - 64 ||
	       entity->priority == bpf_core_enum_value(enum drm_sched_priority,
						       DRM_SCHED_PRIORITY_KERNEL);
}

/* What SUBMIT does where jobs are chosen or followed.  False: the event is counted already. */
static __always_inline bool narrow_submit(struct event *e, bool is_wanted,
					  const struct drm_sched_fence *fence,
					  const struct drm_sched_entity *entity, u32 ring)
{
	u64 client_id = client_of(fence);
	bool is_kernel = is_kernel_job(bpf_get_current_task_btf(), client_id, entity);

	if (!choose_job(e, is_wanted, job_of(&fence->finished), ring, is_kernel))
		return false;
	if (!(sums_up || least_ns) ||
	    open_submit(job_of(&fence->finished), ring, client_id, is_kernel) ||
	    sums_up)
		return true;
	__sync_fetch_and_add(&e->c->lost, 1);
	return false;
}

/* @stack_of: the context of a program that also records the call stack, else NULL. */
static __always_inline void on_submit(struct drm_sched_job *job, struct drm_sched_entity *entity,
				      void *stack_of)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct drm_gpu_scheduler *sched;
	struct drm_sched_fence *fence;
	struct grtrace_submit *ev;
	u64 ctx, client_id, ns;
	struct event e;
	bool is_wanted, is_news;
	u32 ring;

	if (!job || !entity)
		return;
	fence = job->s_fence;
	sched = job->sched;
	ctx = fence->finished.context;
	/* Also if SUBMIT is not wanted: the job's other events need it. */
	ring = ring_of_submit(ctx, fence, sched);
	is_wanted = see(&e, GRTRACE_SUBMIT);
	if (!(is_wanted || e.is_narrow))
		return;
	if (e.is_narrow && !narrow_submit(&e, is_wanted, fence, entity, ring))
		return;
	is_news = note_process(task, pid_tgid >> 32);
	if (!begin(&e, sizeof(*ev)))
		return;
	client_id = client_of(fence);
	if (is_kernel_job(task, client_id, entity))
		e.flags = GRTRACE_F_KERNEL_JOB;
	ev = e.record;
	ev->ctx = ctx;
	ev->seqno = fence->finished.seqno;
	ev->ring = ring;
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	ev->credits = credits_of(job);
	ev->hw_credits = hw_credits(sched);
	ev->queue_depth = entity->job_queue.job_count.counter;
	ev->client_id = client_id;
	if (are_ibs_noted)
		ev->num_ibs = ibs_of((struct job_key){ ctx, ev->seqno });
	ns = ev->hdr.ts;
	end(&e);
	if (!stack_of)
		return;
	record_stack(stack_of, ctx, fence->finished.seqno, ns);
	/* The recorder looks at the files of the process, which may end soon. */
	if (is_news)
		wake_reader(e.c);
}

SEC("tp_btf/drm_sched_job")
int BPF_PROG(submit_old, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_submit(job, entity, NULL);
	return 0;
}

SEC("tp_btf/drm_sched_job_queue")
int BPF_PROG(submit_new, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_submit(job, entity, NULL);
	return leave_mark(half(job));
}

SEC("tp_btf/drm_sched_job_queue")
int BPF_PROG(submit_twin, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	if (was_missed(half(job)))
		on_submit(job, entity, NULL);
	return 0;
}

SEC("tp_btf/drm_sched_job")
int BPF_PROG(stack_submit_old, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_submit(job, entity, ctx);
	return 0;
}

SEC("tp_btf/drm_sched_job_queue")
int BPF_PROG(stack_submit_new, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_submit(job, entity, ctx);
	return leave_mark(half(job));
}

SEC("tp_btf/drm_sched_job_queue")
int BPF_PROG(stack_submit_twin, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	if (was_missed(half(job)))
		on_submit(job, entity, ctx);
	return 0;
}

static __always_inline void on_commit(struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	struct drm_gpu_scheduler *sched;
	struct drm_sched_fence *fence;
	struct grtrace_commit *ev;
	struct event e;

	if (!job || !entity)
		return;
	fence = job->s_fence;
	sched = job->sched;
	know_ops(fence);
	if (!see(&e, GRTRACE_COMMIT))
		return;
	if (e.is_narrow && !is_chosen(&e, fence->finished.context, fence->finished.seqno,
				    ring_of(fence->finished.context, sched)))
		return;
	if (e.is_narrow && (sums_up || least_ns))
		open_commit(job_of(&fence->finished), ring_of(fence->finished.context, sched));
	if (!begin(&e, sizeof(*ev)))
		return;
	ev = e.record;
	ev->ctx = fence->finished.context;
	ev->seqno = fence->finished.seqno;
	ev->ring = ring_of(ev->ctx, sched);
	ev->credits = credits_of(job);
	ev->hw_credits = hw_credits(sched);
	ev->queue_depth = entity->job_queue.job_count.counter;
	end(&e);
}

SEC("tp_btf/drm_run_job")
int BPF_PROG(commit_old, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_commit(job, entity);
	return 0;
}

SEC("tp_btf/drm_sched_job_run")
int BPF_PROG(commit_new, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	on_commit(job, entity);
	return leave_mark(half(job));
}

SEC("tp_btf/drm_sched_job_run")
int BPF_PROG(commit_twin, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	if (was_missed(half(job)))
		on_commit(job, entity);
	return 0;
}

#define TIMESTAMP	bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_TIMESTAMP_BIT)
/* DRM_SCHED_FENCE_DONT_PIPELINE, include/drm/gpu_scheduler.h */
#define DONT_PIPELINE	bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_USER_BITS)

/* When the fence was signalled; 0: not known.  The bridge says why a negative time is dropped. */
static __always_inline u64 signaled_ns(const struct dma_fence *fence)
{
	s64 ns;

	if (!has_flag(fence, TIMESTAMP))
		return 0;
	ns = fence->timestamp;
	return ns > 0 ? ns : 0;
}

static __always_inline bool is_error(const void *pointer)
{
	return (u64)pointer > -4096ull;
}

static __always_inline int on_end(struct drm_sched_fence *fence)
{
	const struct dma_fence *parent;
	struct grtrace_end *ev;
	u64 hw_done_ns = 0;
	struct event e;
	s32 status;

	if (!fence)
		return 0;
	know_ops(fence);
	if (!see(&e, GRTRACE_END))
		return 0;
	parent = fence->parent;
	status = fence->finished.error;
	if (!parent || is_error(parent)) {
		e.flags = GRTRACE_F_NO_HW;
	} else {
		if (parent->error)
			status = parent->error;
		hw_done_ns = signaled_ns(parent);
	}
	if (e.is_narrow && !is_chosen(&e, fence->finished.context, fence->finished.seqno,
				    ring_of(fence->finished.context, fence->sched)))
		return 0;
	if (e.is_narrow && (sums_up || least_ns) && e.flags != GRTRACE_F_NO_HW)
		open_end(job_of(&fence->finished), hw_done_ns);
	if (!begin(&e, sizeof(*ev)))
		return 0;
	ev = e.record;
	ev->ctx = fence->finished.context;
	ev->seqno = fence->finished.seqno;
	ev->ring = ring_of(ev->ctx, fence->sched);
	ev->status = status;
	ev->hw_done_ns = hw_done_ns;
	end(&e);
	return 0;
}

SEC("tp_btf/drm_sched_process_job")
int BPF_PROG(end_old, struct drm_sched_fence *fence)
{
	return on_end(fence);
}

SEC("tp_btf/drm_sched_job_done")
int BPF_PROG(end_new, struct drm_sched_fence *fence)
{
	return on_end(fence);
}

/* Context and sequence number in one word, see foreign_tag() of the bridge. */
static __always_inline u64 foreign_tag(u64 ctx, u64 seqno)
{
	return ctx * SPREAD + seqno;
}

static __noinline int fence_signaled(const struct dma_fence *fence, u64 ns, u16 flags)
{
	struct grtrace_fence_signaled *ev;
	struct event e;

	if (!see(&e, GRTRACE_FENCE_SIGNALED) || !begin(&e, sizeof(*ev)))
		return 0;
	e.flags = flags;
	ev = e.record;
	ev->ctx = fence->context;
	ev->seqno = fence->seqno;
	ev->status = fence->error;
	ev->signaled_ns = ns;
	end(&e);
	return 0;
}

/* Runs for every fence of the system, so it must return fast. */
SEC("tp_btf/dma_fence_signaled")
int BPF_PROG(fence_end, struct dma_fence *fence)
{
	u64 ops = (u64)fence->ops, tag;

	if (ops == finished_ops) {
		put_complete(job_of(fence), ring_of_context(fence->context), fence->error, 0);
		return 0;
	}
	/* The driver may notice late that the request is over, see i915_request_retire(). */
	if (ops == request_ops)
		put_complete(job_of(fence), ring_of_context(fence->context), fence->error,
			     GRTRACE_F_UPPER_BOUND);
	if (is_of_nouveau(ops))
		nouveau_signaled(fence);
	if (ops == command_ops)
		command_signaled(fence);
	tag = foreign_tag(fence->context, fence->seqno);
	/* 0 is the stub fence, which nobody waits for, and an empty place. */
	if (tag && foreign_tags[tag % FOREIGN_TAGS] == tag)
		fence_signaled(fence, 0, 0);
	return 0;
}

/* A dependency, read once: each step from object to object costs as much as several of ours. */
struct dependency {
	const struct drm_sched_job *job;
	const struct dma_fence *fence;
	u64 ctx, seqno;			/* of the job */
	u64 dep_ctx, dep_seqno;		/* of the fence */
	u64 state;			/* the fence's flags */
	bool is_job, is_scheduled;	/* whose fence it is */
};

static __always_inline bool read_dependency(struct dependency *d, const struct drm_sched_job *job,
					    const struct dma_fence *fence)
{
	const struct drm_sched_fence *own;
	u64 ops;

	if (!job || !fence)
		return false;
	own = job->s_fence;
	know_ops(own);
	ops = (u64)fence->ops;
	*d = (struct dependency){
		.job = job,
		.fence = fence,
		.ctx = own->finished.context,
		.seqno = own->finished.seqno,
		.dep_ctx = fence->context,
		.dep_seqno = fence->seqno,
		.is_job = ops == finished_ops || ops == scheduled_ops,
		.is_scheduled = ops == scheduled_ops,
	};
	return true;
}

/* The scheduler fence that contains the fence; to be read with bpf_probe_read_kernel() only. */
static __always_inline struct drm_sched_fence *sched_fence(const struct dependency *d)
{
	struct drm_sched_fence *whole = NULL;

	return (void *)d->fence - (d->is_scheduled ? bpf_core_field_offset(whole->scheduled) :
						     bpf_core_field_offset(whole->finished));
}

/* Whether the fence's job has the same scheduler as the job that depends on it. */
static __always_inline bool has_same_sched(const struct dependency *d)
{
	u64 ctx = d->dep_ctx + d->is_scheduled;
	const struct drm_sched_fence *other;

	/* One scheduler per context is the rule; the fence itself is slower to read. */
	if (context_row(ctx)->ctx == ctx && context_row(ctx)->place)
		return ring_in_row(ctx, half(d->job->sched));
	other = sched_fence(d);
	return BPF_CORE_READ(other, sched) == d->job->sched;
}

/*
 * Decides as drm_sched_entity_add_dependency_cb() will.  The context of a scheduled fence is the
 * one before that of its finished fence.
 */
static __always_inline u16 dependency_flags(const struct dependency *d)
{
	const struct drm_sched_fence *other;
	u64 state = d->state;
	u16 flags = 0;

	/* The job's own contexts have no fences but those of its jobs. */
	if (!d->is_job) {
		flags = GRTRACE_F_FOREIGN;
	} else if (d->dep_ctx == d->ctx || d->dep_ctx + 1 == d->ctx) {
		flags = GRTRACE_F_SELF;
	} else if (has_same_sched(d) && !(state & 1ull << DONT_PIPELINE) &&
		   (errors_pipeline || !d->fence->error)) {
		flags = GRTRACE_F_PIPELINED;
		other = sched_fence(d);
		state = BPF_CORE_READ(other, scheduled.flags);
	}
	if (state & 1ull << SIGNALED)
		return flags | GRTRACE_F_SIGNALED;
	return flags & GRTRACE_F_SELF ? flags : flags | GRTRACE_F_BLOCKED;
}

/* As await_foreign() of the bridge, which says why the steps have this order. */
static __always_inline void await_foreign(struct dependency *d)
{
	u64 tag = foreign_tag(d->dep_ctx, d->dep_seqno), ns = 0;

	if (!has_flag(d->fence, SIGNALED))
		__sync_lock_test_and_set(&foreign_tags[tag % FOREIGN_TAGS], tag);
	d->state = d->fence->flags;
	if (d->state & 1ull << TIMESTAMP)
		ns = signaled_ns(d->fence);
	if (ns)
		fence_signaled(d->fence, ns, 0);
	else if (d->state & 1ull << SIGNALED)
		fence_signaled(d->fence, 0, GRTRACE_F_UPPER_BOUND);
}

static __always_inline void depend(const struct dependency *d, u16 flags)
{
	struct grtrace_dependency *ev;
	struct event e;

	if (!see(&e, GRTRACE_DEPENDENCY) ||
	    (e.is_narrow && !is_chosen(&e, d->ctx, d->seqno, ring_of(d->ctx, d->job->sched))) ||
	    !begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	ev->ctx = d->ctx;
	ev->seqno = d->seqno;
	/* A scheduled fence counts as its job. */
	ev->dep_ctx = d->dep_ctx + d->is_scheduled;
	ev->dep_seqno = d->dep_seqno;
	end(&e);
}

static __always_inline void on_dependency(const struct drm_sched_job *job,
					  const struct dma_fence *fence, u16 flags, u16 mask)
{
	struct dependency d;

	if (!read_dependency(&d, job, fence))
		return;
	if (d.is_job)
		d.state = fence->flags;
	/* The fences of other jobs do not matter; depend() refuses the event. */
	else if (types & GRT_BPF_NARROW && !(is_of_ring(ring_of(d.ctx, job->sched)) &&
					     is_noted(d.ctx, d.seqno)))
		d.state = fence->flags;
	else
		await_foreign(&d);
	depend(&d, flags | (dependency_flags(&d) & mask));
}

/* <= 6.16: every dependency, when the scheduler checks it. */
SEC("tp_btf/drm_sched_job_wait_dep")
int BPF_PROG(wait_dep, struct drm_sched_job *job, struct dma_fence *fence)
{
	on_dependency(job, fence, GRTRACE_F_POPPED, ~0);
	return 0;
}

/* Not the one of the job's SUBMIT or COMMIT. */
static __always_inline u32 dependency_id(const struct drm_sched_job *job,
					 const struct dma_fence *fence)
{
	return half(job) + half(fence) * SPREAD;
}

/* >= 6.17: every dependency, right after SUBMIT; whether it blocks is decided later. */
SEC("tp_btf/drm_sched_job_add_dep")
int BPF_PROG(add_dep, struct drm_sched_job *job, struct dma_fence *fence)
{
	on_dependency(job, fence, GRTRACE_F_DECLARED, ~GRTRACE_F_BLOCKED);
	return leave_mark(dependency_id(job, fence));
}

SEC("tp_btf/drm_sched_job_add_dep")
int BPF_PROG(add_dep_twin, struct drm_sched_job *job, struct dma_fence *fence)
{
	if (was_missed(dependency_id(job, fence)))
		on_dependency(job, fence, GRTRACE_F_DECLARED, ~GRTRACE_F_BLOCKED);
	return 0;
}

static __always_inline void on_block(const struct drm_sched_job *job,
				     const struct dma_fence *fence)
{
	struct dependency d;
	u16 flags;

	if (!read_dependency(&d, job, fence))
		return;
	flags = !d.is_job ? GRTRACE_F_FOREIGN : d.is_scheduled ? GRTRACE_F_PIPELINED : 0;
	depend(&d, GRTRACE_F_BLOCKED | flags);
}

/* >= 6.17: the dependency for which the job begins to wait. */
SEC("tp_btf/drm_sched_job_unschedulable")
int BPF_PROG(unschedulable, struct drm_sched_job *job, struct dma_fence *fence)
{
	on_block(job, fence);
	return leave_mark(dependency_id(job, fence));
}

SEC("tp_btf/drm_sched_job_unschedulable")
int BPF_PROG(unschedulable_twin, struct drm_sched_job *job, struct dma_fence *fence)
{
	if (was_missed(dependency_id(job, fence)))
		on_block(job, fence);
	return 0;
}
