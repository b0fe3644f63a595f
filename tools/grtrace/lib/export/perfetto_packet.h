/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes packets of a Perfetto trace, one by one.  Names that come often are interned: they are
 * defined once, and events have their numbers.  Definitions begin anew after many packets, so
 * memory is bounded, and the part of a file behind such a point can be read without the rest.
 *
 * Failures are kept in grt_pf_out.err; after one, nothing is written.
 */
#ifndef GRT_PERFETTO_PACKET_H
#define GRT_PERFETTO_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "perfetto.pb-c.h"
#include "vec.h"

struct grt_export;

/* Zeroed memory is ready but for @x and @clock_id. */
struct grt_pf_out {
	const struct grt_export *x;	/* not owned */
	uint32_t clock_id;		/* of all stamps, see enum grt_pf_clock */
	int err;			/* of the first failure: -errno with a cause */

	/* Private. */
	struct grt_vec bytes;		/* the packet */
	struct grt_keymap seen;		/* what is defined since the latest new beginning */
	uint32_t packets;		/* since then */
	bool has_first;
};

/* Numbers of clocks in Perfetto. */
enum grt_pf_clock {
	GRT_PF_REALTIME = 1, GRT_PF_MONOTONIC = 3, GRT_PF_BOOTTIME = 6,
};

/* Categories of events: X(NAME, text). */
#define GRT_PF_CATEGORIES(X)							\
	X(JOB, "job") X(STAGE, "stage") X(SUBMIT, "submit") X(FENCE, "fence")	\
	X(IDLE, "idle") X(FRAME, "frame") X(LOSS, "loss") X(TROUBLE, "trouble")	\
	X(MARK, "mark") X(DISPLAY, "display") X(CPU, "cpu") X(COUNTER, "counter")

enum grt_pf_category {
	GRT_PF_NO_CATEGORY,
#define GRT_X(NAME, text) GRT_PF_CATEGORY_##NAME,
	GRT_PF_CATEGORIES(GRT_X)
#undef GRT_X
};

/* What is noted of an event: X(NAME, text). */
#define GRT_PF_NOTES(X)								\
	X(FENCE, "fence") X(PROCESS, "process") X(RING, "ring") X(STATUS, "status")	\
	X(FLAGS, "flags") X(MEANING, "meaning") X(BECAUSE, "because of") X(WAITER, "waiter") \
	X(CLIENT, "client") X(CPU, "cpu") X(COUNT, "events") X(REASON, "reason")	\
	X(NUMBER, "number") X(VERDICT, "verdict") X(SOURCE, "source") X(REFRESH, "refresh_ns") \
	X(BUSY, "busy_ns") X(WAIT, "wait_ns") X(JOBS, "jobs") X(CAUSE, "cause")		\
	X(CRTC, "crtc") X(COMMAND, "command") X(TOTAL, "total_ns")

enum grt_pf_note {
	GRT_PF_NO_NOTE,
#define GRT_X(NAME, text) GRT_PF_NOTE_##NAME,
	GRT_PF_NOTES(GRT_X)
#undef GRT_X
};

/*
 * Numbers of interned names of events: stages, idle causes and these words: X(NAME, text).
 * Behind them come processes: grt_pf_process_name().
 */
#define GRT_PF_WORDS(X)								\
	X(SUBMIT, "submit") X(SIGNALS, "signals") X(NOBODY, "not known") X(KERNEL, "kernel")	\
	X(RUNNING, "on a CPU") X(RUNNABLE, "waits for a CPU") X(WAIT, "waits for a fence")	\
	X(VBLANK, "vblank") X(WAITING, "before COMMIT") X(SLEPT, "the machine slept")

enum grt_pf_name {
	GRT_PF_STAGE = 1,	/* + enum grt_stage */
	GRT_PF_IDLE = 32,	/* + enum grt_idle */
	GRT_PF_WORD = 64,
#define GRT_X(NAME, text) GRT_PF_WORD_##NAME,
	GRT_PF_WORDS(GRT_X)
#undef GRT_X
	GRT_PF_PROCESS = 256,	/* + row of the process */
};

/* Numbers of stages of GPU work; + GRT_PF_NR_KINDS of engines each.  Behind them come rings. */
enum grt_pf_spec {
	GRT_PF_SPEC_EXEC = 1,
	GRT_PF_SPEC_ON_RING = 4,
	GRT_PF_SPEC_RING = 16,	/* + number of the ring in this export */
};

/* Kinds of things that are defined once. */
enum grt_pf_kind {
	GRT_PF_KIND_TRACK, GRT_PF_KIND_CONTEXT, GRT_PF_KIND_NAME, GRT_PF_KIND_RING,
};

/*
 * To be called before the packets of one job or record: definitions begin anew here if it is time,
 * or if @is_after_loss.
 */
void grt_pf_begin_item(struct grt_pf_out *o, bool is_after_loss);

/* Writes @packet, and sets what all packets have. */
void grt_pf_put(struct grt_pf_out *o, Grtpf__TracePacket *packet);

/* Writes definitions. */
void grt_pf_put_interned(struct grt_pf_out *o, Grtpf__InternedData *data);

/* Whether the thing is defined. */
bool grt_pf_is_known(const struct grt_pf_out *o, enum grt_pf_kind kind, uint64_t id);

/* Whether the thing was not defined yet; from now on it is. */
bool grt_pf_is_new(struct grt_pf_out *o, enum grt_pf_kind kind, uint64_t id);

/* Stamps are signed there: a later one becomes the last that can be written. */
static inline uint64_t grt_pf_ns(uint64_t ns)
{
	return ns < INT64_MAX ? ns : INT64_MAX;
}

void grt_pf_free(struct grt_pf_out *o);

#endif /* GRT_PERFETTO_PACKET_H */
