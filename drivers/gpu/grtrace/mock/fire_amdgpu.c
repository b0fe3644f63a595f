// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_fire_amdgpu: calls the tracepoints of amdgpu with objects made by hand.  Loading it does
 * that:
 *
 *	offsets=A,B,...
 *		offsets of the members below, in this order, from the type information of that
 *		amdgpu; -1: this kernel has no such member
 *	count=N	so many jobs, interrupts and objects
 *	killed=N
 *		so many jobs are killed at the end
 *	again	a write of N to this parameter of the loaded module does it again, with so many
 *
 * The jobs are real ones of the DRM scheduler, on two rings; only the hardware is missing.  Each
 * fifth one is a job of the kernel, which has no amdgpu_cs_ioctl.  Each seventh fails.  Each
 * eleventh is run twice, as after a reset.
 */
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <drm/drm_device.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>

#include "../adapters/amdgpu_iv.h"
#include "../compat/compat.h"
#include "fire.h"
#include "fire_gpu.h"

#define ROOM		(64 << 10)	/* bytes of each object: more than any of them has */
#define NR_RINGS	2
#define NOWHERE		(~0u)

/* The order of the parameter offsets. */
enum {
	RING_SCHED,		/* amdgpu_ring.sched */
	RING_NAME,		/* amdgpu_ring.name */
	RING_FUNCS,		/* amdgpu_ring.funcs */
	JOB_VMID,		/* amdgpu_job.vmid */
	JOB_IBS,		/* amdgpu_job.num_ibs */
	BO_PREFERRED,		/* amdgpu_bo.preferred_domains */
	BO_ALLOWED,		/* amdgpu_bo.allowed_domains */
	BO_FLAGS,		/* amdgpu_bo.flags */
	BO_GEM,			/* amdgpu_bo.tbo.base */
	BO_RESOURCE,		/* amdgpu_bo.tbo.resource */
	RESOURCE_PAGES,		/* ttm_resource.num_pages */
	RESOURCE_BYTES,		/* ttm_resource.size */
	RESOURCE_TYPE,		/* ttm_resource.mem_type */
	NR_OFFSETS,
};

static int offsets[NR_OFFSETS];
static int nr_offsets;
module_param_array(offsets, int, &nr_offsets, 0400);
MODULE_PARM_DESC(offsets, "byte offsets of struct members of amdgpu, in a fixed order");

static unsigned int count = 10;
module_param(count, uint, 0400);
MODULE_PARM_DESC(count, "jobs, interrupts and objects");

static unsigned int killed = 3;
module_param(killed, uint, 0400);
MODULE_PARM_DESC(killed, "jobs that are killed");

enum { CS_IOCTL, RUN_JOB, GRAB_ID, IV, BO_CREATE, BO_MOVE, NR_POINTS };

static struct fire_point points[NR_POINTS] = {
	[CS_IOCTL]  = { "amdgpu_cs_ioctl" },
	[RUN_JOB]   = { "amdgpu_sched_run_job" },
	[GRAB_ID]   = { "amdgpu_vm_grab_id" },
	[IV]	    = { "amdgpu_iv" },
	[BO_CREATE] = { "amdgpu_bo_create" },
	[BO_MOVE]   = { "amdgpu_bo_move" },
};

/* --- objects --- */

enum { RING, RING_END = RING + NR_RINGS, FUNCS = RING_END, VM, BO, RESOURCE, NR_ROOMS };

static void *rooms[NR_ROOMS];

static struct {
	struct fire_gpu pci;
	struct drm_device drm;
	struct grt_amdgpu_iv iv;
} *gpu;

static DEFINE_SPINLOCK(fence_lock);
static atomic_t jobs = ATOMIC_INIT(0);		/* not freed yet */
static DECLARE_WAIT_QUEUE_HEAD(no_jobs);
static struct workqueue_struct *hardware;
static u64 hardware_ctx;

