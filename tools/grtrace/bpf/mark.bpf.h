/* SPDX-License-Identifier: GPL-2.0 */
/* Records the marks that programs write to trace_marker of tracefs. */
#ifndef GRT_MARK_BPF_H
#define GRT_MARK_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>
#include <linux/ptrace.h>

#include "processes.bpf.h"
#include "record.bpf.h"

#define FAULTED		"<faulted>"	/* as some kernels write to their own trace then */

/* Set before the programs are loaded: the address of tracing_mark_fops. */
const volatile __u64 marker_ops;

/* The loader cuts @bytes at the text's end. */
static __always_inline int on_mark(const char *text, u32 bytes)
{
	u32 room = bytes < sizeof(FAULTED) ? sizeof(FAULTED) : bytes + 1;
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct grtrace_mark *ev;
	struct event e;

	if (!see(&e, GRTRACE_MARK))
		return 0;
	note_process(bpf_get_current_task_btf(), pid_tgid >> 32);
	if (!begin(&e, sizeof(*ev) + ((room + 7) & ~7u)))
		return 0;
	ev = e.record;
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	/* A BPF program cannot bring a page into memory: it reads only text that is there already. */
	if (bpf_probe_read_user(ev + 1, bytes, text))
		__builtin_memcpy(ev + 1, FAULTED, sizeof(FAULTED));
	end(&e);
	return 0;
}

/*
 * The kernel does not let BPF programs probe its own tracing, so not the function behind
 * trace_marker either.  This probe runs at each write(2) of the machine, and looks which are to
 * trace_marker.
 */
SEC("kprobe/vfs_write")
int BPF_KPROBE(mark, struct file *file, const char *text, u64 bytes)
{
	if ((u64)BPF_CORE_READ(file, f_op) != marker_ops)
		return 0;
	return on_mark(text, bytes < GRTRACE_MARK_MAX ? bytes : GRTRACE_MARK_MAX);
}

#endif /* GRT_MARK_BPF_H */
