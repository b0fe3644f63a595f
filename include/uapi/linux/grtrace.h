/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The grtrace wire format.  The kernel and every other source (BPF, tracefs,
 * import) write it, and every reader reads it.  Kernel, tools and BPF programs
 * include this one file.
 *
 * - Native little endian, 64-bit; the magic of STREAM_INFO refuses others.
 * - Every record starts with struct grtrace_hdr and its size is a multiple of
 *   8, so a reader steps over what it does not know: unknown types, and
 *   payloads longer than its own struct.
 * - The format is frozen: all that is here stays, and what may be added is said in
 *   Documentation/format.rst.  No bit-fields, no packing, no implicit padding, no
 *   kernel pointers.
 * - Times are nanoseconds of the clock that STREAM_INFO names.
 * - Records of one CPU are in (ts, cseq) order; between CPUs the order is
 *   (ts, cpu, cseq), and equal ts on two CPUs are concurrent.
 *
 * grtrace_fields.h holds the table of all fields (name, offset, kind, unit,
 * text) and pins every offset at compile time.
 */
#ifndef _UAPI_LINUX_GRTRACE_H
#define _UAPI_LINUX_GRTRACE_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define GRTRACE_FORMAT_VERSION	1

/*
 * pci_address of a record: domain << 16 | bus << 8 | device << 3 | function of the GPU, plus 1 so that
 * 0 stays for GPUs that are not known or not on PCI.
 */
#define GRTRACE_PCI_ADDRESS(domain, bus, devfn)	(((domain) << 16 | (bus) << 8 | (devfn)) + 1u)

/* The bytes "GRTRACE" and a NUL; a big-endian machine reads another number. */
#define GRTRACE_STREAM_MAGIC	0x0045434152545247ull

/*
 * Record types: X(NAME, struct, number, class, text).  Bit N of every type mask
 * is type N.  Class: JOB = starts with struct grtrace_job_key, KEY = the same
 * without the ring, EVENT = another event, STREAM = a definition or an account of the stream itself.
 */
#define GRTRACE_EVENT_TYPES(X)							\
	X(SUBMIT,	   submit,	    0, JOB,   "user work enters the kernel's queue") \
	X(COMPLETE,	   complete,	    1, JOB,   "waiters can see that the job is over") \
	X(CTX_SWITCH,	   ctx_switch,	    2, JOB,   "the ring switches to another context") \
	X(COMMIT,	   commit,	    3, JOB,   "the kernel hands the job to a hardware ring") \
	X(START,	   start,	    4, JOB,   "the hardware begins the job") \
	X(END,		   end,		    5, JOB,   "the hardware is done with the job") \
	X(IRQ,		   irq,		    6, JOB,   "the GPU interrupts a CPU") \
	X(SYNC_WAIT_ENTER, sync_wait_enter, 7, JOB,   "a thread, or the job itself, begins to wait for a fence") \
	X(SYNC_WAIT_EXIT,  sync_wait_exit,  8, JOB,   "the wait ends")		\
	X(ERROR,	   error,	    9, JOB,   "timeout, reset, hang or fault") \
	X(DEPENDENCY,	   dependency,	   10, KEY,   "the job depends on another fence") \
	X(FENCE_SIGNALED,  fence_signaled, 11, JOB,   "the foreign fence of a DEPENDENCY is signalled") \
	X(MEMORY,	   memory,	   12, EVENT, "GPU memory is created, moved or freed") \
	X(VBLANK,	   vblank,	   13, EVENT, "the display begins a vertical blank") \
	X(FREQUENCY,	   frequency,	   14, EVENT, "the GPU changes its clock") \
	X(MARK,		   mark,	   15, EVENT, "a text that a user wrote into the trace") \
	X(SUSPEND,	   suspend,	   16, EVENT, "the machine slept") \
	X(IOCTL,	   ioctl,	   17, EVENT, "a thread enters a driver's ioctl") \
	X(JOB,		   job,		   18, JOB,   "a whole job in one record") \
	X(WINDOW,	   window,	   19, EVENT, "sums over one ring and time window")			\
	X(CPU_SWITCH,	   cpu_switch,	   20, EVENT, "a CPU switches threads; at least one of them is followed") \
	X(CPU_WAKE,	   cpu_wake,	   21, EVENT, "a followed thread becomes runnable") \
	X(TRACE_EVENT,	   trace_event,	   22, EVENT, "ftrace recorded an event that the user chose with -e") \
	X(STACK,	   stack,	   23, KEY,   "the call stack of the SUBMIT before it")

