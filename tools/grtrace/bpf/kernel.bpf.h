/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's types, with the members that our programs read.  When a program is loaded, libbpf
 * looks up each member's place in the type information (BTF) of the running kernel and its
 * modules.  So one program fits Linux 6.1 to 7.x; a member that some kernels lack is read only
 * after bpf_core_field_exists().
 */
#ifndef GRT_KERNEL_BPF_H
#define GRT_KERNEL_BPF_H

#include <linux/types.h>
#include <stdbool.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next;
};

typedef struct {
	int counter;
} atomic_t;

struct work_struct {
	atomic_t data;
};

struct delayed_work {
	struct work_struct work;
};

struct device_driver {
	const char *name;
};

struct bus_type {
	const char *name;
};

struct kobject {
	const char *name;
};

struct device {
	struct kobject kobj;
	const char *init_name;
	const struct bus_type *bus;
	struct device_driver *driver;
};

struct drm_device {
	struct device *dev;
};

struct dma_fence_ops;

struct dma_fence {
	const struct dma_fence_ops *ops;
	s64 timestamp;
	u64 context, seqno;
	unsigned long flags;
	int error;
};

enum dma_fence_flag_bits {
	DMA_FENCE_FLAG_SIGNALED_BIT,
	DMA_FENCE_FLAG_TIMESTAMP_BIT,
	DMA_FENCE_FLAG_USER_BITS,
};

struct spsc_queue {
	atomic_t job_count;
};

enum drm_sched_priority {
	DRM_SCHED_PRIORITY_KERNEL,
};

struct drm_sched_entity {
	enum drm_sched_priority priority;
	struct spsc_queue job_queue;
	u64 fence_context;
};

struct drm_gpu_scheduler {
	const char *name;
	struct device *dev;
	u32 hw_submission_limit;	/* before 6.8 */
	atomic_t hw_rq_count;		/* before 6.8 */
	u32 credit_limit;
	atomic_t credit_count;
	struct list_head pending_list;
	struct delayed_work work_tdr;
};

struct drm_sched_fence {
	struct dma_fence scheduled, finished;
	struct dma_fence *parent;
	struct drm_gpu_scheduler *sched;
	u64 drm_client_id;		/* from 6.12.103 on */
};

struct drm_sched_job {
	struct drm_gpu_scheduler *sched;
	struct drm_sched_fence *s_fence;
	struct list_head list;
	u32 credits;			/* from 6.8 on */
};

struct inode {
	u32 i_rdev;
};

struct file {
	const void *f_op;
	struct inode *f_inode;
};

struct kernfs_node {
	u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct task_struct {
	unsigned int flags;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	u64 start_time;
	struct css_set *cgroups;
	char comm[16];
};

#pragma clang attribute pop

#define PF_KTHREAD	0x00200000	/* include/linux/sched.h, 6.1 to 7.2 */

#endif /* GRT_KERNEL_BPF_H */
