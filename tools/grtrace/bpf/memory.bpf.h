/* SPDX-License-Identifier: GPL-2.0 */
/* Writes events of GPU memory. */
#ifndef GRT_MEMORY_BPF_H
#define GRT_MEMORY_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "processes.bpf.h"
#include "record.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct drm_gem_object {
	struct drm_device *dev;
	unsigned long size;
};

struct ttm_buffer_object {
	struct drm_gem_object base;
};

#pragma clang attribute pop

/* NULL: the event is counted already.  The caller fills the record in and calls end(). */
static __always_inline struct grtrace_memory *begin_memory(struct event *e, u32 op)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct grtrace_memory *ev;

	if (!see(e, GRTRACE_MEMORY))
		return NULL;
	note_process(task, tgid);
	if (!begin(e, sizeof(*ev)))
		return NULL;
	ev = e->record;
	ev->op = op;
	ev->tgid = tgid;
	return ev;
}

#endif /* GRT_MEMORY_BPF_H */
