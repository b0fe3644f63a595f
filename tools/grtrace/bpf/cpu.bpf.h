/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of CPUs, for record --cpu: when threads that hand over jobs or wait for them run, and when
 * threads enter DRM ioctls.  The module grtrace_cpu chooses the same threads; its source,
 * drivers/gpu/grtrace/adapters/cpu.c, says why these.  A part of capture.bpf.c.  Without --cpu the
 * loader leaves out all programs whose names begin with cpu_.
 */
#ifndef GRT_CPU_BPF_H
#define GRT_CPU_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "fences.bpf.h"
#include "ioctl.bpf.h"
#include "jobs.bpf.h"
#include "record.bpf.h"
#include "rings.bpf.h"
#include "twin.bpf.h"

#define FOLLOWED_FOR	10000000000ull	/* ns without a job or a wait */
#define NOBODY		(~0u)		/* no thread has this id */

#define PF_WQ_WORKER	0x00000020	/* include/linux/sched.h, 6.1 to 7.2 */
#define TASK_DEAD	0x00000080

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info___cpu {
	u32 cpu;
};

struct task_struct___cpu {
	struct thread_info___cpu thread_info;
	unsigned int flags;
	int pid;
};

#pragma clang attribute pop

/* One thread.  Only the thread's own CPU uses the members other than @tid. */
struct followed_row {
	u32 tid;	/* 0: free, a search ends here.  NOBODY: free, a search goes on */
	u32 is_waiting;
	u64 last_ns;	/* it handed over a job or waited for one */
};

static struct followed_row followed[GRT_BPF_THREADS];

static __always_inline struct followed_row *followed_place(u32 tid, u32 nth)
{
	return &followed[((tid * SPREAD >> 16) + nth) % GRT_BPF_THREADS];
}

static __always_inline struct followed_row *find_followed(u32 tid)
{
	for (u32 i = 0; i < TRIES; i++) {
		struct followed_row *f = followed_place(tid, i);
		u32 there = f->tid;

		if (!there)
			return NULL;
		if (there == tid)
			return f;
	}
	return NULL;
}

static __always_inline struct followed_row *take_followed(u32 tid)
{
	for (u32 i = 0; i < TRIES; i++) {
		struct followed_row *f = followed_place(tid, i);
		u32 there = f->tid;

		if ((!there || there == NOBODY) &&
		    __sync_val_compare_and_swap(&f->tid, there, tid) == there)
			return f;
	}
	note_lack(GRT_BPF_LACKS_THREADS);
	return NULL;
}

static __always_inline int follow(bool is_waiting)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct followed_row *f = find_followed(tid);

	if (!f)
		f = take_followed(tid);
	if (f) {
		f->last_ns = bpf_ktime_get_ns();
		f->is_waiting = is_waiting;
	}
	return 0;
}

SEC("tp_btf/drm_run_job")
int BPF_PROG(cpu_follow_old)
{
	return follow(false);
}

SEC("tp_btf/drm_sched_job_run")
int BPF_PROG(cpu_follow_new)
{
	return follow(false);
}

