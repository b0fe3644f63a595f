/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * An event of another tracer before it is interpreted: CPU, time, process, name, and those of its
 * fields that some kind of event uses.
 */
#ifndef GRT_FOREIGN_H
#define GRT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All fields that are used: X(NAME, name in tables, kind). */
#define GRT_SLOTS(X)			\
	X(CTX,		ctx,	    NUMBER)	\
	X(SEQNO,	seqno,	    NUMBER)	\
	X(DEP_CTX,	dep_ctx,    NUMBER)	\
	X(DEP_SEQNO,	dep_seqno,  NUMBER)	\
	X(FENCE,	fence,	    POINTER)	\
	X(ENTITY,	entity,	    POINTER)	\
	X(ID,		id,	    NUMBER)	\
	X(RING,		ring,	    TEXT)	\
	X(DEVICE,	device,	    TEXT)	\
	X(DRIVER,	driver,	    TEXT)	\
	X(CLIENT,	client,	    NUMBER)	\
	X(PID,		pid,	    NUMBER)	\
	X(QUEUED,	queued,	    NUMBER)	\
	X(STATUS,	status,	    NUMBER)	\
	X(CARD,		card,	    NUMBER)	\
	X(CLASS,	class,	    NUMBER)	\
	X(ENGINE,	engine,	    NUMBER)	\
	X(GLOBAL,	global,	    NUMBER)	\
	X(ENGINE_NAME,	engine_name, TEXT)	\
	X(TYPE,		type,	    NUMBER)	\
	X(COMMAND,	command,    NUMBER)	\
	X(FLAGS,	flags,	    NUMBER)	\
	X(FLAG_NAMES,	flag_names, TEXT)	\
	X(CODE,		code,	    NUMBER)	\
	X(CODE_NAME,	code_name,  TEXT)	\
	X(DRIVER_CODE,	driver_code, NUMBER)	\
	X(FROM_CTX,	from_ctx,   NUMBER)	\
	X(ELAPSED,	elapsed,    NUMBER)	\
	X(PREV_TID,	prev_tid,   NUMBER)	\
	X(PREV_STATE,	prev_state, TEXT)	\
	X(PREV_BITS,	prev_bits,  NUMBER)	\
	X(NEXT_TID,	next_tid,   NUMBER)	\
	X(TID,		tid,	    NUMBER)	\
	X(TARGET_CPU,	target_cpu, NUMBER)	\
	X(CRTC,		crtc,	    NUMBER)	\
	X(FRAME,	frame,	    NUMBER)	\
	X(TIME,		time,	    NUMBER)	\
	X(HIGH_PREC,	high_prec,  NUMBER)	\
	X(IRQ,		irq,	    NUMBER)	\
	X(HANDLER,	handler,    TEXT)	\
	X(IBS,		ibs,	    NUMBER)	\
	X(FREQ,		freq,	    NUMBER)	\
	X(MARK,		mark,	    TEXT)	\
	X(BYTES,	bytes,	    NUMBER)	\
	X(CMD,		cmd,	    POINTER)	\
	X(ARG,		arg,	    POINTER)	\
	X(SCHED,	sched,	    POINTER)	\
	X(CREDITS,	credits,    NUMBER)	\
	X(HW_CREDITS,	hw_credits, NUMBER)	\
	X(LIMIT,	limit,	    NUMBER)	\
	X(PRIORITY,	priority,   NUMBER)	\
	X(KERNEL,	kernel,	    NUMBER)	\
	X(OPS,		ops,	    POINTER)	\
	X(SCHED_OPS,	sched_ops,  POINTER)	\
	X(PARENT,	parent,	    POINTER)	\
	X(PARENT_ERR,	parent_err, NUMBER)	\
	X(STAMPED,	stamped,    NUMBER)	\
	X(STAMP,	stamp,	    NUMBER)	\
	X(DEP_OPS,	dep_ops,    POINTER)	\
	X(DEP_SCHED,	dep_sched,  POINTER)	\
	X(DEP_SCHED2,	dep_sched2, POINTER)	\
	X(DEP_DONE,	dep_done,   NUMBER)	\
	X(DEP_DONE2,	dep_done2,  NUMBER)	\
	X(DEP_ALONE,	dep_alone,  NUMBER)	\
	X(DEP_ERR,	dep_err,    NUMBER)	\
	X(WORK,		work,	    POINTER)	\
	X(WORK_AT,	work_at,    NUMBER)	\
	X(JOB,		job,	    POINTER)	\
	X(OBJECT,	object,	    POINTER)	\
	X(VM,		vm,	    POINTER)	\
	X(OFFSET,	offset,	    NUMBER)	\
	X(FROM,		from,	    NUMBER)	\
	X(TO,		to,	    NUMBER)	\
	X(FROM_NAME,	from_name,  TEXT)	\
	X(TO_NAME,	to_name,    TEXT)	\
	X(LAST,		last,	    NUMBER)	\
	X(PREFERRED,	preferred,  NUMBER)	\
	X(ALLOWED,	allowed,    NUMBER)	\
	X(IH,		ih,	    NUMBER)	\
	X(SOURCE,	source,	    NUMBER)	\
	X(IRQ_RING,	irq_ring,   NUMBER)	\
	X(VMID,		vmid,	    NUMBER)	\
	X(PASID,	pasid,	    NUMBER)	\
	X(GPU_STAMP,	gpu_stamp,  NUMBER)	\
	X(DATA0,	data0,	    POINTER)	\
	X(DATA1,	data1,	    POINTER)	\
	X(DATA2,	data2,	    POINTER)	\
	X(DATA3,	data3,	    POINTER)

