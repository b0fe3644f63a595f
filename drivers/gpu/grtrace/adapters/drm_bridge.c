// SPDX-License-Identifier: GPL-2.0
/*
 * Turns tracepoints of the DRM scheduler into events, for every driver that uses
 * the scheduler; it does not use a driver's own types.
 *
 * Where the tracepoints fire, and in what context, Linux 6.1 to 7.2:
 *   SUBMIT	drm_sched_entity_push_job(), in the submitter's context
 *   DEPENDENCY	<= 6.16 drm_sched_entity_pop_job(), scheduler's thread; from 6.17
 *		drm_sched_entity_push_job(), and _add_dependency_cb() if it blocks
 *   COMMIT	drm_sched_main() / drm_sched_run_job_work(), before ->run_job()
 *   END	drm_sched_job_done(), mostly hard irq, the hardware fence's lock held
 *   COMPLETE	dma_fence_signal*() of the finished fence, mostly hard irq, too
 * A job killed with its process has no COMMIT and no END.
 *
 * The ops of a finished fence tell it from the system's other fences.  They are
 * static in gpu_sched, so they are taken from the first job.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <drm/gpu_scheduler.h>

#include "../compat/compat.h"
#include "../compat/quirks.h"
#include "../compat/sched.h"
#include "../version.h"
#include "fence_ops.h"
#include "marks.h"
#include "sched_jobs.h"

#define FOREIGN_BITS	10
#define HANDLED_BITS	6

static const struct dma_fence_ops *finished_ops = &grt_no_fence_ops;
static const struct dma_fence_ops *scheduled_ops = &grt_no_fence_ops;

/*
 * Fences of dependencies that belong to no job, direct mapped: a newer fence replaces an older
 * one.  Then the end of the older one is not recorded, and t_dep is unknown, but never wrong.
 */
static u64 foreign_tags[1 << FOREIGN_BITS];

/*
 * Context and sequence number in one word, to be read and written at once.  Fences of one
 * context get adjacent slots, contexts get distant ones.  Two fences have the same tag only if
 * their sequence numbers differ by more than a billion; then an extra FENCE_SIGNALED is written.
 */
static u64 foreign_tag(u64 ctx, u64 seqno)
{
	return ctx * GOLDEN_RATIO_32 + seqno;
}

static u64 *foreign_slot(u64 tag)
{
	return &foreign_tags[tag & ((1 << FOREIGN_BITS) - 1)];
}

static void learn_ops(const struct drm_sched_fence *fence)
{
	if (likely(READ_ONCE(finished_ops) == fence->finished.ops))
		return;
	WRITE_ONCE(scheduled_ops, fence->scheduled.ops);
	WRITE_ONCE(finished_ops, fence->finished.ops);
}

/* The scheduler fence that contains @fence; NULL for other fences. */
static const struct drm_sched_fence *to_sched_fence(const struct dma_fence *fence)
{
	if (fence->ops == READ_ONCE(finished_ops))
		return container_of(fence, struct drm_sched_fence, finished);
	if (fence->ops == READ_ONCE(scheduled_ops))
		return container_of(fence, struct drm_sched_fence, scheduled);
	return NULL;
}

/* Does the bridge hear of schedulers that are about to be freed? */
static bool sees_fini(void);

/* The fast way for a known ring; it needs sched_gone(), which reports rings that are gone. */
static noinline u32 ring_of_new_ctx(const struct drm_gpu_scheduler *sched, u64 ctx)
{
	u32 ring = GRTRACE_NO_RING;

	if (sees_fini())
		ring = grtrace_ring_match_name(sched, ctx, grt_sched_name(sched));
	return ring ?: grt_sched_learn(sched, ctx);
}

static bool is_kernel_job(const struct drm_sched_job *job,
			  const struct drm_sched_entity *entity)
{
	return (current->flags & PF_KTHREAD) ||
	       entity->priority == DRM_SCHED_PRIORITY_KERNEL ||
	       grt_client_is_kernel(grt_job_client_id(job));
}

/* The stack has no array here, and a canary would cost five instructions per event. */
static __no_stack_protector void probe_submit(void *data, struct drm_sched_job *job,
					      struct drm_sched_entity *entity)
{
	struct grtrace_job_info info __uninitialized;

