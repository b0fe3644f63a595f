// SPDX-License-Identifier: GPL-2.0
/*
 * Turns tracepoints of amdgpu into events.  From Linux 6.1 to 7.2, drivers/gpu/drm/amd/amdgpu.
 *
 * Jobs go through the DRM scheduler, so the bridge records them; this adds what only amdgpu
 * knows.  Where the bridge is not loaded, this records the jobs, too:
 *   SUBMIT	amdgpu_cs_ioctl, by amdgpu_cs_submit() just before it pushes the job to the
 *		scheduler.  The kernel's own jobs, which move memory and update page tables,
 *		have none
 *   COMMIT	amdgpu_sched_run_job, at the start of amdgpu_job_run().  After a reset the job
 *		may be run again, which is no second COMMIT
 *   END	with COMPLETE: drm_sched_job_done() signals the finished fence right after the
 *		hardware's fence, whose time is known
 *   COMPLETE	dma_fence_signaled of the finished fence
 * DEPENDENCY and resets are seen by the bridge only.
 *
 *   CTX_SWITCH	amdgpu_vm_grab_id: a job gets its address space on a ring, just before it is
 *		committed.  It is a switch if the job before it on that ring was of another
 *		context
 *   IRQ	amdgpu_iv, for each entry of an interrupt ring: hard irq for ring 0, else a worker
 *   MEMORY	amdgpu_bo_create, amdgpu_bo_move.  A move to no place is the end of an object
 *
 * amdgpu_vm_flush is not used: it tells the address of a page directory, and no job.
 *
 * The structs are private.  Casts to the first member are valid; all else is read at
 * offsets that user space found in the driver's type information.
 */
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/grtrace.h>
#include <linux/grtrace_hook.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <drm/amdgpu_drm.h>
#include <drm/drm_device.h>
#include <drm/gpu_scheduler.h>

#include "../version.h"
#include "amdgpu_iv.h"
#include "fence_ops.h"
#include "sched_jobs.h"

#define NOWHERE		(~0u)		/* new placement of an object that goes away */

enum { JOB_IBS, JOB_VMID, BO_PREFERRED, BO_ALLOWED, BO_FLAGS, BO_BYTES, BO_DEVICE, NR_FIELDS };

static struct grtrace_field fields[NR_FIELDS] = {
	[JOB_IBS]	= GRTRACE_FIELD("amdgpu_job.num_ibs", 4),
	[JOB_VMID]	= GRTRACE_FIELD("amdgpu_job.vmid", 4),
	[BO_PREFERRED]	= GRTRACE_FIELD("amdgpu_bo.preferred_domains", 4),
	[BO_ALLOWED]	= GRTRACE_FIELD("amdgpu_bo.allowed_domains", 4),
	[BO_FLAGS]	= GRTRACE_FIELD("amdgpu_bo.flags", 8),
	[BO_BYTES]	= GRTRACE_FIELD("amdgpu_bo.tbo.base.size", 8),
	[BO_DEVICE]	= GRTRACE_FIELD("amdgpu_bo.tbo.base.dev", 8),
};

static struct grtrace_adapter adapter;

/*
 * The ops of the scheduler's finished fences, and those of amdgpu's schedulers.  They are taken
 * from jobs, and only where this adapter records jobs.
 */
static const struct dma_fence_ops *finished_ops = &grt_no_fence_ops;
static const struct drm_sched_backend_ops *sched_ops;

/* The context of the last job on each ring, by its number.  A ring's scheduler writes its row. */
static struct ring_row {
	u32 ring;
	u64 ctx;
} rings[GRTRACE_MAX_RINGS];

/* --- jobs: amdgpu_job.base is the first member --- */

static void learn_ops(const struct drm_sched_job *job)
{
	if (likely(READ_ONCE(finished_ops) == job->s_fence->finished.ops))
		return;
	WRITE_ONCE(sched_ops, job->sched->ops);
	WRITE_ONCE(finished_ops, job->s_fence->finished.ops);
}

static u32 ring_of(const struct drm_sched_job *job)
{
	const u64 ctx = job->s_fence->finished.context;

	return grtrace_ring_cached(job->sched, ctx) ?: grt_sched_learn(job->sched, ctx);
}