#define GRTRACE_STREAM_TYPES(X)							\
	X(STREAM_INFO,	   stream_info,	0xff00, STREAM, "begins every stream")	\
	X(METADATA,	   metadata,	0xff01, STREAM, "kernel, drivers, tables: name=value lines") \
	X(RING,		   ring,	0xff02, STREAM, "defines a ring")	\
	X(PROCESS,	   process,	0xff03, STREAM, "names a process; again when its name changes") \
	X(SUBBUF,	   subbuf,	0xff04, STREAM, "begins every sub-buffer: fates so far") \
	X(POLICY,	   policy,	0xff05, STREAM, "a setting changes from here on") \
	X(LOSS,		   loss,	0xff06, STREAM, "events missing here; made by readers from SUBBUF") \
	X(CLOCK,	   clock,	0xff07, STREAM, "the same instant on four clocks") \
	X(STATS,	   stats,	0xff08, STREAM, "statistics of the session: name=value lines") \
	X(STREAM_END,	   stream_end,	0xff09, STREAM, "ends a stream that was stopped: last cseq, fates") \
	X(STACK_TEXT,	   stack_text,	0xff0a, STREAM, "the functions of a call stack") \
	X(SNAPSHOT,	   snapshot,	0xff0b, STREAM, "why this snapshot of a flight recorder was taken") \
	X(NOTE,		   note,	0xff0c, STREAM, "what else the machine said around a snapshot")		\
	X(MACHINE,	   machine,	0xff0d, STREAM, "the machine and its boot: name=value lines") \
	X(CGROUP,	   cgroup,	0xff0e, STREAM, "the path of a cgroup, and what runs there") \
	X(PEER,		   peer,	0xff0f, STREAM, "the same instant on this machine and on another one")

#define GRTRACE_TYPES(X)	GRTRACE_EVENT_TYPES(X) GRTRACE_STREAM_TYPES(X)

enum grtrace_type {
#define GRTRACE_X(NAME, st, nr, class, text) GRTRACE_##NAME = nr,
	GRTRACE_TYPES(GRTRACE_X)
#undef GRTRACE_X
};

#define GRTRACE_NR_EVENTS	24
#define GRTRACE_STREAM_BASE	0xff00

/* Engine classes: X(NAME, number, text).  Bit N of an engine mask is class N. */
#define GRTRACE_ENGINES(X)					\
	X(GRAPHICS,	0, "3D, often all other work, too")	\
	X(COMPUTE,	1, "compute shaders")			\
	X(COPY,		2, "copies, also called DMA or blit")	\
	X(VIDEO_DECODE,	3, "video decoder")			\
	X(VIDEO_ENCODE,	4, "video encoder")			\
	X(OTHER,	5, "none of these, or not known")

enum grtrace_engine {
#define GRTRACE_X(NAME, nr, text) GRTRACE_ENGINE_##NAME = nr,
	GRTRACE_ENGINES(GRTRACE_X)
#undef GRTRACE_X
};

#define GRTRACE_NR_ENGINES	6

/* The order in which a ring runs committed jobs: X(NAME, number, text). */
#define GRTRACE_ORDERS(X)						\
	X(UNKNOWN,	0, "not known: no START is inferred")		\
	X(FIFO,		1, "one at a time, in the order of commit")	\
	X(FIRMWARE,	2, "the firmware decides")			\
	X(SOFTWARE,	3, "no hardware: page-table updates and the like")

enum grtrace_order {
#define GRTRACE_X(NAME, nr, text) GRTRACE_ORDER_##NAME = nr,
	GRTRACE_ORDERS(GRTRACE_X)
#undef GRTRACE_X
};

