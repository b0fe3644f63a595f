/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own trace events, for perf, trace-cmd and ftrace: grtrace:submit and so on mirror
 * the records that a session writes, one by one, and grtrace:clock_sync tells what other clocks
 * show.  Documentation/trace-events.rst is their manual.
 *
 * The names of a ring are arrays, not __string(): that would measure a name before it copies it,
 * and a name may change in between (grt_ring_peek()).  No field is a pointer.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM grtrace

#if !defined(_GRTRACE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _GRTRACE_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>
#include <uapi/linux/grtrace.h>

#include "rings.h"
#include "trace_events.h"

/* --- pieces that events share ------------------------------------------------ */

#define GRT_DEFINE_FLAG(NAME, bit, types, text) TRACE_DEFINE_ENUM(GRTRACE_F_##NAME);
GRTRACE_FLAGS(GRT_DEFINE_FLAG)
#define GRT_DEFINE_ENGINE(NAME, nr, text) TRACE_DEFINE_ENUM(GRTRACE_ENGINE_##NAME);
GRTRACE_ENGINES(GRT_DEFINE_ENGINE)
#define GRT_DEFINE_ERROR(NAME, nr, text) TRACE_DEFINE_ENUM(GRTRACE_ERROR_##NAME);
GRTRACE_ERRORS(GRT_DEFINE_ERROR)

#define GRT_KEY_FIELDS					\
	__field(u64, ctx)				\
	__field(u64, seqno)				\
	__field(u16, flags)

#define GRT_KEY_ASSIGN					\
	__entry->ctx = rec->ctx;			\
	__entry->seqno = rec->seqno;			\
	__entry->flags = rec->hdr.flags;

/* The lengths are written out, because they get into the text of the format. */
#define GRT_JOB_FIELDS					\
	__array(char, driver, 24)			\
	__array(char, dev, 32)				\
	__array(char, ring, 32)				\
	__field(u32, engine)				\
	__field(u32, credit_limit)			\
	GRT_KEY_FIELDS

#define GRT_JOB_ASSIGN							\
	BUILD_BUG_ON(sizeof(__entry->driver) != sizeof(def->driver));	\
	BUILD_BUG_ON(sizeof(__entry->dev) != sizeof(def->device));	\
	BUILD_BUG_ON(sizeof(__entry->ring) != sizeof(def->name));	\
	memcpy(__entry->driver, def->driver, sizeof(__entry->driver));	\
	memcpy(__entry->dev, def->device, sizeof(__entry->dev));	\
	memcpy(__entry->ring, def->name, sizeof(__entry->ring));	\
	__entry->engine = def->engine;					\
	__entry->credit_limit = def->credit_limit;			\
	GRT_KEY_ASSIGN

#define GRT_ENGINE_NAME(NAME, nr, text) { GRTRACE_ENGINE_##NAME, #NAME },
#define GRT_ENGINE_TEXT							\
	__print_symbolic(__entry->engine,				\
			 GRTRACE_ENGINES(GRT_ENGINE_NAME) { GRT_NO_ENGINE, "-" })

#define GRT_JOB_FORMAT	"driver=%s dev=%s ring=%s engine=%s ctx=%llu seqno=%llu"
#define GRT_JOB_VALUES							\
	__entry->driver, __entry->dev, __entry->ring, GRT_ENGINE_TEXT,	\
	__entry->ctx, __entry->seqno

#define GRT_FLAG(NAME)	{ GRTRACE_F_##NAME, #NAME }
/* The flags of all types, and then those of one. */
#define GRT_FLAGS_TEXT(...)						\
	__entry->flags ?						\
	__print_flags(__entry->flags, "|", GRT_FLAG(SYNTHETIC), GRT_FLAG(KERNEL_JOB), \
		      GRT_FLAG(INFERRED), GRT_FLAG(UPPER_BOUND) __VA_ARGS__) : "none"

/*
 * libtraceevent knows no negative values here, and takes a s32 for unsigned.  Other errors are shown
 * as positive numbers, in hexadecimal.
 */
