/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by tracefs.c and tracefs_stream.c. */
#ifndef GRT_TRACEFS_PRIVATE_H
#define GRT_TRACEFS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "bind.h"
#include "definitions.h"
#include "guard.h"
#include "heap.h"
#include "keymap.h"
#include "out.h"
#include "proc_places.h"
#include "tracefs.h"
#include "tracefs_events.h"
#include "tracefs_extra.h"
#include "tracefs_lane.h"
#include "tracefs_place.h"
#include "tracefs_tasks.h"
#include "types.h"

struct grt_tracefs {
	struct grt_tracefs_options options;
	struct grt_tracefs_place place;
	struct grt_guard guard;
	struct grt_types types;
	struct grt_tracefs_events events;
	struct grt_tracefs_extra extra;
	struct grt_capture_defs defs;
	struct tep_handle *tep;			/* owned */
	struct grt_binder binder;
	struct grt_tasks tasks;
	struct grt_proc_places places;
	struct grt_out_target target;
	struct grt_translator *translator;	/* owned */
	char driver[24];			/* of the only GPU, if there is one */
	struct grt_tracefs_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	uint32_t *lane_of;			/* owned: CPU -> number of its lane + 1 */
	unsigned int cpus;			/* possible ones */
	unsigned int most_pages;		/* more than a buffer has */
	struct grt_heap queue;			/* lanes, by the time of their next event */
	uint64_t safe_ns;			/* every event before it was read */
	uint64_t scanned_ns, scanned_lost;
	uint64_t forgot_ns;
	size_t most_tasks;		/* threads that are remembered before one is forgotten; 0: MOST_TASKS */
	uint64_t missed;		/* times that a probe did not run; known at the end */
	uint64_t missed_before;		/* of probes that were there before: as often until the start */
	struct grt_live *live;
	uint64_t looked_ns;		/* when modules were looked for */
	bool has_instance, is_stopped, has_ended;
	bool has_seen_more;		/* a module has come whose types were not there yet */
	bool has_promised;		/* timeouts and resets, before the scheduler was there */
	struct grt_keymap jobs;			/* in flight and chosen */
	struct grt_vec held;			/* a record that is being filled in, if jobs are chosen */
	struct grt_tracefs_lane *held_lane;	/* NULL: there is none */
	int err;				/* of an event that could not be written */
};

/* Whether a whole record is of a chosen job, or of none.  Must be called for all, in their order. */
bool grt_tracefs_chooses(struct grt_tracefs *t, const struct grtrace_hdr *hdr);

/* Sets what takes the records of the translation. */
void grt_tracefs_set_target(struct grt_tracefs *t);

/*
 * Makes the next part of the streams; @is_asked: of all events up to now.  0 or -errno with a
 * cause.
 */
int grt_tracefs_advance(struct grt_tracefs *t, bool is_asked);

/* How often a probe of a recorded event did not run, from t->missed_before on. */
uint64_t grt_tracefs_count_missed(const struct grt_tracefs *t);

#endif /* GRT_TRACEFS_PRIVATE_H */
