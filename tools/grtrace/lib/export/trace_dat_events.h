/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The events of a trace.dat: how they lie in memory, and the format files that tell readers.
 *
 * Records become events of the system "grtrace": their fields are those of the record, from the
 * table of fields, followed by its flags and, where it has a ring, by the ring's name.  Three kinds
 * have the names and fields of the kernel's events, because programs know those: sched_switch,
 * sched_wakeup and print; the fields of the record come after them.  Three kinds are no records: they
 * show what the model found out.
 */
#ifndef GRT_TRACE_DAT_EVENTS_H
#define GRT_TRACE_DAT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "describe.h"
#include "job.h"
#include "trace_dat_pages.h"
#include "vec.h"

/* What each event begins with. */
struct grt_dat_common {
	uint16_t type;
	uint8_t flags, preempt_count;	/* not known: 0 */
	int32_t pid;
};

#define GRT_DAT_COMM	16

/* In the flags of an event, beside those of its record: the next event of its CPU has more of its text. */
#define GRT_DAT_GOES_ON	(1u << 16)

/* Records have no priorities, but libtraceevent complains if they are missing.  Linux has -1 to 139. */
#define GRT_DAT_NO_PRIO	255

struct grt_dat_switch {
	struct grt_dat_common common;
	char prev_comm[GRT_DAT_COMM];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[GRT_DAT_COMM];
	int32_t next_pid, next_prio;
	uint32_t flags, prev_tid, next_tid, reserved;	/* of the record */
};

struct grt_dat_wakeup {
	struct grt_dat_common common;
	char comm[GRT_DAT_COMM];
	int32_t pid, prio;
	int32_t target_cpu;
	uint32_t tid, flags;		/* of the record */
};

struct grt_dat_print {
	struct grt_dat_common common;
	uint64_t ip;
	uint32_t tgid, tid, flags;	/* of the record */
	char buf[];
};

/* From here on until the next of these events, the ring runs this job. */
struct grt_dat_run {
	struct grt_dat_common common;
	uint64_t ctx, seqno;
	uint32_t ring, tgid;
	char comm[GRT_DAT_COMM];
	uint32_t is_inferred;		/* its START was derived */
	uint32_t ring_name;		/* offset, and size in the upper 16 bits */
};

/* From here on until the next of these events, no job is known to run. */
struct grt_dat_gap {
	struct grt_dat_common common;
	uint32_t ring, ring_name;
};

struct grt_dat_job {
	struct grt_dat_common common;
	uint64_t ctx, seqno;
	uint32_t ring, tgid, tid;
	int32_t status;
	char comm[GRT_DAT_COMM];
	uint32_t known;			/* a bit per stage, then per stamp, then for the status */
	uint32_t flags;			/* GRT_JOB_* */
	uint64_t at_ns[GRT_NR_STAMPS];
	uint64_t stage_ns[GRT_NR_STAGES];
	uint32_t ring_name, reserved;
};

#define GRT_DAT_HAS_STAMP(stamp)	(1u << (GRT_NR_STAGES + (stamp)))
#define GRT_DAT_HAS_STATUS		(1u << (GRT_NR_STAGES + GRT_NR_STAMPS))

/* What is known of the recording, as name=value lines; the last is the command, to the end of the text. */
struct grt_dat_recording {
	struct grt_dat_common common;
	uint32_t text;
};

/* Numbers of events in common.type.  Records have those from GRT_DAT_FIRST_RECORD on. */
enum grt_dat_id {
	GRT_DAT_PRINT = 5,	/* as in all kernels */
	GRT_DAT_SWITCH = 300, GRT_DAT_WAKEUP, GRT_DAT_RUN, GRT_DAT_GAP, GRT_DAT_JOB, GRT_DAT_RECORDING,
	GRT_DAT_FIRST_RECORD = 400,
};

/* How records of one type lie in an event.  Offsets: 0 = it has none. */
struct grt_dat_shape {
	const struct grt_type *type;
	uint16_t bytes;		/* without texts */
	uint16_t flags_at;	/* of the record */
	uint16_t ring_at;	/* place of the name of its ring */
	uint16_t text_at;	/* place of the text at the end of the record */
	uint16_t ts_at;		/* of a definition: its own time, which may be that of an event here */
	uint16_t names_at;	/* place of its names as they are, if not all may be printed */
	uint16_t ring, tid;	/* in the record: its ring, and the thread that caused it */
};

/* The part of a text that no event has yet. */
struct grt_dat_text {
	const char *at;
	size_t left;
};

/* False if records of this type do not become events of their own. */
bool grt_dat_shape(struct grt_dat_shape *shape, const struct grt_type *type);

/* The text behind a record. */
struct grt_dat_text grt_dat_text_of(const struct grtrace_hdr *rec);

/*
 * Makes the event of a record in @event, which has GRT_DAT_MAX_EVENT bytes: its fields, the name of its ring, and as
 * much of @text as there is room for, which is taken from @text.  Returns the size of the event.
 */
size_t grt_dat_fill(void *event, const struct grt_dat_shape *shape, const struct grtrace_hdr *rec,
		    const char *ring_name, int32_t pid, struct grt_dat_text *text);

/* The same for a MARK, as the kernel's event "print". */
size_t grt_dat_fill_mark(void *event, const struct grtrace_mark *mark, int32_t pid, struct grt_dat_text *text);

/* Adds @text to @event, which has room for @most bytes, and its place to *@loc.  Returns the new size. */
size_t grt_dat_add_text(void *event, size_t bytes, size_t most, uint32_t *loc, const char *text);

/* Appends the formats of all events, as a trace.dat has them.  0 or -ENOMEM. */
int grt_dat_put_formats(struct grt_vec *to);

/* Appends a size of @size_bytes, then the text.  0 or -ENOMEM. */
int grt_dat_put_sized(struct grt_vec *to, const void *text, size_t bytes, size_t size_bytes);

#endif /* GRT_TRACE_DAT_EVENTS_H */
