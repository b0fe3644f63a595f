// SPDX-License-Identifier: GPL-2.0
/*
 * Turns tracepoints of i915, which does not use the DRM scheduler, into events.
 *
 * Where the tracepoints fire, Linux 6.1 to 7.2:
 *   SUBMIT	i915_request_add, for every request, in the submitter's context.  For requests of
 *		user space i915_request_queue comes just before, and would be a second SUBMIT
 *   COMMIT	i915_request_execute: __i915_request_submit() writes it to the ring.  When
 *		i915_request_submit fires, it only waits for nothing any more
 *   START	i915_request_in: execlists_schedule_in().  With GuC it fires when the firmware
 *		gets the request, and the firmware tells nobody when it starts
 *   END	i915_request_out of a completed request: execlists_schedule_out(); never with GuC
 *   COMPLETE	dma_fence_signaled of the request's fence.  Without a waiter the driver notices
 *		the end late, in i915_request_retire(), which signals the fence after its own
 *		tracepoint: so that one is not needed
 * COMMIT, START, END and CTX_SWITCH need CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS.  Its
 * intel_context_* tracepoints are about what the GuC firmware knows of a context, not about
 * what an engine runs, and name no request; they are not used.
 *
 * i915's structs are private.  Casts to the first member are valid from 6.1 to 7.2; all else is
 * read at offsets that user space found in the driver's type information.  Without them rings
 * are unknown.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/grtrace_hook.h>
#include <linux/grtrace_i915.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <drm/drm_device.h>
#include <drm/drm_gem.h>
#include <drm/drm_mm.h>

#include "../compat/compat.h"
#include "../version.h"
#include "fence_ops.h"

#define MAX_CONTEXTS	1024
#define MAX_GUC_GPUS	16
#define RING_BITS	20	/* of a row of contexts[] */

enum {
	RQ_ENGINE, RQ_HWSP, ENGINE_NAME, ENGINE_CLASS, ENGINE_DEVICE, I915_DEV, VMA_OBJ, VMA_VM,
	VM_DEVICE, NR_FIELDS,
};

static struct grtrace_field fields[NR_FIELDS] = {
	[RQ_ENGINE]	= GRTRACE_FIELD("i915_request.engine", 8),
	[RQ_HWSP]	= GRTRACE_FIELD("i915_request.hwsp_seqno", 8),
	[ENGINE_NAME]	= GRTRACE_FIELD("intel_engine_cs.name", 8),
	[ENGINE_CLASS]	= GRTRACE_FIELD("intel_engine_cs.uabi_class", 2),
	[ENGINE_DEVICE]	= GRTRACE_FIELD("intel_engine_cs.i915", 8),
	[I915_DEV]	= GRTRACE_FIELD("drm_i915_private.drm.dev", 8),
	[VMA_OBJ]	= GRTRACE_FIELD("i915_vma.obj", 8),
	[VMA_VM]	= GRTRACE_FIELD("i915_vma.vm", 8),
	[VM_DEVICE]	= GRTRACE_FIELD("i915_address_space.i915", 8),
};

/* The ops of fences of requests.  They are static in i915, so they are taken from a request. */
static const struct dma_fence_ops *request_ops = &grt_no_fence_ops;

/*
 * GPUs whose GuC firmware gets the requests, which then do not start when they come in.  A
 * machine may have GPUs with and without GuC.  An entry is the address of drm_i915_private with its
 * lowest bit set, 0 = free.  All GPUs share one entry if requests do not tell their engines.
 */
static unsigned long guc_gpus[MAX_GUC_GPUS];

/* By number of the ring; the driver's lock of an engine protects its row. */
static struct engine_row {
	u32 ring;
	struct grtrace_i915_engine engine;
} engines[GRTRACE_MAX_RINGS];

/*
 * The ring of a context's last request, direct mapped: context << RING_BITS | ring, to be read
 * and written at once.  A context that lost its row is looked up anew.  A context belongs to
 * one engine (6.1 to 7.2 gt/intel_context.c), or to several that share its work.
 */
