// SPDX-License-Identifier: GPL-2.0
/* The uAPI.  All arguments are checked here; no other file reads user memory. */
#include <linux/capability.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_utils.h>
#include "mock.h"

#define JOB_FLAGS (GRTRACE_MOCK_JOB_FAIL | GRTRACE_MOCK_JOB_RUN_ERROR | \
		   GRTRACE_MOCK_JOB_HANG | GRTRACE_MOCK_JOB_NO_HW)

static const enum drm_sched_priority priorities[GRTRACE_MOCK_PRIORITIES] = {
	[GRTRACE_MOCK_PRIORITY_NORMAL]	= DRM_SCHED_PRIORITY_NORMAL,
	[GRTRACE_MOCK_PRIORITY_LOW]	= DRM_SCHED_PRIORITY_LOW,
	[GRTRACE_MOCK_PRIORITY_HIGH]	= DRM_SCHED_PRIORITY_HIGH,
	[GRTRACE_MOCK_PRIORITY_KERNEL]	= DRM_SCHED_PRIORITY_KERNEL,
};

struct mock_file {
	struct xarray contexts;		/* by handle */
	struct mock_fences fences;
};

int mock_open(struct drm_device *drm, struct drm_file *file)
{
	struct mock_file *mfile = kzalloc(sizeof(*mfile), GFP_KERNEL);

	if (!mfile)
		return -ENOMEM;
	xa_init_flags(&mfile->contexts, XA_FLAGS_ALLOC1);
	mock_fences_init(&mfile->fences);
	file->driver_priv = mfile;
	return 0;
}

/* Also called for a killed process, whose queued jobs end with -ESRCH. */
void mock_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct mock_file *mfile = file->driver_priv;
	struct mock_context *context;
	unsigned long handle;

	/* First: ending a context waits for its jobs, which may wait for these fences. */
	mock_fences_fini(mock_from_drm(drm), &mfile->fences);
	xa_for_each(&mfile->contexts, handle, context)
		mock_context_close(context);
	xa_for_each(&mfile->contexts, handle, context)
		mock_context_destroy(context, false);
	xa_destroy(&mfile->contexts);
	kfree(mfile);
}

static struct mock_context *get_context(struct drm_file *file, u32 handle)
{
	struct mock_file *mfile = file->driver_priv;
	struct mock_context *context;

	xa_lock(&mfile->contexts);
	context = xa_load(&mfile->contexts, handle);
	if (context)
		kref_get(&context->ref);
	xa_unlock(&mfile->contexts);
	return context;
}

static int ctx_create_ioctl(struct drm_device *drm, void *data,
			    struct drm_file *file)
{
	struct drm_grtrace_mock_ctx_create *args = data;
	struct mock_file *mfile = file->driver_priv;
	struct mock_context *context;
	int err;

	if (args->ring >= GRTRACE_MOCK_RINGS ||
	    args->priority >= GRTRACE_MOCK_PRIORITIES || args->flags)
		return -EINVAL;
	if (args->priority >= GRTRACE_MOCK_PRIORITY_HIGH &&
	    !capable(CAP_SYS_NICE))
		return -EACCES;

	context = mock_context_create(&mock_from_drm(drm)->rings[args->ring],
				      priorities[args->priority]);
	if (IS_ERR(context))
		return PTR_ERR(context);
	/* Before the handle exists: another thread may guess and destroy it. */
	args->fence_ctx = context->entity.fence_context + 1;
	err = xa_alloc(&mfile->contexts, &args->handle, context,
		       XA_LIMIT(1, GRTRACE_MOCK_MAX_CONTEXTS), GFP_KERNEL);
	if (err) {
		mock_context_close(context);
		mock_context_destroy(context, true);
		return err == -EBUSY ? -ENOSPC : err;
	}
	return 0;
}

static int ctx_destroy_ioctl(struct drm_device *drm, void *data,
			     struct drm_file *file)
{
	struct drm_grtrace_mock_ctx_destroy *args = data;
	struct mock_file *mfile = file->driver_priv;
	struct mock_context *context;

	if (args->flags & ~GRTRACE_MOCK_DESTROY_KILL)
		return -EINVAL;
	context = xa_erase(&mfile->contexts, args->handle);
	if (!context)
		return -ENOENT;
	mock_context_close(context);
	mock_context_destroy(context, args->flags & GRTRACE_MOCK_DESTROY_KILL);
	return 0;
}

static struct dma_fence *find_dependency(struct mock_device *mock,
					 const struct drm_grtrace_mock_job_key *key)
{
	struct dma_fence *fence = mock_find_fence(mock, key);

	return fence == ERR_PTR(-ENOENT) ? mock_find_foreign(mock, key) : fence;
}

static int add_dependencies(struct mock_device *mock, struct mock_job *job,
			    const struct drm_grtrace_mock_submit *args)
{
	const struct drm_grtrace_mock_job_key __user *deps =
		u64_to_user_ptr(args->deps);
	struct drm_grtrace_mock_job_key key;
	struct dma_fence *fence;
	int err;

	for (u32 i = 0; i < args->dep_count; i++) {
		if (copy_from_user(&key, &deps[i], sizeof(key)))
			return -EFAULT;
		fence = find_dependency(mock, &key);
		if (fence == ERR_PTR(-ESTALE))
			continue;	/* dropped from the history: done long ago */
		if (IS_ERR(fence))
			return PTR_ERR(fence);
		/* This consumes the reference, also when it fails. */
		err = drm_sched_job_add_dependency(&job->base, fence);
		if (err)
			return err;
	}
	return 0;
}

