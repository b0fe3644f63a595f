// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_i915: calls the tracepoints of i915 with objects made by hand.  Loading it does
 * that, and prints the key of each request:
 *
 *	offsets=A,B,...
 *		offsets of the members below, in this order, from the type information of that
 *		i915; -1: this kernel has no such member
 *	count=N	so many requests; for each third one a request of another context is run, too
 *	guc=N	so many requests of a second GPU, whose GuC firmware gets them
 *
 * i915 has the tracepoints i915_request_execute, _in and _out only if it was built with
 * CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS; those that are not there are not fired.
 */
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_mm.h>

#include "fire.h"
#include "fire_gpu.h"

#define ROOM	(256 << 10)	/* bytes of each object: more than any of them has */
#define NR_OBJECTS	4

/* The order of the parameter offsets. */
enum {
	RQ_ENGINE,		/* i915_request.engine */
	RQ_DEVICE,		/* i915_request.i915 */
	RQ_HWSP,		/* i915_request.hwsp_seqno */
	ENGINE_NAME,		/* intel_engine_cs.name */
	ENGINE_CLASS,		/* intel_engine_cs.uabi_class */
	ENGINE_INSTANCE,	/* intel_engine_cs.uabi_instance */
	ENGINE_DEVICE,		/* intel_engine_cs.i915 */
	DEVICE_DRM,		/* drm_i915_private.drm */
	VMA_OBJ,		/* i915_vma.obj */
	VMA_VM,			/* i915_vma.vm */
	VM_DEVICE,		/* i915_address_space.i915 */
	NR_OFFSETS,
};

static int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array(offsets, int, &nr_offsets, 0400);
MODULE_PARM_DESC(offsets, "byte offsets of struct members of i915, in a fixed order");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "requests");

static unsigned int guc;
module_param(guc, uint, 0400);
MODULE_PARM_DESC(guc, "requests of a second GPU, to its GuC");

enum {
	QUEUE, ADD, SUBMIT, EXECUTE, GUC_SUBMIT, IN, OUT, RETIRE, WAIT_BEGIN, WAIT_END, CREATE,
	DESTROY, FAULT, PWRITE, PREAD, BIND, UNBIND, SHRINK, EVICT, NR_POINTS,
};

static struct fire_point points[NR_POINTS] = {
	[QUEUE]	     = { "i915_request_queue" },
	[ADD]	     = { "i915_request_add" },
	[SUBMIT]     = { "i915_request_submit" },
	[EXECUTE]    = { "i915_request_execute" },
	[GUC_SUBMIT] = { "i915_request_guc_submit" },
	[IN]	     = { "i915_request_in" },
	[OUT]	     = { "i915_request_out" },
	[RETIRE]     = { "i915_request_retire" },
	[WAIT_BEGIN] = { "i915_request_wait_begin" },
	[WAIT_END]   = { "i915_request_wait_end" },
	[CREATE]     = { "i915_gem_object_create" },
	[DESTROY]    = { "i915_gem_object_destroy" },
	[FAULT]	     = { "i915_gem_object_fault" },
	[PWRITE]     = { "i915_gem_object_pwrite" },
	[PREAD]	     = { "i915_gem_object_pread" },
	[BIND]	     = { "i915_vma_bind" },
	[UNBIND]     = { "i915_vma_unbind" },
	[SHRINK]     = { "i915_gem_shrink" },
	[EVICT]	     = { "i915_gem_evict" },
};

static DEFINE_SPINLOCK(fence_lock);

static const char *name_of_i915(struct dma_fence *fence)
{
	return "i915";
}

static const struct dma_fence_ops request_ops = {
	.get_driver_name = name_of_i915,
	.get_timeline_name = name_of_i915,
};

/* --- objects; the first member of each is the public one --- */

enum {
	DEVICE, RCS, VCS, GUC_DEVICE, GUC_CCS, FIRST_REQUEST, SECOND_REQUEST, GUC_REQUEST, VM, VMA,
	OBJECT,
	NR_ROOMS = OBJECT + NR_OBJECTS,
};

static void *rooms[NR_ROOMS];

static struct {
	struct fire_gpu pci;
	struct drm_minor minor, guc_minor;
} *gpu;

/* Requests of one context. */
struct context {
	void *device;
	void *request;		/* the current one */
	u64 id;
	u32 seqno, hwsp;	/* its last request, and the last one that is complete */
};

static void put_pointer(void *object, int offset, void *pointer)
{
	if (offsets[offset] >= 0)
		fire_put(object, offsets[offset], pointer);
}

static void make_device(void *device, struct drm_minor *minor)
{
	struct drm_device *drm = device + offsets[DEVICE_DRM];

	drm->dev = &gpu->pci.dev.dev;
	drm->primary = minor;
}

static void make_engine(void *engine, void *device, const char *name, u16 class, u16 instance)
{
	put_pointer(engine, ENGINE_DEVICE, device);
	strscpy(engine + offsets[ENGINE_NAME], name, 8);
	fire_put(engine, offsets[ENGINE_CLASS], class);
	fire_put(engine, offsets[ENGINE_INSTANCE], instance);
}

static void make_memory(void)
{
	put_pointer(rooms[VM], VM_DEVICE, rooms[DEVICE]);
	put_pointer(rooms[VMA], VMA_VM, rooms[VM]);
	for (int i = 0; i < NR_OBJECTS; i++) {
		struct drm_gem_object *obj = rooms[OBJECT + i];

		obj->dev = rooms[DEVICE] + offsets[DEVICE_DRM];
	}
}

/* --- tracepoints --- */

static void fire2(int point, void *object, unsigned long arg)
{
	fire_call(&points[point], (unsigned long)object, arg, 0, 0);
}