static u64 contexts[MAX_CONTEXTS];

/* NULL = not known. */
static struct device *device_of_i915(const void *i915)
{
	return grtrace_field_pointer(&fields[I915_DEV], i915);
}

/* The same; member @field of @object points to drm_i915_private. */
static struct device *device_of(int field, const void *object)
{
	return device_of_i915(grtrace_field_pointer(&fields[field], object));
}

/* --- rings are engines --- */

static enum grtrace_engine engine_class(const void *engine)
{
	static const u8 classes[] = {
#define ROW(number, name, ENGINE) [number] = GRTRACE_ENGINE_##ENGINE,
		GRTRACE_I915_CLASSES(ROW)
#undef ROW
	};
	u16 class;

	if (!grtrace_field_read(&fields[ENGINE_CLASS], engine, &class) ||
	    class >= ARRAY_SIZE(classes))
		return GRTRACE_ENGINE_OTHER;
	return classes[class];
}

/* Compares name and device: another engine may have the address of one that is gone. */
static noinline u32 learn_engine(const void *engine, u64 ctx)
{
	struct device *dev = device_of(ENGINE_DEVICE, engine);
	struct grtrace_gpu_names names;
	struct grtrace_ring_desc desc = { .device = names.device, .driver = names.driver };
	char name[8 + 1] = "";
	u32 ring;

	if (!grtrace_field_read(&fields[ENGINE_NAME], engine, name) || !name[0] ||
	    grtrace_ring_is_lost(engine))
		return GRTRACE_NO_RING;
	desc.name = name;
	grtrace_gpu_describe(dev, &names);
	desc.pci_id = grtrace_gpu_pci_id(dev);
	ring = grtrace_ring_match_desc(engine, ctx, &desc);
	if (ring)
		return ring;
	desc.engine = engine_class(engine);
	desc.order = GRTRACE_ORDER_UNKNOWN;
	return grtrace_ring_learn(engine, ctx, &desc);
}

static __always_inline const void *engine_of_request(const struct dma_fence *request)
{
	return (const void *)(unsigned long)grtrace_field_near(&fields[RQ_ENGINE], request);
}

static __always_inline u32 ring_of(const struct dma_fence *request)
{
	const void *engine = engine_of_request(request);
	u32 ring;

	if (unlikely(!engine))
		return GRTRACE_NO_RING;
	ring = grtrace_ring_cached(engine, request->context);
	return likely(ring) ? ring : learn_engine(engine, request->context);
}

static __always_inline u64 *context_row(u64 ctx)
{
	return &contexts[ctx % MAX_CONTEXTS];
}

static __always_inline void note_ring(u64 ctx, u32 ring)
{
	u64 row = ctx << RING_BITS | ring;

	if (unlikely(READ_ONCE(*context_row(ctx)) != row) && ring < 1u << RING_BITS)
		WRITE_ONCE(*context_row(ctx), row);
}

/* Faster: the ring that was noted. */
static __always_inline u32 noted_ring(const struct dma_fence *request)
{
	u64 row = READ_ONCE(*context_row(request->context));

	if (likely(row >> RING_BITS == request->context))
		return row & ((1u << RING_BITS) - 1);
	return ring_of(request);
}

/* --- requests: i915_request.fence is the first member --- */

static void learn_ops(const struct dma_fence *request)
{
	if (unlikely(READ_ONCE(request_ops) != request->ops))
		WRITE_ONCE(request_ops, request->ops);
}

static __no_stack_protector void probe_add(void *data, struct dma_fence *request)
{
	struct grtrace_job_info info = {
		.ctx = request->context,
		.seqno = request->seqno,
		.flags = current->flags & PF_KTHREAD ? GRTRACE_F_KERNEL_JOB : 0,
	};

	learn_ops(request);
	info.ring = ring_of(request);
	note_ring(info.ctx, info.ring);
	grtrace_submit(&info);
}

