// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_xe: calls the tracepoints of xe with objects made by hand.  Loading it does that,
 * and prints for each queue GuC's number of it, and the context of its jobs:
 *
 *	offsets=A,B,...
 *		offsets of the members below, in this order, from the type information of that xe;
 *		-1: this kernel has no such member
 *	count=N	so many jobs, and objects
 *	hung=N	so many jobs of a third queue, each of which times out
 *
 * The jobs are real ones of the DRM scheduler, one scheduler for each queue; only the hardware is
 * missing.  The number of a job's hardware fence, which xe's tracepoints tell, is that of the job.
 */
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <drm/drm_device.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>

#include "../compat/compat.h"
#include "fire.h"
#include "fire_gpu.h"

#define ROOM		(256 << 10)	/* bytes of each object: more than any of them has */
#define JOB_ROOM	4096		/* likewise, of a job */
#define FIRST_ID	7		/* GuC's number of the first queue */
#define NR_OBJECTS	4

/* The order of the parameter offsets. */
enum {
	JOB_QUEUE,		/* xe_sched_job.q */
	JOB_FENCE,		/* xe_sched_job.fence */
	QUEUE_GT,		/* xe_exec_queue.gt */
	QUEUE_GUC,		/* xe_exec_queue.guc */
	GUC_SCHED,		/* xe_guc_exec_queue.sched */
	GUC_ENTITY,		/* xe_guc_exec_queue.entity */
	GUC_ID,			/* xe_guc_exec_queue.id */
	GT_TILE,		/* xe_gt.tile */
	TILE_DEVICE,		/* xe_tile.xe */
	DEVICE_DRM,		/* xe_device.drm */
	DEVICE_TTM,		/* xe_device.ttm */
	BO_DEVICE,		/* ttm_buffer_object.bdev */
	BO_BYTES,		/* xe_bo.size */
	VMA_VM,			/* drm_gpuva.vm */
	VMA_RANGE,		/* drm_gpuva.va: begin and size */
	VMA_GEM,		/* drm_gpuva.gem: offset and object */
	VM_DEVICE,		/* xe_vm.xe */
	VM_DRM,			/* drm_gpuvm.drm */
	NR_OFFSETS,
};

static int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array(offsets, int, &nr_offsets, 0400);
MODULE_PARM_DESC(offsets, "byte offsets of struct members of xe, in a fixed order");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "jobs, and objects");

static unsigned int hung = 5;
module_param(hung, uint, 0400);
MODULE_PARM_DESC(hung, "jobs that time out");

enum {
	TIMEDOUT, BAN, ENABLE, DISABLE, SWITCHED, RESET, CAT_ERROR, MOVE, CPU_FAULT, BIND, UNBIND,
	VM_FREE, NR_ALWAYS, CREATE = NR_ALWAYS, NR_POINTS,
};

static struct fire_point points[NR_POINTS] = {
	[TIMEDOUT]  = { "xe_sched_job_timedout" },
	[BAN]	    = { "xe_sched_job_ban" },
	[ENABLE]    = { "xe_exec_queue_scheduling_enable" },
	[DISABLE]   = { "xe_exec_queue_scheduling_disable" },
	[SWITCHED]  = { "xe_exec_queue_scheduling_done" },
	[RESET]	    = { "xe_exec_queue_reset" },
	[CAT_ERROR] = { "xe_exec_queue_memory_cat_error" },
	[MOVE]	    = { "xe_bo_move" },
	[CPU_FAULT] = { "xe_bo_cpu_fault" },
	[BIND]	    = { "xe_vma_bind" },
	[UNBIND]    = { "xe_vma_unbind" },
	[VM_FREE]   = { "xe_vm_free" },
	[CREATE]    = { "xe_bo_create" },	/* not in 6.12 */
};

/* --- objects --- */

enum {
	DEVICE, TILE, GT, VM, VMA, OBJECT,
	NR_ROOMS = OBJECT + NR_OBJECTS,
};

