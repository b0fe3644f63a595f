// SPDX-License-Identifier: GPL-2.0
/* A context: a queue of jobs on one ring, and the fences of its last jobs. */
#include <linux/sched.h>
#include <linux/slab.h>
#include "mock.h"

struct mock_context *mock_context_create(struct mock_ring *ring,
					 enum drm_sched_priority priority)
{
	struct mock_device *mock = ring->mock;
	struct mock_context *context;
	struct drm_gpu_scheduler **scheds = &ring->sched_list;
	unsigned int sched_cnt = 1;
	u64 fence_ctx;
	int err;

	context = kzalloc(sizeof(*context), GFP_KERNEL);
	if (!context)
		return ERR_PTR(-ENOMEM);
	context->ring = ring;
	kref_init(&context->ref);
	mutex_init(&context->lock);
	context->group = mock_group_create(ring);
	if (IS_ERR(context->group)) {
		err = PTR_ERR(context->group);
		goto free_context;
	}
	if (context->group)
		scheds = mock_group_scheds(context->group, &sched_cnt);

	err = drm_sched_entity_init(&context->entity, priority, scheds, sched_cnt, NULL);
	if (err)
		goto release_group;

	/* Last: from here on other files can find its jobs. */
	fence_ctx = context->entity.fence_context + 1;
	err = xa_insert(&mock->contexts, fence_ctx, context, GFP_KERNEL);
	if (err)
		goto fini_entity;
	return context;

fini_entity:
	drm_sched_entity_fini(&context->entity);
release_group:
	if (context->group)
		mock_group_release(context->group);
free_context:
	kfree(context);
	return ERR_PTR(err);
}

/*
 * A context ends in two steps; the first is done for all contexts that end together.
 * It refuses new jobs, and lets manual mode hold none of the context's jobs: nobody is
 * left to advance them, and the second step waits for them.
 */
void mock_context_close(struct mock_context *context)
{
	mutex_lock(&context->lock);
	context->is_dead = true;
	mutex_unlock(&context->lock);

	xa_erase(&context->ring->mock->contexts,
		 context->entity.fence_context + 1);
	WRITE_ONCE(context->is_orphan, true);
	mock_ring_kick(context->ring);
	if (context->group)
		mock_group_each(context->group, mock_ring_kick);
}

#ifdef GRT_HAVE_SCHED_WQUEUE_STOP
/* In a killed process drm_sched_entity_flush() would kill jobs while the schedulers run. */
static bool is_killed(void)
{
	return current->flags & PF_EXITING && current->exit_code == SIGKILL;
}

static void end_entity(struct mock_context *context, bool kill)
{
	if (!kill && !is_killed())
		drm_sched_entity_flush(&context->entity, MAX_WAIT_SCHED_ENTITY_Q_EMPTY);
	mock_rings_pause(context);
	drm_sched_entity_fini(&context->entity);
	mock_rings_resume(context);
}
#else
static void end_entity(struct mock_context *context, bool kill)
{
	if (kill)
		drm_sched_entity_fini(&context->entity);
	else
		drm_sched_entity_destroy(&context->entity);
}
#endif

/*
 * Drops the reference of the handle.  Queued jobs may still run, for as long as
 * drm_sched lets them; with @kill they end at once.
 *
 * Call it for one context after the other.  drm_sched_entity_flush() stops a context,
 * drm_sched_entity_fini() ends its jobs, and on 6.1 a queued job that is killed waits
 * for its dependencies.  So no context may be stopped, with its jobs not ended yet,
 * while another one waits.
 */
void mock_context_destroy(struct mock_context *context, bool kill)
{
	end_entity(context, kill);
	mock_context_put(context);
}

static void context_release(struct kref *ref)
{
	struct mock_context *context =
		container_of(ref, struct mock_context, ref);

	for (int i = 0; i < GRTRACE_MOCK_HISTORY; i++)
		dma_fence_put(context->finished[i]);
	mutex_destroy(&context->lock);
	if (context->group)
		mock_group_release(context->group);
	/*
	 * The callback of a dependency wakes the entity on another CPU, with
	 * interrupts off; it may be the last user of the entity.
	 */
	kfree_rcu(context, rcu);
}

/*
 * Each job has a reference until the scheduler frees it.  On 6.1 the scheduler
 * thread still completes entity_idle after it took the last job off the queue,
 * while drm_sched_entity_flush() already considers the entity idle.
 */
void mock_context_put(struct mock_context *context)
{
	kref_put(&context->ref, context_release);
}