static void probe_execute(void *data, struct dma_fence *request)
{
	struct grtrace_job_info info = { .ctx = request->context, .seqno = request->seqno };

	learn_ops(request);
	info.ring = ring_of(request);
	note_ring(info.ctx, info.ring);
	grtrace_commit(&info);
}

static unsigned long gpu_of(const struct dma_fence *request)
{
	const void *engine = engine_of_request(request);

	return (unsigned long)grtrace_field_pointer(&fields[ENGINE_DEVICE], engine) | 1;
}

/* If the table is full, every GPU counts: a missing START is better than a wrong one. */
static bool has_guc(unsigned long gpu)
{
	unsigned int i;

	for (i = 0; i < MAX_GUC_GPUS; i++) {
		unsigned long there = READ_ONCE(guc_gpus[i]);

		if (!there || there == gpu)
			return there;
	}
	return true;
}

/* Fires after i915_request_in, so the first request of a GPU that is not known yet has a START. */
static void probe_guc_submit(void *data, struct dma_fence *request)
{
	unsigned long gpu = gpu_of(request);
	unsigned int i;

	for (i = 0; i < MAX_GUC_GPUS && !has_guc(gpu); i++)
		cmpxchg(&guc_gpus[i], 0, gpu);
}

/* The contexts on the engine of @ring; NULL if that is not known. */
static struct grtrace_i915_engine *engine_of(u32 ring)
{
	struct engine_row *row = &engines[ring % GRTRACE_MAX_RINGS];

	if (!ring)
		return NULL;
	if (row->ring != ring)
		*row = (struct engine_row){ .ring = ring };
	return &row->engine;
}

static void put_switch(u32 ring, const struct grtrace_i915_switch *to)
{
	grtrace_ctx_switch(ring, to->from_ctx, to->ctx, to->seqno, 0, to->flags);
}

static void probe_in(void *data, struct dma_fence *request, unsigned int port)
{
	struct grtrace_i915_engine *engine;
	struct grtrace_i915_switch to;
	u32 ring;

	learn_ops(request);
	if (READ_ONCE(guc_gpus[0]) && has_guc(gpu_of(request)))
		return;
	ring = ring_of(request);
	engine = engine_of(ring);
	if (engine && grtrace_i915_in(engine, request->context, request->seqno, port, &to))
		put_switch(ring, &to);
	grtrace_start(ring, request->context, request->seqno, 0);
}

enum progress { RUNNING, COMPLETED, NOT_KNOWN };

/* As i915_request_completed(). */
static enum progress progress_of(const struct dma_fence *request)
{
	const u32 *hwsp;
	u32 done;

	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &request->flags))
		return COMPLETED;
	hwsp = grtrace_field_pointer(&fields[RQ_HWSP], request);
	if (!hwsp || get_kernel_nofault(done, hwsp))
		return NOT_KNOWN;
	return (s32)(done - (u32)request->seqno) >= 0 ? COMPLETED : RUNNING;
}

/* A request that is off its engine and not complete was preempted. */
static void probe_out(void *data, struct dma_fence *request)
{
	enum progress progress = progress_of(request);
	u32 ring = ring_of(request);
	struct grtrace_i915_engine *engine = engine_of(ring);
	struct grtrace_i915_switch to;

	if (progress == COMPLETED)
		grtrace_end(ring, request->context, request->seqno, 0, 0, GRTRACE_F_NO_STATUS);
	if (engine && progress != NOT_KNOWN &&
	    grtrace_i915_out(engine, request->context, progress == COMPLETED, &to))
		put_switch(ring, &to);
}

static void probe_wait_begin(void *data, struct dma_fence *request)
{
	learn_ops(request);
	grtrace_sync_wait_enter(ring_of(request), request->context, request->seqno,
				GRTRACE_F_CPU_WAIT);
}