static void *rooms[NR_ROOMS];
static struct fire_gpu *gpu;

enum { FIRST, SECOND, HANGS, NR_QUEUES };

static struct queue {
	void *exec_queue, *guc;
	struct drm_gpu_scheduler *sched;
	struct drm_sched_entity *entity;
	u64 hardware_ctx;
	u32 seqno;
	bool is_enabled;
} queues[NR_QUEUES];

static DEFINE_SPINLOCK(fence_lock);
static atomic_t jobs = ATOMIC_INIT(0);		/* not freed yet */
static DECLARE_WAIT_QUEUE_HEAD(no_jobs);
static struct workqueue_struct *hardware;

/* Behind the job is room for the rest of an xe_sched_job. */
struct fire_job {
	struct drm_sched_job base;
	char rest[JOB_ROOM];
	struct queue *queue;
	struct work_struct done;
	struct dma_fence *fence, *scheduled;
};

static void fire(int point, const void *object)
{
	fire_call(&points[point], (unsigned long)object, 0, 0, 0);
}

static void put_pointer(void *object, int offset, const void *pointer)
{
	fire_put(object, offsets[offset], pointer);
}

/* --- jobs --- */

static const char *name_of_xe(struct dma_fence *fence)
{
	return "xe";
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = name_of_xe,
	.get_timeline_name = name_of_xe,
};

/* The hardware is done.  The workqueue is ordered, so fences are signalled in their order. */
static void job_done(struct work_struct *work)
{
	struct fire_job *job = container_of(work, struct fire_job, done);
	struct dma_fence *fence = job->fence;

	dma_fence_wait(job->scheduled, false);
	dma_fence_put(job->scheduled);
	dma_fence_signal(fence);	/* after this, the job may be gone */
	dma_fence_put(fence);
}

/* As guc_exec_queue_run_job() and submit_exec_queue(). */
static struct dma_fence *run_job(struct drm_sched_job *base)
{
	struct fire_job *job = container_of(base, struct fire_job, base);
	struct queue *queue = job->queue;

	if (!queue->is_enabled)
		fire(ENABLE, queue->exec_queue);
	queue->is_enabled = true;
	if (job->fence->seqno % 10 == 3)
		fire(BAN, job);
	dma_fence_get(job->fence);
	job->scheduled = dma_fence_get(&base->s_fence->scheduled);
	if (queue != &queues[HANGS])
		queue_work(hardware, &job->done);
	return job->fence;
}

static void free_job(struct drm_sched_job *base)
{
	struct fire_job *job = container_of(base, struct fire_job, base);

	drm_sched_job_cleanup(base);
	kfree(job);
	if (atomic_dec_and_test(&jobs))
		wake_up_all(&no_jobs);
}

/* As guc_exec_queue_timedout_job(), which gives the job back to the scheduler and ends it. */
static enum drm_gpu_sched_stat timedout_job(struct drm_sched_job *base)
{
	struct fire_job *job = container_of(base, struct fire_job, base);
	struct dma_fence *fence = job->fence, *scheduled = job->scheduled;
	struct drm_gpu_scheduler *sched = base->sched;

	fire(TIMEDOUT, job);
	spin_lock(&sched->job_list_lock);
	list_add(&base->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
	dma_fence_set_error(fence, -ETIME);
	dma_fence_put(scheduled);
	dma_fence_signal(fence);	/* after this, the job may be gone */
	dma_fence_put(fence);
	return DRM_GPU_SCHED_STAT_RESET;
}

static const struct drm_sched_backend_ops sched_ops = {
	.run_job = run_job,
	.timedout_job = timedout_job,
	.free_job = free_job,
};

static struct fire_job *make_job(struct queue *queue)
{
	struct fire_job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	int err = -ENOMEM;

