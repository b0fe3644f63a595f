// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual hardware of a ring: a first-in first-out queue that executes one
 * job at a time.  The end of a job raises a "hard interrupt" (an hrtimer), which
 * signals the hardware fence, as in real drivers.
 */
#include "mock.h"

static const char * const ring_names[GRTRACE_MOCK_RINGS] = {
	[GRTRACE_MOCK_RING_GFX]		= "gfx",
	[GRTRACE_MOCK_RING_COMPUTE]	= "compute",
	[GRTRACE_MOCK_RING_COPY]	= "copy",
};

static void ring_arm_at(struct mock_ring *ring, u64 deadline_ns)
{
	ring->deadline_ns = deadline_ns;
	ring->is_armed = true;
	hrtimer_start(&ring->timer, ns_to_ktime(deadline_ns), HRTIMER_MODE_ABS);
}

/* Starts the timer that ends the executing job, unless something holds the job. */
static void ring_arm(struct mock_ring *ring, u64 now_ns)
{
	struct mock_job *job = ring->executing;
	bool is_manual;

	lockdep_assert_held(&ring->lock);
	if (!job || ring->is_armed || ring->is_frozen)
		return;

	is_manual = READ_ONCE(ring->mock->is_manual);
	if (ring->is_draining ||
	    (is_manual && READ_ONCE(job->context->is_orphan))) {
		ring_arm_at(ring, now_ns);
	} else if (job->flags & GRTRACE_MOCK_JOB_HANG) {
		return;
	} else if (!is_manual) {
		ring_arm_at(ring, now_ns + job->duration_ns);
	} else if (ring->advance_cnt) {
		ring->advance_cnt--;
		ring_arm_at(ring, now_ns);
	}
}

static void ring_begin_next(struct mock_ring *ring, u64 now_ns)
{
	struct mock_job *job;

	lockdep_assert_held(&ring->lock);
	if (ring->executing || ring->is_frozen)
		return;
	job = list_first_entry_or_null(&ring->fifo, struct mock_job, link);
	if (!job)
		return;

	list_del_init(&job->link);
	ring->executing = job;
	if (ring->hangs_next) {
		ring->hangs_next = false;
		job->flags |= GRTRACE_MOCK_JOB_HANG;
	}
	if (job->row)
		WRITE_ONCE(job->row->start_ns, now_ns);
	ring_arm(ring, now_ns);
}

static int job_error(const struct mock_job *job)
{
	if (job->flags & GRTRACE_MOCK_JOB_FAIL)
		return -EIO;
	/* A hung job ends here only when the driver is unloaded. */
	if (job->flags & GRTRACE_MOCK_JOB_HANG)
		return -ECANCELED;
	return 0;
}

/*
 * The end of a job.  It signals under ring->lock, so that fences are signalled in
 * order, and free_job() can wait for it by taking the lock.  The hardware begins
 * the next job when this one ends, not when the driver has handled the interrupt:
 * both get the same time.
 */
static enum hrtimer_restart ring_interrupt(struct hrtimer *timer)
{
	struct mock_ring *ring = container_of(timer, struct mock_ring, timer);
	struct mock_job *job;
	u64 now_ns;

	spin_lock(&ring->lock);
	/* A reset or a pause may have come while we waited for the lock. */
	if (!ring->is_armed || hrtimer_is_queued(timer))
		goto unlock;

	now_ns = mock_clock_ns();
	job = ring->executing;
	ring->executing = NULL;
	ring->is_armed = false;
	ring->done_cnt++;
	mock_job_signal(job, job_error(job), now_ns);
	ring_begin_next(ring, now_ns);
unlock:
	spin_unlock(&ring->lock);
	return HRTIMER_NORESTART;
}

static long timeout_jiffies(const struct mock_device *mock)
{
	u32 timeout_ms = READ_ONCE(mock->timeout_ms);

	if (!timeout_ms || READ_ONCE(mock->is_manual))
		return MAX_SCHEDULE_TIMEOUT;
	return msecs_to_jiffies(timeout_ms);
}