	learn_ops(job->s_fence);
	info.client_id = grt_job_client_id(job);
	info.flags = 0;
	if (unlikely(is_kernel_job(job, entity)))
		info.flags = GRTRACE_F_KERNEL_JOB;
	grt_sched_fill(&info, job);
	info.queue_depth = spsc_queue_count(&entity->job_queue);
	/* Calls come last, so that no register has to be saved across them. */
	info.ring = grtrace_ring_cached(job->sched, info.ctx);
	if (unlikely(!info.ring))
		info.ring = ring_of_new_ctx(job->sched, info.ctx);
	grtrace_submit(&info);
}

static __no_stack_protector void probe_commit(void *data, struct drm_sched_job *job,
					      struct drm_sched_entity *entity)
{
	struct grtrace_job_info info __uninitialized;

	learn_ops(job->s_fence);
	info.client_id = 0;
	info.flags = 0;
	grt_sched_fill(&info, job);
	info.queue_depth = spsc_queue_count(&entity->job_queue);
	info.ring = grtrace_ring_find(job->sched, info.ctx);
	grtrace_commit(&info);
}

/* Decides as drm_sched_entity_add_dependency_cb() will. */
static u16 dependency_flags(const struct drm_sched_job *job,
			    const struct drm_sched_fence *dep,
			    const struct dma_fence *fence)
{
	u16 flags = dep ? 0 : GRTRACE_F_FOREIGN;

	if (fence->context == job->s_fence->finished.context ||
	    fence->context == job->s_fence->scheduled.context) {
		flags = GRTRACE_F_SELF;
	} else if (dep && dep->sched == job->sched && grt_fence_may_pipeline(fence)) {
		flags = GRTRACE_F_PIPELINED;
		fence = &dep->scheduled;
	}
	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		return flags | GRTRACE_F_SIGNALED;
	return flags & GRTRACE_F_SELF ? flags : flags | GRTRACE_F_BLOCKED;
}

/*
 * Stores the fence's tag before dependency_flags() reads its state; the signaller changes the
 * state before probe_fence_signaled() reads the tag.  So the end of a fence that is reported
 * as blocking is always seen.  If the fence is signalled already, its end is written here; if
 * it is signalled between the two steps, the end may be written twice.  The signaller stores
 * the time last: without a time, the fence was signalled a moment ago.
 */
static void await_foreign(const struct dma_fence *fence)
{
	const u64 tag = foreign_tag(fence->context, fence->seqno);
	u64 ns;

	if (!test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags)) {
		WRITE_ONCE(*foreign_slot(tag), tag);
		smp_mb();	/* pairs with test_and_set_bit() of dma_fence_signal*() */
	}
	ns = grt_fence_signaled_ns(fence);
	if (ns)
		grtrace_fence_signaled(fence->context, fence->seqno, fence->error, ns, 0);
	else if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		grtrace_fence_signaled(fence->context, fence->seqno, fence->error, 0,
				       GRTRACE_F_UPPER_BOUND);
}

static void emit_dependency(const struct drm_sched_job *job, const struct dma_fence *fence,
			    const struct drm_sched_fence *dep, u16 flags)
{
	const struct dma_fence *finished = &job->s_fence->finished;

	/* A scheduled fence counts as its job. */
	grtrace_dependency(grtrace_ring_find(job->sched, finished->context),
			   finished->context, finished->seqno,
			   dep ? dep->finished.context : fence->context, fence->seqno, flags);
}

/* <= 6.16: every dependency, when the scheduler checks it. */
static void probe_wait_dep(void *data, struct drm_sched_job *job,
			   struct dma_fence *fence)
{
	const struct drm_sched_fence *dep;

	if (grtrace_is_refused(GRTRACE_DEPENDENCY, grtrace_dependency))
		return;
	learn_ops(job->s_fence);
	dep = to_sched_fence(fence);
	if (!dep)
		await_foreign(fence);
	emit_dependency(job, fence, dep,
			GRTRACE_F_POPPED | dependency_flags(job, dep, fence));
}

/* >= 6.17: every dependency, right after SUBMIT. */
static void probe_add_dep(void *data, struct drm_sched_job *job,
			  struct dma_fence *fence)
{
	const struct drm_sched_fence *dep;
	u16 flags;

	if (grtrace_is_refused(GRTRACE_DEPENDENCY, grtrace_dependency))
		return;
	learn_ops(job->s_fence);
	dep = to_sched_fence(fence);
	if (!dep)
		await_foreign(fence);
	/* The scheduler decides later whether the dependency blocks. */
	flags = dependency_flags(job, dep, fence) & ~GRTRACE_F_BLOCKED;
	emit_dependency(job, fence, dep, GRTRACE_F_DECLARED | flags);
}

