/* SPDX-License-Identifier: LGPL-2.1 */
/* Which events a user wants to see. */
#ifndef GRT_EVENT_QUERY_H
#define GRT_EVENT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "cpulist.h"
#include "event_view.h"
#include "filter.h"

/* Zeroed: all events. */
struct grt_event_query {
	const char *ring;	/* number, name or DEVICE/NAME; NULL = any */
	const char *comm;	/* NULL = any */
	uint64_t pid;		/* 0 = any */
	uint64_t types;		/* bit per row of grt_types[]; 0 = any */
	uint64_t cpus[GRT_CPUS / 64];	/* bit per CPU, where @has_cpus */
	uint64_t ctx, seqno;	/* where @has_job */
	const struct grt_filter *filter;	/* not owned, NULL = any */
	bool has_cpus, has_job;
};

/* "SUBMIT,sync_*": types by name or pattern, in any case.  0 or -EINVAL with a cause. */
int grt_event_query_types(struct grt_event_query *q, const char *list);

/* "0,2-5".  0 or -EINVAL with a cause. */
int grt_event_query_cpus(struct grt_event_query *q, const char *list);

/* Whether the user asked for this type by name. */
bool grt_event_query_names(const struct grt_event_query *q, const struct grt_type *type);

/*
 * A LOSS has a CPU, but no ring, process or job.  The lost events may be among those that the
 * user wants, so only types, CPUs and the filter leave a LOSS out.
 */
bool grt_event_query_wants(const struct grt_event_query *q, const struct grt_event_view *view);

#endif /* GRT_EVENT_QUERY_H */
