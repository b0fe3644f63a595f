/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace from which events may be removed, and which is then written as a session would have:
 * with sub-buffers whose fates count the removed events.
 */
#ifndef PROPERTY_TRACE_H
#define PROPERTY_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

#define PROPERTY_CPUS	16
#define PROPERTY_ABSENT	UINT8_MAX	/* before or after the session, without a fate */

struct property_event {
	size_t at;		/* offset of its record in the trace's bytes */
	uint8_t fate;		/* enum grtrace_fate; all except WRITTEN have no record */
};

struct property_trace {
	struct grt_vec bytes;	/* the records of all events */
	struct grt_vec events;	/* of struct property_event, in the order of time */
	struct grt_vec defs;	/* all definitions but STREAM_INFO */
	struct grtrace_stream_info info;
	uint16_t nr_cpus;
	uint32_t nr_rings;
};

/* How a session writes, and its names. */
struct property_shape {
	uint32_t subbuf_events;	/* events per sub-buffer */
	uint32_t round_events;	/* .grt: events between two watermarks */
	uint32_t skip[PROPERTY_CPUS];	/* raw: number of overwritten sub-buffers */
	uint32_t keep_pct;	/* raw: share of each CPU's sub-buffers to keep; 0 = all, and the end */
	const char *host;	/* .grt: NULL = not known */
	uint64_t session_id;	/* 0: unchanged */
	uint64_t later_ns;	/* added to all times ... */
	uint64_t real_later_ns;	/* ... and to the start by CLOCK_REALTIME */
};

/* Reads all records of the trace in file @path.  0, or -errno if it is damaged. */
int property_trace_read(struct property_trace *t, char *path);
void property_trace_free(struct property_trace *t);

void property_write_raw(const struct property_trace *t, const struct property_shape *shape,
			const char *path);
void property_write_grt(const struct property_trace *t, const struct property_shape *shape,
			const char *path);

static inline uint32_t property_trace_count(const struct property_trace *t)
{
	return grt_vec_count(&t->events, struct property_event);
}

static inline struct property_event *property_event_at(const struct property_trace *t, uint32_t i)
{
	return grt_vec_at(&t->events, struct property_event, i);
}

static inline const struct grtrace_hdr *property_record(const struct property_trace *t,
							uint32_t i)
{
	return (const void *)((const char *)t->bytes.data + property_event_at(t, i)->at);
}

#endif /* PROPERTY_TRACE_H */
