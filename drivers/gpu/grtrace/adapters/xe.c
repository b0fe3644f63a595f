// SPDX-License-Identifier: GPL-2.0
/*
 * Turns tracepoints of xe into events.  Linux 6.12 to 7.3, drivers/gpu/drm/xe; 6.1 has no xe.
 *
 * Jobs go through the DRM scheduler, one scheduler for each queue of a process, so the bridge
 * records them.  Below it the firmware (GuC) decides which queue an engine works for, and xe only
 * tells it which ones may run.  This adds what xe itself knows (xe_guc_submit.c unless another
 * file is named):
 *   ERROR	TIMEOUT: xe_sched_job_timedout, in guc_exec_queue_timedout_job().
 *		drm_sched_job_timedout() calls that in the same thread, some milliseconds after
 *		the bridge's kprobe there.  If the bridge recorded the job's timeout, this one is
 *		counted as a duplicate
 *		HANG: xe_sched_job_ban, when a GT is reset and this job had begun and was not
 *		over; and xe_exec_queue_reset, when GuC has reset an engine because of a queue
 *		FAULT: xe_exec_queue_memory_cat_error, when GuC says that a queue used an address
 *		that is not mapped.  Both name the queue's ring and no job
 *   CTX_SWITCH	xe_exec_queue_scheduling_enable: from now on GuC may run the queue, whose context
 *		is @ctx; from_ctx is 0.  xe_exec_queue_scheduling_disable: GuC must take the queue
 *		off the engine, so @ctx is 0 and from_ctx the queue's context.  Both are just
 *		before the request is sent.  GuC's answer, xe_exec_queue_scheduling_done, does not
 *		say to which request, and is not used.  What GuC does by itself, while several
 *		queues may run, nobody tells
 *   MEMORY	CREATE: xe_bo_create, at the end of __xe_bo_create_locked() in xe_bo.c; not in
 *		6.12
 *		MOVE: xe_bo_move, in xe_bo_move() before anything is copied.  Nothing is copied if
 *		the object has no contents yet ("move_lacks_source"): then it comes from no domain
 *		FAULT: xe_bo_cpu_fault, when a CPU touches an object.  Not known: where, and how
 *		BIND, UNBIND: xe_vma_bind, xe_vma_unbind, in the ioctl (xe_vm.c).  A prefetch is a
 *		BIND.  Bound memory without an object is the program's own
 * No tracepoint tells that an object is freed.
 *
 * Not used: xe_sched_job_exec, _run, _free and xe_hw_fence_signal, since the scheduler's
 * tracepoints tell more; xe_sched_job_set_error, since END and COMPLETE have the job's error, and
 * Linux 6.12 fires it for each job of a long-running VM; xe_exec_queue_stop and _resubmit, since
 * they come with each suspend of the GPU, too.
 *
 * The structs are private.  Casts to the first member are valid: xe_sched_job.drm, and
 * xe_bo.ttm.base.  All else is read at offsets that user space found in the driver's type
 * information.
 */
#include <linux/errno.h>
#include <linux/grtrace.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <drm/drm_device.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>

#include "../version.h"
#include "sched_jobs.h"

#define VM_BITS		8
#define MAX_VMS		BIT(VM_BITS)
#define NOWHERE		(~0u)	/* the old placement of an object without contents */

enum {
	QUEUE_GUC, GUC_SCHED, GUC_CONTEXT, VMA_START, VMA_BYTES, VMA_OBJECT, VMA_VM, VM_DEVICE,
	NR_FIELDS,
};

static struct grtrace_field fields[NR_FIELDS] = {
	[QUEUE_GUC]	= GRTRACE_FIELD("xe_exec_queue.guc", 8),
	[GUC_SCHED]	= GRTRACE_FIELD("xe_guc_exec_queue.sched.base.ops", 8),
	[GUC_CONTEXT]	= GRTRACE_FIELD("xe_guc_exec_queue.entity.fence_context", 8),
	[VMA_START]	= GRTRACE_FIELD("xe_vma.gpuva.va.addr", 8),
	[VMA_BYTES]	= GRTRACE_FIELD("xe_vma.gpuva.va.range", 8),
	[VMA_OBJECT]	= GRTRACE_FIELD("xe_vma.gpuva.gem.obj", 8),
	[VMA_VM]	= GRTRACE_FIELD("xe_vma.gpuva.vm", 8),
	[VM_DEVICE]	= GRTRACE_FIELD("xe_vm.gpuvm.drm", 8),
};

/* --- jobs: xe_sched_job.drm is the first member --- */

