/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The mock GPU of grtrace: a test device, not hardware.  Its rings are the
 * kernel's own DRM scheduler; only the engines behind them are simulated.
 *
 * A context is a queue of jobs on one ring, executed in order.  The key of a job
 * is (fence_ctx, seqno): unique per boot, and the same numbers that the
 * gpu_scheduler and dma_fence trace events show.
 */
#ifndef _UAPI_GRTRACE_MOCK_DRM_H
#define _UAPI_GRTRACE_MOCK_DRM_H

#include <linux/ioctl.h>
#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum grtrace_mock_ring {
	GRTRACE_MOCK_RING_GFX		= 0,
	GRTRACE_MOCK_RING_COMPUTE	= 1,
	GRTRACE_MOCK_RING_COPY		= 2,
	GRTRACE_MOCK_RINGS		= 3,
};

/* HIGH and KERNEL need CAP_SYS_NICE. */
enum grtrace_mock_priority {
	GRTRACE_MOCK_PRIORITY_NORMAL	= 0,
	GRTRACE_MOCK_PRIORITY_LOW	= 1,
	GRTRACE_MOCK_PRIORITY_HIGH	= 2,
	GRTRACE_MOCK_PRIORITY_KERNEL	= 3,
	GRTRACE_MOCK_PRIORITIES		= 4,
};

/* The driver keeps the fences of the last jobs of a context, this many. */
#define GRTRACE_MOCK_HISTORY		1024
#define GRTRACE_MOCK_MAX_CONTEXTS	64	/* per open file */
#define GRTRACE_MOCK_MAX_GROUP		64	/* rings of one context */
#define GRTRACE_MOCK_MAX_DEPS		64	/* per job */
#define GRTRACE_MOCK_MAX_DURATION_NS	60000000000ULL
/* An open file keeps its last foreign fences, this many. */
#define GRTRACE_MOCK_MAX_FENCES		64
#define GRTRACE_MOCK_FENCE_TIMEOUT_MS	10000

/* Errors: EINVAL for an unknown ring or priority, ENOSPC for too many contexts. */
struct drm_grtrace_mock_ctx_create {
	__u32 ring;		/* in: enum grtrace_mock_ring */
	__u32 priority;		/* in: enum grtrace_mock_priority */
	__u32 flags;		/* in: must be 0 */
	__u32 handle;		/* out: never 0 */
	__u64 fence_ctx;	/* out: fence context of all its jobs */
};

/* Queued jobs end at once with ESRCH; without this flag they may run first. */
#define GRTRACE_MOCK_DESTROY_KILL	(1u << 0)

struct drm_grtrace_mock_ctx_destroy {
	__u32 handle;		/* in */
	__u32 flags;		/* in: GRTRACE_MOCK_DESTROY_* */
};

/* Failures of a job; at most one of these flags. */
#define GRTRACE_MOCK_JOB_FAIL		(1u << 0) /* runs, ends with EIO */
#define GRTRACE_MOCK_JOB_RUN_ERROR	(1u << 1) /* the ring refuses it, EINVAL */
#define GRTRACE_MOCK_JOB_HANG		(1u << 2) /* never ends; reset, ETIME */
#define GRTRACE_MOCK_JOB_NO_HW		(1u << 3) /* ends without running, 0 */

struct drm_grtrace_mock_job_key {
	__u64 fence_ctx;
	__u64 seqno;
};

/*
 * Dependencies are earlier jobs and foreign fences of any open file of the device.
 * ENOENT: no such context, job or fence; the owner of a dependency may be gone.
 * EOPNOTSUPP: more than one credit, but this kernel's scheduler counts jobs.
 */
struct drm_grtrace_mock_submit {
	__u32 handle;		/* in: context */
	__u32 flags;		/* in: GRTRACE_MOCK_JOB_* */
	__u64 duration_ns;	/* in: 0 = the device's default */
	__u64 deps;		/* in: pointer to struct drm_grtrace_mock_job_key[] */
	__u32 dep_count;	/* in */
	__u32 credits;		/* in: 0 = 1 */
	__u64 fence_ctx;	/* out: the job's key */
	__u64 seqno;		/* out */
};