/* A wait may also end because of a signal or a timeout, and the tracepoint does not say which. */
static void probe_wait_end(void *data, struct dma_fence *request)
{
	u16 flags = GRTRACE_F_CPU_WAIT;

	if (progress_of(request) != COMPLETED)
		flags |= GRTRACE_F_NO_STATUS;
	grtrace_sync_wait_exit(ring_of(request), request->context, request->seqno, 0, flags);
}

/* Out of line: otherwise the probe would save registers for every fence of the system. */
static noinline void request_signaled(const struct dma_fence *request)
{
	if (grtrace_is_refused(GRTRACE_COMPLETE, grtrace_complete))
		return;
	grtrace_complete(noted_ring(request), request->context, request->seqno, request->error,
			 GRTRACE_F_UPPER_BOUND);
}

/* Runs for every fence of the system, so it must return fast. */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	if (fence->ops == READ_ONCE(request_ops))
		request_signaled(fence);
}

/* --- memory: drm_i915_gem_object and i915_vma begin with a public struct --- */

static void put_object(const struct drm_gem_object *obj, enum grtrace_memory_op op, u64 offset,
		       u64 bytes, u32 to_domain, u16 flags)
{
	const struct grtrace_memory_info info = {
		.object = obj,
		.op = op,
		.offset_bytes = offset,
		.bytes = bytes,
		.to_domain = to_domain,
		.pci_address = obj->dev ? grtrace_device_pci_address(obj->dev->dev) : 0,
		.flags = flags,
	};

	grtrace_memory(&info);
}

static void probe_create(void *data, struct drm_gem_object *obj)
{
	put_object(obj, GRTRACE_MEMORY_CREATE, 0, obj->size, 0, 0);
}

static void probe_destroy(void *data, struct drm_gem_object *obj)
{
	put_object(obj, GRTRACE_MEMORY_DESTROY, 0, obj->size, 0, 0);
}

static void probe_pwrite(void *data, struct drm_gem_object *obj, u64 offset, u64 len)
{
	put_object(obj, GRTRACE_MEMORY_PWRITE, offset, len, 0, 0);
}

static void probe_pread(void *data, struct drm_gem_object *obj, u64 offset, u64 len)
{
	put_object(obj, GRTRACE_MEMORY_PREAD, offset, len, 0, 0);
}

/* A CPU touched the page with this @index. */
static void probe_fault(void *data, struct drm_gem_object *obj, u64 index, bool gtt, bool write)
{
	put_object(obj, GRTRACE_MEMORY_FAULT, index << PAGE_SHIFT, 0,
		   gtt ? GRTRACE_I915_DOMAIN_GTT : GRTRACE_I915_DOMAIN_CPU,
		   write ? GRTRACE_F_WRITE : 0);
}

static void put_vma(const struct drm_mm_node *node, enum grtrace_memory_op op, u16 flags)
{
	const void *vm = grtrace_field_pointer(&fields[VMA_VM], node);
	const struct grtrace_memory_info info = {
		.object = grtrace_field_pointer(&fields[VMA_OBJ], node),
		.vm = vm,
		.op = op,
		.offset_bytes = node->start,
		.bytes = node->size,
		.pci_address = grtrace_gpu_pci_address(device_of(VM_DEVICE, vm)),
		.flags = flags,
	};

	grtrace_memory(&info);
}

static u16 mappable_flag(unsigned int flags)
{
	return flags & GRTRACE_I915_PIN_MAPPABLE ? GRTRACE_F_MAPPABLE : 0;
}

static void probe_bind(void *data, struct drm_mm_node *node, unsigned int flags)
{
	put_vma(node, GRTRACE_MEMORY_BIND, mappable_flag(flags));
}

static void probe_unbind(void *data, struct drm_mm_node *node)
{
	put_vma(node, GRTRACE_MEMORY_UNBIND, 0);
}