int mock_ring_init(struct mock_ring *ring, struct mock_device *mock,
		   unsigned int id, u32 credits, const char *sched_name)
{
	const struct drm_sched_init_args args = {
		.ops = &mock_sched_ops,
#ifdef GRT_HAVE_SCHED_INIT_ARGS_NUM_RQS
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.timeout_wq = mock->timeout_wq,
		.credit_limit = credits,
		.timeout = timeout_jiffies(mock),
		.name = sched_name ?: ring_names[id],
		.dev = mock->drm.dev,
	};

	ring->mock = mock;
	ring->name = ring_names[id];
	ring->id = id;
	ring->sched_list = &ring->sched;
	ring->fence_ctx = dma_fence_context_alloc(1);
	spin_lock_init(&ring->lock);
	INIT_LIST_HEAD(&ring->fifo);
	hrtimer_setup(&ring->timer, ring_interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	return grt_sched_init(&ring->sched, &args);
}

/* The ring must have no jobs left: 6.1 would leak them. */
void mock_ring_fini(struct mock_ring *ring)
{
	drm_sched_fini(&ring->sched);
	hrtimer_cancel(&ring->timer);
}

void mock_ring_push(struct mock_ring *ring, struct mock_job *job)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	list_add_tail(&job->link, &ring->fifo);
	ring_begin_next(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* First step of a reset: pauses the executing job. */
void mock_ring_freeze(struct mock_ring *ring)
{
	unsigned long flags;
	u64 now_ns;

	spin_lock_irqsave(&ring->lock, flags);
	ring->is_frozen = true;
	if (ring->is_armed) {
		/* An interrupt already waiting for the lock sees !is_armed. */
		hrtimer_try_to_cancel(&ring->timer);
		ring->is_armed = false;
		/* The job had used one advance; mock_ring_thaw() uses it again. */
		if (READ_ONCE(ring->mock->is_manual))
			ring->advance_cnt++;
		now_ns = mock_clock_ns();
		ring->executing->duration_ns =
			ring->deadline_ns > now_ns ? ring->deadline_ns - now_ns : 0;
	}
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Ends a job of a frozen ring.  False if the job is not on the ring (any more). */
bool mock_ring_drop(struct mock_ring *ring, struct mock_job *job, int error)
{
	unsigned long flags;
	bool is_here = true;

	spin_lock_irqsave(&ring->lock, flags);
	if (ring->executing == job)
		ring->executing = NULL;
	else if (!list_empty(&job->link))
		list_del_init(&job->link);
	else
		is_here = false;
	if (is_here)
		mock_job_signal(job, error, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
	return is_here;
}

static void job_reattach(struct mock_job *job)
{
	struct drm_sched_fence *s_fence = job->base.s_fence;

	if (!s_fence->parent)
		s_fence->parent = dma_fence_get(&job->fence->base);
}

/*
 * drm_sched_stop() takes the hardware fence away from every incomplete job, and
 * drm_sched_start() completes jobs without one.  Here only the guilty job was
 * lost, so give the others their fences back; the scheduler then waits for them.
 * The scheduler must be stopped, so that jobs and s_fence->parent do not change.
 */
void mock_ring_reattach(struct mock_ring *ring)
{
	struct mock_job *job;
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	if (ring->executing)
		job_reattach(ring->executing);
	list_for_each_entry(job, &ring->fifo, link)
		job_reattach(job);
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Last step of a reset: the ring resumes. */
void mock_ring_thaw(struct mock_ring *ring)
{
	unsigned long flags;
	u64 now_ns;

	spin_lock_irqsave(&ring->lock, flags);
	now_ns = mock_clock_ns();
	ring->is_frozen = false;
	ring_arm(ring, now_ns);
	ring_begin_next(ring, now_ns);
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Call it after something that held the executing job has changed. */
void mock_ring_kick(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring_arm(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* From here on every job ends at once, also long, hung and held ones. */
void mock_ring_drain(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->is_draining = true;
	if (ring->executing)
		ring_arm_at(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Waits until an interrupt that began earlier is done with its job. */
void mock_ring_sync(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	spin_unlock_irqrestore(&ring->lock, flags);
}

void mock_ring_advance(struct mock_ring *ring, u64 cnt)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->advance_cnt += cnt;
	ring_arm(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

void mock_ring_hang_next(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->hangs_next = true;
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Takes the engine away from its job for a while, as a more urgent one would. */
int mock_ring_preempt(struct mock_ring *ring, u64 pause_ns)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&ring->lock, flags);
	if (ring->is_armed)
		ring_arm_at(ring, ring->deadline_ns + pause_ns);
	else
		err = -ENODATA;
	spin_unlock_irqrestore(&ring->lock, flags);
	return err;
}

#ifdef GRT_HAVE_SCHED_WQUEUE_STOP
static void stop_sched(struct mock_ring *ring)
{
	drm_sched_wqueue_stop(&ring->sched);
}

static void start_sched(struct mock_ring *ring)
{
	drm_sched_wqueue_start(&ring->sched);
}

static void each_ring(struct mock_context *context, void (*fn)(struct mock_ring *ring))
{
	if (context->group)
		mock_group_each(context->group, fn);
	else
		fn(context->ring);
}

/*
 * drm_sched_entity_kill() takes an entity out of its scheduler's tree.  If the scheduler takes
 * a job off the same entity at that time, it puts the entity back, and the tree still has it
 * when it is freed (sched_entity.c of 6.12, sched_rq.c of 7.3).  So stop the schedulers while
 * an entity ends.  6.1 does not need this: its schedulers take entities from a list.
 */
void mock_rings_pause(struct mock_context *context)
{
	mutex_lock(&context->ring->mock->sched_lock);
	each_ring(context, stop_sched);
}

void mock_rings_resume(struct mock_context *context)
{
	each_ring(context, start_sched);
	mutex_unlock(&context->ring->mock->sched_lock);
}
#endif

/* Treats the oldest job of the ring as hung, and waits for the recovery. */
void mock_ring_reset(struct mock_ring *ring)
{
	drm_sched_fault(&ring->sched);
	flush_delayed_work(&ring->sched.work_tdr);
}

/* Call it after a change of timeout_ms or is_manual. */
void mock_ring_apply_knobs(struct mock_ring *ring)
{
	long timeout = timeout_jiffies(ring->mock);
	unsigned long flags;

	WRITE_ONCE(ring->sched.timeout, timeout);
	/* A job that waits for "advance" must not time out. */
	if (timeout == MAX_SCHEDULE_TIMEOUT)
		cancel_delayed_work_sync(&ring->sched.work_tdr);

	spin_lock_irqsave(&ring->lock, flags);
	if (!READ_ONCE(ring->mock->is_manual))
		ring->advance_cnt = 0;
	ring_arm(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}