/* Behind the job is room for the rest of an amdgpu_job. */
struct fire_job {
	struct drm_sched_job base;
	char rest[4096];
	u32 number;
	struct work_struct done;
	struct dma_fence *fence, *scheduled;
};

static struct drm_gpu_scheduler *sched_of(unsigned int ring)
{
	return rooms[RING + ring] + offsets[RING_SCHED];
}

static void fire2(int point, const void *object, unsigned long arg)
{
	fire_call(&points[point], (unsigned long)object, arg, 0, 0);
}

/* --- jobs --- */

static const char *name_of_amdgpu(struct dma_fence *fence)
{
	return "amdgpu";
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = name_of_amdgpu,
	.get_timeline_name = name_of_amdgpu,
};

/* The hardware is done.  The workqueue is ordered, so fences are signalled in their order. */
static void job_done(struct work_struct *work)
{
	struct fire_job *job = container_of(work, struct fire_job, done);
	struct dma_fence *fence = job->fence;

	dma_fence_wait(job->scheduled, false);
	dma_fence_put(job->scheduled);
	if (job->number % 11 == 0)
		fire2(RUN_JOB, job, 0);
	usleep_range(100, 200);
	if (job->number % 7 == 0)
		dma_fence_set_error(fence, -EIO);
	dma_fence_signal(fence);	/* after this, the job may be gone */
	dma_fence_put(fence);
}

/* As amdgpu_job_run(), and amdgpu_job_prepare_job() before it. */
static struct dma_fence *run_job(struct drm_sched_job *base)
{
	struct fire_job *job = container_of(base, struct fire_job, base);

	fire_call(&points[GRAB_ID], (unsigned long)rooms[VM],
		  (unsigned long)base->sched - offsets[RING_SCHED], (unsigned long)job, 0);
	fire2(RUN_JOB, job, 0);
	dma_fence_init(job->fence, &fence_ops, &fence_lock, hardware_ctx, job->number);
	dma_fence_get(job->fence);
	job->scheduled = dma_fence_get(&base->s_fence->scheduled);
	queue_work(hardware, &job->done);
	return job->fence;
}

static void free_job(struct drm_sched_job *base)
{
	struct fire_job *job = container_of(base, struct fire_job, base);

	if (!job->scheduled)
		kfree(job->fence);
	drm_sched_job_cleanup(base);
	kfree(job);
	if (atomic_dec_and_test(&jobs))
		wake_up_all(&no_jobs);
}

static enum drm_gpu_sched_stat timedout_job(struct drm_sched_job *base)
{
	return DRM_GPU_SCHED_STAT_RESET;
}

static const struct drm_sched_backend_ops sched_ops = {
	.run_job = run_job,
	.timedout_job = timedout_job,
	.free_job = free_job,
};

/* @is_user: through amdgpu_cs_submit().  @after: what the job waits for, or NULL. */
static int push(u32 number, struct drm_sched_entity *entity, bool is_user,
		struct dma_fence *after)
{
	struct fire_job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	int err = -ENOMEM;

	if (!job)
		return -ENOMEM;
	job->fence = kzalloc(sizeof(*job->fence), GFP_KERNEL);
	if (job->fence)
		err = grt_sched_job_init(&job->base, entity, 1, entity, 1000 + number);
	if (err) {
		kfree(job->fence);
		kfree(job);
		return err;
	}
	job->number = number;
	INIT_WORK(&job->done, job_done);
	fire_put(job, offsets[JOB_VMID], (u32)(number % 13));
	fire_put(job, offsets[JOB_IBS], (u32)(number % 4 + 1));
	atomic_inc(&jobs);
	if (after)
		drm_sched_job_add_dependency(&job->base, dma_fence_get(after));
	drm_sched_job_arm(&job->base);
	if (is_user)
		fire2(CS_IOCTL, job, 0);
	drm_sched_entity_push_job(&job->base);
	return 0;
}

/* --- interrupts and memory --- */

