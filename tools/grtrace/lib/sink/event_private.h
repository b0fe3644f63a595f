/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by event.c and its formats. */
#ifndef GRT_EVENT_PRIVATE_H
#define GRT_EVENT_PRIVATE_H

#include <stdio.h>

#include "describe.h"
#include "event_view.h"
#include "vec.h"

struct grt_event_sink {
	const struct grt_event_format {
		const char *name;
		int (*begin)(struct grt_event_sink *sink);
		void (*print)(struct grt_event_sink *sink, const struct grt_event_view *view);
	} *format;
	FILE *out;		/* the caller's */
	bool has_diff, has_before;
	uint64_t before_ns;	/* time of the previous record, if @has_before */
	struct grt_vec columns;	/* csv: const char *, each field name once */
	struct grt_vec cells;	/* csv: the field in each column for the current record */
};

extern const struct grt_event_format grt_event_text, grt_event_csv, grt_event_json;


/* Whether the value of the field is known.  In some fields 0 means that it is not. */
bool grt_event_knows(const struct grt_field *f, const struct grtrace_hdr *rec);

/* Prints the value for text and CSV: numbers in full, enums by name. */
void grt_event_value(FILE *out, const struct grt_field *f, const struct grtrace_hdr *rec);

/* Prints the names of the flags that are set, separated by @sep. */
void grt_event_flags(FILE *out, const struct grtrace_hdr *rec, const char *before,
		     const char *sep, const char *after);

#endif /* GRT_EVENT_PRIVATE_H */
