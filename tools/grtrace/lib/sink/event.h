/* SPDX-License-Identifier: LGPL-2.1 */
/* Prints records one by one, whatever their type, from the table of fields. */
#ifndef GRT_EVENT_SINK_H
#define GRT_EVENT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/grtrace.h>

struct grt_event_sink;

/* Whether @format is one of "text", "csv" and "json". */
bool grt_event_has_format(const char *format);

/* In that format to @out; 0 or -errno with a cause. */
int grt_event_sink_open(struct grt_event_sink **sink, const char *format, FILE *out);

/* Definitions teach the sink names; grt_event_sink_print() prints any record. */
int grt_event_sink_learn(struct grt_event_sink *sink, const struct grtrace_hdr *rec);
void grt_event_sink_print(struct grt_event_sink *sink, const struct grtrace_hdr *rec);

void grt_event_sink_close(struct grt_event_sink *sink);

#endif /* GRT_EVENT_SINK_H */
