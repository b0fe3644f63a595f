// SPDX-License-Identifier: GPL-2.0
/*
 * The bridge as a BPF program: the same tracepoints, 64 bytes per event to a ring buffer, no
 * wake-up.  Typed tracepoints read the kernel's objects with plain loads, which is the cheapest
 * way in BPF.
 *
 * Kernel structs have only the members that are used; libbpf finds the real offsets.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define KERNEL	__attribute__((preserve_access_index))

typedef struct {
	int counter;
} KERNEL atomic_t;

struct spsc_queue {
	atomic_t job_count;
} KERNEL;

struct dma_fence {
	const void *ops;
	__u64 context;
	__u64 seqno;
	int error;
} KERNEL;

struct drm_gpu_scheduler {
	atomic_t hw_rq_count;
} KERNEL;

/* Since Linux 6.8. */
struct drm_gpu_scheduler___credits {
	atomic_t credit_count;
} KERNEL;

struct drm_sched_fence {
	struct dma_fence finished;
	struct dma_fence *parent;
	struct drm_gpu_scheduler *sched;
} KERNEL;

struct drm_sched_job {
	struct drm_gpu_scheduler *sched;
	struct drm_sched_fence *s_fence;
} KERNEL;

struct drm_sched_entity {
	struct spsc_queue job_queue;
} KERNEL;

struct event {
	__u64 ts;
	__u32 cpu;
	__u32 type;
	__u64 ctx;
	__u64 seqno;
	__u64 ring;
	__u32 tgid;
	__u32 tid;
	__u32 depth;
	__u32 hw_jobs;
	__u64 status;
};

enum { SUBMIT = 1, COMMIT, END, COMPLETE };

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 32 << 20);
} events SEC(".maps");

__u64 lost;		/* the loader shows it */
static const void *finished_ops;

static struct event *begin(__u32 type, const struct dma_fence *finished,
			   const struct drm_gpu_scheduler *sched)
{
	struct event *ev = bpf_ringbuf_reserve(&events, sizeof(*ev), 0);

	if (!ev) {
		lost++;
		return 0;
	}
	ev->ts = bpf_ktime_get_ns();
	ev->cpu = bpf_get_smp_processor_id();
	ev->type = type;
	ev->ctx = finished->context;
	ev->seqno = finished->seqno;
	ev->ring = (__u64)sched;
	ev->tgid = 0;
	ev->tid = 0;
	ev->depth = 0;
	ev->hw_jobs = 0;
	ev->status = 0;
	return ev;
}

static void end(struct event *ev)
{
	bpf_ringbuf_submit(ev, BPF_RB_NO_WAKEUP);
}

static __u32 hw_jobs(const struct drm_gpu_scheduler *sched)
{
	const struct drm_gpu_scheduler___credits *new = (const void *)sched;

	if (bpf_core_field_exists(new->credit_count))
		return new->credit_count.counter;
	return sched->hw_rq_count.counter;
}

SEC("tp_btf")
int BPF_PROG(on_submit, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	struct event *ev;
	__u64 id;

	/* Since 6.12 the verifier requires this. */
	if (!job || !entity)
		return 0;
	finished_ops = job->s_fence->finished.ops;
	ev = begin(SUBMIT, &job->s_fence->finished, job->sched);
	if (!ev)
		return 0;
	id = bpf_get_current_pid_tgid();
	ev->tgid = id >> 32;
	ev->tid = id;
	ev->depth = entity->job_queue.job_count.counter;
	ev->hw_jobs = hw_jobs(job->sched);
	end(ev);
	return 0;
}

SEC("tp_btf")
int BPF_PROG(on_commit, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	struct event *ev;

	if (!job || !entity)
		return 0;
	ev = begin(COMMIT, &job->s_fence->finished, job->sched);
	if (!ev)
		return 0;
	ev->depth = entity->job_queue.job_count.counter;
	ev->hw_jobs = hw_jobs(job->sched);
	end(ev);
	return 0;
}

SEC("tp_btf")
int BPF_PROG(on_end, struct drm_sched_fence *fence)
{
	struct event *ev;

	if (!fence)
		return 0;
	ev = begin(END, &fence->finished, fence->sched);
	if (!ev)
		return 0;
	ev->status = fence->parent->error;
	end(ev);
	return 0;
}

/* Called for every fence of the system; fences of others are ignored at once. */
SEC("tp_btf")
int BPF_PROG(on_fence, struct dma_fence *fence)
{
	struct event *ev;

	if (!fence || fence->ops != finished_ops)
		return 0;
	ev = begin(COMPLETE, fence, 0);
	if (!ev)
		return 0;
	ev->status = fence->error;
	end(ev);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
