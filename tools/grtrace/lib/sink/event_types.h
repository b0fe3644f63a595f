/* SPDX-License-Identifier: LGPL-2.1 */
/* Which event types a trace has, how many events of each, and their fields. */
#ifndef GRT_EVENT_TYPES_H
#define GRT_EVENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "report_table.h"

struct grt_event_types {
	struct {
		uint64_t count, first_ns, last_ns;
	} of[GRTRACE_NR_EVENTS];
	uint64_t begin_ns;	/* time of the first event, if @has_begun */
	bool has_begun;
};

/* Counts @rec if it is an event.  Zeroed memory is an empty @t. */
void grt_event_types_add(struct grt_event_types *t, const struct grtrace_hdr *rec);

/* Adds a row for each type in the trace; times are since the first event. */
void grt_report_event_types(struct grt_report_table *s, const struct grt_event_types *t);

#endif /* GRT_EVENT_TYPES_H */
