// SPDX-License-Identifier: GPL-2.0
/*
 * Foreign fences belong to no job, like fences that another driver shares with
 * this one.  User space signals them.  A fence that is not signalled in time ends
 * by itself, so that it does not hold up jobs and their waiters for ever.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>
#include "mock.h"

struct mock_foreign {
	struct mock_fence fence;	/* first: dma-fence frees it as a whole */
	struct delayed_work expiry;
};

static_assert(offsetof(struct mock_foreign, fence.base) == 0);

static const char *foreign_driver_name(struct dma_fence *fence)
{
	return MOCK_NAME;
}

static const char *foreign_timeline_name(struct dma_fence *fence)
{
	return "foreign";
}

/* No release callback, for the reason given at mock_fence_ops in job.c. */
static const struct dma_fence_ops foreign_ops = {
	.get_driver_name	= foreign_driver_name,
	.get_timeline_name	= foreign_timeline_name,
};

/* False: the fence is signalled already, and its error must not change. */
static bool foreign_signal(struct mock_foreign *foreign, int status)
{
	struct mock_fence *fence = &foreign->fence;
	unsigned long flags;
	bool is_first;

	spin_lock_irqsave(&fence->lock, flags);
	is_first = !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->base.flags);
	if (is_first) {
		if (status)
			dma_fence_set_error(&fence->base, status);
		dma_fence_signal_locked(&fence->base);
	}
	spin_unlock_irqrestore(&fence->lock, flags);
	return is_first;
}

static void foreign_expire(struct work_struct *work)
{
	foreign_signal(container_of(to_delayed_work(work), struct mock_foreign,
				    expiry), -ETIMEDOUT);
}

static struct mock_foreign *foreign_create(u64 ctx, u64 seqno)
{
	struct mock_foreign *foreign = kzalloc(sizeof(*foreign), GFP_KERNEL);

	if (!foreign)
		return NULL;
	spin_lock_init(&foreign->fence.lock);
	dma_fence_init(&foreign->fence.base, &foreign_ops, &foreign->fence.lock,
		       ctx, seqno);
	INIT_DELAYED_WORK(&foreign->expiry, foreign_expire);
	return foreign;
}

/* Unique, because a file has at most GRTRACE_MOCK_MAX_FENCES fences at a time. */
static unsigned long foreign_index(u64 ctx, u64 seqno)
{
	return ctx * 2 * GRTRACE_MOCK_MAX_FENCES + seqno % (2 * GRTRACE_MOCK_MAX_FENCES);
}

/* Ends and drops a fence.  Jobs that depend on it have their own references. */
static void foreign_drop(struct mock_device *mock, struct mock_foreign *foreign)
{
	xa_erase(&mock->fences, foreign_index(foreign->fence.base.context,
					      foreign->fence.base.seqno));
	cancel_delayed_work_sync(&foreign->expiry);
	foreign_signal(foreign, -ECANCELED);
	dma_fence_put(&foreign->fence.base);
}

static struct mock_foreign **find_slot(struct mock_fences *fences, u64 seqno)
{
	return &fences->slots[seqno % GRTRACE_MOCK_MAX_FENCES];
}

void mock_fences_init(struct mock_fences *fences)
{
	mutex_init(&fences->lock);
}

void mock_fences_fini(struct mock_device *mock, struct mock_fences *fences)
{
	for (int i = 0; i < GRTRACE_MOCK_MAX_FENCES; i++)
		if (fences->slots[i])
			foreign_drop(mock, fences->slots[i]);
	mutex_destroy(&fences->lock);
}

/*
 * The seqno counts all fences of a file, even over several contexts, so that tests
 * notice a tracer that mixes up numbers.  Fences with their own contexts may be
 * signalled in any order.
 */
int mock_fences_create(struct mock_device *mock, struct mock_fences *fences, u32 flags,
		       unsigned int timeout_ms,
		       struct drm_grtrace_mock_job_key *key)
{
	struct mock_foreign *foreign, **slot;
	u64 ctx;
	int err;

	mutex_lock(&fences->lock);
	slot = find_slot(fences, fences->last_seqno + 1);
	err = -ENOSPC;
	if (*slot && !dma_fence_is_signaled(&(*slot)->fence.base))
		goto unlock;

	err = -ENOMEM;
	ctx = fences->last_ctx;
	if (!ctx || !(flags & GRTRACE_MOCK_FENCE_SAME_CTX))
		ctx = dma_fence_context_alloc(1);
	foreign = foreign_create(ctx, fences->last_seqno + 1);
	if (!foreign)
		goto unlock;
	key->fence_ctx = foreign->fence.base.context;
	key->seqno = foreign->fence.base.seqno;
	err = xa_insert(&mock->fences, foreign_index(ctx, key->seqno), foreign, GFP_KERNEL);
	if (err)
		goto put_fence;

	schedule_delayed_work(&foreign->expiry, msecs_to_jiffies(timeout_ms));
	if (*slot)
		foreign_drop(mock, *slot);
	*slot = foreign;
	fences->last_ctx = ctx;
	fences->last_seqno = key->seqno;
	mutex_unlock(&fences->lock);
	return 0;

put_fence:
	dma_fence_put(&foreign->fence.base);
unlock:
	mutex_unlock(&fences->lock);
	return err;
}

/* Only the creator may signal a fence, so search the fences of one file. */
int mock_fences_signal(struct mock_fences *fences,
		       const struct drm_grtrace_mock_job_key *key, int status)
{
	struct mock_foreign *foreign;
	int err = 0;

	mutex_lock(&fences->lock);
	foreign = *find_slot(fences, key->seqno);
	if (!foreign || foreign->fence.base.context != key->fence_ctx ||
	    foreign->fence.base.seqno != key->seqno)
		err = -ENOENT;
	else if (!foreign_signal(foreign, status))
		err = -EALREADY;
	else
		cancel_delayed_work(&foreign->expiry);
	mutex_unlock(&fences->lock);
	return err;
}

/* Returns a fence of any open file, with a reference, or -ENOENT. */
struct dma_fence *mock_find_foreign(struct mock_device *mock,
				    const struct drm_grtrace_mock_job_key *key)
{
	struct dma_fence *fence = ERR_PTR(-ENOENT);
	struct mock_foreign *foreign;

	/* A fence in the table still has the reference of its file. */
	xa_lock(&mock->fences);
	foreign = xa_load(&mock->fences, foreign_index(key->fence_ctx, key->seqno));
	if (foreign && foreign->fence.base.context == key->fence_ctx &&
	    foreign->fence.base.seqno == key->seqno)
		fence = dma_fence_get(&foreign->fence.base);
	xa_unlock(&mock->fences);
	return fence;
}
