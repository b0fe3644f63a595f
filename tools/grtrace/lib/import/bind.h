/* SPDX-License-Identifier: LGPL-2.1 */
/* Takes events from ftrace's binary records, whose formats libtraceevent has parsed. */
#ifndef GRT_BIND_H
#define GRT_BIND_H

#include <stddef.h>

#include "foreign.h"

struct grt_bound;
struct grt_event_kind;
struct tep_event;
struct tep_format_field;
struct tep_handle;
struct tep_record;

struct grt_binder {
	struct tep_handle *tep;		/* not owned */
	const struct grt_event_kind *kinds;	/* of the events that are used */
	size_t nr_kinds;
	struct grt_bound *bounds;	/* owned; indexed by the number of the event */
};

/* 0 or -ENOMEM with a cause. */
int grt_binder_create(struct grt_binder *b, struct tep_handle *tep,
		      const struct grt_event_kind *kinds, size_t nr_kinds);
void grt_binder_free(struct grt_binder *b);

/*
 * Sets everything in @ev but CPU, time, process and text; the pieces are parts of @record.  NULL
 * if the event has no format; else its format, valid as long as @b->tep.
 */
struct tep_event *grt_bind(struct grt_binder *b, struct tep_record *record, struct grt_foreign *ev);

/* The number in a field of @record; false if it is outside of it. */
bool grt_bind_number(struct grt_binder *b, const struct tep_record *record,
		     const struct tep_format_field *field, uint64_t *value);

/* The text in a field of @record; false if it is outside of it. */
bool grt_bind_text(struct grt_binder *b, const struct tep_record *record,
		   const struct tep_format_field *field, struct grt_piece *text);

#endif /* GRT_BIND_H */