static void put_error(const struct drm_sched_job *job, enum grtrace_error_code code, s32 status)
{
	const struct dma_fence *finished = &job->s_fence->finished;
	u32 ring = grtrace_ring_find(job->sched, finished->context);

	grtrace_error(ring ?: grt_sched_learn(job->sched, finished->context), finished->context,
		      finished->seqno, code, status, 0, 0);
}

static void probe_timedout(void *data, struct drm_sched_job *job)
{
	const struct dma_fence *finished = &job->s_fence->finished;

	if (grtrace_take_timeout(finished->context, finished->seqno))
		grtrace_count_duplicate(GRTRACE_ERROR);
	else
		put_error(job, GRTRACE_ERROR_TIMEOUT, -ETIME);
}

static void probe_ban(void *data, struct drm_sched_job *job)
{
	put_error(job, GRTRACE_ERROR_HANG, 0);
}

/* --- queues --- */

struct queue {
	u64 ctx;		/* of its jobs, 0 = not known */
	u32 ring;
};

/*
 * A queue's jobs have the second context of its entity (drm_sched_fence_init()).  The address of
 * the scheduler is only compared: what stands there is not read.
 */
static struct queue queue_of(const void *exec_queue)
{
	const void *guc = grtrace_field_pointer(&fields[QUEUE_GUC], exec_queue);
	u64 first = grtrace_field_u64(&fields[GUC_CONTEXT], guc);
	u16 sched = READ_ONCE(fields[GUC_SCHED].offset);
	struct queue queue = { };

	if (!first || sched == GRTRACE_NO_OFFSET)
		return queue;
	queue.ctx = first + 1;
	queue.ring = grtrace_ring_find(guc + sched - offsetof(struct drm_gpu_scheduler, ops),
				       queue.ctx);
	return queue;
}

static void probe_enable(void *data, const void *exec_queue)
{
	struct queue queue = queue_of(exec_queue);

	if (queue.ctx)
		grtrace_ctx_switch(queue.ring, 0, queue.ctx, 0, 0, 0);
}

static void probe_disable(void *data, const void *exec_queue)
{
	struct queue queue = queue_of(exec_queue);

	if (queue.ctx)
		grtrace_ctx_switch(queue.ring, queue.ctx, 0, 0, 0, 0);
}

static void probe_reset(void *data, const void *exec_queue)
{
	grtrace_error(queue_of(exec_queue).ring, 0, 0, GRTRACE_ERROR_HANG, 0, 0, 0);
}

static void probe_cat_error(void *data, const void *exec_queue)
{
	grtrace_error(queue_of(exec_queue).ring, 0, 0, GRTRACE_ERROR_FAULT, -EFAULT, 0, 0);
}

/* --- memory: xe_bo.ttm.base is the first member --- */

static u32 pci_address_of(const struct drm_gem_object *bo)
{
	return bo->dev ? grtrace_device_pci_address(bo->dev->dev) : 0;
}

static void probe_bo_create(void *data, const struct drm_gem_object *bo)
{
	const struct grtrace_memory_info info = {
		.object = bo,
		.op = GRTRACE_MEMORY_CREATE,
		.bytes = bo->size,
		.pci_address = pci_address_of(bo),
	};

	grtrace_memory(&info);
}

/* Placements are TTM's: 0 system memory, 1 that which the GPU reaches, 2 its own, and so on. */
static void probe_bo_move(void *data, const struct drm_gem_object *bo, u32 new_placement,
			  u32 old_placement, bool lacks_source)
{
	const struct grtrace_memory_info info = {
		.object = bo,
		.op = GRTRACE_MEMORY_MOVE,
		.bytes = bo->size,
		.from_domain = lacks_source ? NOWHERE : old_placement,
		.to_domain = new_placement,
		.pci_address = pci_address_of(bo),
	};

	grtrace_memory(&info);
}

static void probe_cpu_fault(void *data, const struct drm_gem_object *bo)
{
	const struct grtrace_memory_info info = {
		.object = bo,
		.op = GRTRACE_MEMORY_FAULT,
		.bytes = bo->size,
		.pci_address = pci_address_of(bo),
		.flags = GRTRACE_F_ACCESS_UNKNOWN,
	};

	grtrace_memory(&info);
}

/*
 * The GPUs of address spaces, because it takes long to find one.  A row belongs to its address
 * space until that is freed; one that finds its row taken is looked up each time.
 */
static struct vm_row {
	const void *vm;		/* NULL = free */
	u32 pci_address;
} vms[MAX_VMS];