static __always_inline bool is_over(const struct followed_row *f,
				    const struct task_struct___cpu *task, u32 state)
{
	if (state & TASK_DEAD)
		return true;
	if (!state || f->is_waiting || (task->flags & (PF_KTHREAD | PF_WQ_WORKER)) == PF_KTHREAD)
		return false;
	return bpf_ktime_get_ns() - f->last_ns > FOLLOWED_FOR;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(cpu_switch, bool preempt, struct task_struct___cpu *prev,
	     struct task_struct___cpu *next, u32 prev_state)
{
	struct followed_row *f = find_followed(prev->pid);
	/* A preempted thread is runnable, whatever state it was about to enter. */
	u32 state = preempt ? 0 : prev_state;
	struct grtrace_cpu_switch *ev;
	struct event e;
	u16 flags = 0;

	if (f)
		flags |= GRTRACE_F_PREV_FOLLOWED;
	if (find_followed(next->pid))
		flags |= GRTRACE_F_NEXT_FOLLOWED;
	if (!flags)
		return 0;
	if (see(&e, GRTRACE_CPU_SWITCH) && begin(&e, sizeof(*ev))) {
		e.flags = flags;
		ev = e.record;
		ev->prev_tid = prev->pid;
		ev->next_tid = next->pid;
		ev->prev_state = state;
		end(&e);
	}
	if (f && is_over(f, prev, state))
		f->tid = NOBODY;
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(cpu_wake, struct task_struct___cpu *task)
{
	struct grtrace_cpu_wake *ev;
	struct event e;

	if (!find_followed(task->pid) || !see(&e, GRTRACE_CPU_WAKE) || !begin(&e, sizeof(*ev)))
		return 0;
	ev = e.record;
	ev->tid = task->pid;
	ev->target_cpu = task->thread_info.cpu;
	end(&e);
	return 0;
}

/* Records waits for all jobs, chosen or not, as it does the other events of CPUs. */
static __always_inline void on_wait(const struct dma_fence *fence, u16 type, s32 status)
{
	struct event e;

	if (see(&e, type))
		write_wait(&e, job_of(fence), ring_of_context(fence->context), status, 0);
}

static __always_inline void on_wait_enter(const struct dma_fence *fence)
{
	if ((u64)fence->ops != finished_ops)
		return;
	follow(true);
	on_wait(fence, GRTRACE_SYNC_WAIT_ENTER, 0);
}

SEC("tp_btf/dma_fence_wait_start")
int BPF_PROG(cpu_wait_enter, struct dma_fence *fence)
{
	on_wait_enter(fence);
	return leave_mark(MARK_WAIT_ENTER);
}

SEC("tp_btf/dma_fence_wait_start")
int BPF_PROG(cpu_wait_enter_twin, struct dma_fence *fence)
{
	if (was_missed(MARK_WAIT_ENTER))
		on_wait_enter(fence);
	return 0;
}

static __always_inline void on_wait_exit(const struct dma_fence *fence)
{
	if ((u64)fence->ops != finished_ops)
		return;
	/* A timeout looks like a signal: the tracepoint does not tell them apart. */
	on_wait(fence, GRTRACE_SYNC_WAIT_EXIT, has_flag(fence, SIGNALED) ? 0 : -4);	/* -EINTR */
	if (find_followed((u32)bpf_get_current_pid_tgid()))
		follow(false);
}

SEC("tp_btf/dma_fence_wait_end")
int BPF_PROG(cpu_wait_exit, struct dma_fence *fence)
{
	on_wait_exit(fence);
	return leave_mark(MARK_WAIT_EXIT);
}

SEC("tp_btf/dma_fence_wait_end")
int BPF_PROG(cpu_wait_exit_twin, struct dma_fence *fence)
{
	if (was_missed(MARK_WAIT_EXIT))
		on_wait_exit(fence);
	return 0;
}

static __always_inline void on_ioctl(u32 cmd)
{
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct grtrace_ioctl *ev;
	struct event e;

	if (!is_drm(cmd) || !see(&e, GRTRACE_IOCTL) || !begin(&e, sizeof(*ev)))
		return;
	ev = e.record;
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	ev->cmd = cmd;
	end(&e);
}

SEC("fentry/" IOCTL_64)
int BPF_PROG(cpu_ioctl_64_twin, const struct pt_regs___ioctl *regs)
{
	if (was_missed(MARK_ENTER))
		on_ioctl(CMD_64(regs));
	return 0;
}

SEC("fentry/" IOCTL_64)
int BPF_PROG(cpu_ioctl_64, const struct pt_regs___ioctl *regs)
{
	on_ioctl(CMD_64(regs));
	return leave_mark(MARK_ENTER);
}

SEC("fentry/" IOCTL_32)
int BPF_PROG(cpu_ioctl_32_twin, const struct pt_regs___ioctl *regs)
{
	if (was_missed(MARK_ENTER))
		on_ioctl(CMD_32(regs));
	return 0;
}

SEC("fentry/" IOCTL_32)
int BPF_PROG(cpu_ioctl_32, const struct pt_regs___ioctl *regs)
{
	on_ioctl(CMD_32(regs));
	return leave_mark(MARK_ENTER);
}

/* Where the kernel permits no programs at functions. */
SEC("tp_btf/sys_enter")
int BPF_PROG(cpu_ioctl_any, const struct pt_regs___ioctl *regs, long number)
{
	switch (ioctl_bits(number)) {
	case 64:
		on_ioctl(CMD_64(regs));
		break;
	case 32:
		on_ioctl(CMD_32(regs));
		break;
	}
	return 0;
}

#endif /* GRT_CPU_BPF_H */
