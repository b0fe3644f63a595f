// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire: calls the tracepoints of a driver whose hardware is not there, with objects made
 * by hand, for tests of what reads these objects.  Loading it does that, and prints the key of each
 * request:
 *
 *	i915=ENGINE,HWSP,NAME,DEVICE,DRM,DEV
 *		offsets of i915_request.engine and .hwsp_seqno, intel_engine_cs.name and .i915,
 *		drm_i915_private.drm and drm_device.dev, from the type information of that i915
 *	count=N	so many requests; each third one is preempted once
 *
 * i915 has the tracepoints i915_request_execute, _in and _out only if it was built with
 * CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS; those that are not there are not fired.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#define ROOM	(256 << 10)	/* bytes of each object: more than any of them has */

enum { ENGINE, HWSP, NAME, DEVICE, DRM, DEV, NR_OFFSETS };

static int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array_named(i915, offsets, int, &nr_offsets, 0400);
MODULE_PARM_DESC(i915, "offsets of members in i915's objects");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "requests");

enum { ADD, EXECUTE, IN, OUT, NR_POINTS };

static const char *const names[NR_POINTS] = {
	"i915_request_add", "i915_request_execute", "i915_request_in", "i915_request_out",
};

static struct tracepoint *points[NR_POINTS];
static DEFINE_SPINLOCK(fence_lock);

static const char *name_of_i915(struct dma_fence *fence)
{
	return "i915";
}

static const struct dma_fence_ops request_ops = {
	.get_driver_name = name_of_i915,
	.get_timeline_name = name_of_i915,
};

static void find_point(struct tracepoint *tp)
{
	for (int i = 0; i < NR_POINTS; i++) {
		if (!strcmp(tp->name, names[i]))
			points[i] = tp;
	}
}

/* Registering calls this once for each module that is loaded already. */
static int find_points(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;

	if (action != MODULE_STATE_COMING || strcmp(mod->name, "i915"))
		return NOTIFY_OK;
	for (unsigned int i = 0; i < mod->num_tracepoints; i++)
		find_point(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]));
	return NOTIFY_OK;
}

static struct notifier_block finder = { .notifier_call = find_points };

static void fire(int point, void *request)
{
	int (*call)(void *data, void *request, unsigned int port);

	if (!points[point])
		return;
	call = (void *)points[point]->iterator;
	preempt_disable();
	call(NULL, request, 0);
	preempt_enable();
}

static void put(void *object, int offset, const void *value)
{
	memcpy(object + offset, &value, sizeof(value));
}

/* IN, preempted, IN again, done. */
static void run(void *request, u32 *hwsp, u32 seqno, bool is_preempted)
{
	fire(EXECUTE, request);
	fire(IN, request);
	if (is_preempted) {
		fire(OUT, request);
		fire(IN, request);
	}
	usleep_range(100, 200);
	*hwsp = seqno;
	fire(OUT, request);
}

static void fire_all(void *request, void *engine, void *i915, struct device *dev)
{
	u64 context = dma_fence_context_alloc(1);
	u32 hwsp = 0;

	put(request, offsets[ENGINE], engine);
	put(request, offsets[HWSP], &hwsp);
	put(engine, offsets[DEVICE], i915);
	strscpy(engine + offsets[NAME], "rcs0", 8);
	put(i915, offsets[DRM] + offsets[DEV], dev);
	for (u32 seqno = 1; seqno <= count; seqno++) {
		struct dma_fence *fence = request;	/* i915_request.fence is the first member */

		dma_fence_init(fence, &request_ops, &fence_lock, context, seqno);
		fire(ADD, request);
		run(request, &hwsp, seqno, seqno % 3 == 0);
		dma_fence_signal(fence);
		pr_info("grtrace_fire: request %llu:%u\n", context, seqno);
	}
}

static int __init fire_init(void)
{
	static struct device_driver driver = { .name = "i915" };
	void *request = vzalloc(ROOM), *engine = vzalloc(ROOM), *i915 = vzalloc(ROOM);
	struct device *dev = root_device_register("grtrace_fire");
	int err = -EINVAL;

	for (int i = 0; i < nr_offsets; i++) {
		if (offsets[i] < 0 || offsets[i] > ROOM / 4)
			goto out;
	}
	err = -ENOMEM;
	if (IS_ERR(dev) || !request || !engine || !i915)
		goto out;
	register_tracepoint_module_notifier(&finder);
	unregister_tracepoint_module_notifier(&finder);
	err = nr_offsets == NR_OFFSETS && points[ADD] ? 0 : -ENODEV;
	if (err)
		goto out;
	dev->driver = &driver;
	fire_all(request, engine, i915, dev);
	dev->driver = NULL;
out:
	if (!IS_ERR(dev))
		root_device_unregister(dev);
	vfree(i915);
	vfree(engine);
	vfree(request);
	return err;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Calls tracepoints of drivers with objects made by hand, for tests");
MODULE_LICENSE("GPL");
