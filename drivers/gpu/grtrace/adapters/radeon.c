// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs of radeon, which does not use the DRM scheduler.  Its fences tell most of what is known.
 * Linux 6.1 to 7.2, drivers/gpu/drm/radeon:
 *
 *   SUBMIT, COMMIT	dma_fence_init, by radeon_fence_emit(): in the submitter's context, the
 *			commands of the job are in the ring, and the fence is about to follow
 *   COMPLETE		dma_fence_signaled.  Without a waiter the driver notices the end late, in
 *			radeon_fence_signaled(): so an upper bound
 *   MEMORY		radeon_bo_create, when the object has its memory
 *
 * Nobody says when the hardware begins or ends a job: no START, no END.  What a job waits for is in
 * the ring itself, as a semaphore, and no tracepoint names it.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../version.h"
#include "fence_kinds.h"

/* A fence is the first member of radeon_fence, from 6.1 to 7.2. */
enum { FENCE_RADEON, RADEON_DEVICE, BO_BYTES, BO_RADEON, NR_FIELDS };

static struct grtrace_field fields[NR_FIELDS] = {
	[FENCE_RADEON]	= GRTRACE_FIELD("radeon_fence.rdev", 8),
	[RADEON_DEVICE]	= GRTRACE_FIELD("radeon_device.dev", 8),
	[BO_BYTES]	= GRTRACE_FIELD("radeon_bo.tbo.base.size", 8),
	[BO_RADEON]	= GRTRACE_FIELD("radeon_bo.rdev", 8),
};

static struct grt_fence_kinds kinds;

/* The GPU of @object, whose member @field points to struct radeon_device; NULL = not known. */
static struct device *device_of(int field, const void *object)
{
	const void *rdev = grtrace_field_pointer(&fields[field], object);

	return grtrace_field_pointer(&fields[RADEON_DEVICE], rdev);
}

/* A ring has one context of fences, so that stands for the ring. */
static const void *owner_of(u64 ctx)
{
	return (const void *)(unsigned long)ctx;
}

static noinline u32 learn_ring(struct dma_fence *fence)
{
	const char *name = fence->ops->get_timeline_name(fence), *dot = strchr(name, '.');
	const void *owner = owner_of(fence->context);
	struct device *dev = device_of(FENCE_RADEON, fence);
	struct grtrace_gpu_names names;
	struct grtrace_ring_desc desc = {
		.name = dot ? dot + 1 : name,	/* "radeon.gfx" */
		.device = names.device,
		.driver = "radeon",
	};

	if (grtrace_ring_is_lost(owner))
		return GRTRACE_NO_RING;
	grtrace_gpu_describe(dev, &names);
	desc.pci_id = grtrace_gpu_pci_id(dev);
	grtrace_ring_classify(&desc);
	return grtrace_ring_learn(owner, fence->context, &desc);
}

static noinline void submit(struct dma_fence *fence)
{
	struct grtrace_job_info info = {
		.ctx = fence->context,
		.seqno = fence->seqno,
		.flags = current->flags & PF_KTHREAD ? GRTRACE_F_KERNEL_JOB : 0,
	};

	info.ring = grtrace_ring_cached(owner_of(info.ctx), info.ctx) ?: learn_ring(fence);
	grtrace_submit(&info);
	grtrace_commit(&info);
}

/* This and the next one run for every fence of the system, so they must return fast. */
static void probe_fence_init(void *data, struct dma_fence *fence)
{
	if (grt_fence_is_ours_new(&kinds, fence, "radeon"))
		submit(fence);
}

static noinline void signaled(const struct dma_fence *fence)
{
	grtrace_complete(grtrace_ring_find(owner_of(fence->context), fence->context),
			 fence->context, fence->seqno, fence->error, GRTRACE_F_UPPER_BOUND);
}

static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	if (grt_fence_is_ours(&kinds, fence))
		signaled(fence);
}

/* Without its size an object says nothing. */
static void probe_bo_create(void *data, const void *bo)
{
	struct grtrace_memory_info info = { .object = bo, .op = GRTRACE_MEMORY_CREATE };

	if (!grtrace_field_read(&fields[BO_BYTES], bo, &info.bytes))
		return;
	info.pci_address = grtrace_gpu_pci_address(device_of(BO_RADEON, bo));
	grtrace_memory(&info);
}

static void begin(void)
{
	grt_fence_kinds_forget(&kinds);
}

static void target_gone(struct module *target)
{
	grt_fence_kinds_forget(&kinds);
}

static struct grtrace_probe probes[] = {
	{ .fn = probe_fence_init, .names = { "dma_fence_init" } },
	{ .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
	{ .module = "radeon", .fn = probe_bo_create, .names = { "radeon_bo_create" } },
};

static struct grtrace_adapter adapter = {
	.name = "radeon",
	.owner = THIS_MODULE,
	.driver = "radeon",
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.fields = fields,
	.nr_fields = NR_FIELDS,
	.begin = begin,
	.target_gone = target_gone,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: jobs of radeon");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