/* Clocks of a stream: X(NAME, number, text). */
#define GRTRACE_CLOCKS(X)					\
	X(MONOTONIC,	0, "CLOCK_MONOTONIC, NMI-safe reading")	\
	X(BOOTTIME,	1, "CLOCK_BOOTTIME")			\
	X(REALTIME,	2, "CLOCK_REALTIME")			\
	X(OTHER,	3, "imported: its own clock")

enum grtrace_clock_id {
#define GRTRACE_X(NAME, nr, text) GRTRACE_CLOCK_##NAME = nr,
	GRTRACE_CLOCKS(GRTRACE_X)
#undef GRTRACE_X
};

/* Codes of ERROR: X(NAME, number, text). */
#define GRTRACE_ERRORS(X)						\
	X(NONE,		0, "no code")					\
	X(TIMEOUT,	1, "the scheduler's timeout fired for the job")	\
	X(RESET,	2, "the ring is stopped for a reset")		\
	X(RECOVERED,	3, "the ring runs again")			\
	X(HANG,		4, "the driver found the engine hung")		\
	X(FAULT,	5, "page or protection fault")			\
	X(COMMAND,	6, "the device refused a command")		\
	X(FENCE,	7, "a fence was signalled with an error")

enum grtrace_error_code {
#define GRTRACE_X(NAME, nr, text) GRTRACE_ERROR_##NAME = nr,
	GRTRACE_ERRORS(GRTRACE_X)
#undef GRTRACE_X
};

/* Operations of MEMORY: X(NAME, number, text). */
#define GRTRACE_MEMORY_OPS(X)			\
	X(CREATE,	0, "created")		\
	X(DESTROY,	1, "destroyed")		\
	X(MOVE,		2, "moved")		\
	X(BIND,		3, "bound")		\
	X(UNBIND,	4, "unbound")		\
	X(FAULT,	5, "faulted in")	\
	X(EVICT,	6, "evicted")		\
	X(SHRINK,	7, "the kernel asks the driver for memory") \
	X(PWRITE,	8, "written by a CPU")	\
	X(PREAD,	9, "read by a CPU")

enum grtrace_memory_op {
#define GRTRACE_X(NAME, nr, text) GRTRACE_MEMORY_##NAME = nr,
	GRTRACE_MEMORY_OPS(GRTRACE_X)
#undef GRTRACE_X
};

/* What a FREQUENCY tells of: X(NAME, number, text). */
#define GRTRACE_GAUGES(X)				\
	X(CORE,		0, "clock of the engines")	\
	X(MEMORY,	1, "clock of the memory")	\
	X(POWER,	2, "power that is drawn")	\
	X(TEMPERATURE,	3, "temperature")

enum grtrace_gauge {
#define GRTRACE_X(NAME, nr, text) GRTRACE_GAUGE_##NAME = nr,
	GRTRACE_GAUGES(GRTRACE_X)
#undef GRTRACE_X
};

/* Why a flight recorder took a snapshot: X(NAME, number, text). */
#define GRTRACE_TRIGGERS(X)						\
	X(REQUEST,	0, "somebody asked for it")			\
	X(ERROR,	1, "a timeout, reset, hang or fault")		\
	X(STATUS,	2, "a job ended with an error")			\
	X(RULE,		3, "a rule with action=snapshot")		\
	X(STOP,		4, "the session was stopped")

enum grtrace_trigger {
#define GRTRACE_X(NAME, nr, text) GRTRACE_TRIGGER_##NAME = nr,
	GRTRACE_TRIGGERS(GRTRACE_X)
#undef GRTRACE_X
};

/* The codes of ERROR after which a flight recorder takes a snapshot: bit N is code N. */
#define GRTRACE_TRIGGER_CODES							\
	(1u << GRTRACE_ERROR_TIMEOUT | 1u << GRTRACE_ERROR_RESET |		\
	 1u << GRTRACE_ERROR_HANG | 1u << GRTRACE_ERROR_FAULT)

/* Who said the text of a NOTE: X(NAME, number, text). */
#define GRTRACE_SPEAKERS(X)						\
	X(KERNEL_LOG,	0, "the kernel's log")				\
	X(UEVENT,	1, "an event of a device")

enum grtrace_speaker {
#define GRTRACE_X(NAME, nr, text) GRTRACE_SPEAKER_##NAME = nr,
	GRTRACE_SPEAKERS(GRTRACE_X)
#undef GRTRACE_X
};

