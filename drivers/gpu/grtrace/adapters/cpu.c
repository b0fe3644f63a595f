// SPDX-License-Identifier: GPL-2.0
/*
 * What CPUs have to do with a job being late: whether the thread that hands jobs over
 * was waiting for a CPU itself, and when a thread that waited for a job ran again.
 *
 * Threads are followed from the first time that they hand over a job, or wait for
 * one, to the end of the session; nobody else's switches are recorded.  There is room
 * for a few hundred of them: one that finds none is not followed, and what is not
 * known of it stays unknown.  A number that is used again by another thread costs
 * a few records.
 *
 * sched_switch and sched_wakeup fire under the run queue's lock.  Emitting is safe
 * there: it takes no lock but that of global_seq=2, inside which only the clock is
 * read, and it wakes nobody, relay and the stream put that off to irq_work, whose
 * queueing is an interrupt to this CPU.  Nothing here or there may print.
 */
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <drm/gpu_scheduler.h>
#include <trace/events/dma_fence.h>
#include <trace/events/sched.h>

#include "../version.h"

#define FOLLOWED_BITS	9
#define FOLLOWED_REACH	8	/* slots that a number may be in */

/* Their numbers, 0 = free.  Slots are taken without a lock and never given back. */
static u32 followed[1 << FOLLOWED_BITS];

/*
 * Of the scheduler's finished fences; static there, so the first job teaches them, when it
 * is queued: whoever waits for it may do so before it runs.
 */
static const struct dma_fence_ops *finished_ops;

static u32 *followed_slot(u32 tid, unsigned int i)
{
	return &followed[(hash_32(tid, FOLLOWED_BITS) + i) & ((1 << FOLLOWED_BITS) - 1)];
}

static bool is_followed(u32 tid)
{
	unsigned int i;
	u32 there;

	for (i = 0; i < FOLLOWED_REACH; i++) {
		there = READ_ONCE(*followed_slot(tid, i));
		if (!there)
			return false;
		if (there == tid)
			return true;
	}
	return false;
}

static void follow(u32 tid)
{
	unsigned int i;
	u32 there;

	for (i = 0; i < FOLLOWED_REACH; i++) {
		there = READ_ONCE(*followed_slot(tid, i));
		if (!there)
			there = cmpxchg(followed_slot(tid, i), 0, tid);
		if (!there || there == tid)
			return;
	}
}

static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	u16 flags = 0;

	if (is_followed(prev->pid))
		flags |= GRTRACE_F_PREV_FOLLOWED;
	if (is_followed(next->pid))
		flags |= GRTRACE_F_NEXT_FOLLOWED;
	/* Whatever state a preempted thread was about to take, it could run on. */
	if (flags)
		grtrace_cpu_switch(prev->pid, next->pid, preempt ? 0 : prev_state, flags);
}

/*
 * Not sched_waking: that may come before the thread has left its CPU, this comes
 * when it is in a run queue.
 */
static void probe_wakeup(void *data, struct task_struct *task)
{
	if (is_followed(task->pid))
		grtrace_cpu_wake(task->pid, task_cpu(task), 0);
}

static void probe_queue(void *data, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	if (unlikely(READ_ONCE(finished_ops) != job->s_fence->finished.ops))
		WRITE_ONCE(finished_ops, job->s_fence->finished.ops);
}

static void probe_run(void *data, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	follow(current->pid);
}

/* The ring of a job's fence; false for the fences of others. */
static bool find_ring(const struct dma_fence *fence, u32 *ring)
{
	const struct drm_sched_fence *sf = container_of(fence, struct drm_sched_fence, finished);

	if (fence->ops != READ_ONCE(finished_ops))
		return false;
	*ring = grtrace_ring_find(sf->sched, fence->context);
	return true;
}

static void probe_wait_start(void *data, struct dma_fence *fence)
{
	u32 ring;

	if (!find_ring(fence, &ring))
		return;
	follow(current->pid);
	grtrace_sync_wait_enter(ring, fence->context, fence->seqno, GRTRACE_F_CPU_WAIT);
}

static void probe_wait_end(void *data, struct dma_fence *fence)
{
	s32 status = -EINTR;	/* or its time was up: the tracepoint does not say */
	u32 ring;

	if (!find_ring(fence, &ring))
		return;
	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		status = 0;
	grtrace_sync_wait_exit(ring, fence->context, fence->seqno, status, GRTRACE_F_CPU_WAIT);
}

static void begin(void)
{
	memset(followed, 0, sizeof(followed));
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, NULL);
}

static struct grtrace_probe probes[] = {
	{ .module = "gpu_sched", .fn = probe_queue,
	  .names = { "drm_sched_job_queue", "drm_sched_job" } },
	{ .module = "gpu_sched", .fn = probe_run,
	  .names = { "drm_sched_job_run", "drm_run_job" } },
	{ .fn = probe_switch, .names = { "sched_switch" } },
	{ .fn = probe_wakeup, .names = { "sched_wakeup" } },
	{ .fn = probe_wait_start, .names = { "dma_fence_wait_start" } },
	{ .fn = probe_wait_end, .names = { "dma_fence_wait_end" } },
};

static struct grtrace_adapter adapter = {
	.name = "cpu",
	.owner = THIS_MODULE,
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.begin = begin,
	.target_gone = target_gone,
};

static int __init cpu_adapter_init(void)
{
	/* Found by name and called as they are: a kernel where they differ must not build. */
	check_trace_callback_type_sched_switch(probe_switch);
	check_trace_callback_type_sched_wakeup(probe_wakeup);
	check_trace_callback_type_dma_fence_wait_start(probe_wait_start);
	check_trace_callback_type_dma_fence_wait_end(probe_wait_end);
	return grtrace_adapter_register(&adapter);
}

static void __exit cpu_adapter_exit(void)
{
	grtrace_adapter_unregister(&adapter);
}

module_init(cpu_adapter_init);
module_exit(cpu_adapter_exit);
MODULE_DESCRIPTION("grtrace: threads that hand jobs over, or wait for them, on CPUs");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