static __no_stack_protector void submit(struct drm_sched_job *job)
{
	struct grtrace_job_info info __uninitialized;
	u32 num_ibs = grtrace_field_u32(&fields[JOB_IBS], job);

	learn_ops(job);
	grt_sched_fill(&info, job);
	info.client_id = grt_job_client_id(job);
	info.queue_depth = spsc_queue_count(&job->entity->job_queue);
	info.flags = 0;
	info.ring = ring_of(job);
	grtrace_submit_detailed(&info, num_ibs, 0);
}

static void probe_cs_ioctl(void *data, struct drm_sched_job *job)
{
	const struct dma_fence *finished = &job->s_fence->finished;
	u32 num_ibs;

	if (!adapter.is_duplicate) {
		submit(job);
		return;
	}
	grtrace_count_duplicate(GRTRACE_SUBMIT);
	num_ibs = grtrace_field_u32(&fields[JOB_IBS], job);
	if (num_ibs)
		grtrace_note_ibs(finished->context, finished->seqno, num_ibs);
}

/* The scheduled fence is signalled when the job has run for the first time. */
static bool ran_before(const struct drm_sched_job *job)
{
	return test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &job->s_fence->scheduled.flags);
}

static void probe_run_job(void *data, struct drm_sched_job *job)
{
	struct grtrace_job_info info = { };

	if (ran_before(job))
		return;
	if (adapter.is_duplicate) {
		grtrace_count_duplicate(GRTRACE_COMMIT);
		return;
	}
	learn_ops(job);
	grt_sched_fill(&info, job);
	info.ring = ring_of(job);
	if (grt_client_is_kernel(grt_job_client_id(job)))
		info.flags = GRTRACE_F_KERNEL_JOB;
	grtrace_commit(&info);
}

/* Was the job killed with its process?  Then it never ran.  drm_sched_entity_kill() sets -ESRCH. */
static bool is_killed(const struct drm_sched_fence *fence)
{
	return !fence->parent && fence->finished.error == -ESRCH;
}

/* Out of line: otherwise the probe would save registers for every fence of the system. */
static noinline void finished_signaled(const struct dma_fence *fence)
{
	const struct drm_sched_fence *sf = container_of(fence, struct drm_sched_fence, finished);

	/* The tracepoint reads this scheduler's name, so it is there. */
	if (sf->sched->ops != READ_ONCE(sched_ops))
		return;
	if (!is_killed(sf))
		grt_sched_put_end(sf, GRTRACE_F_UPPER_BOUND);
	grtrace_complete(grtrace_ring_find(sf->sched, fence->context), fence->context, fence->seqno,
			 fence->error, 0);
}

/* Runs for every fence of the system, so it must return fast. */
static void probe_fence_signaled(void *data, struct dma_fence *fence)
{
	if (fence->ops == READ_ONCE(finished_ops))
		finished_signaled(fence);
}

/* The ring of the job gets a struct amdgpu_ring, too, but the scheduler in it is public. */
static void probe_vm_grab_id(void *data, void *vm, void *amdgpu_ring, struct drm_sched_job *job)
{
	const u64 ctx = job->s_fence->finished.context;
	u32 ring = ring_of(job);
	struct ring_row *row = &rings[ring % GRTRACE_MAX_RINGS];
	u64 from_ctx = row->ring == ring ? row->ctx : 0;

	if (!ring || from_ctx == ctx)
		return;
	row->ring = ring;
	row->ctx = ctx;
	grtrace_ctx_switch(ring, from_ctx, ctx, job->s_fence->finished.seqno,
			   grtrace_field_u32(&fields[JOB_VMID], job), 0);
}

/* --- interrupts --- */

static void probe_iv(void *data, unsigned int ih, const struct grt_amdgpu_iv *iv)
{
	const struct grtrace_irq_info info = {
		.gpu_stamp = iv->timestamp,
		.ih = ih,
		.client = iv->client_id,
		.source = iv->src_id,
		.irq_ring = iv->ring_id,
		.vmid = iv->vmid,
		.pasid = iv->pasid,
		.data = { iv->src_data[0], iv->src_data[1], iv->src_data[2], iv->src_data[3] },
	};

	BUILD_BUG_ON(offsetof(struct grt_amdgpu_iv, timestamp) != 32);
	BUILD_BUG_ON(offsetof(struct grt_amdgpu_iv, src_data) != 52);
	grtrace_irq(&info);
}

