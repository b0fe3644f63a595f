/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The last events of jobs before a snapshot was taken: those of the ring and the fence context that
 * it was taken for, or of all if it was taken for none.
 */
#ifndef GRT_LAST_EVENTS_H
#define GRT_LAST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "event_view.h"

#define GRT_LAST_EVENTS	12

struct grt_last_event {
	union {
		struct grtrace_hdr hdr;
		struct grtrace_job_key key;
		struct grtrace_submit submit;
		struct grtrace_commit commit;
		struct grtrace_start start;
		struct grtrace_end end;
		struct grtrace_complete complete;
		struct grtrace_dependency dependency;
		struct grtrace_error error;
	};
	const char *type;		/* its name */
	uint32_t ring, process;		/* rows of grt_last_events.names; GRT_NONE: not known */
};

/* Zeroed memory is empty. */
struct grt_last_events {
	bool has_snapshot;
	uint64_t ns;			/* of the latest snapshot */
	uint64_t ctx, seqno;		/* what it was taken for; 0: nothing */
	uint32_t ring;
	struct grt_last_event rows[GRT_LAST_EVENTS];	/* a ring buffer */
	uint64_t count;			/* of all that were added */
	struct grt_event_names names;
};

/* Takes definitions, and events where there is a snapshot.  0 or -errno with a cause. */
int grt_last_events_record(struct grt_last_events *l, const struct grtrace_hdr *rec);
void grt_last_events_free(struct grt_last_events *l);

static inline size_t grt_last_events_count(const struct grt_last_events *l)
{
	return l->count < GRT_LAST_EVENTS ? l->count : GRT_LAST_EVENTS;
}

/* In the order of time. */
static inline const struct grt_last_event *grt_last_event_at(const struct grt_last_events *l, size_t i)
{
	return &l->rows[(l->count - grt_last_events_count(l) + i) % GRT_LAST_EVENTS];
}

#endif /* GRT_LAST_EVENTS_H */
