// SPDX-License-Identifier: GPL-2.0
/* A job, and the callbacks of the DRM scheduler. */
#include <linux/device.h>
#include <linux/slab.h>
#include "mock.h"

static struct mock_job *to_mock_job(struct drm_sched_job *base)
{
	return container_of(base, struct mock_job, base);
}

static const char *fence_driver_name(struct dma_fence *fence)
{
	return MOCK_NAME;
}

static const char *fence_timeline_name(struct dma_fence *fence)
{
	return "hardware";
}

/* No release callback: dma-fence frees the fence, even after this module is gone. */
static const struct dma_fence_ops mock_fence_ops = {
	.get_driver_name	= fence_driver_name,
	.get_timeline_name	= fence_timeline_name,
};

/*
 * Allocates everything here: run_job() must not allocate, because memory reclaim
 * may wait for it.
 */
struct mock_job *mock_job_create(struct mock_context *context, u64 duration_ns,
				 u32 flags, u32 credits, u64 client_id)
{
	struct mock_device *mock = context->ring->mock;
	struct mock_job *job;
	int err = -ENOMEM;

	job = kzalloc(sizeof(*job), GFP_KERNEL);
	if (!job)
		return ERR_PTR(-ENOMEM);
	job->fence = kzalloc(sizeof(*job->fence), GFP_KERNEL);
	if (!job->fence)
		goto free_job;
	err = grt_sched_job_init(&job->base, &context->entity, credits, context,
				 client_id);
	if (err)
		goto free_fence;

	kref_get(&context->ref);
	job->context = context;
	job->ring = context->ring;
	job->duration_ns = duration_ns;
	job->flags = flags;
	INIT_LIST_HEAD(&job->link);
	atomic_inc(&mock->job_cnt);
	return job;

free_fence:
	kfree(job->fence);
free_job:
	kfree(job);
	return ERR_PTR(err);
}

/* Frees a job, pushed or not: drm_sched_job_cleanup() handles both. */
void mock_job_destroy(struct mock_job *job)
{
	struct mock_device *mock = job->ring->mock;

	drm_sched_job_cleanup(&job->base);
	if (job->has_fence)
		dma_fence_put(&job->fence->base);
	else
		kfree(job->fence);
	mock_context_put(job->context);
	kfree(job);
	if (atomic_dec_and_test(&mock->job_cnt))
		wake_up_all(&mock->idle);
}

/* The hardware is done with the job; under ring->lock, usually in hard irq. */
void mock_job_signal(struct mock_job *job, int error, u64 end_ns)
{
	struct mock_row *row = job->row;

	lockdep_assert_held(&job->ring->lock);
	if (row) {
		WRITE_ONCE(row->end_ns, end_ns);
		mock_row_set_status(row, error);
	}
	if (error)
		dma_fence_set_error(&job->fence->base, error);
	dma_fence_signal(&job->fence->base);
	if (row)
		WRITE_ONCE(row->signaled_ns, mock_clock_ns());
}

static struct dma_fence *run_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);
	struct mock_ring *ring = job->ring;
	struct mock_fence *fence = job->fence;

	if (job->row)
		WRITE_ONCE(job->row->run_ns, mock_clock_ns());
	if (job->flags & GRTRACE_MOCK_JOB_RUN_ERROR) {
		mock_row_set_status(job->row, -EINVAL);
		return ERR_PTR(-EINVAL);
	}
	if (job->flags & GRTRACE_MOCK_JOB_NO_HW) {
		mock_row_set_status(job->row, 0);
		return NULL;
	}

	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, &mock_fence_ops, &fence->lock,
		       ring->fence_ctx, ++ring->fence_seqno);
	job->has_fence = true;
	/*
	 * The job has one reference, this one is for the scheduler.  Take it
	 * before the push: after that the job may end and be freed at any time.
	 */
	dma_fence_get(&fence->base);
	mock_ring_push(ring, job);
	return &fence->base;
}

static void free_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);
	struct mock_ring *ring = job->ring;

	/* The interrupt that ended the job may still write into its row. */
	mock_ring_sync(ring);
	if (job->row) {
		/* The job was killed before it ran: take the scheduler's status. */
		if (!job->row->has_status)
			mock_row_set_status(job->row,
					    mock_fence_status(&base->s_fence->finished));
		mock_log_close_row(&ring->mock->log, job->row);
	}
	mock_job_destroy(job);
}

/*
 * As amdgpu does if the engine can drop the job: the scheduler is neither stopped nor started.  It
 * took the job off its list; once the job is on it again and ended, it frees the job.  The ring is
 * frozen.  False: the job is not the one that runs.
 */
static bool end_alone(struct mock_ring *ring, struct mock_job *job)
{
	struct drm_gpu_scheduler *sched = &ring->sched;

	if (READ_ONCE(ring->executing) != job)
		return false;
	spin_lock(&sched->job_list_lock);
	list_add(&job->base.list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
	mock_ring_drop(ring, job, -ETIME);	/* after this, the job may be gone */
	mock_ring_thaw(ring);
	return true;
}

/*
 * @base is the oldest job that the scheduler has not freed.  It may have just
 * ended, or still wait in a long queue.  In any case 6.1 took it off its list,
 * and only drm_sched_stop() puts it back.
 */
static enum drm_gpu_sched_stat timedout_job(struct drm_sched_job *base)
{
	struct mock_job *job = to_mock_job(base);
	struct mock_ring *ring = job->ring;

	mock_ring_freeze(ring);
	if (READ_ONCE(ring->mock->resets_softly) && end_alone(ring, job))
		return DRM_GPU_SCHED_STAT_RESET;
	if (mock_ring_drop(ring, job, -ETIME))
		dev_info(ring->mock->drm.dev, "%s: job %llu:%llu hung, reset\n",
			 ring->name, base->s_fence->finished.context,
			 (u64)base->s_fence->finished.seqno);
	mutex_lock(&ring->mock->sched_lock);
	drm_sched_stop(&ring->sched, base);
	mock_ring_reattach(ring);
	grt_sched_start(&ring->sched, -ECANCELED);
	mutex_unlock(&ring->mock->sched_lock);
	mock_ring_thaw(ring);
	return DRM_GPU_SCHED_STAT_RESET;
}

const struct drm_sched_backend_ops mock_sched_ops = {
	.run_job	= run_job,
	.timedout_job	= timedout_job,
	.free_job	= free_job,
};
