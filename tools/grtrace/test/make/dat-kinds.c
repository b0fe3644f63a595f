// SPDX-License-Identifier: GPL-2.0
/* The format files of these events, from Linux 6.17; those of i915 are from 4.19. */
#include "dat.h"

#define STRING(name)	{ "__data_loc char[]", #name, 4, "__get_str(" #name ")" }
#define U64(name)	{ "u64", #name, 8, NULL }
#define U32(name)	{ "u32", #name, 4, NULL }
#define U16(name)	{ "u16", #name, 2, NULL }
#define S32(name)	{ "int", #name, 4, NULL }
#define COMM(name)	{ "char", #name, 16, NULL }

#define I915_REQUEST(name) { \
		"i915", name, "dev=%u, engine=%u:%u, hw_id=%u, ctx=%llu, seqno=%u, global=%u", \
		{ U32(dev), U16(class), U16(instance), U32(hw_id), U64(ctx), U32(seqno), U32(global) }, \
	}

const struct dat_kind dat_kinds[DAT_NR_KINDS] = {
	[DAT_QUEUE] = {
		"gpu_scheduler", "drm_sched_job_queue",
		"dev=%s, fence=%llu:%llu, ring=%s, job count:%u, hw job count:%d, client_id:%llu",
		{ STRING(dev), U64(fence_context), U64(fence_seqno), STRING(name), U32(job_count),
		  S32(hw_job_count), U64(client_id) },
	},
	[DAT_RUN] = {
		"gpu_scheduler", "drm_sched_job_run",
		"dev=%s, fence=%llu:%llu, ring=%s, job count:%u, hw job count:%d, client_id:%llu",
		{ STRING(dev), U64(fence_context), U64(fence_seqno), STRING(name), U32(job_count),
		  S32(hw_job_count), U64(client_id) },
	},
	[DAT_DONE] = {
		"gpu_scheduler", "drm_sched_job_done", "fence=%llu:%llu signaled",
		{ U64(fence_context), U64(fence_seqno) },
	},
	[DAT_SIGNALED] = {
		"dma_fence", "dma_fence_signaled", "driver=%s timeline=%s context=%u seqno=%u",
		{ STRING(driver), STRING(timeline), U32(context), U32(seqno) },
	},
	[DAT_SWITCH] = {
		"sched", "sched_switch",
		"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d "
		"next_prio=%d",
		{ COMM(prev_comm), S32(prev_pid), S32(prev_prio),
		  { "long", "prev_state", 8,
		    "__print_symbolic(REC->prev_state, { 0, \"R\" }, { 1, \"S\" })" },
		  COMM(next_comm), S32(next_pid), S32(next_prio) },
	},
	[DAT_WAKEUP] = {
		"sched", "sched_wakeup", "comm=%s pid=%d prio=%d target_cpu=%03d",
		{ COMM(comm), S32(pid), S32(prio), S32(target_cpu) },
	},
	[DAT_PRINT] = {
		"ftrace", "print", "%ps: %s",
		{ { "unsigned long", "ip", 8, "(void *)REC->ip" }, { "char", "buf", 0, NULL } },
	},
	[DAT_ENTER] = {
		"syscalls", "sys_enter_ioctl", "fd: 0x%llx, cmd: 0x%llx, arg: 0x%llx",
		{ U64(fd), U64(cmd), U64(arg) },
	},
	[DAT_EXIT] = {
		"syscalls", "sys_exit_ioctl", "0x%llx",
		{ { "long", "ret", 8, NULL } },
	},
	[DAT_I915_ADD] = I915_REQUEST("i915_request_add"),
	[DAT_I915_RETIRE] = I915_REQUEST("i915_request_retire"),
	[DAT_I915_NOTIFY] = {
		"i915", "intel_engine_notify", "dev=%u, engine=%u:%u, seqno=%u, waiters=%u",
		{ U32(dev), U16(class), U16(instance), U32(seqno), { "bool", "waiters", 1, NULL } },
	},
};
