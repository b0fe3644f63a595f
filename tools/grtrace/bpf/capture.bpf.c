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

#include "capture.h"

#define NO_RING		0	/* not known */
#define FOREIGN_TAGS	1024
#define PROCESSES	4096
#define CONTEXTS	4096
#define TRIES		8	/* places of a row in a table */
#define SPREAD		0x61C88647u	/* spreads numbers over a table; the kernel's GOLDEN_RATIO_32 */

char LICENSE[] SEC("license") = "GPL";

/* Set before the programs are loaded. */
const volatile u32 types = ~0u;		/* bits of event types to record */
const volatile bool errors_pipeline = true;	/* before 6.5 a fence with an error may pipeline */

struct ring_buffer_of_cpu {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct ring_buffer_of_cpu);
} buffers SEC(".maps");

struct grt_bpf_cpu cpus[GRT_BPF_MAX_CPUS];

/* The ops of scheduler fences, learned from jobs. */
static u64 finished_ops = 1, scheduled_ops = 1;

/* As in the bridge: fences of dependencies that belong to no job, direct mapped. */
static u64 foreign_tags[FOREIGN_TAGS];

/*
 * Rings by the scheduler's address.  When a new scheduler has the address of an old one, its ring
 * gets another number with the same place.  The lower half of an address is enough to know it
 * again, and the verifier lets us calculate with it.
 */
struct ring_row {
	u32 sched, name, dev, number;
};

static struct ring_row rings[GRT_BPF_MAX_RINGS];
u64 rings_lost;

/* The last name of a process.  A process that finds no free place takes another one's. */
struct process_row {
	u64 tgid, start_ns, cgroups, comm[2];
};

static struct process_row processes[PROCESSES];

/* The ring of a context, direct mapped.  0: its jobs use several rings. */
struct context_row {
	u64 ctx;
	u64 ring;
};

static struct context_row contexts[CONTEXTS];

/* The loader refuses machines with more CPUs. */
static __always_inline struct grt_bpf_cpu *this_cpu(void)
{
	return &cpus[bpf_get_smp_processor_id() % GRT_BPF_MAX_CPUS];
}

/*
 * Reserves a record in this CPU's buffer, with its header.  The time is read after that, so an
 * event with an earlier time can only be behind one that was reserved, but not written yet.
 */
static __always_inline void *reserve(u16 type, u16 size, u16 flags, u64 lost)
{
	u32 cpu = bpf_get_smp_processor_id();
	void *buffer = bpf_map_lookup_elem(&buffers, &cpu);
	struct grtrace_hdr *hdr;

	hdr = buffer ? bpf_ringbuf_reserve(buffer, size, 0) : NULL;
	if (!hdr)
		return NULL;
	hdr->type = type;
	hdr->size = size;
	hdr->cpu = cpu;
	hdr->flags = flags;
	hdr->ts = bpf_ktime_get_ns();
	hdr->gseq = lost;
	hdr->cseq = 0;
	return hdr;
}

/* Wakes the reader only now and then: it looks by itself, too. */
static __always_inline void submit(struct grt_bpf_cpu *c, void *record, u16 size)
{
	u64 wake = BPF_RB_NO_WAKEUP;

	c->bytes += size;
	if (c->bytes >= GRT_BPF_WAKE_BYTES) {
		c->bytes = 0;
		wake = BPF_RB_FORCE_WAKEUP;
	}
	bpf_ringbuf_submit(record, wake);
}

/* Begins an event.  NULL: there is no room; the event is counted as lost. */
static __always_inline void *begin(struct grt_bpf_cpu *c, u16 type, u16 size, u16 flags)
{
	void *record = reserve(type, size, flags, c->lost);

	if (!record)
		__sync_fetch_and_add(&c->lost, 1);
	return record;
}

