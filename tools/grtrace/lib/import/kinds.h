/* SPDX-License-Identifier: LGPL-2.1 */
/* The kinds of events of other tracers, by name. */
#ifndef GRT_KINDS_H
#define GRT_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "foreign.h"

struct grt_import;

/* A kind of events: which fields it has, and which function handles it.  See kinds.c. */
typedef void grt_event_fn(struct grt_import *im, const struct grt_foreign *ev);

#define GRT_MAX_TEMPLATES	5

struct grt_event_kind {
	const char *name;
	grt_event_fn *handle;
	bool is_gpu;
	const char *fields;	/* fields of its record: "slot:field slot:field" */
	const char *templates[GRT_MAX_TEMPLATES];	/* of its text; the first match counts */
};

extern const struct grt_event_kind grt_event_kinds[];
extern const size_t grt_nr_event_kinds;

bool grt_event_kind_is(const struct grt_event_kind *kind, struct grt_piece name);

/* The first kind with this name among @count; NULL for events that are not used. */
const struct grt_event_kind *grt_event_kind_find(const struct grt_event_kind *kinds, size_t count,
						 struct grt_piece name);

#endif /* GRT_KINDS_H */
