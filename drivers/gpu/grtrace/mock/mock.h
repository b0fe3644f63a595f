/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The mock GPU: a DRM device whose rings are the kernel's own drm_sched and whose
 * engines are timers.  Tools that watch GPU jobs can be tested with it, without a
 * GPU: its driver behaves as real ones do.
 *
 *	main.c     module, platform device, DRM device
 *	ioctl.c    the uAPI
 *	context.c  a queue of jobs: drm_sched entity, fences of its last jobs
 *	fence.c    foreign fences, signalled by user space
 *	job.c      drm_sched's callbacks: run, free, timed out
 *	ring.c     the virtual hardware: one job at a time, ends in hard interrupt
 *	group.c    rings of a single context, as in drivers with a scheduler per queue
 *	log.c      what the hardware did, for tests to compare with
 *	control.c  debugfs knobs
 */
#ifndef GRTRACE_MOCK_H
#define GRTRACE_MOCK_H

#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <drm/gpu_scheduler.h>
#include <drm/grtrace_mock_drm.h>
#include "../compat/compat.h"

#define MOCK_NAME	"grtrace_mock"

struct dentry;
struct platform_device;

/* The clock of all times, the same as in traces; 0 means "unknown". */
static inline u64 mock_clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/* One job in the log.  The current owner of the job writes it; read without locks. */
struct mock_row {
	u64 fence_ctx;
	u64 seqno;
	u64 queue_ns;
	u64 run_ns;
	u64 start_ns;
	u64 end_ns;
	u64 signaled_ns;
	u64 duration_ns;
	u32 ring;
	u32 tgid;
	s32 status;
	bool has_status;
};

struct mock_log {
	spinlock_t lock;	/* protects the members after @capacity */
	struct mock_row *rows;
	unsigned int capacity;	/* never changes, as @rows */
	unsigned int used;	/* rows in use */
	unsigned int open;	/* rows whose job still lives */
	u64 dropped;		/* jobs that found no row */
};

/*
 * The fence of the hardware.  It may outlive its job and its ring, so it has its
 * own lock, and dma-fence frees the whole struct after a grace period: @base must
 * be the first member.
 */
struct mock_fence {
	struct dma_fence base;
	spinlock_t lock;	/* base.lock points to it */
};

struct mock_group;

struct mock_ring {
	struct drm_gpu_scheduler sched;
	struct drm_gpu_scheduler *sched_list;	/* &sched, for entities without a group */
	struct mock_device *mock;
	const char *name;		/* name of ring @id; a scheduler may have another name */
	unsigned int id;		/* enum grtrace_mock_ring */
	u64 fence_ctx;			/* of the hardware fences */
	u64 fence_seqno;		/* only run_job() uses it, which runs one at a time */

	spinlock_t lock;		/* protects all below; hard irq; taken before fence locks */
	struct hrtimer timer;
	struct list_head fifo;		/* committed jobs that wait for @executing */
	struct mock_job *executing;
	u64 deadline_ns;		/* end of @executing, if @is_armed */
	u64 advance_cnt;		/* jobs that manual mode lets end */
	u64 done_cnt;
	bool is_armed;			/* the timer will end @executing */
	bool is_frozen;			/* during a reset: no job begins or ends */
	bool is_draining;		/* during unload: every job ends at once */
	bool hangs_next;		/* knob: the next job to begin hangs */
};

struct mock_device {
	struct drm_device drm;
	struct mock_ring rings[GRTRACE_MOCK_RINGS];
	struct workqueue_struct *timeout_wq;	/* ordered: one reset at a time */
	struct mutex sched_lock;	/* held while schedulers are stopped */
	struct xarray contexts;		/* by fence context, of all files */
	struct xarray fences;		/* foreign fences of all files */
	struct mutex group_lock;	/* protects the four below */
	struct list_head groups;
	u32 group_rings;		/* knob: rings per new context, 0 = no group */
	bool has_same_names;		/* knob: all rings of a group have the same name */
	u32 group_cnt;			/* counts the rings of all groups, for their names */
	atomic_t live_groups;
	struct mock_log log;
	struct dentry *debugfs;
	struct mutex knob_lock;		/* serializes writers of the knobs below */
	u64 duration_ns;		/* default of jobs */
	u32 timeout_ms;			/* 0 = never */
	bool resets_softly;		/* a hung job is ended alone */
	bool is_manual;			/* jobs end only by "advance" */
	atomic_t job_cnt;		/* jobs between create and free */
	wait_queue_head_t idle;		/* job_cnt or live_groups became 0 */
};

struct mock_context {
	struct drm_sched_entity entity;
	struct mock_ring *ring;		/* rings of @group are like this one */
	struct mock_group *group;	/* owned, or NULL */
	struct kref ref;		/* held by the handle, users, and each job until freed */
	struct rcu_head rcu;
	bool is_orphan;			/* manual mode does not hold its jobs */
	struct mutex lock;		/* makes arm and push one step; protects members below */
	bool is_dead;			/* no more jobs */
	u64 last_seqno;
	struct dma_fence *finished[GRTRACE_MOCK_HISTORY];	/* by seqno; owned */
};