/* The first step of every event.  NULL: it is not wanted. */
static __always_inline struct grt_bpf_cpu *see(u16 type)
{
	struct grt_bpf_cpu *c = this_cpu();

	__sync_fetch_and_add(&c->seen, 1);
	if (types & 1u << type)
		return c;
	__sync_fetch_and_add(&c->filtered, 1);
	return NULL;
}

static __always_inline void learn_ops(const struct drm_sched_fence *fence)
{
	u64 ops = (u64)fence->finished.ops;

	if (ops == finished_ops)
		return;
	scheduled_ops = (u64)fence->scheduled.ops;
	finished_ops = ops;
}

/* A move that the compiler cannot leave out: only its result is a number for the verifier. */
static __always_inline u32 half(const void *address)
{
	u32 low;

	asm volatile("%0 = %1" : "=w"(low) : "w"((u32)(u64)address));
	return low;
}

static __always_inline struct ring_row *ring_place(u32 sched, u32 nth)
{
	return &rings[((sched >> 6) * SPREAD / 65536 + nth) % GRT_BPF_MAX_RINGS];
}

/* The number of @sched's ring, 0 if it is not known. */
static __always_inline u32 find_ring(const struct drm_gpu_scheduler *sched)
{
	const struct ring_row *row = ring_place(half(sched), 0);

	if (row->sched == half(sched))
		return row->number;
	for (u32 i = 1; i < TRIES; i++) {
		row = ring_place(half(sched), i);
		if (row->sched == half(sched))
			return row->number;
	}
	return NO_RING;
}

static __always_inline void read_text(char *to, u32 room, const char *from)
{
	if (!from || bpf_probe_read_kernel_str(to, room, from) < 0)
		to[0] = '\0';
}

static __noinline int define_ring(const struct drm_gpu_scheduler *sched, u32 number)
{
	struct grt_bpf_cpu *c = this_cpu();
	struct grtrace_ring *ring;
	struct device *dev = BPF_CORE_READ(sched, dev);
	const char *text;

	ring = reserve(GRTRACE_RING, sizeof(*ring), 0, c->lost);
	if (!ring)
		return 0;
	__builtin_memset(&ring->ring, 0, sizeof(*ring) - sizeof(ring->hdr));
	ring->ring = number;
	ring->credit_limit = bpf_core_field_exists(sched->credit_limit) ?
			     BPF_CORE_READ(sched, credit_limit) :
			     BPF_CORE_READ(sched, hw_submission_limit);
	read_text(ring->name, sizeof(ring->name), BPF_CORE_READ(sched, name));
	if (dev) {
		text = BPF_CORE_READ(dev, init_name);
		read_text(ring->device, sizeof(ring->device),
			  text ? text : BPF_CORE_READ(dev, kobj.name));
		text = BPF_CORE_READ(dev, driver, name);
		read_text(ring->driver, sizeof(ring->driver),
			  text ? text : BPF_CORE_READ(dev, bus, name));
	}
	submit(c, ring, sizeof(*ring));
	return 1;
}

/*
 * The number of @sched's ring; a new one is defined first.  Name and device are compared, too: a
 * new scheduler may have the address of an old one.
 */
static __noinline u32 learn_ring(const struct drm_gpu_scheduler *sched, u32 name, u32 dev)
{
	for (u32 i = 0; i < TRIES; i++) {
		struct ring_row *row = ring_place(half(sched), i);
		u32 number, owner = row->sched;

		if (!owner)
			owner = __sync_val_compare_and_swap(&row->sched, 0, half(sched));
		if (owner && owner != half(sched))
			continue;
		if (row->name == name && row->dev == dev)
			return row->number;
		number = row->number ? row->number + GRT_BPF_MAX_RINGS : row - rings + 1;
		if (!define_ring(sched, number))
			return NO_RING;
		row->number = number;
		row->dev = dev;
		row->name = name;
		return number;
	}
	__sync_fetch_and_add(&rings_lost, 1);
	return NO_RING;
}