/* The kernel wants @target pages back. */
static void probe_shrink(void *data, void *i915, unsigned long target, unsigned int flags)
{
	const struct grtrace_memory_info info = {
		.op = GRTRACE_MEMORY_SHRINK,
		.bytes = (u64)target << PAGE_SHIFT,
		.pci_address = grtrace_gpu_pci_address(device_of_i915(i915)),
	};

	grtrace_memory(&info);
}

/* Something of @size needs room in @vm. */
static void probe_evict(void *data, void *vm, u64 size, u64 align, unsigned int flags)
{
	const struct grtrace_memory_info info = {
		.vm = vm,
		.op = GRTRACE_MEMORY_EVICT,
		.bytes = size,
		.pci_address = grtrace_gpu_pci_address(device_of(VM_DEVICE, vm)),
		.flags = mappable_flag(flags),
	};

	grtrace_memory(&info);
}

/* --- the adapter --- */

static void begin(void)
{
	memset(engines, 0, sizeof(engines));
	memset(contexts, 0, sizeof(contexts));
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(request_ops, &grt_no_fence_ops);
	memset(guc_gpus, 0, sizeof(guc_gpus));
}

enum {
	ON_ADD, ON_EXECUTE, ON_GUC_SUBMIT, ON_IN, ON_OUT, ON_WAIT_BEGIN, ON_WAIT_END, ON_CREATE,
	ON_DESTROY, ON_PWRITE, ON_PREAD, ON_FAULT, ON_BIND, ON_UNBIND, ON_SHRINK, ON_EVICT,
	ON_SIGNALED, NR_PROBES,
};

#define PROBE(function, tracepoint) \
	{ .module = "i915", .fn = (function), .names = { tracepoint } }

static struct grtrace_probe probes[NR_PROBES] = {
	[ON_ADD]	= PROBE(probe_add, "i915_request_add"),
	[ON_EXECUTE]	= PROBE(probe_execute, "i915_request_execute"),
	[ON_GUC_SUBMIT]	= PROBE(probe_guc_submit, "i915_request_guc_submit"),
	[ON_IN]		= PROBE(probe_in, "i915_request_in"),
	[ON_OUT]	= PROBE(probe_out, "i915_request_out"),
	[ON_WAIT_BEGIN]	= PROBE(probe_wait_begin, "i915_request_wait_begin"),
	[ON_WAIT_END]	= PROBE(probe_wait_end, "i915_request_wait_end"),
	[ON_CREATE]	= PROBE(probe_create, "i915_gem_object_create"),
	[ON_DESTROY]	= PROBE(probe_destroy, "i915_gem_object_destroy"),
	[ON_PWRITE]	= PROBE(probe_pwrite, "i915_gem_object_pwrite"),
	[ON_PREAD]	= PROBE(probe_pread, "i915_gem_object_pread"),
	[ON_FAULT]	= PROBE(probe_fault, "i915_gem_object_fault"),
	[ON_BIND]	= PROBE(probe_bind, "i915_vma_bind"),
	[ON_UNBIND]	= PROBE(probe_unbind, "i915_vma_unbind"),
	[ON_SHRINK]	= PROBE(probe_shrink, "i915_gem_shrink"),
	[ON_EVICT]	= PROBE(probe_evict, "i915_gem_evict"),
	[ON_SIGNALED]	= { .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
};

/* Tells readers why START and END are missing, and why rings are. */
static size_t describe(char *to, size_t room)
{
	return scnprintf(to, room, "i915.low_level=%s\ni915.engines=%s\n",
			 probes[ON_IN].tp ? "yes" : "no",
			 fields[RQ_ENGINE].offset == GRTRACE_NO_OFFSET ? "unknown" : "known");
}

static struct grtrace_adapter adapter = {
	.name = "i915",
	.owner = THIS_MODULE,
	.driver = "i915",
	.probes = probes,
	.nr_probes = NR_PROBES,
	.fields = fields,
	.nr_fields = NR_FIELDS,
	.begin = begin,
	.target_gone = target_gone,
	.describe = describe,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: events of i915");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
