// SPDX-License-Identifier: GPL-2.0
/*
 * What CPUs have to do with a job being late: whether the thread that hands jobs over
 * was waiting for a CPU itself, and when a thread that waited for a job ran again.
 *
 * Threads are followed from the time that they hand over a job, or wait for one, until
 * they have done neither for a while: from 6.8 on a thread of a pool hands over, which
 * soon works for others again.  Nobody else's switches are recorded.  There is room for a
 * few hundred at a time: one that finds none is counted, and what is not known of it
 * stays unknown.
 *
 * sched_switch and sched_wakeup fire under the run queue's lock.  Emitting is safe
 * there: it takes no lock but that of global_seq=2, inside which only the clock is
 * read, and it wakes nobody, relay and the stream put that off to irq_work, whose
 * queueing is an interrupt to this CPU.  Nothing here or there may print.
 */
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

#define FOLLOWED_BITS	9
#define FOLLOWED_REACH	8	/* slots that a number may be in */
#define FOLLOWED_FOR	(10 * HZ)
#define NOBODY		(~0u)	/* not a number that a thread has */

/* One thread.  Its own CPU alone reads and writes all but its number. */
struct followed {
	u32 tid;	/* 0: no search goes on behind it.  NOBODY: free, but it was taken */
	bool is_waiting;
	unsigned long last_use;	/* jiffies */
};

static struct followed followed[1 << FOLLOWED_BITS];
static atomic_t lost_cnt;

/* Of no fence.  Not NULL: from 7.1 on fences that are over may have no ops. */
static const struct dma_fence_ops no_ops;

/*
 * Of the scheduler's finished fences; static there, so the first job teaches them, when it
 * is queued: whoever waits for it may do so before it runs.
 */
static const struct dma_fence_ops *finished_ops = &no_ops;

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
 * The thread that runs here.  From 7.0 on it may lose its CPU in between, but does not
 * sleep: it is not let go.
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
 * Whether a thread that leaves its CPU is let go.  Only one that sleeps: readers would take
 * another for one that waits for a CPU ever after.  A ring's own thread works for nobody
 * else, however long it had nothing to do.
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
	/* Whatever state a preempted thread was about to take, it could run on. */
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
 * Not sched_waking: that may come before the thread has left its CPU, this comes
 * when it is in a run queue.
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
	follow(true);
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
	if (find_followed(current->pid))
		follow(false);
}

static void begin(void)
{
	memset(followed, 0, sizeof(followed));
	atomic_set(&lost_cnt, 0);
}

static size_t describe(char *to, size_t room)
{
	return scnprintf(to, room, "cpu_threads_lost=%u\n", atomic_read(&lost_cnt));
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, &no_ops);
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
