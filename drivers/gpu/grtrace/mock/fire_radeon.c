// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_radeon: makes fences that look like radeon's, and calls radeon_bo_create with
 * objects made by hand.  Loading it does that:
 *
 *	offsets=A,B,...
 *		offsets of the members below, in this order, from the types of that radeon
 *	count=N	so many jobs on each of two rings, and so many objects
 *
 * The fences are real ones; only the hardware is missing.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "fire.h"

#define ROOM	(64 << 10)	/* bytes of struct radeon_device: only its beginning is used */

/* The order of the parameter offsets. */
enum { FENCE_RADEON, RADEON_DEVICE, BO_BYTES, BO_RESOURCE, BO_RADEON, NR_OFFSETS };

static int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array(offsets, int, &nr_offsets, 0400);
MODULE_PARM_DESC(offsets, "byte offsets of struct members of radeon, in a fixed order");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "jobs on each ring, and objects");

static struct fire_point bo_create = { "radeon_bo_create" };
static DEFINE_SPINLOCK(lock);

static const char *get_driver_name(struct dma_fence *fence)
{
	return "radeon";
}

/* The contexts of a GPU's rings are numbered in a row. */
static u64 first_context;

static const char *get_timeline_name(struct dma_fence *fence)
{
	return fence->context == first_context ? "radeon.gfx" : "radeon.uvd";
}

static const struct dma_fence_ops ops = {
	.get_driver_name = get_driver_name,
	.get_timeline_name = get_timeline_name,
};

/* A job of @ring; dma_fence_put() frees it. */
static void run(unsigned int ring, u64 seqno, void *radeon)
{
	struct dma_fence *fence = kzalloc(1024, GFP_KERNEL);	/* radeon_fence begins with it */

	if (!fence)
		return;
	fire_put(fence, offsets[FENCE_RADEON], radeon);
	dma_fence_init(fence, &ops, &lock, first_context + ring, seqno);
	if (seqno % 7 == 0)
		dma_fence_set_error(fence, -EDEADLK);
	dma_fence_signal(fence);
	dma_fence_put(fence);
}

/* Of @pages pages.  ftrace reads them from the object's resource, whose layout differs. */
static void create(void *bo, void *resource, unsigned int pages, void *radeon)
{
	fire_put(bo, offsets[BO_BYTES], (u64)pages << PAGE_SHIFT);
	fire_put(bo, offsets[BO_RESOURCE], resource);
	fire_put(bo, offsets[BO_RADEON], radeon);
	fire_call(&bo_create, (unsigned long)bo, 0, 0, 0);
}

static int __init fire_init(void)
{
	static struct device_driver driver = { .name = "radeon" };
	void *radeon = vzalloc(ROOM), *bo = kzalloc(8192, GFP_KERNEL), *resource = vzalloc(ROOM);
	struct device *dev = root_device_register("grtrace_fire");
	int err = -EINVAL;

	for (int i = 0; i < nr_offsets; i++) {
		if (offsets[i] < 0 || offsets[i] > 1016)
			goto out;
	}
	err = -ENOMEM;
	if (IS_ERR(dev) || !radeon || !bo || !resource)
		goto out;
	err = nr_offsets == NR_OFFSETS && fire_find("radeon", &bo_create, 1) ? 0 : -ENODEV;
	if (err)
		goto out;
	dev->driver = &driver;
	fire_put(radeon, offsets[RADEON_DEVICE], dev);
	first_context = dma_fence_context_alloc(2);
	for (unsigned int i = 1; i <= count; i++) {
		run(0, i, radeon);
		run(1, i, radeon);
		create(bo, resource, i, radeon);
	}
	dev->driver = NULL;
	/* The fences are freed later, but their ops are in this module. */
	rcu_barrier();
out:
	if (!IS_ERR(dev))
		root_device_unregister(dev);
	vfree(resource);
	kfree(bo);
	vfree(radeon);
	return err;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Makes fences like radeon's, and calls its tracepoints, for tests");
MODULE_LICENSE("GPL");