static __always_inline u32 ring_of_submit(struct drm_gpu_scheduler *sched)
{
	const struct ring_row *row = ring_place(half(sched), 0);
	u32 name = half(sched->name), dev = half(sched->dev);

	if (row->sched == half(sched) && row->name == name && row->dev == dev)
		return row->number;
	return learn_ring(sched, name, dev);
}

static __noinline int define_process(u32 tgid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	struct pid *pid = BPF_CORE_READ(leader, thread_pid);
	u32 level = BPF_CORE_READ(pid, level);
	struct grt_bpf_cpu *c = this_cpu();
	struct grtrace_process *p;
	struct pid_namespace *ns = NULL;

	p = reserve(GRTRACE_PROCESS, sizeof(*p), 0, c->lost);
	if (!p)
		return 0;
	bpf_core_read(&ns, sizeof(ns), (void *)pid + bpf_core_field_offset(pid->numbers) +
		      level * bpf_core_type_size(struct upid) +
		      bpf_core_field_offset(struct upid, ns));
	p->tgid = tgid;
	p->pidns = ns ? BPF_CORE_READ(ns, ns.inum) : 0;
	p->cgroup_id = BPF_CORE_READ(leader, cgroups, dfl_cgrp, kn, id);
	p->start_ns = BPF_CORE_READ(leader, start_time);
	BPF_CORE_READ_INTO(&p->comm, leader, comm);
	p->comm[sizeof(p->comm) - 1] = '\0';
	submit(c, p, sizeof(*p));
	return 1;
}

static __always_inline struct process_row *process_place(u32 tgid, u32 nth)
{
	return &processes[((tgid * SPREAD >> 16) + nth) % PROCESSES];
}

/* The row of @tgid; else a free one; else the last one tried, which is taken from its process. */
static __always_inline struct process_row *process_row(u32 tgid)
{
	struct process_row *row = process_place(tgid, 0);

	for (u32 i = 1; i < TRIES && row->tgid && row->tgid != tgid; i++)
		row = process_place(tgid, i);
	return row;
}

/* Names the current process if it is new, or changed its name or cgroup. */
static __always_inline void note_process(struct task_struct *task, u32 tgid)
{
	struct process_row *row = process_row(tgid);
	struct task_struct *leader = task->group_leader;
	u64 start_ns = leader->start_time, cgroups = (u64)leader->cgroups;
	u64 first = *(u64 *)leader->comm, second = *(u64 *)(leader->comm + 8);

	if (row->tgid == tgid && row->start_ns == start_ns && row->cgroups == cgroups &&
	    row->comm[0] == first && row->comm[1] == second)
		return;
	if (!define_process(tgid))
		return;
	row->tgid = tgid;
	row->start_ns = start_ns;
	row->cgroups = cgroups;
	row->comm[0] = first;
	row->comm[1] = second;
}

/* COMPLETE has only the fence, from which the programs may not go to the scheduler. */
static __always_inline void note_context(u64 ctx, u32 ring)
{
	struct context_row *row = &contexts[ctx % CONTEXTS];

	if (row->ctx != ctx) {
		row->ring = ring;
		row->ctx = ctx;
	} else if (row->ring != ring) {
		row->ring = NO_RING;
	}
}