#ifndef GRT_QUIRK_UNSCHEDULABLE_CRASHES
/* >= 6.17: the dependency for which the job begins to wait. */
static void probe_unschedulable(void *data, struct drm_sched_job *job,
				struct dma_fence *fence)
{
	const struct drm_sched_fence *dep;
	u16 flags = GRTRACE_F_BLOCKED;

	if (grtrace_is_refused(GRTRACE_DEPENDENCY, grtrace_dependency))
		return;
	learn_ops(job->s_fence);
	dep = to_sched_fence(fence);
	if (!dep)
		flags |= GRTRACE_F_FOREIGN;
	else if (fence == &dep->scheduled)
		flags |= GRTRACE_F_PIPELINED;
	emit_dependency(job, fence, dep, flags);
}
#endif

static void probe_end(void *data, struct drm_sched_fence *fence)
{
	learn_ops(fence);
	grt_sched_put_end(fence, 0);
}

/* Out of line: otherwise the probe would save registers for every fence of the system. */
static noinline void finished_signaled(const struct dma_fence *fence)
{
	const struct drm_sched_fence *sf = container_of(fence, struct drm_sched_fence, finished);

	if (grtrace_is_refused(GRTRACE_COMPLETE, grtrace_complete))
		return;
	grtrace_complete(grtrace_ring_find(sf->sched, fence->context),
			 fence->context, fence->seqno, fence->error, 0);
}

/*
 * Runs for every fence of the system, so it must return fast.  From 7.0 on the fence has no
 * timestamp yet.
 */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	u64 tag;

	if (fence->ops == READ_ONCE(finished_ops)) {
		finished_signaled(fence);
		return;
	}
	tag = foreign_tag(fence->context, fence->seqno);
	if (unlikely(READ_ONCE(*foreign_slot(tag)) == tag))
		grtrace_fence_signaled(fence->context, fence->seqno, fence->error, 0, 0);
}

/*
 * A scheduler is noted here when its timeout fires, and forgotten when its driver stops or starts
 * it.  One that is still here when the driver has handled the timeout was neither stopped nor
 * started.  Its address gives its place, where a newer one replaces an older one: then the
 * recovery of the older one is not recorded.
 */
static const struct drm_gpu_scheduler *handled[1 << HANDLED_BITS];

static const struct drm_gpu_scheduler **handled_slot(const struct drm_gpu_scheduler *sched)
{
	return &handled[hash_ptr(sched, HANDLED_BITS)];
}

static bool is_handled(const struct drm_gpu_scheduler *sched)
{
	return READ_ONCE(*handled_slot(sched)) == sched;
}

static void forget_handled(const struct drm_gpu_scheduler *sched)
{
	if (is_handled(sched))
		WRITE_ONCE(*handled_slot(sched), NULL);
}

struct job_key {
	u64 ctx, seqno;		/* 0:0 = not known */
};

static struct job_key key_of(const struct drm_sched_job *job)
{
	struct job_key key = { };

	if (job && job->s_fence) {
		key.ctx = job->s_fence->finished.context;
		key.seqno = job->s_fence->finished.seqno;
	}
	return key;
}

/* The scheduler's timeout fired. */
static void put_timeout(const struct drm_gpu_scheduler *sched, struct job_key key)
{
	/* A driver may tell of the same timeout next, in this thread. */
	if (key.ctx)
		grtrace_note_timeout(key.ctx, key.seqno);
	WRITE_ONCE(*handled_slot(sched), sched);
	grtrace_error(grtrace_ring_of_owner(sched), key.ctx, key.seqno, GRTRACE_ERROR_TIMEOUT,
		      -ETIME, 0, 0);
}

/* A ring is stopped for a reset; @bad is the guilty job or NULL. */
static void put_reset(const struct drm_gpu_scheduler *sched, const struct drm_sched_job *bad)
{
	struct job_key key = key_of(bad);

	forget_handled(sched);
	grtrace_error(grtrace_ring_of_owner(sched), key.ctx, key.seqno, GRTRACE_ERROR_RESET, 0,
		      0, 0);
}

static void put_recovered(const struct drm_gpu_scheduler *sched)
{
	forget_handled(sched);
	grtrace_error(grtrace_ring_of_owner(sched), 0, 0, GRTRACE_ERROR_RECOVERED, 0, 0, 0);
}

