/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes small trace.dat files of version 6, as trace-cmd does, and the same events as text, as
 * 'trace-cmd report' prints them.
 */
#ifndef GRT_UNIT_DAT_H
#define GRT_UNIT_DAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "vec.h"

#define DAT_MAX_CPUS	4
#define DAT_MAX_VALUES	7

/* Kinds of events: X(NAME, name), described in dat-kinds.c. */
#define DAT_KINDS(X)			\
	X(QUEUE,	drm_sched_job_queue)	\
	X(RUN,		drm_sched_job_run)	\
	X(DONE,		drm_sched_job_done)	\
	X(SIGNALED,	dma_fence_signaled)	\
	X(SWITCH,	sched_switch)		\
	X(WAKEUP,	sched_wakeup)		\
	X(PRINT,	print)			\
	X(ENTER,	sys_enter_ioctl)	\
	X(EXIT,		sys_exit_ioctl)		\
	X(I915_ADD,	i915_request_add)	\
	X(I915_RETIRE,	i915_request_retire)	\
	X(I915_NOTIFY,	intel_engine_notify)

enum dat_kind_nr {
#define DAT_X(NAME, name) DAT_##NAME,
	DAT_KINDS(DAT_X)
#undef DAT_X
	DAT_NR_KINDS
};

/* A field of an event's record: a number of @size bytes or, depending on its type, text. */
struct dat_field {
	const char *type, *name;	/* type: "__data_loc char[]", "char" or the type of a number */
	unsigned int size;		/* text in the record itself: its size; 0: up to the end */
	const char *print;		/* its text in the print format; NULL: REC->name */
};

struct dat_kind {
	const char *system, *name;
	const char *print;		/* a conversion per field, in their order */
	struct dat_field fields[DAT_MAX_VALUES + 1];
};

extern const struct dat_kind dat_kinds[DAT_NR_KINDS];

struct dat_value {
	uint64_t number;
	const char *text;		/* for a text field */
};

struct dat_event {
	enum dat_kind_nr kind;
	uint32_t cpu, tid;
	uint64_t ns;
	const char *comm;
	int64_t missed;			/* events that are missing before it; -1: unknown number */
	struct dat_value values[DAT_MAX_VALUES];
};

/* The contents of a file.  Zeroed memory is an empty file of one CPU. */
struct dat {
	struct grt_vec events;		/* struct dat_event, in time order */
	uint32_t last_cpu;
	const char *clock, *uname;	/* NULL: not in the file */
	bool is_converted;	/* the file tells how to make ns of its times: here a tick is a ns */
	uint64_t overruns[DAT_MAX_CPUS];
	const char *tgids;		/* option 8 as written by gpuvis' trace-cmd, NULL: none */
};

static inline int dat_is_text(const struct dat_field *f)
{
	return f->type[0] == '_' || (f->type[0] == 'c' && f->type[4] == '\0');
}

/* Aborts on a write error. */
void dat_write(const struct dat *d, FILE *to);
void dat_print(const struct dat *d, FILE *to);

/* Small files by name; NULL if there is no such name. */
struct dat *dat_scene(const char *name);
void dat_free(struct dat *d);

#endif /* GRT_UNIT_DAT_H */