	if (!job)
		return NULL;
	job->fence = kzalloc(sizeof(*job->fence), GFP_KERNEL);
	if (job->fence)
		err = grt_sched_job_init(&job->base, queue->entity, 1, queue, 0);
	if (err) {
		kfree(job->fence);
		kfree(job);
		return NULL;
	}
	return job;
}

static int push(struct queue *queue)
{
	struct fire_job *job = make_job(queue);

	if (!job)
		return -ENOMEM;
	job->queue = queue;
	INIT_WORK(&job->done, job_done);
	dma_fence_init(job->fence, &fence_ops, &fence_lock, queue->hardware_ctx, ++queue->seqno);
	put_pointer(job, JOB_QUEUE, queue->exec_queue);
	put_pointer(job, JOB_FENCE, job->fence);
	atomic_inc(&jobs);
	drm_sched_job_arm(&job->base);
	if (queue->seqno == 1)
		pr_info("grtrace_fire_xe: queue %u %llu\n",
			FIRST_ID + (unsigned int)(queue - queues),
			job->base.s_fence->finished.context);
	drm_sched_entity_push_job(&job->base);
	return 0;
}

static void wait_for_jobs(void)
{
	wait_event(no_jobs, !atomic_read(&jobs));
}

static void disable(struct queue *queue)
{
	if (!queue->is_enabled)
		return;
	queue->is_enabled = false;
	fire(DISABLE, queue->exec_queue);
	fire(SWITCHED, queue->exec_queue);
}

static int fire_jobs(u32 i)
{
	int err = push(&queues[i % 2]);

	if (i % 4)
		return err;
	wait_for_jobs();
	disable(&queues[i / 4 % 2]);
	if (i % 20 == 0)
		fire(RESET, queues[FIRST].exec_queue);
	if (i % 12 == 0)
		fire(CAT_ERROR, queues[SECOND].exec_queue);
	return err;
}

static int fire_hung(void)
{
	int err = 0;

	for (u32 i = 0; i < hung && !err; i++) {
		err = push(&queues[HANGS]);
		wait_for_jobs();
		disable(&queues[HANGS]);
	}
	return err;
}

/* --- memory --- */

static void make_bo(struct drm_gem_object *bo, u64 bytes)
{
	bo->size = bytes;
	bo->dev = rooms[DEVICE] + offsets[DEVICE_DRM];
	put_pointer(bo, BO_DEVICE, rooms[DEVICE] + offsets[DEVICE_TTM]);
	if (offsets[BO_BYTES] >= 0)
		fire_put(bo, offsets[BO_BYTES], bytes);
}

/* Each fifth one is memory of the program, which has no object. */
static void make_vma(u32 i, const void *bo)
{
	u64 begin = (u64)i << 32, bytes = (u64)(i + 1) << PAGE_SHIFT;

	fire_put(rooms[VMA], offsets[VMA_RANGE], begin);
	fire_put(rooms[VMA], offsets[VMA_RANGE] + 8, bytes);
	fire_put(rooms[VMA], offsets[VMA_GEM] + 8, i % 5 ? bo : NULL);
}

static void fire_memory(u32 i)
{
	void *bo = rooms[OBJECT + i % NR_OBJECTS];

	make_bo(bo, (u64)i << PAGE_SHIFT);
	make_vma(i, bo);
	fire(CREATE, bo);
	fire_call(&points[MOVE], (unsigned long)bo, (i + 1) % 4, i % 4, i % 3 == 0);
	fire(BIND, rooms[VMA]);
	fire(CPU_FAULT, bo);
	fire(UNBIND, rooms[VMA]);
	/* The next address space gets the same place. */
	if (i % 25 == 0)
		fire(VM_FREE, rooms[VM]);
}

/* --- all of it --- */

static int make_queue(unsigned int i)
{
	const struct drm_sched_init_args args = {
#ifdef GRT_HAVE_SCHED_INIT_ARGS_NUM_RQS
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.ops = &sched_ops, .credit_limit = 2,
		.name = i ? i == SECOND ? "bcs8" : "ccs9" : "rcs7",
		.timeout = i == HANGS ? HZ / 20 : MAX_SCHEDULE_TIMEOUT, .dev = &gpu->dev.dev,
	};
	struct queue *queue = &queues[i];
	int err;

	queue->exec_queue = vzalloc(ROOM);
	queue->guc = vzalloc(ROOM);
	if (!queue->exec_queue || !queue->guc)
		return -ENOMEM;
	put_pointer(queue->exec_queue, QUEUE_GT, rooms[GT]);
	put_pointer(queue->exec_queue, QUEUE_GUC, queue->guc);
	fire_put(queue->guc, offsets[GUC_ID], (u16)(FIRST_ID + i));
	queue->hardware_ctx = dma_fence_context_alloc(1);
	err = grt_sched_init(queue->guc + offsets[GUC_SCHED], &args);
	if (err)
		return err;
	queue->sched = queue->guc + offsets[GUC_SCHED];
	queue->entity = queue->guc + offsets[GUC_ENTITY];
	return drm_sched_entity_init(queue->entity, DRM_SCHED_PRIORITY_NORMAL, &queue->sched, 1,
				     NULL);
}

static void drop_queue(struct queue *queue)
{
	if (queue->entity)
		drm_sched_entity_destroy(queue->entity);
	if (queue->sched)
		drm_sched_fini(queue->sched);
}

static void make_device(void)
{
	struct drm_device *drm = rooms[DEVICE] + offsets[DEVICE_DRM];

	fire_gpu_init(gpu, "xe", PCI_VENDOR_ID_INTEL, 0xe20b);
	drm->dev = &gpu->dev.dev;
	put_pointer(rooms[GT], GT_TILE, rooms[TILE]);
	put_pointer(rooms[TILE], TILE_DEVICE, rooms[DEVICE]);
	put_pointer(rooms[VM], VM_DEVICE, rooms[DEVICE]);
	put_pointer(rooms[VM], VM_DRM, drm);
	put_pointer(rooms[VMA], VMA_VM, rooms[VM]);
}

static int init(void)
{
	int err = 0;

	hardware = alloc_ordered_workqueue("grtrace_fire", 0);
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!hardware || !gpu)
		return -ENOMEM;
	for (int i = 0; i < NR_ROOMS; i++) {
		rooms[i] = vzalloc(ROOM);
		if (!rooms[i])
			return -ENOMEM;
	}
	make_device();
	for (int i = 0; i < NR_QUEUES && !err; i++)
		err = make_queue(i);
	return err;
}