/*
 * The driver has handled a timeout.  Some drivers do not stop and start the scheduler for that:
 * amdgpu may end the job alone, or reset just the ring, and xe and etnaviv may give the job more
 * time.
 */
static void put_handled(const struct drm_gpu_scheduler *sched)
{
	if (is_handled(sched))
		put_recovered(sched);
}

/*
 * A scheduler is about to be freed; some drivers have one per queue.  Call it also between
 * sessions: ring_of_new_ctx() needs to know of every scheduler that is freed.
 */
static void sched_gone(const struct drm_gpu_scheduler *sched)
{
	grtrace_ring_gone(sched);
}

static void probe_timedout(void *data, struct drm_sched_job *job)
{
	put_timeout(job->sched, key_of(job));
}

static void probe_stop(void *data, struct drm_gpu_scheduler *sched, struct drm_sched_job *bad)
{
	put_reset(sched, bad);
}

static void probe_start(void *data, struct drm_gpu_scheduler *sched)
{
	put_recovered(sched);
}

static void probe_handled(void *data, struct drm_gpu_scheduler *sched)
{
	put_handled(sched);
}

static void probe_fini(void *data, struct drm_gpu_scheduler *sched)
{
	sched_gone(sched);
}

#ifdef GRTRACE_OUT_OF_TREE
#ifdef CONFIG_PREEMPT_RT
/*
 * Sets @key to the running job.  False: there is no job, because it just ended.
 *
 * Taking the lock may sleep on such kernels, and a kprobe must not, so the list is read without it.
 * A job that is still the first one after its key was read was not freed meanwhile.  Otherwise what
 * was read may be anything, and the job that is the first one now is tried.
 */
static bool first_pending(struct drm_gpu_scheduler *sched, struct job_key *key)
{
	const struct list_head *head = &sched->pending_list, *first;
	const struct drm_sched_job *job;
	struct drm_sched_fence *fence;

	do {
		first = READ_ONCE(head->next);
		if (first == head)
			return false;
		job = list_entry(first, struct drm_sched_job, list);
		if (get_kernel_nofault(fence, &job->s_fence) ||
		    get_kernel_nofault(key->ctx, &fence->finished.context) ||
		    get_kernel_nofault(key->seqno, &fence->finished.seqno))
			*key = (struct job_key){ };
		smp_rmb();	/* read the list after the key */
	} while (READ_ONCE(head->next) != first);
	return true;
}
#else
/*
 * Sets @key to the running job.  0:0 if the list is locked, because a kprobe must not wait.
 * False: there is no job, because it just ended.
 */
static bool first_pending(struct drm_gpu_scheduler *sched, struct job_key *key)
{
	struct drm_sched_job *job;

	*key = (struct job_key){ };
	if (!spin_trylock(&sched->job_list_lock))
		return true;
	job = list_first_entry_or_null(&sched->pending_list, struct drm_sched_job, list);
	*key = key_of(job);
	spin_unlock(&sched->job_list_lock);
	return job;
}
#endif

static struct drm_gpu_scheduler *sched_of_timer(struct pt_regs *regs)
{
	struct work_struct *work = (void *)regs_get_kernel_argument(regs, 0);

	return container_of(to_delayed_work(work), struct drm_gpu_scheduler, work_tdr);
}

static int on_timedout(struct kprobe *kp, struct pt_regs *regs)
{
	struct drm_gpu_scheduler *sched = sched_of_timer(regs);
	struct job_key key;

	if (grtrace_enabled() && first_pending(sched, &key))
		put_timeout(sched, key);
	return 0;
}

static int before_handling(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(struct drm_gpu_scheduler **)instance->data = sched_of_timer(regs);
	return 0;
}

static int on_handled(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (grtrace_enabled())
		put_handled(*(struct drm_gpu_scheduler **)instance->data);
	return 0;
}

static int on_stop(struct kprobe *kp, struct pt_regs *regs)
{
	if (grtrace_enabled())
		put_reset((void *)regs_get_kernel_argument(regs, 0),
			  (void *)regs_get_kernel_argument(regs, 1));
	return 0;
}

