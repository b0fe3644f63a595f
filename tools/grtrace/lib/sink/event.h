/* SPDX-License-Identifier: LGPL-2.1 */
/* Prints records of any type one by one, from the table of fields. */
#ifndef GRT_EVENT_SINK_H
#define GRT_EVENT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "event_view.h"

struct grt_event_sink;

/* Whether @format is "text", "csv" or "json". */
bool grt_event_has_format(const char *format);

/*
 * Opens a sink that prints to @out in this format.  @has_diff: with the time since the previous
 * record.  0 or -errno with a cause.
 */
int grt_event_sink_open(struct grt_event_sink **sink, const char *format, bool has_diff, FILE *out);

/* Prints a record of any type. */
void grt_event_sink_print(struct grt_event_sink *sink, const struct grt_event_view *view);

void grt_event_sink_close(struct grt_event_sink *sink);

#endif /* GRT_EVENT_SINK_H */