/* --- memory --- */

static u32 pci_address_of(const void *bo)
{
	const struct drm_device *drm = grtrace_field_pointer(&fields[BO_DEVICE], bo);
	struct device *dev;

	if (!drm || get_kernel_nofault(dev, &drm->dev))
		return 0;
	return grtrace_gpu_pci_address(dev);
}

static void probe_bo_create(void *data, const void *bo)
{
	const struct grtrace_memory_info info = {
		.object = bo,
		.op = GRTRACE_MEMORY_CREATE,
		.bytes = grtrace_field_u64(&fields[BO_BYTES], bo),
		.preferred_domains = grtrace_field_u32(&fields[BO_PREFERRED], bo),
		.allowed_domains = grtrace_field_u32(&fields[BO_ALLOWED], bo),
		.pci_address = pci_address_of(bo),
		.flags = grtrace_field_u64(&fields[BO_FLAGS], bo) &
			 AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED ? GRTRACE_F_VISIBLE : 0,
	};

	grtrace_memory(&info);
}

/* Placements are TTM's: 0 system memory, 1 that which the GPU reaches, 2 its own, and so on. */
static void probe_bo_move(void *data, const void *bo, u32 new_placement, u32 old_placement)
{
	const struct grtrace_memory_info info = {
		.object = bo,
		.op = new_placement == NOWHERE ? GRTRACE_MEMORY_DESTROY : GRTRACE_MEMORY_MOVE,
		.bytes = grtrace_field_u64(&fields[BO_BYTES], bo),
		.from_domain = old_placement,
		.to_domain = new_placement == NOWHERE ? 0 : new_placement,
		.pci_address = pci_address_of(bo),
	};

	grtrace_memory(&info);
}

/* --- the adapter --- */

static void begin(void)
{
	memset(rings, 0, sizeof(rings));
	/* Who records jobs may have changed. */
	WRITE_ONCE(finished_ops, &grt_no_fence_ops);
}

static void target_gone(struct module *target)
{
	WRITE_ONCE(finished_ops, &grt_no_fence_ops);
}

#define PROBE(function, tracepoint) \
	{ .module = "amdgpu", .fn = (function), .names = { tracepoint } }

static struct grtrace_probe probes[] = {
	PROBE(probe_cs_ioctl, "amdgpu_cs_ioctl"),
	PROBE(probe_run_job, "amdgpu_sched_run_job"),
	PROBE(probe_vm_grab_id, "amdgpu_vm_grab_id"),
	PROBE(probe_iv, "amdgpu_iv"),
	PROBE(probe_bo_create, "amdgpu_bo_create"),
	PROBE(probe_bo_move, "amdgpu_bo_move"),
	{ .fn = probe_fence_signaled, .names = { "dma_fence_signaled" } },
};

/* Tells readers why sizes of objects and counts of indirect buffers are missing. */
static size_t describe(char *to, size_t room)
{
	return scnprintf(to, room, "amdgpu.members=%s\n",
			 fields[JOB_IBS].offset == GRTRACE_NO_OFFSET ? "unknown" : "known");
}

static struct grtrace_adapter adapter = {
	.name = "amdgpu",
	.owner = THIS_MODULE,
	.driver = "amdgpu",
	.probes = probes,
	.nr_probes = ARRAY_SIZE(probes),
	.fields = fields,
	.nr_fields = NR_FIELDS,
	.features = GRT_SCHED_FEATURES,
	.jobs = GRTRACE_JOBS_OF_DRIVER,
	.notes_ibs = true,
	.begin = begin,
	.target_gone = target_gone,
	.describe = describe,
};

module_driver(adapter, grtrace_adapter_register, grtrace_adapter_unregister);
MODULE_DESCRIPTION("grtrace: events of amdgpu");
MODULE_VERSION(GRT_VERSION);
MODULE_LICENSE("GPL");
