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
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <drm/gpu_scheduler.h>

#include "../compat/compat.h"
#include "../compat/quirks.h"
#include "../compat/sched.h"
#include "../version.h"
#include "drm_rings.h"
#include "marks.h"

#define FOREIGN_BITS	10

/* Ops that no fence has.  Not NULL: from 7.1 on signalled fences may have no ops. */
static const struct dma_fence_ops no_ops;
static const struct dma_fence_ops *finished_ops = &no_ops, *scheduled_ops = &no_ops;

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

/* Fills in the GPU's PCI id, or its name from the device tree. */
static void describe_gpu(struct grtrace_ring_desc *desc, struct device *dev)
{
	if (dev_is_pci(dev))
		desc->pci_id = to_pci_dev(dev)->vendor << 16 | to_pci_dev(dev)->device;
	else if (dev->of_node)
		of_property_read_string(dev->of_node, "compatible", &desc->gpu_name);
}

enum { ON_TIMEDOUT, ON_STOP, ON_START, ON_FINI, ON_MARK, NR_KPROBES };

static struct grtrace_kprobe kprobes[NR_KPROBES];

static const char *ring_name(const struct drm_gpu_scheduler *sched)
{
	return sched->name ?: "unnamed";
}

/* Compares name and device: a new ring may have the address of an old one. */
static u32 learn_ring(const struct drm_gpu_scheduler *sched, u64 ctx)
{
	struct grtrace_ring_desc desc = {
		.name = ring_name(sched),
		.device = sched->dev ? dev_name(sched->dev) : "unknown",
	};
	u32 ring;

	if (grtrace_ring_is_lost(sched))
		return GRTRACE_NO_RING;
	ring = grtrace_ring_match_desc(sched, ctx, &desc);
	if (ring)
		return ring;
	desc.driver = sched->dev ? dev_driver_string(sched->dev) : "unknown";
	desc.credit_limit = grt_sched_credit_limit(sched);
	if (sched->dev)
		describe_gpu(&desc, sched->dev);
	grt_drm_ring_classify(&desc);
	return grtrace_ring_learn(sched, ctx, &desc);
}

/* The fast way for a known ring; it needs on_fini(), which reports rings that are gone. */
static noinline u32 ring_of_new_ctx(const struct drm_gpu_scheduler *sched, u64 ctx)
{
	u32 ring = GRTRACE_NO_RING;

	if (READ_ONCE(kprobes[ON_FINI].is_attached))
		ring = grtrace_ring_match_name(sched, ctx, ring_name(sched));
	return ring ?: learn_ring(sched, ctx);
}

static bool is_kernel_job(const struct drm_sched_job *job,
			  const struct drm_sched_entity *entity)
{
	return (current->flags & PF_KTHREAD) ||
	       entity->priority == DRM_SCHED_PRIORITY_KERNEL ||
	       grt_client_is_kernel(grt_job_client_id(job));
}

static void fill_job(struct grtrace_job_info *info, struct drm_sched_job *job,
		     struct drm_sched_entity *entity)
{
	const struct dma_fence *finished = &job->s_fence->finished;