/* The fences are freed later, but their ops are in this module. */
static void fini(void)
{
	for (int i = 0; i < NR_QUEUES; i++)
		drop_queue(&queues[i]);
	if (hardware)
		destroy_workqueue(hardware);
	rcu_barrier();
	for (int i = 0; i < NR_QUEUES; i++) {
		vfree(queues[i].guc);
		vfree(queues[i].exec_queue);
	}
	for (int i = 0; i < NR_ROOMS; i++)
		vfree(rooms[i]);
	kfree(gpu);
}

static int fire_all(void)
{
	int err = 0;

	for (u32 i = 1; i <= count && !err; i++) {
		err = fire_jobs(i);
		fire_memory(i);
	}
	wait_for_jobs();
	return err ?: fire_hung();
}

/* A member that some kernels lack. */
static bool may_lack(int i)
{
	return i == BO_BYTES;
}

static int __init fire_init(void)
{
	int err;

	if (nr_offsets != NR_OFFSETS || fire_find("xe", points, NR_POINTS) < NR_ALWAYS)
		return -ENODEV;
	for (int i = 0; i < NR_OFFSETS; i++) {
		int most = i == JOB_QUEUE || i == JOB_FENCE ? JOB_ROOM / 2 : ROOM / 4;

		if (offsets[i] > most || (offsets[i] < 0 && !may_lack(i)))
			return -EINVAL;
	}
	err = init();
	if (!err)
		err = fire_all();
	fini();
	return err;
}

static void __exit fire_exit(void)
{
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Calls tracepoints of xe with objects made by hand, for tests");
MODULE_LICENSE("GPL");