/* ETIME: not done yet.  ESTALE: older than the last GRTRACE_MOCK_HISTORY jobs. */
struct drm_grtrace_mock_wait {
	__u32 handle;		/* in: context */
	__s32 status;		/* out: 0 or the job's negative error */
	__u64 seqno;		/* in */
	__s64 deadline_ns;	/* in: CLOCK_MONOTONIC, 0 = do not wait */
};

/*
 * A foreign fence belongs to no job, like a fence of another driver: user space
 * signals it.  It ends with ETIMEDOUT after its timeout, and with ECANCELED when its
 * file is closed, so that no job waits for ever.  ENOSPC: the fence created
 * GRTRACE_MOCK_MAX_FENCES before this one is not signalled yet.
 */
/* Use the context of the fence that this open file created last, instead of a new one. */
#define GRTRACE_MOCK_FENCE_SAME_CTX	(1u << 0)

struct drm_grtrace_mock_fence_create {
	__u32 flags;		/* in: GRTRACE_MOCK_FENCE_* */
	__u32 timeout_ms;	/* in: 0 = GRTRACE_MOCK_FENCE_TIMEOUT_MS, the most */
	__u64 fence_ctx;	/* out: its key */
	__u64 seqno;		/* out */
};

/* The ioctl then waits for the fence, as a driver waits for another driver's fence. */
#define GRTRACE_MOCK_SIGNAL_AND_WAIT	(1u << 0)

/* ENOENT: no such fence of this open file.  EALREADY: the fence is signalled already. */
struct drm_grtrace_mock_fence_signal {
	__u64 fence_ctx;	/* in */
	__u64 seqno;		/* in */
	__s32 status;		/* in: 0 or a negative errno */
	__u32 flags;		/* in: GRTRACE_MOCK_SIGNAL_* */
};

/*
 * Uses _IOWR() directly instead of DRM_IOWR(), because many systems have no drm.h for
 * user space.
 */
#define DRM_GRTRACE_MOCK_BASE		0x40
#define DRM_GRTRACE_MOCK_CTX_CREATE	0x00
#define DRM_GRTRACE_MOCK_CTX_DESTROY	0x01
#define DRM_GRTRACE_MOCK_SUBMIT		0x02
#define DRM_GRTRACE_MOCK_WAIT		0x03
#define DRM_GRTRACE_MOCK_FENCE_CREATE	0x04
#define DRM_GRTRACE_MOCK_FENCE_SIGNAL	0x05

#define DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE \
	_IOWR('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_CTX_CREATE, \
		 struct drm_grtrace_mock_ctx_create)
#define DRM_IOCTL_GRTRACE_MOCK_CTX_DESTROY \
	_IOW('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_CTX_DESTROY, \
		struct drm_grtrace_mock_ctx_destroy)
#define DRM_IOCTL_GRTRACE_MOCK_SUBMIT \
	_IOWR('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_SUBMIT, \
		 struct drm_grtrace_mock_submit)
#define DRM_IOCTL_GRTRACE_MOCK_WAIT \
	_IOWR('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_WAIT, \
		 struct drm_grtrace_mock_wait)
#define DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE \
	_IOWR('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_FENCE_CREATE, \
		 struct drm_grtrace_mock_fence_create)
#define DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL \
	_IOW('d', DRM_GRTRACE_MOCK_BASE + DRM_GRTRACE_MOCK_FENCE_SIGNAL, \
		struct drm_grtrace_mock_fence_signal)

#ifndef __cplusplus
_Static_assert(sizeof(struct drm_grtrace_mock_ctx_create) == 24, "ctx_create");
_Static_assert(sizeof(struct drm_grtrace_mock_ctx_destroy) == 8, "ctx_destroy");
_Static_assert(sizeof(struct drm_grtrace_mock_job_key) == 16, "job_key");
_Static_assert(sizeof(struct drm_grtrace_mock_submit) == 48, "submit");
_Static_assert(sizeof(struct drm_grtrace_mock_wait) == 24, "wait");
_Static_assert(sizeof(struct drm_grtrace_mock_fence_create) == 24, "fence_create");
_Static_assert(sizeof(struct drm_grtrace_mock_fence_signal) == 24, "fence_signal");
#endif

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_GRTRACE_MOCK_DRM_H */
