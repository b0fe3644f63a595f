/* SPDX-License-Identifier: LGPL-2.1 */
/* Records as events of a CTF trace: which names and fields they have there, and their bytes. */
#ifndef GRT_CTF_EVENT_H
#define GRT_CTF_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ctf_stream.h"
#include "describe.h"
#include "keymap.h"
#include "vec.h"

/* Ids of events that are no records. */
#define CTF_CLAMPED	0xff80	/* the next event of this CPU had another time */
#define CTF_JOB_DONE	0	/* alone in its stream class */

/*
 * The last time that readers can convert to a date: they count in signed 64 bits, from the
 * offset of the clock.
 */
#define CTF_MAX_NS	((1ull << 62) - 1)

/* In place of a status that is not known, which has no value that could be mistaken for it. */
#define CTF_UNKNOWN_STATUS	INT32_MIN

/* A type that is an event of the Linux kernel, and its fields have other names there. */
struct ctf_kernel_event {
	uint16_t type;
	const char *name;
	struct {
		const char *field, *name;	/* ours; the kernel's */
		const char *comm;		/* a field with the name of that thread */
	} fields[2];
};

/* Whether records of this type are exported: readers get accounts as LOSS. */
static inline bool ctf_has_type(const struct grt_type *type)
{
	return type->number != GRTRACE_SUBBUF && type->number != GRTRACE_STREAM_END;
}

/* Events, and records about a time, are in the streams of CPUs; the rest are definitions. */
static inline enum ctf_class ctf_class_of(const struct grt_type *type)
{
	return type->class != GRT_CLASS_STREAM || type->number == GRTRACE_LOSS ||
	       type->number == GRTRACE_POLICY ? CTF_CLASS_CPU : CTF_CLASS_DEFINITIONS;
}

/* NULL: @type is no event of the kernel. */
const struct ctf_kernel_event *ctf_kernel_event(const struct grt_type *type);

enum ctf_kind {
	CTF_NUMBER, CTF_SIGNED, CTF_HEX, CTF_STRING, CTF_ENUM, CTF_RING, CTF_STATUS, CTF_NOTHING,
};

enum ctf_kind ctf_field_kind(const struct grt_field *f);

/* Names of threads: PROCESS names the first thread of each process.  Zeroed memory is empty. */
struct ctf_threads {
	struct grt_keymap rows;	/* tid -> row */
	struct grt_vec names;	/* char[16 + 1] */
};

/* 0 or -errno with a cause. */
int ctf_threads_learn(struct ctf_threads *t, const struct grtrace_process *rec);
void ctf_threads_free(struct ctf_threads *t);

/* These append to @to; 0 or -errno with a cause. */
int ctf_put(struct grt_vec *to, const void *data, size_t bytes);
/*
 * Appends a text up to its NUL, or - if it is empty.  A byte that is not UTF-8 becomes \x9c, and so
 * do the bytes of characters that control a terminal.  Bytes below 0x80 stay: readers escape them.
 */
int ctf_put_string(struct grt_vec *to, const char *text, size_t bytes);
/* Appends the fields of @rec, and its text behind them if it has one. */
int ctf_put_fields(struct grt_vec *to, const struct grt_type *type, const struct grtrace_hdr *rec,
		   const struct ctf_threads *threads);

#endif /* GRT_CTF_EVENT_H */