/*
 * What a fate means to whoever reads the trace:
 *
 *	KEPT		a record exists, maybe by another adapter
 *	LEFT_OUT	no record exists, because a policy that somebody set refused the event
 *	LOST		no record exists, and nobody asked for that
 */
enum grtrace_fate_class {
	GRTRACE_CLASS_KEPT,
	GRTRACE_CLASS_LEFT_OUT,
	GRTRACE_CLASS_LOST,
};

/*
 * Fates: X(NAME, member, number, CLASS, text).  Every event seen gets exactly one, so
 * they sum to the events seen.
 */
#define GRTRACE_FATES(X)								\
	X(WRITTEN,	     written,		  0, KEPT,     "written to the buffer")	\
	X(FILTERED_LEVEL,    filtered_level,	  1, LEFT_OUT, "type not in the level")	\
	X(FILTERED_TYPE,     filtered_type,	  2, LEFT_OUT, "type not in the type mask") \
	X(FILTERED_ENGINE,   filtered_engine,	  3, LEFT_OUT, "engine not in the engine mask") \
	X(FILTERED_RING,     filtered_ring,	  4, LEFT_OUT, "ring not selected")	\
	X(FILTERED_WATCH,    filtered_watch,	  5, LEFT_OUT, "refused by a watch list") \
	X(FILTERED_EXT,	     filtered_ext,	  6, LEFT_OUT, "refused by an extension module") \
	X(SAMPLED,	     sampled,		  7, LEFT_OUT, "its job was not sampled") \
	X(AGGREGATED,	     aggregated,	  8, LEFT_OUT, "counted in a WINDOW or JOB instead") \
	X(RATE_LIMITED,	     rate_limited_drops,  9, LEFT_OUT, "over the rate limit")	\
	X(BACKPRESSURE,	     backpressure_drops, 10, LEFT_OUT, "the buffer is filling up") \
	X(DUPLICATE,	     duplicate,		 11, KEPT,     "another adapter records this event") \
	X(BUFFER_FULL,	     buffer_full,	 12, LOST,     "no room: the reader is too slow") \
	X(OVERSIZE,	     oversize,		 13, LOST,     "longer than a sub-buffer") \
	X(DISABLED,	     disabled,		 14, LEFT_OUT, "no session was running")

enum grtrace_fate {
#define GRTRACE_X(NAME, member, nr, CLASS, text) GRTRACE_FATE_##NAME = nr,
	GRTRACE_FATES(GRTRACE_X)
#undef GRTRACE_X
};

#define GRTRACE_NR_FATES	15