static struct vm_row *row_of(const void *vm)
{
	return &vms[hash_ptr(vm, VM_BITS)];
}

/* NULL = not known. */
static struct device *device_of(const void *vm)
{
	const struct drm_device *drm = grtrace_field_pointer(&fields[VM_DEVICE], vm);
	struct device *dev;

	return drm && !get_kernel_nofault(dev, &drm->dev) ? dev : NULL;
}

static noinline u32 learn_vm(struct vm_row *row, const void *vm)
{
	u32 pci_address = grtrace_gpu_pci_address(device_of(vm));

	/* vms stands for "being changed": it is no address space. */
	if (pci_address && !cmpxchg(&row->vm, NULL, (const void *)vms)) {
		row->pci_address = pci_address;
		smp_store_release(&row->vm, vm);	/* pairs with pci_address_of_vm() */
	}
	return pci_address;
}

static __always_inline u32 pci_address_of_vm(const void *vm)
{
	struct vm_row *row = row_of(vm);

	if (likely(vm && smp_load_acquire(&row->vm) == vm))	/* pairs with learn_vm() */
		return row->pci_address;
	return vm ? learn_vm(row, vm) : 0;
}

static const void *near_pointer(int field, const void *object)
{
	return (const void *)(unsigned long)grtrace_field_near(&fields[field], object);
}

/* A drm_gpuvm is the first member of an xe_vm, so one address stands for both. */
static __always_inline void put_vma(const void *vma, enum grtrace_memory_op op)
{
	/* Filled by hand: the compiler clears a struct with a slow loop. */
	struct grtrace_memory_info info __uninitialized;

	info.object = near_pointer(VMA_OBJECT, vma);
	info.vm = near_pointer(VMA_VM, vma);
	info.offset_bytes = grtrace_field_near(&fields[VMA_START], vma);
	info.bytes = grtrace_field_near(&fields[VMA_BYTES], vma);
	info.op = op;
	info.from_domain = 0;
	info.to_domain = 0;
	info.preferred_domains = 0;
	info.allowed_domains = 0;
	info.flags = 0;
	info.pci_address = pci_address_of_vm(info.vm);
	grtrace_memory(&info);
}

static __no_stack_protector void probe_bind(void *data, const void *vma)
{
	put_vma(vma, GRTRACE_MEMORY_BIND);
}

static __no_stack_protector void probe_unbind(void *data, const void *vma)
{
	put_vma(vma, GRTRACE_MEMORY_UNBIND);
}

/* No event of this address space comes any more. */
static void probe_vm_free(void *data, const void *vm)
{
	cmpxchg(&row_of(vm)->vm, vm, NULL);
}

/* --- the adapter --- */

static void begin(void)
{
	memset(vms, 0, sizeof(vms));
}

static void target_gone(struct module *target)
{
	memset(vms, 0, sizeof(vms));
}

#define PROBE(function, tracepoint) \
	{ .module = "xe", .fn = (function), .names = { tracepoint } }

/* Arguments: xe_trace.h and xe_trace_bo.h, 6.12 and 7.3. */
static struct grtrace_probe probes[] = {
	PROBE(probe_timedout, "xe_sched_job_timedout"),
	PROBE(probe_ban, "xe_sched_job_ban"),
	PROBE(probe_enable, "xe_exec_queue_scheduling_enable"),
	PROBE(probe_disable, "xe_exec_queue_scheduling_disable"),
	PROBE(probe_reset, "xe_exec_queue_reset"),
	PROBE(probe_cat_error, "xe_exec_queue_memory_cat_error"),
	PROBE(probe_bo_create, "xe_bo_create"),
	PROBE(probe_bo_move, "xe_bo_move"),
	PROBE(probe_cpu_fault, "xe_bo_cpu_fault"),
	PROBE(probe_bind, "xe_vma_bind"),
	PROBE(probe_unbind, "xe_vma_unbind"),
	PROBE(probe_vm_free, "xe_vm_free"),
};

/* Tells readers why switches are missing, and what is bound. */
static size_t describe(char *to, size_t room)
{
	return scnprintf(to, room, "xe.members=%s\n",
			 fields[QUEUE_GUC].offset == GRTRACE_NO_OFFSET ? "unknown" : "known");
}

static struct grtrace_adapter adapter = {
	.name = "xe",
	.owner = THIS_MODULE,
	.driver = "xe",
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.fields = fields,
	.nr_fields = NR_FIELDS,
	.begin = begin,
	.target_gone = target_gone,
	.describe = describe,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: events of xe");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
