/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call stack of each SUBMIT.  A part of capture.bpf.c: without --stacks the loader leaves out all
 * programs whose names begin with stack_, else those that they replace.
 */
#ifndef GRT_STACK_BPF_H
#define GRT_STACK_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>

#include "record.bpf.h"

/* Set before the programs are loaded: bits of enum grt_bpf_stack. */
const volatile __u32 stack_kinds;

/*
 * A place of such a table holds one stack.  If another stack has the same place, the kernel gives it no
 * number; it then gets one in a second table.  Without --stacks the loader creates none of them.
 */
#define STACKS(name, bytes, flags)				\
struct {							\
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);			\
	__uint(map_flags, flags);				\
	__uint(max_entries, GRT_BPF_STACKS);			\
	__uint(key_size, sizeof(u32));				\
	__uint(value_size, GRT_BPF_STACK_DEPTH * (bytes));	\
} name SEC(".maps")

STACKS(kernel_stacks, sizeof(u64), 0);
STACKS(kernel_stacks_more, sizeof(u64), 0);
STACKS(user_stacks, sizeof(struct bpf_stack_build_id), BPF_F_STACK_BUILD_ID);
STACKS(user_stacks_more, sizeof(struct bpf_stack_build_id), BPF_F_STACK_BUILD_ID);

struct grt_bpf_stack_counts stack_counts[GRT_BPF_STACK_KINDS];

#define EEXIST	17
#define ENOMEM	12

/* The number of a stack as the loader wants it, 0: not known. */
static __always_inline u64 stack_number(struct grt_bpf_stack_counts *counts, long id, u64 first)
{
	if (id >= 0)
		return id + first;
	__sync_fetch_and_add(id == -EEXIST || id == -ENOMEM ? &counts->no_room : &counts->no_stack, 1);
	return 0;
}

static __always_inline u64 kernel_stack(void *ctx)
{
	struct grt_bpf_stack_counts *counts = &stack_counts[GRT_BPF_STACK_KERNEL];
	long id = bpf_get_stackid(ctx, &kernel_stacks, 0);

	if (id != -EEXIST)
		return stack_number(counts, id, 1);
	return stack_number(counts, bpf_get_stackid(ctx, &kernel_stacks_more, 0), GRT_BPF_STACKS + 1);
}

static __always_inline u64 user_stack(void *ctx)
{
	struct grt_bpf_stack_counts *counts = &stack_counts[GRT_BPF_STACK_USER];
	long id = bpf_get_stackid(ctx, &user_stacks, BPF_F_USER_STACK);

	if (id != -EEXIST)
		return stack_number(counts, id, 1);
	return stack_number(counts, bpf_get_stackid(ctx, &user_stacks_more, BPF_F_USER_STACK),
			    GRT_BPF_STACKS + 1);
}

/* Records the stack of the SUBMIT of that job, which has the time @submit_ns. */
static __always_inline void record_stack(void *ctx, u64 fence_ctx, u64 seqno, u64 submit_ns)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	u64 kernel = 0, user = 0, ns;
	struct grtrace_stack *ev;
	struct event e;
	u16 flags = 0;

	if (!see(&e, GRTRACE_STACK))
		return;
	if (stack_kinds & 1u << GRT_BPF_STACK_KERNEL) {
		kernel = kernel_stack(ctx);
		flags |= kernel ? 0 : GRTRACE_F_KERNEL_UNKNOWN;
	}
	/* A thread of the kernel has none. */
	if (stack_kinds & 1u << GRT_BPF_STACK_USER && !(task->flags & PF_KTHREAD)) {
		user = user_stack(ctx);
		flags |= user ? 0 : GRTRACE_F_USER_UNKNOWN;
	}
	if (!begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	ev->ctx = fence_ctx;
	ev->seqno = seqno;
	ev->kernel_stack = kernel;
	ev->user_stack = user;
	ns = ev->hdr.ts - submit_ns;
	ev->hdr.cseq = (u32)task->tgid | (ns < ~0u ? ns : ~0u) << 32;
	end(&e);
}

#endif /* GRT_STACK_BPF_H */