static struct dma_fence **history_slot(struct mock_context *context, u64 seqno)
{
	return &context->finished[seqno % GRTRACE_MOCK_HISTORY];
}

/*
 * Takes the lock once the history has room: it waits until the job that would be
 * dropped from the history is done.  That also bounds the queue of a context.
 */
static int lock_with_room(struct mock_context *context)
{
	struct dma_fence *oldest;
	long err;

	for (;;) {
		mutex_lock(&context->lock);
		if (context->is_dead) {
			mutex_unlock(&context->lock);
			return -ENOENT;
		}
		oldest = *history_slot(context, context->last_seqno + 1);
		if (!oldest || dma_fence_is_signaled(oldest))
			return 0;
		dma_fence_get(oldest);
		mutex_unlock(&context->lock);

		err = dma_fence_wait(oldest, true);
		dma_fence_put(oldest);
		if (err)
			return err;
	}
}

static void add_to_history(struct mock_context *context, struct dma_fence *finished)
{
	struct dma_fence **slot = history_slot(context, finished->seqno);

	lockdep_assert_held(&context->lock);
	dma_fence_put(*slot);
	*slot = dma_fence_get(finished);
	context->last_seqno = finished->seqno;
}

static struct mock_row *open_row(struct mock_job *job, u64 duration_ns)
{
	struct dma_fence *finished = &job->base.s_fence->finished;
	struct mock_row *row = mock_log_open_row(&job->ring->mock->log);

	if (!row)
		return NULL;
	row->ring = job->ring->id;
	row->tgid = current->tgid;
	row->duration_ns = duration_ns;
	WRITE_ONCE(row->seqno, finished->seqno);
	WRITE_ONCE(row->fence_ctx, finished->context);
	return row;
}

/* On success the scheduler owns the job, and the caller must not use it any more. */
int mock_context_push(struct mock_context *context, struct mock_job *job,
		      struct drm_grtrace_mock_job_key *key)
{
	struct dma_fence *finished;
	int err;

	err = lock_with_room(context);
	if (err)
		return err;

	drm_sched_job_arm(&job->base);
	job->ring = mock_ring_of(job->base.sched);
	/* The scheduler with the lowest score gets the next job, so count each use. */
	if (context->group)
		atomic_inc(job->base.sched->score);
	/* An armed job has its seqno, so nothing may fail from here on. */
	finished = &job->base.s_fence->finished;
	add_to_history(context, finished);
	key->fence_ctx = finished->context;
	key->seqno = finished->seqno;
	job->row = open_row(job, job->duration_ns);
	if (job->row)
		WRITE_ONCE(job->row->queue_ns, mock_clock_ns());
	drm_sched_entity_push_job(&job->base);
	mutex_unlock(&context->lock);
	return 0;
}

/* Returns the finished fence of a job, with a reference, or -ENOENT or -ESTALE. */
struct dma_fence *mock_context_fence(struct mock_context *context, u64 seqno)
{
	struct dma_fence *fence;

	mutex_lock(&context->lock);
	if (!seqno || seqno > context->last_seqno)
		fence = ERR_PTR(-ENOENT);
	else if (context->last_seqno - seqno >= GRTRACE_MOCK_HISTORY)
		fence = ERR_PTR(-ESTALE);
	else
		fence = dma_fence_get(*history_slot(context, seqno));
	mutex_unlock(&context->lock);
	return fence;
}

/* The same for a job of any open file. */
struct dma_fence *mock_find_fence(struct mock_device *mock,
				  const struct drm_grtrace_mock_job_key *key)
{
	struct mock_context *context;
	struct dma_fence *fence;

	/* A context in the table still has the reference of its handle. */
	xa_lock(&mock->contexts);
	context = xa_load(&mock->contexts, key->fence_ctx);
	if (context)
		kref_get(&context->ref);
	xa_unlock(&mock->contexts);
	if (!context)
		return ERR_PTR(-ENOENT);

	fence = mock_context_fence(context, key->seqno);
	mock_context_put(context);
	return fence;
}

/*
 * Returns the status of a signalled job.  6.1 does not pass the error of the
 * hardware fence on to the finished fence, so the hardware fence comes first.
 */
int mock_fence_status(struct dma_fence *finished)
{
	struct drm_sched_fence *s_fence = to_drm_sched_fence(finished);
	int status = 0;

	if (s_fence->parent)
		status = min(dma_fence_get_status(s_fence->parent), 0);
	if (!status)
		status = min(dma_fence_get_status(finished), 0);
	return status;
}
