// SPDX-License-Identifier: GPL-2.0
/* Records the DRM ioctls of threads, 64-bit and 32-bit ones, for grtrace annotate. */
#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include "note.h"
#include "ioctl.bpf.h"
#include "record.bpf.h"
#include "twin.bpf.h"

#define ENTERED		16384

char LICENSE[] SEC("license") = "GPL";

/* Set before the programs are loaded. */
const volatile __u32 only_tgid;		/* record this process only; 0: all */

/*
 * When each thread entered its ioctl, direct mapped.  So a duration is right even if the record of
 * the ENTER was lost.
 */
struct entered_row {
	u64 ns;
	u32 tid;
};

static volatile struct entered_row entered[ENTERED];

static __always_inline volatile struct entered_row *entered_row(u32 tid)
{
	return &entered[tid % ENTERED];
}

static __always_inline bool is_wanted(u32 cmd)
{
	return is_drm(cmd) && (!only_tgid || bpf_get_current_pid_tgid() >> 32 == only_tgid);
}

static __always_inline struct grt_note *begin_note(struct event *e, u16 type)
{
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct grt_note *note;

	if (!see(e, type) || !begin(e, sizeof(*note)))
		return NULL;
	note = e->record;
	note->tgid = pid_tgid >> 32;
	note->tid = pid_tgid;
	bpf_get_current_comm(note->comm, sizeof(note->comm));
	return note;
}

static __always_inline void on_enter(u32 fd, u32 cmd, u64 arg)
{
	u32 tid = bpf_get_current_pid_tgid();
	volatile struct entered_row *row = entered_row(tid);
	struct grt_note *note;
	struct event e;

	if (!is_wanted(cmd))
		return;
	note = begin_note(&e, GRT_NOTE_ENTER);
	row->ns = note ? note->hdr.ts : bpf_ktime_get_ns();
	row->tid = tid;
	if (!note)
		return;
	note->enter.cmd = cmd;
	note->enter.device = device_of(fd);
	note->value = arg;
	end(&e);
}

static __always_inline void on_exit(u32 cmd, long ret)
{
	u32 tid = bpf_get_current_pid_tgid();
	volatile struct entered_row *row = entered_row(tid);
	struct grt_note *note;
	struct event e;

	if (!is_wanted(cmd))
		return;
	note = begin_note(&e, GRT_NOTE_EXIT);
	if (note) {
		note->enter_ns = row->tid == tid ? row->ns : 0;
		note->value = ret;
		end(&e);
	}
	row->tid = 0;
}

static __always_inline void on_enter_64(const struct pt_regs___ioctl *regs)
{
	on_enter(FD_64(regs), CMD_64(regs), ARG(regs));
}

/* The upper halves of registers mean nothing for a 32-bit program. */
static __always_inline void on_enter_32(const struct pt_regs___ioctl *regs)
{
	on_enter(FD_32(regs), CMD_32(regs), (u32)ARG(regs));
}

SEC("fentry/" IOCTL_64)
int BPF_PROG(enter_64_twin, const struct pt_regs___ioctl *regs)
{
	if (was_missed(MARK_ENTER))
		on_enter_64(regs);
	return 0;
}

SEC("fentry/" IOCTL_64)
int BPF_PROG(enter_64, const struct pt_regs___ioctl *regs)
{
	on_enter_64(regs);
	return leave_mark(MARK_ENTER);
}

SEC("fexit/" IOCTL_64)
int BPF_PROG(exit_64_twin, const struct pt_regs___ioctl *regs, long ret)
{
	if (was_missed(MARK_EXIT))
		on_exit(CMD_64(regs), ret);
	return 0;
}

SEC("fexit/" IOCTL_64)
int BPF_PROG(exit_64, const struct pt_regs___ioctl *regs, long ret)
{
	on_exit(CMD_64(regs), ret);
	return leave_mark(MARK_EXIT);
}

SEC("fentry/" IOCTL_32)
int BPF_PROG(enter_32_twin, const struct pt_regs___ioctl *regs)
{
	if (was_missed(MARK_ENTER))
		on_enter_32(regs);
	return 0;
}

SEC("fentry/" IOCTL_32)
int BPF_PROG(enter_32, const struct pt_regs___ioctl *regs)
{
	on_enter_32(regs);
	return leave_mark(MARK_ENTER);
}

SEC("fexit/" IOCTL_32)
int BPF_PROG(exit_32_twin, const struct pt_regs___ioctl *regs, long ret)
{
	if (was_missed(MARK_EXIT))
		on_exit(CMD_32(regs), ret);
	return 0;
}

SEC("fexit/" IOCTL_32)
int BPF_PROG(exit_32, const struct pt_regs___ioctl *regs, long ret)
{
	on_exit(CMD_32(regs), ret);
	return leave_mark(MARK_EXIT);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(enter_any, const struct pt_regs___ioctl *regs, long number)
{
	switch (ioctl_bits(number)) {
	case 64:
		on_enter_64(regs);
		break;
	case 32:
		on_enter_32(regs);
		break;
	}
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(exit_any, const struct pt_regs___ioctl *regs, long ret)
{
	switch (ioctl_bits(NUMBER(regs))) {
	case 64:
		on_exit(CMD_64(regs), ret);
		break;
	case 32:
		on_exit(CMD_32(regs), ret);
		break;
	}
	return 0;
}
