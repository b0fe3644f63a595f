/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system call ioctl.  Programs are attached to its functions, if the kernel allows that: then no
 * other system call becomes slower.  Else they are attached to sys_enter and sys_exit, which fire for
 * every system call.  The events of tracefs, sys_enter_ioctl and sys_exit_ioctl, cost as much as
 * those and do not fire for 32-bit programs.
 */
#ifndef GRT_IOCTL_BPF_H
#define GRT_IOCTL_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct thread_info___ioctl {
	unsigned long flags;
	u32 status;
};

struct task_struct___ioctl {
	struct thread_info___ioctl thread_info;
	struct files_struct *files;
};

/* The registers of the caller: 64-bit ones, and those of a 32-bit program. */
#if defined(__TARGET_ARCH_x86) || defined(__x86_64__)
struct pt_regs___ioctl {
	unsigned long di, si, dx;
	unsigned long bx, cx, orig_ax;
};

#define IOCTL_64	"__x64_sys_ioctl"
#define IOCTL_32	"__ia32_compat_sys_ioctl"
#define FD_64(regs)	((regs)->di)
#define CMD_64(regs)	((regs)->si)
#define FD_32(regs)	((regs)->bx)
#define CMD_32(regs)	((regs)->cx)
#define ARG(regs)	((regs)->dx)
#define NUMBER(regs)	((regs)->orig_ax)
#define NR_64		16
#define NR_32		54
#define TS_COMPAT	0x0002		/* arch/x86/include/asm/thread_info.h */
#define IS_32(task)	((task)->thread_info.status & TS_COMPAT)
#elif defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
struct pt_regs___ioctl {
	u64 regs[31];
	u64 orig_x0;
	s32 syscallno;
};

#define IOCTL_64	"__arm64_sys_ioctl"
#define IOCTL_32	"__arm64_compat_sys_ioctl"
#define FD_64(r)	((r)->orig_x0)
#define CMD_64(r)	((r)->regs[1])
#define FD_32(r)	((r)->orig_x0)
#define CMD_32(r)	((r)->regs[1])
#define ARG(r)		((r)->regs[2])
#define NUMBER(r)	((r)->syscallno)
#define NR_64		29
#define NR_32		54
#define TIF_32BIT	22		/* arch/arm64/include/asm/thread_info.h */
#define IS_32(task)	((task)->thread_info.flags >> TIF_32BIT & 1)
#else
#error "the registers of this machine are not known"
#endif

#pragma clang attribute pop

#define IOCTL_DRM	'd'
/* What system call @number of the current thread is: 64, 32, or 0 if it is not ioctl. */
static __always_inline int ioctl_bits(long number)
{
	struct task_struct___ioctl *task;

	if (number != NR_64 && number != NR_32)
		return 0;
	task = (void *)bpf_get_current_task_btf();
	if (IS_32(task))
		return number == NR_32 ? 32 : 0;
	return number == NR_64 ? 64 : 0;
}

/* Whether the ioctl is one of DRM, as grt_is_drm_ioctl(). */
static __always_inline bool is_drm(u64 cmd)
{
	return (cmd >> 8 & 0xff) == IOCTL_DRM;
}

/* The number of the device that the current process has open as @fd: the major above 20 bits. */
static __always_inline u32 device_of(u32 fd)
{
	struct task_struct___ioctl *task = (void *)bpf_get_current_task_btf();
	struct fdtable *fdt = task->files->fdt;
	struct file *file = NULL;

	if (fd >= fdt->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), (void *)((u64)fdt->fd + fd * sizeof(file))) ||
	    !file)
		return 0;
	return BPF_CORE_READ(file, f_inode, i_rdev);
}

#endif /* GRT_IOCTL_BPF_H */