static void fire(int point, void *object)
{
	fire2(point, object, 0);
}

static void begin_request(struct context *c, void *engine)
{
	struct dma_fence *fence = c->request;

	put_pointer(c->request, RQ_ENGINE, engine);
	put_pointer(c->request, RQ_DEVICE, c->device);
	put_pointer(c->request, RQ_HWSP, &c->hwsp);
	dma_fence_init(fence, &request_ops, &fence_lock, c->id, ++c->seqno);
	fire2(QUEUE, c->request, 0x80);
	fire(ADD, c->request);
	fire(SUBMIT, c->request);
	fire(EXECUTE, c->request);
	pr_info("grtrace_fire_i915: request %llu:%u\n", c->id, c->seqno);
}

static void end_request(struct context *c)
{
	c->hwsp = c->seqno;
	fire(OUT, c->request);
	dma_fence_signal(c->request);
	fire(RETIRE, c->request);
}

/* The other context has the engine for a while.  With execlists, it comes in before ours is out. */
static void preempt(struct context *c, struct context *by, void *engine, bool is_in_first)
{
	begin_request(by, engine);
	if (!is_in_first)
		fire(OUT, c->request);
	fire(IN, by->request);
	if (is_in_first)
		fire(OUT, c->request);
	/* In the second port, behind the one that runs. */
	fire2(IN, c->request, 1);
	end_request(by);
}

static void fire_request(struct context *c, struct context *other, u32 i)
{
	void *engine = rooms[i % 4 ? RCS : VCS];

	begin_request(c, engine);
	fire(IN, c->request);
	if (i % 3 == 0)
		preempt(c, other, engine, i % 2);
	fire2(WAIT_BEGIN, c->request, 1);
	/* A signal ends the wait. */
	if (i % 5 == 0)
		fire(WAIT_END, c->request);
	usleep_range(100, 200);
	end_request(c);
	if (i % 5)
		fire(WAIT_END, c->request);
}

/* As in the driver, GuC's tracepoint is the second one, and i915_request_out never fires. */
static void fire_guc_request(struct context *c)
{
	begin_request(c, rooms[GUC_CCS]);
	fire(IN, c->request);
	fire(GUC_SUBMIT, c->request);
	usleep_range(100, 200);
	c->hwsp = c->seqno;
	dma_fence_signal(c->request);
	fire(RETIRE, c->request);
}

static void fire_memory(u32 i)
{
	struct drm_gem_object *obj = rooms[OBJECT + i % NR_OBJECTS];
	const u64 pin_mappable = i % 2 ? 1 << 3 : 0;
	struct drm_mm_node *node = rooms[VMA];

	obj->size = (u64)i << PAGE_SHIFT;
	put_pointer(rooms[VMA], VMA_OBJ, obj);
	node->start = (u64)i << 32;
	node->size = obj->size + PAGE_SIZE;
	fire(CREATE, obj);
	fire2(BIND, node, pin_mappable);
	fire_call(&points[FAULT], (unsigned long)obj, i, i % 2, i % 3 == 0);
	fire_call(&points[PWRITE], (unsigned long)obj, 8 * i, 16 * i, 0);
	fire_call(&points[PREAD], (unsigned long)obj, 24 * i, 32 * i, 0);
	fire_call(&points[SHRINK], (unsigned long)rooms[DEVICE], i, 1, 0);
	fire_call(&points[EVICT], (unsigned long)rooms[VM], obj->size, PAGE_SIZE, pin_mappable);
	fire(UNBIND, node);
	fire(DESTROY, obj);
}

static void fire_all(void)
{
	u64 id = dma_fence_context_alloc(3);
	struct context first = { rooms[DEVICE], rooms[FIRST_REQUEST], id };
	struct context second = { rooms[DEVICE], rooms[SECOND_REQUEST], id + 1 };
	struct context third = { rooms[GUC_DEVICE], rooms[GUC_REQUEST], id + 2 };

	fire_gpu_init(&gpu->pci, "i915", PCI_VENDOR_ID_INTEL, 0x9a49);
	gpu->guc_minor.index = 1;
	make_device(rooms[DEVICE], &gpu->minor);
	make_device(rooms[GUC_DEVICE], &gpu->guc_minor);
	make_engine(rooms[RCS], rooms[DEVICE], "rcs0", 0, 0);
	make_engine(rooms[VCS], rooms[DEVICE], "vcs1", 2, 1);
	make_engine(rooms[GUC_CCS], rooms[GUC_DEVICE], "ccs0", 4, 0);
	make_memory();
	for (u32 i = 1; i <= guc; i++)
		fire_guc_request(&third);
	for (u32 i = 1; i <= count; i++) {
		fire_request(&first, &second, i);
		fire_memory(i);
	}
}

static int __init fire_init(void)
{
	int err = 0;

	fire_find("i915", points, NR_POINTS);
	if (nr_offsets != NR_OFFSETS || !points[ADD].tp)
		return -ENODEV;
	for (int i = 0; i < NR_OFFSETS; i++) {
		if (offsets[i] > ROOM / 4 || (offsets[i] < 0 && i != RQ_DEVICE))
			return -EINVAL;
	}
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	for (int i = 0; i < NR_ROOMS; i++) {
		rooms[i] = vzalloc(ROOM);
		if (!rooms[i] || !gpu)
			err = -ENOMEM;
	}
	if (!err)
		fire_all();
	for (int i = 0; i < NR_ROOMS; i++)
		vfree(rooms[i]);
	kfree(gpu);
	return err;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Calls tracepoints of i915 with objects made by hand, for tests");
MODULE_LICENSE("GPL");