static int check_submit(struct mock_context *context,
			const struct drm_grtrace_mock_submit *args, u32 credits)
{
	const u32 limit = grt_sched_credit_limit(&context->ring->sched);

	if (args->flags & ~JOB_FLAGS || hweight32(args->flags) > 1 ||
	    args->duration_ns > GRTRACE_MOCK_MAX_DURATION_NS ||
	    args->dep_count > GRTRACE_MOCK_MAX_DEPS ||
	    (args->dep_count && !args->deps) || credits > limit)
		return -EINVAL;
#ifndef GRT_HAVE_SCHED_CREDITS
	if (credits > 1)
		return -EOPNOTSUPP;
#endif
	return 0;
}

static int submit_ioctl(struct drm_device *drm, void *data,
			struct drm_file *file)
{
	struct mock_device *mock = mock_from_drm(drm);
	struct drm_grtrace_mock_submit *args = data;
	struct drm_grtrace_mock_job_key key;
	const u32 credits = args->credits ?: 1;
	struct mock_context *context;
	struct mock_job *job;
	int err;

	context = get_context(file, args->handle);
	if (!context)
		return -ENOENT;
	err = check_submit(context, args, credits);
	if (err)
		goto put_context;

	job = mock_job_create(context,
			      args->duration_ns ?: READ_ONCE(mock->duration_ns),
			      args->flags, credits, grt_drm_client_id(file));
	if (IS_ERR(job)) {
		err = PTR_ERR(job);
		goto put_context;
	}
	err = add_dependencies(mock, job, args);
	if (!err)
		err = mock_context_push(context, job, &key);
	if (err) {
		mock_job_destroy(job);
		goto put_context;
	}
	args->fence_ctx = key.fence_ctx;
	args->seqno = key.seqno;
put_context:
	mock_context_put(context);
	return err;
}

static int wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_grtrace_mock_wait *args = data;
	struct mock_context *context;
	struct dma_fence *fence;
	long left;

	context = get_context(file, args->handle);
	if (!context)
		return -ENOENT;
	fence = mock_context_fence(context, args->seqno);
	mock_context_put(context);
	if (IS_ERR(fence))
		return PTR_ERR(fence);

	left = dma_fence_wait_timeout(fence, true,
				      drm_timeout_abs_to_jiffies(args->deadline_ns));
	if (left > 0)
		args->status = mock_fence_status(fence);
	dma_fence_put(fence);
	if (left < 0)
		return left;
	return left ? 0 : -ETIME;
}

static int fence_create_ioctl(struct drm_device *drm, void *data,
			      struct drm_file *file)
{
	struct drm_grtrace_mock_fence_create *args = data;
	struct mock_file *mfile = file->driver_priv;
	struct drm_grtrace_mock_job_key key;
	int err;

	if (args->flags & ~GRTRACE_MOCK_FENCE_SAME_CTX ||
	    args->timeout_ms > GRTRACE_MOCK_FENCE_TIMEOUT_MS)
		return -EINVAL;
	err = mock_fences_create(mock_from_drm(drm), &mfile->fences, args->flags,
				 args->timeout_ms ?: GRTRACE_MOCK_FENCE_TIMEOUT_MS,
				 &key);
	if (err)
		return err;
	args->fence_ctx = key.fence_ctx;
	args->seqno = key.seqno;
	return 0;
}

static int fence_signal_ioctl(struct drm_device *drm, void *data,
			      struct drm_file *file)
{
	const struct drm_grtrace_mock_fence_signal *args = data;
	const struct drm_grtrace_mock_job_key key = {
		.fence_ctx = args->fence_ctx,
		.seqno = args->seqno,
	};
	struct mock_file *mfile = file->driver_priv;
	struct dma_fence *fence;
	int err;

	if (args->flags & ~GRTRACE_MOCK_SIGNAL_AND_WAIT || args->status > 0 ||
	    args->status < -MAX_ERRNO)
		return -EINVAL;
	if (!(args->flags & GRTRACE_MOCK_SIGNAL_AND_WAIT))
		return mock_fences_signal(&mfile->fences, &key, args->status);

	fence = mock_find_foreign(mock_from_drm(drm), &key);
	if (IS_ERR(fence))
		return PTR_ERR(fence);
	err = mock_fences_signal(&mfile->fences, &key, args->status);
	if (!err)
		err = dma_fence_wait(fence, true);
	dma_fence_put(fence);
	return err;
}

static_assert(DRM_GRTRACE_MOCK_BASE == DRM_COMMAND_BASE);
static_assert(_IOC_TYPE(DRM_IOCTL_GRTRACE_MOCK_SUBMIT) == DRM_IOCTL_BASE);

const struct drm_ioctl_desc mock_ioctls[] = {
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_CTX_CREATE, ctx_create_ioctl,
			  DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_CTX_DESTROY, ctx_destroy_ioctl,
			  DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_SUBMIT, submit_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_WAIT, wait_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_FENCE_CREATE, fence_create_ioctl,
			  DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GRTRACE_MOCK_FENCE_SIGNAL, fence_signal_ioctl,
			  DRM_RENDER_ALLOW),
};

const int mock_ioctl_cnt = ARRAY_SIZE(mock_ioctls);