static void fire_iv(u32 i)
{
	struct grt_amdgpu_iv *iv = &gpu->iv;

	*iv = (struct grt_amdgpu_iv){
		.client_id = i, .src_id = 2 * i, .ring_id = 3 * i, .vmid = i % 16, .vmid_src = 1,
		.timestamp = (1ull << 40) + i, .timestamp_src = 1, .pasid = 0x8000 + i,
		.node_id = 7,
		.src_data = { 5 * i, 6 * i, 7 * i, ~i },
	};
	fire_call(&points[IV], i % 4, (unsigned long)iv, 0, 0);
}

static void put_number(void *object, int offset, u64 number)
{
	if (offsets[offset] >= 0)
		fire_put(object, offsets[offset], number);
}

static void fire_memory(u32 i)
{
	struct drm_gem_object *gem = rooms[BO] + offsets[BO_GEM];

	gem->size = (u64)i << PAGE_SHIFT;
	gem->dev = &gpu->drm;
	fire_put(rooms[BO], offsets[BO_PREFERRED], (u32)(i % 8));
	fire_put(rooms[BO], offsets[BO_ALLOWED], (u32)(i % 8 | 2));
	fire_put(rooms[BO], offsets[BO_FLAGS], (u64)(i % 4));
	fire_put(rooms[BO], offsets[BO_RESOURCE], rooms[RESOURCE]);
	put_number(rooms[RESOURCE], RESOURCE_PAGES, i);
	put_number(rooms[RESOURCE], RESOURCE_BYTES, (u64)i << PAGE_SHIFT);
	fire_put(rooms[RESOURCE], offsets[RESOURCE_TYPE], (u32)(i % 3));
	fire2(BO_CREATE, rooms[BO], 0);
	fire_call(&points[BO_MOVE], (unsigned long)rooms[BO], i % 3, (i + 1) % 3, 0);
	if (i % 4 == 0)
		fire_call(&points[BO_MOVE], (unsigned long)rooms[BO], NOWHERE, i % 3, 0);
}

/* --- all of it --- */

enum { FIRST, SECOND, KERNEL, DOOMED, NR_ENTITIES };

static struct drm_sched_entity entities[NR_ENTITIES];

static int push_all(void)
{
	struct drm_sched_entity *entity;
	int err = 0;

	for (u32 i = 1; i <= count && !err; i++) {
		if (i % 5 == 0)
			entity = &entities[KERNEL];
		else
			entity = &entities[i % 3 ? FIRST : SECOND];
		err = push(i, entity, i % 5, NULL);
		fire_iv(i);
		fire_memory(i);
		if (i % 16 == 0)
			wait_event(no_jobs, !atomic_read(&jobs));
	}
	return err;
}

/* What jobs that are killed wait for. */
static struct dma_fence *obstacle;

static void remove_obstacle(struct work_struct *work)
{
	dma_fence_signal(obstacle);
	dma_fence_put(obstacle);
}

static DECLARE_DELAYED_WORK(obstacle_work, remove_obstacle);

/* The entity goes away with its jobs.  On 6.1 that takes until nothing holds them up any more. */
static int push_doomed(void)
{
	int err = 0;

	obstacle = kzalloc(sizeof(*obstacle), GFP_KERNEL);
	if (!obstacle)
		return -ENOMEM;
	dma_fence_init(obstacle, &fence_ops, &fence_lock, dma_fence_context_alloc(1), 1);
	for (u32 i = 1; i <= killed && !err; i++)
		err = push(count + i, &entities[DOOMED], true, obstacle);
	msleep(20);
	schedule_delayed_work(&obstacle_work, HZ / 2);
	drm_sched_entity_fini(&entities[DOOMED]);
	flush_delayed_work(&obstacle_work);
	return err;
}