static __always_inline u32 ring_of_context(u64 ctx)
{
	const struct context_row *row = &contexts[ctx % CONTEXTS];

	return row->ctx == ctx ? row->ring : NO_RING;
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

static __always_inline int on_submit(struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	struct grt_bpf_cpu *c = see(GRTRACE_SUBMIT);
	struct task_struct *task = bpf_get_current_task_btf();
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct drm_sched_fence *fence;
	struct drm_gpu_scheduler *sched;
	struct grtrace_submit *ev;
	u64 client_id;
	u32 ring;

	if (!c || !job || !entity)
		return 0;
	fence = job->s_fence;
	sched = job->sched;
	learn_ops(fence);
	ring = ring_of_submit(sched);
	note_process(task, pid_tgid >> 32);
	note_context(fence->finished.context, ring);
	client_id = client_of(fence);
	ev = begin(c, GRTRACE_SUBMIT, sizeof(*ev),
		   is_kernel_job(task, client_id, entity) ? GRTRACE_F_KERNEL_JOB : 0);
	if (!ev)
		return 0;
	ev->ctx = fence->finished.context;
	ev->seqno = fence->finished.seqno;
	ev->ring = ring;
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	ev->credits = credits_of(job);
	ev->hw_credits = hw_credits(sched);
	ev->queue_depth = entity->job_queue.job_count.counter;
	ev->client_id = client_id;
	submit(c, ev, sizeof(*ev));
	return 0;
}

SEC("tp_btf/drm_sched_job")
int BPF_PROG(submit_old, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	return on_submit(job, entity);
}

SEC("tp_btf/drm_sched_job_queue")
int BPF_PROG(submit_new, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	return on_submit(job, entity);
}

static __always_inline int on_commit(struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	struct grt_bpf_cpu *c = see(GRTRACE_COMMIT);
	struct grtrace_commit *ev;
	struct drm_sched_fence *fence;

	if (!c || !job || !entity)
		return 0;
	fence = job->s_fence;
	learn_ops(fence);
	ev = begin(c, GRTRACE_COMMIT, sizeof(*ev), 0);
	if (!ev)
		return 0;
	ev->ctx = fence->finished.context;
	ev->seqno = fence->finished.seqno;
	ev->ring = find_ring(job->sched);
	ev->credits = credits_of(job);
	ev->hw_credits = hw_credits(job->sched);
	ev->queue_depth = entity->job_queue.job_count.counter;
	submit(c, ev, sizeof(*ev));
	return 0;
}

SEC("tp_btf/drm_run_job")
int BPF_PROG(commit_old, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	return on_commit(job, entity);
}

SEC("tp_btf/drm_sched_job_run")
int BPF_PROG(commit_new, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	return on_commit(job, entity);
}

static __always_inline bool has_flag(const struct dma_fence *fence, u64 bit)
{
	return fence->flags & 1ull << bit;
}

#define SIGNALED	bpf_core_enum_value(enum dma_fence_flag_bits, DMA_FENCE_FLAG_SIGNALED_BIT)
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
	struct grt_bpf_cpu *c = see(GRTRACE_END);
	const struct dma_fence *parent;
	struct grtrace_end *ev;
	u64 hw_done_ns = 0;
	u16 flags = 0;
	s32 status;

	if (!c || !fence)
		return 0;
	learn_ops(fence);
	parent = fence->parent;
	status = fence->finished.error;
	if (!parent || is_error(parent)) {
		flags = GRTRACE_F_NO_HW;
	} else {
		if (parent->error)
			status = parent->error;
		hw_done_ns = signaled_ns(parent);
	}
	ev = begin(c, GRTRACE_END, sizeof(*ev), flags);
	if (!ev)
		return 0;
	ev->ctx = fence->finished.context;
	ev->seqno = fence->finished.seqno;
	ev->ring = find_ring(fence->sched);
	ev->status = status;
	ev->hw_done_ns = hw_done_ns;
	submit(c, ev, sizeof(*ev));
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
static __always_inline u64 foreign_tag(const struct dma_fence *fence)
{
	return fence->context * SPREAD + fence->seqno;
}

static __always_inline void fence_signaled(const struct dma_fence *fence, u64 ns, u16 flags)
{
	struct grtrace_fence_signaled *ev;
	struct grt_bpf_cpu *c = see(GRTRACE_FENCE_SIGNALED);

	if (!c)
		return;
	ev = begin(c, GRTRACE_FENCE_SIGNALED, sizeof(*ev), flags);
	if (!ev)
		return;
	ev->ctx = fence->context;
	ev->seqno = fence->seqno;
	ev->ring = NO_RING;
	ev->status = fence->error;
	ev->signaled_ns = ns;
	submit(c, ev, sizeof(*ev));
}

static __always_inline void complete(const struct dma_fence *fence)
{
	struct grtrace_complete *ev;
	struct grt_bpf_cpu *c = see(GRTRACE_COMPLETE);

	if (!c)
		return;
	ev = begin(c, GRTRACE_COMPLETE, sizeof(*ev), 0);
	if (!ev)
		return;
	ev->ctx = fence->context;
	ev->seqno = fence->seqno;
	ev->ring = ring_of_context(fence->context);
	ev->status = fence->error;
	submit(c, ev, sizeof(*ev));
}

/* Runs for every fence of the system, so it must return fast. */
SEC("tp_btf/dma_fence_signaled")
int BPF_PROG(fence_end, struct dma_fence *fence)
{
	u64 tag;

	if ((u64)fence->ops == finished_ops) {
		complete(fence);
		return 0;
	}
	tag = foreign_tag(fence);
	if (foreign_tags[tag % FOREIGN_TAGS] == tag)
		fence_signaled(fence, 0, 0);
	return 0;
}

/* Whose fence a dependency is. */
struct dependency {
	bool is_job, is_scheduled;
};

static __always_inline struct dependency dependency_of(const struct dma_fence *fence)
{
	u64 ops = (u64)fence->ops;

	return (struct dependency){
		.is_job = ops == finished_ops || ops == scheduled_ops,
		.is_scheduled = ops == scheduled_ops,
	};
}

/* The scheduler fence that contains @fence; to be read with bpf_probe_read_kernel() only. */
static __always_inline struct drm_sched_fence *sched_fence(const struct dma_fence *fence,
							   struct dependency dep)
{
	struct drm_sched_fence *whole = NULL;

	return (void *)fence - (dep.is_scheduled ? bpf_core_field_offset(whole->scheduled) :
						   bpf_core_field_offset(whole->finished));
}

/* Decides as drm_sched_entity_add_dependency_cb() will. */
static __always_inline u16 dependency_flags(const struct drm_sched_job *job,
					    struct dependency dep, const struct dma_fence *fence)
{
	const struct drm_sched_fence *own = job->s_fence, *other = sched_fence(fence, dep);
	unsigned long state = fence->flags;
	u16 flags = dep.is_job ? 0 : GRTRACE_F_FOREIGN;

	if (fence->context == own->finished.context || fence->context == own->scheduled.context) {
		flags = GRTRACE_F_SELF;
	} else if (dep.is_job && BPF_CORE_READ(other, sched) == job->sched &&
		   !(state & 1ull << DONT_PIPELINE) && (errors_pipeline || !fence->error)) {
		flags = GRTRACE_F_PIPELINED;
		state = BPF_CORE_READ(other, scheduled.flags);
	}
	if (state & 1ull << SIGNALED)
		return flags | GRTRACE_F_SIGNALED;
	return flags & GRTRACE_F_SELF ? flags : flags | GRTRACE_F_BLOCKED;
}

/* As await_foreign() of the bridge, which says why the steps have this order. */
static __always_inline void await_foreign(const struct dma_fence *fence)
{
	u64 tag = foreign_tag(fence), ns;

	if (!has_flag(fence, SIGNALED))
		__sync_lock_test_and_set(&foreign_tags[tag % FOREIGN_TAGS], tag);
	ns = signaled_ns(fence);
	if (ns)
		fence_signaled(fence, ns, 0);
	else if (has_flag(fence, SIGNALED))
		fence_signaled(fence, 0, GRTRACE_F_UPPER_BOUND);
}

static __always_inline void depend(const struct drm_sched_job *job, const struct dma_fence *fence,
				   struct dependency dep, u16 flags)
{
	const struct drm_sched_fence *own = job->s_fence;
	struct grt_bpf_cpu *c = see(GRTRACE_DEPENDENCY);
	struct grtrace_dependency *ev;

	if (!c)
		return;
	ev = begin(c, GRTRACE_DEPENDENCY, sizeof(*ev), flags);
	if (!ev)
		return;
	ev->ctx = own->finished.context;
	ev->seqno = own->finished.seqno;
	/* A scheduled fence counts as its job, whose context is the next one. */
	ev->dep_ctx = fence->context + dep.is_scheduled;
	ev->dep_seqno = fence->seqno;
	submit(c, ev, sizeof(*ev));
}

/* <= 6.16: every dependency, when the scheduler checks it. */
SEC("tp_btf/drm_sched_job_wait_dep")
int BPF_PROG(wait_dep, struct drm_sched_job *job, struct dma_fence *fence)
{
	struct dependency dep;

	if (!job || !fence)
		return 0;
	learn_ops(job->s_fence);
	dep = dependency_of(fence);
	if (!dep.is_job)
		await_foreign(fence);
	depend(job, fence, dep, GRTRACE_F_POPPED | dependency_flags(job, dep, fence));
	return 0;
}

/* >= 6.17: every dependency, right after SUBMIT; whether it blocks is decided later. */
SEC("tp_btf/drm_sched_job_add_dep")
int BPF_PROG(add_dep, struct drm_sched_job *job, struct dma_fence *fence)
{
	struct dependency dep;

	if (!job || !fence)
		return 0;
	learn_ops(job->s_fence);
	dep = dependency_of(fence);
	if (!dep.is_job)
		await_foreign(fence);
	depend(job, fence, dep, GRTRACE_F_DECLARED |
	       (dependency_flags(job, dep, fence) & ~GRTRACE_F_BLOCKED));
	return 0;
}

/* >= 6.17: the dependency for which the job begins to wait. */
SEC("tp_btf/drm_sched_job_unschedulable")
int BPF_PROG(unschedulable, struct drm_sched_job *job, struct dma_fence *fence)
{
	u16 flags = GRTRACE_F_BLOCKED;
	struct dependency dep;

	if (!job || !fence)
		return 0;
	learn_ops(job->s_fence);
	dep = dependency_of(fence);
	if (!dep.is_job)
		flags |= GRTRACE_F_FOREIGN;
	else if (dep.is_scheduled)
		flags |= GRTRACE_F_PIPELINED;
	depend(job, fence, dep, flags);
	return 0;
}

struct job_key {
	u64 ctx, seqno;		/* 0:0: not known */
};

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
	struct grt_bpf_cpu *c = see(GRTRACE_ERROR);
	struct grtrace_error *ev;

	if (!c)
		return 0;
	ev = begin(c, GRTRACE_ERROR, sizeof(*ev), 0);
	if (!ev)
		return 0;
	ev->ctx = key.ctx;
	ev->seqno = key.seqno;
	ev->ring = find_ring(sched);
	ev->code = code;
	ev->status = status;
	ev->reserved = 0;
	submit(c, ev, sizeof(*ev));
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
	/* The list is not locked: do not name a job that is just leaving it. */
	if (first && first != head && BPF_CORE_READ(job, sched) == sched)
		key = key_of(job);
	return error(sched, key, GRTRACE_ERROR_TIMEOUT, -62);	/* -ETIME */
}

/* A ring is stopped for a reset; the second argument is the guilty job or NULL. */
SEC("kprobe/drm_sched_stop")
int BPF_KPROBE(stop, struct drm_gpu_scheduler *sched, struct drm_sched_job *bad)
{
	struct job_key none = { };

	return error(sched, bad ? key_of(bad) : none, GRTRACE_ERROR_RESET, 0);
}

SEC("kprobe/drm_sched_start")
int BPF_KPROBE(start, struct drm_gpu_scheduler *sched)
{
	struct job_key none = { };

	return error(sched, none, GRTRACE_ERROR_RECOVERED, 0);
}