#define GRT_STATUS_SYMBOLS						\
	{ 0, "0" }, { 1, "-1 (EPERM)" }, { 2, "-2 (ENOENT)" },		\
	{ 3, "-3 (ESRCH)" }, { 4, "-4 (EINTR)" }, { 5, "-5 (EIO)" },	\
	{ 11, "-11 (EAGAIN)" }, { 12, "-12 (ENOMEM)" },			\
	{ 14, "-14 (EFAULT)" }, { 16, "-16 (EBUSY)" },			\
	{ 19, "-19 (ENODEV)" }, { 22, "-22 (EINVAL)" },			\
	{ 28, "-28 (ENOSPC)" }, { 35, "-35 (EDEADLK)" },		\
	{ 61, "-61 (ENODATA)" }, { 62, "-62 (ETIME)" },			\
	{ 71, "-71 (EPROTO)" }, { 95, "-95 (EOPNOTSUPP)" },		\
	{ 110, "-110 (ETIMEDOUT)" }, { 114, "-114 (EALREADY)" },	\
	{ 121, "-121 (EREMOTEIO)" }, { 125, "-125 (ECANCELED)" },	\
	{ 133, "-133 (EHWPOISON)" }
#define GRT_STATUS_TEXT							\
	__entry->flags & GRTRACE_F_NO_STATUS ? "-" :			\
	__print_symbolic((0 - __entry->status) & 0xffffffff, GRT_STATUS_SYMBOLS)

/* --- the events -------------------------------------------------------------- */

