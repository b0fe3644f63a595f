// SPDX-License-Identifier: GPL-2.0
/*
 * Records how busy CPUs delay jobs: whether the thread that hands jobs to the ring waited for
 * a CPU, and when a thread that waited for a job ran again.
 *
 * A thread is followed once it hands over a job or waits for one, until it has done neither
 * for FOLLOWED_FOR: from 6.8 on the thread that hands over belongs to a pool, and soon works
 * for others again.  Switches of other threads are not recorded.  A few hundred threads can be
 * followed at a time; threads beyond that are counted, and their switches stay unknown.
 *
 * sched_switch and sched_wakeup fire under the run queue's lock.  Emitting is safe there.  The
 * only lock that it takes is that of global_seq=2, which protects one reading of the clock.  It
 * wakes nobody: relay and the stream defer wake-ups to irq_work, which interrupts this CPU.
 * Neither this file nor the emit path may print.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <drm/gpu_scheduler.h>
#include <trace/events/dma_fence.h>
#include <trace/events/sched.h>

#include "../version.h"
#include "fence_ops.h"

#define FOLLOWED_BITS	9
#define FOLLOWED_REACH	8	/* slots to search for a thread */
#define FOLLOWED_FOR	(10 * HZ)
#define NOBODY		(~0u)	/* no thread has this id */

/* One thread.  Only the thread's own CPU uses the members other than @tid. */
struct followed {
	u32 tid;	/* 0: free, a search ends here.  NOBODY: free, a search goes on */
	bool is_waiting;
	unsigned long last_use;	/* jiffies */
};

static struct followed followed[1 << FOLLOWED_BITS];
static atomic_t lost_cnt;

/*
 * The ops of the scheduler's finished fences.  They are static in gpu_sched, so they are taken
 * from the first job that is queued; a thread may wait for that job before it runs.
 */
static const struct dma_fence_ops *finished_ops = &grt_no_fence_ops;

static struct followed *followed_slot(u32 tid, unsigned int i)
{
	return &followed[(hash_32(tid, FOLLOWED_BITS) + i) & ((1 << FOLLOWED_BITS) - 1)];
}

static struct followed *find_followed(u32 tid)
{
	unsigned int i;
	u32 there;

	for (i = 0; i < FOLLOWED_REACH; i++) {
		there = READ_ONCE(followed_slot(tid, i)->tid);
		if (!there)
			return NULL;
		if (there == tid)
			return followed_slot(tid, i);
	}
	return NULL;
}

static struct followed *take_slot(u32 tid)
{
	struct followed *f;
	unsigned int i;
	u32 there;

	for (i = 0; i < FOLLOWED_REACH; i++) {
		f = followed_slot(tid, i);
		there = READ_ONCE(f->tid);
		if ((!there || there == NOBODY) && cmpxchg(&f->tid, there, tid) == there)
			return f;
	}
	atomic_inc(&lost_cnt);
	return NULL;
}

/*
 * Follows current.  From 7.0 on current may be preempted in here, but it does not sleep, so
 * is_over() does not end the following.
 */
static void follow(bool is_waiting)
{
	struct followed *f = find_followed(current->pid) ?: take_slot(current->pid);

	if (f) {
		f->last_use = jiffies;
		f->is_waiting = is_waiting;
	}
}

/*
 * Does the following of a thread end as it leaves its CPU?  Only if it sleeps: readers would
 * think that a runnable thread waits for a CPU for ever.  A ring's own thread is followed for
 * ever, because it works for that ring only.
 */
static bool is_over(const struct followed *f, const struct task_struct *task, unsigned int state)
{
	if (state & TASK_DEAD)
		return true;
	if (!state || f->is_waiting || (task->flags & (PF_KTHREAD | PF_WQ_WORKER)) == PF_KTHREAD)
		return false;
	return time_after(jiffies, f->last_use + FOLLOWED_FOR);
}

static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct followed *f = find_followed(prev->pid);
	/* A preempted thread is runnable, whatever state it was about to enter. */
	unsigned int state = preempt ? 0 : prev_state;
	u16 flags = 0;

	if (f)
		flags |= GRTRACE_F_PREV_FOLLOWED;
	if (find_followed(next->pid))
		flags |= GRTRACE_F_NEXT_FOLLOWED;
	if (flags)
		grtrace_cpu_switch(prev->pid, next->pid, state, flags);
	if (f && is_over(f, prev, state))
		WRITE_ONCE(f->tid, NOBODY);
}

/*
 * Not sched_waking, which may fire before the thread has left its CPU.  sched_wakeup fires
 * when the thread is in a run queue.
 */
static void probe_wakeup(void *data, struct task_struct *task)
{
	if (find_followed(task->pid))
		grtrace_cpu_wake(task->pid, task_cpu(task), 0);
}

static void probe_queue(void *data, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	if (unlikely(READ_ONCE(finished_ops) != job->s_fence->finished.ops))
		WRITE_ONCE(finished_ops, job->s_fence->finished.ops);
}

static void probe_run(void *data, struct drm_sched_job *job, struct drm_sched_entity *entity)
{
	follow(false);
}

/* Finds the ring of a job's fence; false for a fence that is no job's. */
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
	follow(true);
	grtrace_sync_wait_enter(ring, fence->context, fence->seqno, GRTRACE_F_CPU_WAIT);
}

static void probe_wait_end(void *data, struct dma_fence *fence)
{
	s32 status = -EINTR;	/* or a timeout: the tracepoint does not tell them apart */
	u32 ring;

	if (!find_ring(fence, &ring))
		return;
	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		status = 0;
	grtrace_sync_wait_exit(ring, fence->context, fence->seqno, status, GRTRACE_F_CPU_WAIT);
	if (find_followed(current->pid))
		follow(false);
}

static void begin(void)
{
	/* Probes are attached by name, so the compiler checks their arguments here. */
	check_trace_callback_type_sched_switch(probe_switch);
	check_trace_callback_type_sched_wakeup(probe_wakeup);
	check_trace_callback_type_dma_fence_wait_start(probe_wait_start);
	check_trace_callback_type_dma_fence_wait_end(probe_wait_end);
	memset(followed, 0, sizeof(followed));
	atomic_set(&lost_cnt, 0);
}

static size_t describe(char *to, size_t room)
{
	return scnprintf(to, room, "cpu_threads_lost=%u\n", atomic_read(&lost_cnt));
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, &grt_no_fence_ops);
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
	.describe = describe,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: when threads that submit jobs or wait for them were on a CPU");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