/* A bit per fate of class KEPT, and of class LOST. */
enum {
	GRTRACE_KEPT_FATES = 0
#define GRTRACE_X(NAME, member, nr, CLASS, text) \
		| (GRTRACE_CLASS_##CLASS == GRTRACE_CLASS_KEPT) << (nr)
	GRTRACE_FATES(GRTRACE_X)
#undef GRTRACE_X
	,
	GRTRACE_LOST_FATES = 0
#define GRTRACE_X(NAME, member, nr, CLASS, text) \
		| (GRTRACE_CLASS_##CLASS == GRTRACE_CLASS_LOST) << (nr)
	GRTRACE_FATES(GRTRACE_X)
#undef GRTRACE_X
};

/* Feature bits of STREAM_INFO: X(NAME, number, text). */
#define GRTRACE_FEATURES(X)							\
	X(SIZE_SKIP,	0, "records are stepped over by their size")		\
	X(TOKEN_BUCKET,	1, "rate limit with a token bucket")			\
	X(WATCHLIST,	2, "watch lists")					\
	X(SEC_STATS,	3, "statistics of the last 60 seconds")			\
	X(GLOBAL_SEQ,	4, "gseq counts the written events of all CPUs")	\
	X(DEPENDENCIES,	5, "DEPENDENCY events are recorded")			\
	X(RECOVERY,	6, "timeouts and resets are recorded")			\
	X(CLIENT_ID,	7, "client ids are known")

enum grtrace_feature {
#define GRTRACE_X(NAME, nr, text) GRTRACE_FEATURE_##NAME = nr,
	GRTRACE_FEATURES(GRTRACE_X)
#undef GRTRACE_X
};

/*
 * Flags of a record: X(NAME, bit, mask of event types that may carry it, text).
 * Bits 0..7 mean the same for every type, bits 8..15 are the type's own.
 */
#define GRTRACE_FLAGS(X)								\
	X(SYNTHETIC,	 0, ~0u,	"written by hand through the emit file")	\
	X(KERNEL_JOB,	 1, ~0u,	"the kernel's own job, whatever process is current") \
	X(INFERRED,	 2, ~0u,	"derived, not seen")				\
	X(UPPER_BOUND,	 3, ~0u,	"it happened at this time or before")		\
	X(KEY_INFERRED,	 4, ~0u,	"the job's key was derived from addresses")	\
	X(NO_STATUS,	 5, 1u << 1 | 1u << 5 | 1u << 8 | 1u << 11,			\
				"the status is not known; the field says 0")	\
	X(NO_HW,	 8, 1u << 5,	"nothing ran on hardware")			\
	X(CPU_WAIT,	 8, 3u << 7,	"a thread waits")				\
	X(GPU_WAIT,	 9, 3u << 7,	"the job itself waits")				\
	X(PREEMPTED,	 8, 1u << 2,	"the previous context was preempted")		\
	X(NO_SUBMIT,	 8, 1u << 3,	"the source has no SUBMIT of its context")	\
	X(DECLARED,	 8, 1u << 10,	"declared when the job was submitted")		\
	X(POPPED,	 9, 1u << 10,	"checked by the scheduler")			\
	X(BLOCKED,	10, 1u << 10,	"not signalled: the job has to wait")		\
	X(PIPELINED,	11, 1u << 10,	"same scheduler: the wait ends when that job is committed") \
	X(SELF,		12, 1u << 10,	"the job's own context: never waits")		\
	X(SIGNALED,	13, 1u << 10,	"signalled already")				\
	X(FOREIGN,	14, 1u << 10,	"not a scheduler's job: a FENCE_SIGNALED reports its end") \
	X(RULE1,	 8, 1u << 1,	"rule 1 of the file rules holds for the job")	\
	X(RULE2,	 9, 1u << 1,	"rule 2 holds")					\
	X(RULE3,	10, 1u << 1,	"rule 3 holds")					\
	X(RULE4,	11, 1u << 1,	"rule 4 holds")					\
	X(RULE5,	12, 1u << 1,	"rule 5 holds")					\
	X(RULE6,	13, 1u << 1,	"rule 6 holds")					\
	X(RULE7,	14, 1u << 1,	"rule 7 holds")					\
	X(RULE8,	15, 1u << 1,	"rule 8 holds")					\
	X(PREV_FOLLOWED, 8, 1u << 20,	"all switches of the previous thread are recorded") \
	X(NEXT_FOLLOWED, 9, 1u << 20,	"all switches of the next thread are recorded") \
	X(HANDLER,	 8, 1u << 6,	"a handler of the driver runs; the number is Linux's own") \
	X(WRITE,	 8, 1u << 12,	"FAULT: the access was a write")		\
	X(MAPPABLE,	 9, 1u << 12,	"BIND: where CPUs can reach it")		\
	X(VISIBLE,	10, 1u << 12,	"CREATE: CPUs must be able to reach it")	\
	X(ACCESS_UNKNOWN, 11, 1u << 12,	"FAULT: whether it was a write is not known")	\
	X(HIGH_PRECISION, 8, 1u << 13,	"the hardware stamped the blank")		\
	X(QUEUED,	 9, 1u << 13,	"a client asks to be told of this blank")	\
	X(DELIVERED,	10, 1u << 13,	"that client was told")				\
	X(KERNEL_UNKNOWN, 8, 1u << GRTRACE_STACK, "the kernel stack was asked for, but is not known") \
	X(USER_UNKNOWN,	 9, 1u << GRTRACE_STACK, "the user stack was asked for, but is not known")

enum grtrace_flag {
#define GRTRACE_X(NAME, bit, types, text) GRTRACE_F_##NAME = 1u << (bit),
	GRTRACE_FLAGS(GRTRACE_X)
#undef GRTRACE_X
};

/*
 * Starts every record.  @size counts this header too, so a reader that does not
 * know @type can still step over it: an old grtrace reads a new trace.
 */
struct grtrace_hdr {
	__u16 type;		/* enum grtrace_type */
	__u16 size;		/* bytes, a multiple of 8, never 0 */
	__u16 cpu;
	__u16 flags;		/* GRTRACE_F_* */
	__aligned_u64 ts;	/* ns */
	__aligned_u64 gseq;	/* global order, 0 when global_seq=0 */
	__aligned_u64 cseq;	/* written events of this CPU, from 1, no gaps */
};

/*
 * Every record of class JOB begins like this.  (ctx, seqno) identifies the job: the
 * fence context and sequence number of its finished fence, unique per boot.  @ring
 * is a row of the RING definitions, 0 if the source does not know it: the reader
 * then finds the ring by the job's key.
 */
struct grtrace_job_key {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 type_specific;
};

struct grtrace_submit {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 tgid;
	__u32 tid;
	__u32 credits;
	__u32 hw_credits;
	__u32 queue_depth;
	__aligned_u64 client_id;
	__u32 num_ibs;
	__u32 command;
};

/* A SUBMIT of a driver that knows neither num_ibs nor command ends before them. */
#define GRTRACE_SUBMIT_BYTES	__builtin_offsetof(struct grtrace_submit, num_ibs)

struct grtrace_complete {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__s32 status;
};

struct grtrace_ctx_switch {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 vmid;
	__aligned_u64 from_ctx;
};

struct grtrace_commit {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 credits;
	__u32 hw_credits;
	__u32 queue_depth;
};

struct grtrace_start {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 reserved;
};

struct grtrace_end {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__s32 status;
	__aligned_u64 hw_done_ns;
};

struct grtrace_irq {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 irq;
	__aligned_u64 gpu_stamp;
	__u32 pci_address;
	__u32 ih;
	__u32 irq_client;
	__u32 irq_source;
	__u32 irq_ring;
	__u32 vmid;
	__u32 pasid;
	__u32 data0;
	__u32 data1;
	__u32 data2;
	__u32 data3;
	__u32 reserved;
};

struct grtrace_sync_wait_enter {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 tgid;
	__u32 tid;
	__u32 reserved;
};

struct grtrace_sync_wait_exit {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 tgid;
	__u32 tid;
	__s32 status;
};

struct grtrace_error {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 code;
	__s32 status;
	__u32 driver_code;
};

struct grtrace_dependency {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__aligned_u64 dep_ctx;
	__aligned_u64 dep_seqno;
};

struct grtrace_fence_signaled {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__s32 status;
	__aligned_u64 signaled_ns;
};

struct grtrace_memory {
	struct grtrace_hdr hdr;
	__aligned_u64 bytes;
	__aligned_u64 object_id;
	__u32 op;
	__u32 from_domain;
	__u32 to_domain;
	__u32 tgid;
	__aligned_u64 offset_bytes;
	__aligned_u64 vm_id;
	__u32 preferred_domains;
	__u32 allowed_domains;
	__u32 pci_address;
	__u32 reserved;
};

struct grtrace_vblank {
	struct grtrace_hdr hdr;
	__aligned_u64 vblank_ns;
	__u32 crtc;
	__u32 frame;
	__aligned_u64 client_id;
	__u32 tgid;
	__u32 pci_address;
};

struct grtrace_frequency {
	struct grtrace_hdr hdr;
	__aligned_u64 freq_hz;
	__u32 ring;
	__u32 gauge;
	__aligned_u64 power_uw;
	__s32 temperature_mc;
	__u32 pci_address;
};

/* Recordings cut longer texts; Linux 6.1 itself does at this length. */
#define GRTRACE_MARK_MAX	1024

/* The text follows, padded with NULs to a multiple of 8. */
struct grtrace_mark {
	struct grtrace_hdr hdr;
	__u32 tgid;
	__u32 tid;
};

struct grtrace_suspend {
	struct grtrace_hdr hdr;
	__aligned_u64 slept_ns;
};

struct grtrace_ioctl {
	struct grtrace_hdr hdr;
	__u32 tgid;
	__u32 tid;
	__u32 cmd;
	__u32 reserved;
};

struct grtrace_job {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 tgid;
	__u32 tid;
	__s32 status;
	__aligned_u64 client_id;
	__aligned_u64 submit_ns;
	__aligned_u64 commit_ns;
	__aligned_u64 start_ns;
	__aligned_u64 end_ns;
	__aligned_u64 complete_ns;
};

struct grtrace_window {
	struct grtrace_hdr hdr;
	__aligned_u64 window_start_ns;
	__aligned_u64 window_ns;
	__aligned_u64 jobs;
	__aligned_u64 latency_sum_ns;
	__aligned_u64 latency_min_ns;
	__aligned_u64 latency_max_ns;
	__aligned_u64 depth_sum_ns;
	__u32 depth_peak;
	__u32 ring;
	__aligned_u64 events;
};

/* @prev_state: state of the previous thread; 0 = runnable. */
struct grtrace_cpu_switch {
	struct grtrace_hdr hdr;
	__u32 prev_tid;
	__u32 next_tid;
	__u32 prev_state;
	__u32 reserved;
};

struct grtrace_cpu_wake {
	struct grtrace_hdr hdr;
	__u32 tid;
	__u32 target_cpu;
};

/* The longest text; of a longer one, "..." replaces the end. */
#define GRTRACE_TRACE_EVENT_MAX	1024

/* "SYSTEM:EVENT FIELD=VALUE ..." follows, padded with NULs to a multiple of 8; no kernel addresses. */
struct grtrace_trace_event {
	struct grtrace_hdr hdr;
	__u32 tid;
	__u32 reserved;
};

/*
 * Comes after the SUBMIT of the same key.  The stacks are numbers of STACK_TEXT, 0: none, or not asked
 * for, or unknown; flags tell.
 */
struct grtrace_stack {
	struct grtrace_hdr hdr;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__aligned_u64 kernel_stack;
	__aligned_u64 user_stack;
};

struct grtrace_stream_info {
	struct grtrace_hdr hdr;
	__aligned_u64 magic;
	__u32 version;
	__u32 clock;
	__aligned_u64 session_id;
	__aligned_u64 features;
	__aligned_u64 start_ns;
	__aligned_u64 start_real_ns;
	__u32 cpus;
	__u32 subbuf_bytes;
};

/* name=value lines follow, padded with NULs to a multiple of 8. */
struct grtrace_metadata {
	struct grtrace_hdr hdr;
	__aligned_u64 session_id;
};

struct grtrace_ring {
	struct grtrace_hdr hdr;
	__u32 ring;
	__u32 hw_ring;
	__u32 engine;
	__u32 order;
	__u32 credit_limit;
	__u32 pci_id;
	char name[32];
	char device[32];
	char driver[24];
};

struct grtrace_process {
	struct grtrace_hdr hdr;
	__aligned_u64 cgroup_id;
	__u32 tgid;
	__u32 pidns;
	char comm[16];
	__aligned_u64 start_ns;
};

/*
 * Which machine ran, and which boot of it: name=value lines follow, padded with NULs to a multiple of 8.
 * host is its name, boot_id that of /proc/sys/kernel/random; a line that is missing is not known.
 */
struct grtrace_machine {
	struct grtrace_hdr hdr;
	__u32 boot;		/* in a merged trace, which of its boots; else 0 */
	__u32 reserved;
};

/*
 * A text follows, padded with NULs to a multiple of 8.  Its first line is the path of the cgroup below the
 * root of the hierarchy, "/" for the root itself.  Other lines are name=value: pod, namespace and container
 * are the names that Kubernetes gives them.  The recorder writes it when it first sees a process there;
 * a cgroup without this record is not known, maybe because it was gone by then.
 */
struct grtrace_cgroup {
	struct grtrace_hdr hdr;
	__aligned_u64 cgroup_id;
};

/*
 * How the clock of another machine, the peer, compares: the recorder asked it for its time over a socket.
 * name=value lines follow, padded with NULs to a multiple of 8: host and boot_id as in MACHINE, but those of
 * the peer.
 */
struct grtrace_peer {
	struct grtrace_hdr hdr;
	__aligned_u64 own_ns;	/* the middle of the question and its answer, clock of the stream */
	__aligned_u64 peer_ns;	/* CLOCK_MONOTONIC of the peer: never moved, not even by a merge */
	__aligned_u64 peer_real_ns;	/* CLOCK_REALTIME of the peer at peer_ns, 0 = not known */
	__aligned_u64 within_ns;	/* half of the round trip: own_ns and peer_ns are one instant within this */
	__u32 boot;		/* in a merged trace, the boot of this machine; else 0 */
	__u32 reserved;
};

/* One member per fate, in the order of enum grtrace_fate; they sum to @seen. */
struct grtrace_fates {
	__aligned_u64 seen;
	__aligned_u64 written;
	__aligned_u64 filtered_level;
	__aligned_u64 filtered_type;
	__aligned_u64 filtered_engine;
	__aligned_u64 filtered_ring;
	__aligned_u64 filtered_watch;
	__aligned_u64 filtered_ext;
	__aligned_u64 sampled;
	__aligned_u64 aggregated;
	__aligned_u64 rate_limited_drops;
	__aligned_u64 backpressure_drops;
	__aligned_u64 duplicate;
	__aligned_u64 buffer_full;
	__aligned_u64 oversize;
	__aligned_u64 disabled;
};

/*
 * Starts every sub-buffer.  Its header has the cseq of the previous event.
 * @fates count all events of this CPU from the session's start up to the first
 * event of this sub-buffer.  The difference between two SUBBUFs, less the events
 * between them, is the loss between them.
 */
struct grtrace_subbuf {
	struct grtrace_hdr hdr;
	__aligned_u64 session_id;
	__aligned_u64 index;
	struct grtrace_fates fates;
};

/* A key=value line follows, padded with NULs to a multiple of 8. */
struct grtrace_policy {
	struct grtrace_hdr hdr;
	__aligned_u64 value;
};

/* hdr.ts is the time of the trigger.  Members that the trigger does not have are 0. */
struct grtrace_snapshot {
	struct grtrace_hdr hdr;
	__aligned_u64 session_id;
	__aligned_u64 ctx;
	__aligned_u64 seqno;
	__u32 ring;
	__u32 trigger;		/* enum grtrace_trigger */
	__u32 number;		/* in the session, from 1 */
	__s32 detail;		/* ERROR: its code; STATUS: the errno; RULE: its number */
	__aligned_u64 missed;	/* triggers that came while the snapshot before was held */
};

/*
 * The text follows, padded with NULs to a multiple of 8.  hdr.ts is when the recorder read it: it was
 * said then or a little before.
 */
struct grtrace_note {
	struct grtrace_hdr hdr;
	__u32 speaker;		/* enum grtrace_speaker */
	__u32 reserved;
};

struct grtrace_loss {
	struct grtrace_hdr hdr;
	__u32 reason;		/* enum grtrace_fate */
	__u32 reserved;
	__aligned_u64 count;
	__aligned_u64 from_ns;
	__aligned_u64 to_ns;
};

struct grtrace_clock {
	struct grtrace_hdr hdr;
	__aligned_u64 mono_ns;
	__aligned_u64 boot_ns;
	__aligned_u64 real_ns;
	__aligned_u64 tai_ns;
};

/* name=value lines follow, padded with NULs to a multiple of 8. */
struct grtrace_stats {
	struct grtrace_hdr hdr;
	__aligned_u64 session_id;
};

struct grtrace_stream_end {
	struct grtrace_hdr hdr;
	__aligned_u64 session_id;
	__aligned_u64 last_cseq;
	struct grtrace_fates fates;
};

/*
 * A text follows, padded with NULs to a multiple of 8.  Its first line has the functions of the stack,
 * the outermost first, with semicolons between them; those of the kernel end in _[k].  Other lines are
 * name=value.  @stack is a hash of the text, so the same stack has the same number in every trace.
 */
struct grtrace_stack_text {
	struct grtrace_hdr hdr;
	__aligned_u64 stack;
};

#endif /* _UAPI_LINUX_GRTRACE_H */