	info->ctx = finished->context;
	info->seqno = finished->seqno;
	info->credits = grt_job_credits(job);
	info->hw_credits = grt_sched_hw_credits(job->sched);
	info->queue_depth = spsc_queue_count(&entity->job_queue);
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
	fill_job(&info, job, entity);
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
	fill_job(&info, job, entity);
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
 * Returns when the fence was signalled, 0 = not known.  The signaller stores the time in a
 * union with the list of callbacks, then sets the bit.  The acquire orders our load after the
 * test.  But set_bit() is no release, so with weak memory order we may still read the list's
 * pointer.  Addresses must not leak: as a time, a kernel address is negative, so drop those.
 */
static u64 signaled_ns(const struct dma_fence *fence)
{
	s64 ns;

	if (!test_bit_acquire(DMA_FENCE_FLAG_TIMESTAMP_BIT, &fence->flags))
		return 0;
	ns = ktime_to_ns(READ_ONCE(fence->timestamp));
	return ns > 0 ? ns : 0;
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
	ns = signaled_ns(fence);
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

/*
 * The hardware fence, @fence->parent, was just signalled; a job without hardware has none.
 * Its timestamp is set before its callbacks run (6.1 dma-fence.c:382).
 */
static void probe_end(void *data, struct drm_sched_fence *fence)
{
	const struct dma_fence *parent = fence->parent;
	s32 status = fence->finished.error;
	u64 hw_done_ns = 0;
	u16 flags = 0;

	learn_ops(fence);
	if (IS_ERR_OR_NULL(parent)) {
		flags |= GRTRACE_F_NO_HW;
	} else {
		status = parent->error ?: status;
		hw_done_ns = signaled_ns(parent);
	}
	grtrace_end(grtrace_ring_find(fence->sched, fence->finished.context),
		    fence->finished.context, fence->finished.seqno, status,
		    hw_done_ns, flags);
}

/* A separate function, so that other fences need no registers saved. */
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

/*
 * Returns the running job.  0:0 if the list is locked, because a kprobe must not wait.  Always
 * 0:0 with PREEMPT_RT, where the lock sleeps and cannot be tried with interrupts off; then the
 * RESET that follows names the job.
 */
static struct job_key first_pending(struct drm_gpu_scheduler *sched)
{
	struct job_key key = { };

	if (IS_ENABLED(CONFIG_PREEMPT_RT) || !spin_trylock(&sched->job_list_lock))
		return key;
	key = key_of(list_first_entry_or_null(&sched->pending_list, struct drm_sched_job,
					      list));
	spin_unlock(&sched->job_list_lock);
	return key;
}

/* The scheduler's timeout fired. */
static int on_timedout(struct kprobe *kp, struct pt_regs *regs)
{
	struct work_struct *work = (void *)regs_get_kernel_argument(regs, 0);
	struct drm_gpu_scheduler *sched = container_of(to_delayed_work(work),
						       struct drm_gpu_scheduler, work_tdr);
	struct job_key key;

	if (!grtrace_enabled())
		return 0;
	key = first_pending(sched);
	grtrace_error(grtrace_ring_of_owner(sched), key.ctx, key.seqno, GRTRACE_ERROR_TIMEOUT,
		      -ETIME, 0, 0);
	return 0;
}

/* A ring is stopped for a reset; the second argument is the guilty job or NULL. */
static int on_stop(struct kprobe *kp, struct pt_regs *regs)
{
	struct drm_gpu_scheduler *sched = (void *)regs_get_kernel_argument(regs, 0);
	struct job_key bad = key_of((void *)regs_get_kernel_argument(regs, 1));

	if (!grtrace_enabled())
		return 0;
	grtrace_error(grtrace_ring_of_owner(sched), bad.ctx, bad.seqno, GRTRACE_ERROR_RESET, 0,
		      0, 0);
	return 0;
}

static int on_start(struct kprobe *kp, struct pt_regs *regs)
{
	struct drm_gpu_scheduler *sched = (void *)regs_get_kernel_argument(regs, 0);

	if (grtrace_enabled())
		grtrace_error(grtrace_ring_of_owner(sched), 0, 0, GRTRACE_ERROR_RECOVERED, 0, 0, 0);
	return 0;
}

/*
 * A scheduler is about to be freed; some drivers have one per queue.  Do not check
 * grtrace_enabled() here: ring_of_new_ctx() needs to know of every scheduler that is freed.
 */
static int on_fini(struct kprobe *kp, struct pt_regs *regs)
{
	grtrace_ring_gone((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static void begin(void)
{
	memset(foreign_tags, 0, sizeof(foreign_tags));
	/* The tag of stub fences is 0 and belongs to slot 0: put another tag there. */
	*foreign_slot(0) = 1;
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, &no_ops);
	WRITE_ONCE(scheduled_ops, &no_ops);
}

static struct grtrace_probe probes[] = {
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

/* Timeouts and resets have no tracepoint, so they need kprobes. */
#define RECOVERY	BIT_ULL(GRTRACE_FEATURE_RECOVERY)

static struct grtrace_kprobe kprobes[NR_KPROBES] = {
	[ON_TIMEDOUT] = {
		.module = "gpu_sched", .features = RECOVERY,
		.kp = { .symbol_name = "drm_sched_job_timedout", .pre_handler = on_timedout },
	},
	[ON_STOP] = {
		.module = "gpu_sched", .features = RECOVERY,
		.kp = { .symbol_name = "drm_sched_stop", .pre_handler = on_stop },
	},
	[ON_START] = {
		.module = "gpu_sched", .features = RECOVERY,
		.kp = { .symbol_name = "drm_sched_start", .pre_handler = on_start },
	},
	[ON_FINI] = {
		.module = "gpu_sched",
		.kp = { .symbol_name = "drm_sched_fini", .pre_handler = on_fini },
	},
	[ON_MARK] = {
		.kp = { .symbol_name = GRT_MARKS_SYMBOL, .pre_handler = grt_marks_on_write },
	},
};

static struct grtrace_adapter adapter = {
	.name = "drm_bridge",
	.owner = THIS_MODULE,
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.kprobes = kprobes,
	.nr_kprobes = NR_KPROBES,
	.features = BIT_ULL(GRTRACE_FEATURE_DEPENDENCIES) | RECOVERY | GRT_SCHED_FEATURES,
	.begin = begin,
	.target_gone = target_gone,
};

static int __init bridge_init(void)
{
	return grtrace_adapter_register(&adapter);
}

static void __exit bridge_exit(void)
{
	grtrace_adapter_unregister(&adapter);
}

module_init(bridge_init);
module_exit(bridge_exit);
MODULE_DESCRIPTION("grtrace: events of the DRM scheduler");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