static int ring_create(unsigned int ring, const char *name)
{
	const struct drm_sched_init_args args = {
#ifdef GRT_HAVE_SCHED_INIT_ARGS_NUM_RQS
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.ops = &sched_ops, .credit_limit = 2, .timeout = MAX_SCHEDULE_TIMEOUT, .name = name,
		.dev = &gpu->pci.dev.dev,
	};

	strscpy(rooms[RING + ring] + offsets[RING_NAME], name, 16);
	fire_put(rooms[RING + ring], offsets[RING_FUNCS], rooms[FUNCS]);
	return grt_sched_init(sched_of(ring), &args);
}

static int run_entities(void)
{
	struct drm_gpu_scheduler *gfx = sched_of(0), *sdma = sched_of(1);
	int err;

	drm_sched_entity_init(&entities[FIRST], DRM_SCHED_PRIORITY_NORMAL, &gfx, 1, NULL);
	drm_sched_entity_init(&entities[SECOND], DRM_SCHED_PRIORITY_NORMAL, &gfx, 1, NULL);
	drm_sched_entity_init(&entities[KERNEL], DRM_SCHED_PRIORITY_KERNEL, &sdma, 1, NULL);
	drm_sched_entity_init(&entities[DOOMED], DRM_SCHED_PRIORITY_NORMAL, &gfx, 1, NULL);
	err = push_all();
	wait_event(no_jobs, !atomic_read(&jobs));
	if (!err && killed)
		err = push_doomed();
	else
		drm_sched_entity_destroy(&entities[DOOMED]);
	wait_event(no_jobs, !atomic_read(&jobs));
	for (int i = 0; i < DOOMED; i++)
		drm_sched_entity_destroy(&entities[i]);
	return err;
}

static int fire_all(void)
{
	int err;

	hardware_ctx = dma_fence_context_alloc(1);
	err = ring_create(0, "gfx_0.0.0");
	if (err)
		return err;
	err = ring_create(1, "sdma0");
	if (!err) {
		err = run_entities();
		drm_sched_fini(sched_of(1));
	}
	drm_sched_fini(sched_of(0));
	return err;
}

/* The fences are freed later, but their ops are in this module. */
static void fini(void)
{
	if (hardware)
		destroy_workqueue(hardware);
	rcu_barrier();
	for (int i = 0; i < NR_ROOMS; i++)
		kfree(rooms[i]);
	kfree(gpu);
}

static int init(void)
{
	hardware = alloc_ordered_workqueue("grtrace_fire", 0);
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!hardware || !gpu)
		return -ENOMEM;
	for (int i = 0; i < NR_ROOMS; i++) {
		rooms[i] = kzalloc(ROOM, GFP_KERNEL);
		if (!rooms[i])
			return -ENOMEM;
	}
	fire_gpu_init(&gpu->pci, "amdgpu", PCI_VENDOR_ID_ATI, 0x744c);
	gpu->drm.dev = &gpu->pci.dev.dev;
	return 0;
}

static bool is_ready;

static int set_again(const char *value, const struct kernel_param *param)
{
	int err = kstrtouint(value, 0, &count);

	if (!err && !is_ready)
		err = -EBUSY;
	return err ?: fire_all();
}

static const struct kernel_param_ops again_ops = { .set = set_again };
module_param_cb(again, &again_ops, NULL, 0200);
MODULE_PARM_DESC(again, "does it again, so often");

static int __init fire_init(void)
{
	int err;

	if (nr_offsets != NR_OFFSETS || fire_find("amdgpu", points, NR_POINTS) != NR_POINTS)
		return -ENODEV;
	for (int i = 0; i < NR_OFFSETS; i++) {
		if (offsets[i] > (i == JOB_VMID || i == JOB_IBS ? 4096 : ROOM / 4) ||
		    (offsets[i] < 0 && i != RESOURCE_PAGES && i != RESOURCE_BYTES))
			return -EINVAL;
	}
	err = init();
	if (!err)
		err = fire_all();
	if (err)
		fini();
	is_ready = !err;
	return err;
}

static void __exit fire_exit(void)
{
	fini();
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_DESCRIPTION("Calls tracepoints of amdgpu with objects made by hand, for tests");
MODULE_LICENSE("GPL");
