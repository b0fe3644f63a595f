/* SPDX-License-Identifier: GPL-2.0 */
/* Events that the user wants beside those of jobs; each becomes a TRACE_EVENT. */
#ifndef GRT_TRACEFS_EXTRA_H
#define GRT_TRACEFS_EXTRA_H

#include <stdbool.h>
#include <stdint.h>

#include "event_text.h"
#include "vec.h"

#define GRT_EVENT_NUMBERS	65536	/* ftrace's numbers of events have 16 bits */

struct grt_tracefs_events;
struct grt_tracefs_place;
struct grt_words;
struct tep_handle;

/* Zeroed memory has none. */
struct grt_tracefs_extra {
	struct grt_vec events;		/* struct grt_tracefs_event */
	struct grt_event_text text;
	uint64_t is_on[GRT_EVENT_NUMBERS / 64];	/* a bit per number of an event */
};

/*
 * Finds the events that the words mean.  A word is "SYSTEM:EVENT", two patterns as in a shell; or one
 * pattern, for names of systems and of events; or "all".  0, or -errno with a cause: -EINVAL if a word
 * means no event.
 */
int grt_tracefs_extra_choose(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			     const struct grt_words *words);
void grt_tracefs_extra_free(struct grt_tracefs_extra *x);

/* Defines probes in the group of the recording, to be enabled as well.  0 or -errno with a cause. */
int grt_tracefs_extra_define(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			     const struct grt_words *probes);

/* Leaves out those that become events of jobs, and warns. */
void grt_tracefs_extra_drop(struct grt_tracefs_extra *x, const struct grt_tracefs_events *e);

/* Parses their formats.  0 or -errno with a cause. */
int grt_tracefs_extra_parse(struct grt_tracefs_extra *x, const struct grt_tracefs_place *p,
			    struct tep_handle *tep);

/* Enables them in the instance; warns if the kernel refuses one. */
void grt_tracefs_extra_enable(const struct grt_tracefs_extra *x, const struct grt_tracefs_place *p);

/* Whether the event with this number is one of them. */
static inline bool grt_tracefs_extra_has(const struct grt_tracefs_extra *x, int id)
{
	return id >= 0 && id < GRT_EVENT_NUMBERS && x->is_on[id / 64] >> id % 64 & 1;
}

#endif /* GRT_TRACEFS_EXTRA_H */