enum grt_slot_nr {
#define GRT_X(NAME, name, kind) GRT_IN_##NAME,
	GRT_SLOTS(GRT_X)
#undef GRT_X
	GRT_NR_SLOTS
};

enum grt_slot_kind { GRT_SLOT_NUMBER, GRT_SLOT_POINTER, GRT_SLOT_TEXT };

extern const struct grt_slot_desc {
	const char *name;
	enum grt_slot_kind kind;
} grt_slots[GRT_NR_SLOTS];

/* The slot with this name, @len bytes long, or -1. */
int grt_slot_named(const char *name, size_t len);

/* Some bytes of a buffer; not owned. */
struct grt_piece {
	const char *at;
	size_t len;
};

/* A bit per slot. */
struct grt_slot_set {
	uint64_t bits[2];
};

struct grt_foreign {
	const struct grt_event_kind *kind;	/* NULL: an event that is not used */
	struct grt_piece system;	/* of the event; empty: not known */
	struct grt_piece name;		/* name of the event without its system */
	struct grt_piece text;		/* its fields as text; only in text files */
	uint64_t ts;			/* ns, on the file's clock */
	bool is_ticks;			/* @ts counts ticks of a clock; only between the readers of a text */
	uint32_t cpu;
	uint32_t tid;
	uint32_t tgid;			/* 0: not known */
	char comm[16];			/* name of the thread, "" = not known */
	struct grt_slot_set has;	/* the slots that are filled */
	uint64_t number[GRT_NR_SLOTS];
	struct grt_piece piece[GRT_NR_SLOTS];
};

_Static_assert(GRT_NR_SLOTS <= 128, "a bit of has per slot");

/* Events that are missing on a CPU before its next event. */
struct grt_missing {
	uint32_t cpu;
	uint64_t count;			/* 0: unknown number */
};

/* Lines of a text that are no events, or cannot be read. */
struct grt_bad_lines {
	uint64_t count;
	uint64_t number;		/* of the first one in the file; 0: not known */
	struct grt_piece first;		/* its text */
};

static inline bool grt_foreign_has(const struct grt_foreign *ev, enum grt_slot_nr slot)
{
	return ev->has.bits[slot / 64] >> slot % 64 & 1;
}

static inline void grt_foreign_set(struct grt_foreign *ev, enum grt_slot_nr slot, uint64_t number)
{
	ev->number[slot] = number;
	ev->has.bits[slot / 64] |= 1ull << slot % 64;
}

static inline void grt_foreign_put(struct grt_foreign *ev, enum grt_slot_nr slot,
				   const char *at, size_t len)
{
	ev->piece[slot] = (struct grt_piece){ at, len };
	ev->has.bits[slot / 64] |= 1ull << slot % 64;
}

/* False: the event does not name the key of the job. */
static inline bool grt_foreign_has_key(const struct grt_foreign *ev)
{
	return grt_foreign_has(ev, GRT_IN_CTX) && grt_foreign_has(ev, GRT_IN_SEQNO);
}

#endif /* GRT_FOREIGN_H */