/* Fields that the texts leave out are 0 where the driver does not tell them. */
TRACE_EVENT_FN(submit,
	TP_PROTO(const struct grtrace_submit *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(u32, pid)
		__field(u32, tid)
		__field(u64, client_id)
		__field(u32, credits)
		__field(u32, hw_credits)
		__field(u32, queue_depth)
		__field(u32, num_ibs)
		__field(u32, command)
	),
	TP_fast_assign(
		bool is_detailed = rec->hdr.size == sizeof(*rec);

		GRT_JOB_ASSIGN
		__entry->pid = rec->tgid;
		__entry->tid = rec->tid;
		__entry->client_id = rec->client_id;
		__entry->credits = rec->credits;
		__entry->hw_credits = rec->hw_credits;
		__entry->queue_depth = rec->queue_depth;
		__entry->num_ibs = is_detailed ? rec->num_ibs : 0;
		__entry->command = is_detailed ? rec->command : 0;
	),
	TP_printk(GRT_JOB_FORMAT " pid=%u tid=%u flags=%s", GRT_JOB_VALUES,
		  __entry->pid, __entry->tid, GRT_FLAGS_TEXT()),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(dependency,
	TP_PROTO(const struct grtrace_dependency *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_KEY_FIELDS
		__field(u64, dep_ctx)
		__field(u64, dep_seqno)
	),
	TP_fast_assign(
		GRT_KEY_ASSIGN
		__entry->dep_ctx = rec->dep_ctx;
		__entry->dep_seqno = rec->dep_seqno;
	),
	TP_printk("ctx=%llu seqno=%llu dep_ctx=%llu dep_seqno=%llu flags=%s",
		  __entry->ctx, __entry->seqno, __entry->dep_ctx, __entry->dep_seqno,
		  GRT_FLAGS_TEXT(, GRT_FLAG(DECLARED), GRT_FLAG(POPPED), GRT_FLAG(BLOCKED),
				 GRT_FLAG(PIPELINED), GRT_FLAG(SELF), GRT_FLAG(SIGNALED),
				 GRT_FLAG(FOREIGN))),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(commit,
	TP_PROTO(const struct grtrace_commit *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(u32, credits)
		__field(u32, hw_credits)
		__field(u32, queue_depth)
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
		__entry->credits = rec->credits;
		__entry->hw_credits = rec->hw_credits;
		__entry->queue_depth = rec->queue_depth;
	),
	TP_printk(GRT_JOB_FORMAT " flags=%s", GRT_JOB_VALUES, GRT_FLAGS_TEXT()),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(start,
	TP_PROTO(const struct grtrace_start *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
	),
	TP_printk(GRT_JOB_FORMAT " flags=%s", GRT_JOB_VALUES, GRT_FLAGS_TEXT()),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(end,
	TP_PROTO(const struct grtrace_end *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(s32, status)
		__field(u64, hw_done_ns)
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
		__entry->status = rec->status;
		__entry->hw_done_ns = rec->hw_done_ns;
	),
	TP_printk(GRT_JOB_FORMAT " status=%s flags=%s", GRT_JOB_VALUES, GRT_STATUS_TEXT,
		  GRT_FLAGS_TEXT(, GRT_FLAG(NO_STATUS), GRT_FLAG(NO_HW))),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(complete,
	TP_PROTO(const struct grtrace_complete *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(s32, status)
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
		__entry->status = rec->status;
	),
	TP_printk(GRT_JOB_FORMAT " status=%s flags=%s", GRT_JOB_VALUES, GRT_STATUS_TEXT,
		  GRT_FLAGS_TEXT(, GRT_FLAG(NO_STATUS), GRT_FLAG(RULE1), GRT_FLAG(RULE2),
				 GRT_FLAG(RULE3), GRT_FLAG(RULE4), GRT_FLAG(RULE5),
				 GRT_FLAG(RULE6), GRT_FLAG(RULE7), GRT_FLAG(RULE8))),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(fence_signaled,
	TP_PROTO(const struct grtrace_fence_signaled *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_KEY_FIELDS
		__field(s32, status)
		__field(u64, signaled_ns)
	),
	TP_fast_assign(
		GRT_KEY_ASSIGN
		__entry->status = rec->status;
		__entry->signaled_ns = rec->signaled_ns;
	),
	TP_printk("ctx=%llu seqno=%llu status=%s flags=%s", __entry->ctx, __entry->seqno,
		  GRT_STATUS_TEXT, GRT_FLAGS_TEXT(, GRT_FLAG(NO_STATUS))),
	grt_mirror_wanted, grt_mirror_unwanted
);

TRACE_EVENT_FN(ctx_switch,
	TP_PROTO(const struct grtrace_ctx_switch *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(u32, vmid)
		__field(u64, from_ctx)
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
		__entry->vmid = rec->vmid;
		__entry->from_ctx = rec->from_ctx;
	),
	TP_printk(GRT_JOB_FORMAT " flags=%s", GRT_JOB_VALUES,
		  GRT_FLAGS_TEXT(, GRT_FLAG(PREEMPTED))),
	grt_mirror_wanted, grt_mirror_unwanted
);

/* ctx 0 is the whole ring. */
#define GRT_ERROR_NAME(NAME, nr, text) { GRTRACE_ERROR_##NAME, #NAME },
TRACE_EVENT_FN(error,
	TP_PROTO(const struct grtrace_error *rec, const struct grtrace_ring *def),
	TP_ARGS(rec, def),
	TP_STRUCT__entry(
		GRT_JOB_FIELDS
		__field(u32, code)
		__field(s32, status)
		__field(u32, driver_code)
	),
	TP_fast_assign(
		GRT_JOB_ASSIGN
		__entry->code = rec->code;
		__entry->status = rec->status;
		__entry->driver_code = rec->driver_code;
	),
	TP_printk(GRT_JOB_FORMAT " code=%s status=%s flags=%s", GRT_JOB_VALUES,
		  __print_symbolic(__entry->code, GRTRACE_ERRORS(GRT_ERROR_NAME) { ~0u, "-" }),
		  GRT_STATUS_TEXT, GRT_FLAGS_TEXT()),
	grt_mirror_wanted, grt_mirror_unwanted
);

/* The same instant on four clocks. */
TRACE_EVENT_FN(clock_sync,
	TP_PROTO(u64 mono_ns, u64 boot_ns, u64 real_ns, u64 tai_ns),
	TP_ARGS(mono_ns, boot_ns, real_ns, tai_ns),
	TP_STRUCT__entry(
		__field(u64, mono_ns)
		__field(u64, boot_ns)
		__field(u64, real_ns)
		__field(u64, tai_ns)
	),
	TP_fast_assign(
		__entry->mono_ns = mono_ns;
		__entry->boot_ns = boot_ns;
		__entry->real_ns = real_ns;
		__entry->tai_ns = tai_ns;
	),
	TP_printk("mono_ns=%llu boot_ns=%llu real_ns=%llu tai_ns=%llu",
		  __entry->mono_ns, __entry->boot_ns, __entry->real_ns, __entry->tai_ns),
	grt_clock_sync_wanted, grt_clock_sync_unwanted
);

#endif

/* Kbuild says where this file is. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE grtrace_trace
#include <trace/define_trace.h>