static int on_start(struct kprobe *kp, struct pt_regs *regs)
{
	if (grtrace_enabled())
		put_recovered((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static int on_fini(struct kprobe *kp, struct pt_regs *regs)
{
	sched_gone((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}
#endif

static void begin(void)
{
	memset(foreign_tags, 0, sizeof(foreign_tags));
	memset(handled, 0, sizeof(handled));
	/* The tag of stub fences is 0 and belongs to slot 0: put another tag there. */
	*foreign_slot(0) = 1;
	grt_marks_begin();
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, &grt_no_fence_ops);
	WRITE_ONCE(scheduled_ops, &grt_no_fence_ops);
}

#define RECOVERY	BIT_ULL(GRTRACE_FEATURE_RECOVERY)

/* The first to be attached: no ring may be known before. */
enum { PROBE_FINI };

static struct grtrace_probe probes[] = {
	[PROBE_FINI] = { .module = "gpu_sched", .fn = probe_fini, .names = { "drm_sched_fini" } },
	{ .module = "gpu_sched", .fn = probe_timedout, .features = RECOVERY,
	  .names = { "drm_sched_job_timedout" } },
	{ .module = "gpu_sched", .fn = probe_handled, .names = { "drm_sched_timeout_handled" } },
	{ .module = "gpu_sched", .fn = probe_stop, .features = RECOVERY,
	  .names = { "drm_sched_stop" } },
	{ .module = "gpu_sched", .fn = probe_start, .features = RECOVERY,
	  .names = { "drm_sched_start" } },
	{ .module = "gpu_sched", .fn = probe_submit,
	  .names = { "drm_sched_job_queue", "drm_sched_job" } },
	{ .module = "gpu_sched", .fn = probe_commit,
	  .names = { "drm_sched_job_run", "drm_run_job" } },
	{ .module = "gpu_sched", .fn = probe_end,
	  .names = { "drm_sched_job_done", "drm_sched_process_job" } },
	{ .module = "gpu_sched", .fn = probe_wait_dep,
	  .names = { "drm_sched_job_wait_dep" } },
	{ .module = "gpu_sched", .fn = probe_add_dep,
	  .names = { "drm_sched_job_add_dep" } },
#ifndef GRT_QUIRK_UNSCHEDULABLE_CRASHES
	{ .module = "gpu_sched", .fn = probe_unschedulable,
	  .names = { "drm_sched_job_unschedulable" } },
#endif
	{ .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
};

#ifdef GRTRACE_OUT_OF_TREE
/* Kernels without the tracepoints above need kprobes on the functions of these names. */
enum { ON_TIMEDOUT, ON_HANDLED, ON_STOP, ON_START, ON_FINI, ON_MARK, NR_KPROBES };

static struct grtrace_kprobe kprobes[NR_KPROBES] = {
	[ON_TIMEDOUT] = {
		.module = "gpu_sched",
		.krp.kp = { .symbol_name = "drm_sched_job_timedout", .pre_handler = on_timedout },
	},
	[ON_HANDLED] = {
		.module = "gpu_sched",
		.krp = {
			.kp = { .symbol_name = "drm_sched_job_timedout" },
			.entry_handler = before_handling,
			.handler = on_handled,
			.data_size = sizeof(struct drm_gpu_scheduler *),
			.maxactive = 64,	/* timeouts that are handled at the same time */
		},
	},
	[ON_STOP] = {
		.module = "gpu_sched",
		.krp.kp = { .symbol_name = "drm_sched_stop", .pre_handler = on_stop },
	},
	[ON_START] = {
		.module = "gpu_sched",
		.krp.kp = { .symbol_name = "drm_sched_start", .pre_handler = on_start },
	},
	[ON_FINI] = {
		.module = "gpu_sched",
		.krp.kp = { .symbol_name = "drm_sched_fini", .pre_handler = on_fini },
	},
	[ON_MARK] = {
		.krp.kp = { .symbol_name = GRT_MARKS_SYMBOL, .pre_handler = grt_marks_on_write },
	},
};
#endif

static bool sees_fini(void)
{
#ifdef GRTRACE_OUT_OF_TREE
	if (READ_ONCE(kprobes[ON_FINI].is_attached))
		return true;
#endif
	return READ_ONCE(probes[PROBE_FINI].attached);
}

static struct grtrace_adapter adapter = {
	.name = "drm_bridge",
	.owner = THIS_MODULE,
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
#ifdef GRTRACE_OUT_OF_TREE
	.kprobes = kprobes,
	.nr_kprobes = NR_KPROBES,
#endif
	.features = BIT_ULL(GRTRACE_FEATURE_DEPENDENCIES) | RECOVERY | GRT_SCHED_FEATURES,
	.jobs = GRTRACE_JOBS_OF_SCHEDULER,
	.begin = begin,
	.end = grt_marks_end,
	.target_gone = target_gone,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: events of the DRM scheduler");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
