// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual hardware of a ring: a first-in first-out queue that executes one
 * job at a time and raises a "hard interrupt" (hrtimer) at its end, where the
 * hardware fence is signalled, as real drivers do.
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
	hrtimer_start(&ring->timer, ns_to_ktime(deadline_ns),
		      HRTIMER_MODE_ABS);
}

/* Lets the executing job end on its own, where nothing holds it. */
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
	/* A hung job ends here only when the driver goes away. */
	if (job->flags & GRTRACE_MOCK_JOB_HANG)
		return -ECANCELED;
	return 0;
}

/*
 * The end of a job.  It is signalled under ring->lock: in order whoever ends
 * jobs, and free_job() can wait for us by taking the lock.  The hardware goes on
 * with the next job at the instant when this one ended, not when the driver is
 * done with the interrupt: both have the same stamp.
 */
static enum hrtimer_restart ring_interrupt(struct hrtimer *timer)
{
	struct mock_ring *ring = container_of(timer, struct mock_ring, timer);
	struct mock_job *job;
	u64 now_ns;

	spin_lock(&ring->lock);
	/* While we waited for the lock, a reset or a pause may have come first. */
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
	const struct grt_sched_config config = {
		.ops = &mock_sched_ops,
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
	hrtimer_setup(&ring->timer, ring_interrupt, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
	return grt_sched_init(&ring->sched, &config);
}

/* The ring must have no jobs left: 6.1 forgets those it finds. */
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

/* First step of a reset: what executes stops where it is. */
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
		/* Its permission to end was spent; thaw asks again. */
		if (READ_ONCE(ring->mock->is_manual))
			ring->advance_cnt++;
		now_ns = mock_clock_ns();
		ring->executing->duration_ns =
			ring->deadline_ns > now_ns ? ring->deadline_ns - now_ns : 0;
	}
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* Ends a job of a frozen ring.  False when it is not there (any more). */
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
 * drm_sched_stop() takes the hardware fence away from every job that has not
 * completed, and drm_sched_start() completes jobs without one.  Only the guilty
 * job was lost here, so the others get theirs back and are waited for again.
 * The scheduler must be stopped, which keeps the jobs and s_fence->parent still.
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

/* Last step of a reset: goes on where the ring stopped. */
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

/* After something that held the executing job has changed. */
void mock_ring_kick(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring_arm(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* From here on everything ends at once: long, hung and held jobs too. */
void mock_ring_drain(struct mock_ring *ring)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->is_draining = true;
	if (ring->executing)
		ring_arm_at(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}

/* On return no interrupt that began earlier is still at work on a job. */
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
/* Before, threads serve the rings from a list, in turns. */
static void stop_sched(struct mock_ring *ring)
{
	drm_sched_wqueue_stop(&ring->sched);
}

static void start_sched(struct mock_ring *ring)
{
	drm_sched_wqueue_start(&ring->sched);
}

/*
 * drm_sched_entity_kill() takes an entity out of its scheduler's tree; a scheduler that takes
 * a job off this entity just then puts it back, and it stays in the tree when it is freed
 * (sched_entity.c of 6.12, sched_rq.c of 7.3; policies fifo and fair).  So schedulers stand
 * still while the entity ends.
 */
void mock_rings_pause(struct mock_context *context)
{
	mutex_lock(&context->ring->mock->sched_lock);
	if (context->group)
		mock_group_each(context->group, stop_sched);
	else
		stop_sched(context->ring);
}

void mock_rings_resume(struct mock_context *context)
{
	if (context->group)
		mock_group_each(context->group, start_sched);
	else
		start_sched(context->ring);
	mutex_unlock(&context->ring->mock->sched_lock);
}
#endif

/* Treats the oldest job of the ring as hung, and waits for the recovery. */
void mock_ring_reset(struct mock_ring *ring)
{
	drm_sched_fault(&ring->sched);
	flush_delayed_work(&ring->sched.work_tdr);
}

/* After a change of timeout_ms or is_manual. */
void mock_ring_apply_knobs(struct mock_ring *ring)
{
	long timeout = timeout_jiffies(ring->mock);
	unsigned long flags;

	WRITE_ONCE(ring->sched.timeout, timeout);
	/* A job that waits for "advance" is late by intent. */
	if (timeout == MAX_SCHEDULE_TIMEOUT)
		cancel_delayed_work_sync(&ring->sched.work_tdr);

	spin_lock_irqsave(&ring->lock, flags);
	if (!READ_ONCE(ring->mock->is_manual))
		ring->advance_cnt = 0;
	ring_arm(ring, mock_clock_ns());
	spin_unlock_irqrestore(&ring->lock, flags);
}
