/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a recording in tracefs: those of the kernel, and probes of our own, which read what
 * the kernel's events leave out.
 */
#ifndef GRT_TRACEFS_EVENTS_H
#define GRT_TRACEFS_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

struct grt_tracefs_place;
struct grt_translator;
struct grt_types;
struct tep_handle;

/* Rows of the table of events, a bit each. */
typedef unsigned __int128 grt_tracefs_rows;

struct grt_tracefs_events {
	grt_tracefs_rows used;
	grt_tracefs_rows there;			/* rows whose system the kernel had when events were defined */
	uint32_t done;			/* purposes of @used, a bit each */
	struct grt_vec enabled;		/* struct grt_tracefs_event */
	size_t ready;			/* so many of them are enabled already */
	bool has_others;		/* events of drivers without the scheduler are there */
	bool can_probe;			/* the kernel takes probes of functions */
	bool has_sched;			/* the scheduler's events are there */
	bool has_keys;			/* they name each job by its key */
	bool has_exact_deps;		/* dependencies tell the state of their fence */
	bool has_errors;		/* errors of fences are events of their own */
	bool has_dependencies, has_recovery;
	bool has_marks;			/* the instance gets those that are written at the top */
	bool has_mark_probe;		/* else a probe sees all */
};

struct grt_tracefs_event {
	char system[64], name[64];
};

/*
 * Defines the probes that this kernel takes, and chooses the events to enable; @types may be empty.
 * Called again, adds those that have become possible.  0 or -errno with a cause.
 */
int grt_tracefs_events_define(struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			      const struct grt_types *types);
void grt_tracefs_events_free(struct grt_tracefs_events *e);

/* Whether a module that has events for us was loaded since they were defined: then define again. */
bool grt_tracefs_events_are_more(const struct grt_tracefs_events *e, const struct grt_tracefs_place *p);

/* Whether records of jobs are made of this event of the kernel, or it must not be enabled at all. */
bool grt_tracefs_events_use(const struct grt_tracefs_events *e, const struct grt_tracefs_event *event);

/* Parses the format of one event.  0 or -errno with a cause. */
int grt_tracefs_parse(const struct grt_tracefs_place *p, struct tep_handle *tep, const char *system,
		      const char *name);

/* Parses the formats of events that are not enabled yet.  0 or -errno with a cause. */
int grt_tracefs_events_parse(const struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			     struct tep_handle *tep);

/* Enables them in the instance, and tells @t.  0 or -errno with a cause. */
int grt_tracefs_events_enable(struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			      struct grt_translator *t);

#endif /* GRT_TRACEFS_EVENTS_H */
