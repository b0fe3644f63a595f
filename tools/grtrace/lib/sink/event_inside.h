/* SPDX-License-Identifier: LGPL-2.1 */
/* Between event.c and its formats. */
#ifndef GRT_EVENT_INSIDE_H
#define GRT_EVENT_INSIDE_H

#include <stdio.h>

#include "describe.h"
#include "map.h"
#include "vec.h"

struct grt_event_sink {
	const struct grt_event_format {
		const char *name;
		int (*begin)(struct grt_event_sink *sink);
		void (*print)(struct grt_event_sink *sink, const struct grt_type *type,
			      const struct grtrace_hdr *rec);
	} *format;
	FILE *out;		/* the caller's */
	struct grt_map rings, processes; /* id -> place of its name in names */
	struct grt_vec names;
	struct grt_vec columns;	/* csv: const char *, every field name once */
	struct grt_vec cells;	/* csv: the field in each column, for one record */
};

extern const struct grt_event_format grt_event_text, grt_event_csv, grt_event_json;

/* The name of a ring or process, NULL if not known. */
const char *grt_event_name(const struct grt_event_sink *sink, const struct grt_map *map,
			   uint64_t id);

/* The value as text and CSV have it: numbers in full, enums by name. */
void grt_event_value(FILE *out, const struct grt_field *f, const struct grtrace_hdr *rec);

/* The names of the flags set; @sep between them. */
void grt_event_flags(FILE *out, const struct grtrace_hdr *rec, const char *before,
		     const char *sep, const char *after);

#endif /* GRT_EVENT_INSIDE_H */