struct mock_job {
	struct drm_sched_job base;
	struct mock_context *context;	/* owned reference */
	struct mock_ring *ring;
	struct mock_fence *fence;	/* owned; a dma_fence once @has_fence */
	struct mock_row *row;		/* may be NULL: the log was full */
	struct list_head link;		/* ring->fifo; under ring->lock */
	u64 duration_ns;
	u32 flags;			/* GRTRACE_MOCK_JOB_* */
	bool has_fence;
};

struct mock_foreign;

/* The last foreign fences of an open file; it owns them. */
struct mock_fences {
	struct mutex lock;	/* protects the members below */
	u64 last_ctx;
	u64 last_seqno;
	struct mock_foreign *slots[GRTRACE_MOCK_MAX_FENCES];	/* by seqno */
};

static inline struct mock_device *mock_from_drm(struct drm_device *drm)
{
	return container_of(drm, struct mock_device, drm);
}

/* ring.c */
int mock_ring_init(struct mock_ring *ring, struct mock_device *mock,
		   unsigned int id, u32 credits, const char *sched_name);
void mock_ring_fini(struct mock_ring *ring);
void mock_ring_push(struct mock_ring *ring, struct mock_job *job);
void mock_ring_freeze(struct mock_ring *ring);
bool mock_ring_drop(struct mock_ring *ring, struct mock_job *job, int error);
void mock_ring_reattach(struct mock_ring *ring);
void mock_ring_thaw(struct mock_ring *ring);
void mock_ring_kick(struct mock_ring *ring);
void mock_ring_drain(struct mock_ring *ring);
void mock_ring_sync(struct mock_ring *ring);
void mock_ring_advance(struct mock_ring *ring, u64 cnt);
void mock_ring_hang_next(struct mock_ring *ring);
int mock_ring_preempt(struct mock_ring *ring, u64 pause_ns);
#ifdef GRT_HAVE_SCHED_WQUEUE_STOP
/* Stops the schedulers that serve @context, and starts them again.  In pairs.  Sleeps. */
void mock_rings_pause(struct mock_context *context);
void mock_rings_resume(struct mock_context *context);
#endif
void mock_ring_reset(struct mock_ring *ring);
void mock_ring_apply_knobs(struct mock_ring *ring);

/* group.c */
struct mock_group *mock_group_create(struct mock_ring *like);
void mock_group_release(struct mock_group *group);
struct drm_gpu_scheduler **mock_group_scheds(struct mock_group *group, unsigned int *cnt);
void mock_group_each(struct mock_group *group, void (*fn)(struct mock_ring *ring));
void mock_groups_each(struct mock_device *mock, void (*fn)(struct mock_ring *ring));
void mock_groups_wait(struct mock_device *mock);

static inline struct mock_ring *mock_ring_of(struct drm_gpu_scheduler *sched)
{
	return container_of(sched, struct mock_ring, sched);
}

/* job.c */
extern const struct drm_sched_backend_ops mock_sched_ops;

struct mock_job *mock_job_create(struct mock_context *context, u64 duration_ns,
				 u32 flags, u32 credits, u64 client_id);
void mock_job_destroy(struct mock_job *job);
void mock_job_signal(struct mock_job *job, int error, u64 end_ns);

/* context.c */
struct mock_context *mock_context_create(struct mock_ring *ring,
					 enum drm_sched_priority priority);
void mock_context_close(struct mock_context *context);
void mock_context_destroy(struct mock_context *context, bool kill);
void mock_context_put(struct mock_context *context);
int mock_context_push(struct mock_context *context, struct mock_job *job,
		      struct drm_grtrace_mock_job_key *key);
struct dma_fence *mock_context_fence(struct mock_context *context, u64 seqno);
struct dma_fence *mock_find_fence(struct mock_device *mock,
				  const struct drm_grtrace_mock_job_key *key);
int mock_fence_status(struct dma_fence *finished);

/* fence.c */
void mock_fences_init(struct mock_fences *fences);
void mock_fences_fini(struct mock_device *mock, struct mock_fences *fences);
int mock_fences_create(struct mock_device *mock, struct mock_fences *fences, u32 flags,
		       unsigned int timeout_ms,
		       struct drm_grtrace_mock_job_key *key);
int mock_fences_signal(struct mock_fences *fences,
		       const struct drm_grtrace_mock_job_key *key, int status);
struct dma_fence *mock_find_foreign(struct mock_device *mock,
				    const struct drm_grtrace_mock_job_key *key);

/* ioctl.c */
extern const struct drm_ioctl_desc mock_ioctls[];
extern const int mock_ioctl_cnt;

int mock_open(struct drm_device *drm, struct drm_file *file);
void mock_postclose(struct drm_device *drm, struct drm_file *file);

/* log.c */
extern const struct file_operations mock_log_fops;

int mock_log_init(struct mock_log *log, unsigned int capacity);
void mock_log_fini(struct mock_log *log);
struct mock_row *mock_log_open_row(struct mock_log *log);
void mock_log_close_row(struct mock_log *log, struct mock_row *row);
int mock_log_reset(struct mock_log *log);
void mock_row_set_status(struct mock_row *row, int status);

/* control.c */
void mock_control_create(struct mock_device *mock);
void mock_control_destroy(struct mock_device *mock);

#endif /* GRTRACE_MOCK_H */
