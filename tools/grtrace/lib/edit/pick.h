/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Which events belong to some of the rings.  Not every event knows its ring, and a job is
 * named by what waits for it as much as by its own events; so jobs are followed for a
 * while, and a first look over the trace learns what comes too late to be of use when it
 * is needed.  Both looks must see the same events.
 *
 * What is remembered: JOBS of GRT_PICK_JOBS jobs that were heard of last, and a bit for
 * each job.
 */
#ifndef GRT_PICK_H
#define GRT_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "map.h"
#include "vec.h"

#define GRT_PICK_JOBS	(1u << 17)

enum grt_pick_verdict {
	GRT_PICK_DROP,
	GRT_PICK_KEEP,
	GRT_PICK_FOREIGN,	/* a DEPENDENCY on a job that goes: keep it, as FOREIGN */
	GRT_PICK_PENDING,	/* the same, and that job was not complete yet */
	GRT_PICK_SIGNALED,	/* COMPLETE of a job that goes: keep it as FENCE_SIGNALED */
};

struct grt_pick {
	const char *rings;	/* names or numbers, commas between; the caller's.  NULL: of @pid */
	uint32_t pid;

	/* Its own. */
	struct grt_vec rows;	/* struct grtrace_ring */
	struct grt_map kept;	/* ring -> 1: kept; 2: used by @pid */
	struct grt_pick_job *jobs;	/* owned, GRT_PICK_JOBS of them, in turn */
	struct grt_keymap keys;	/* job -> index */
	uint64_t nr_jobs;	/* heard of so far */
	struct grt_map late_ring;	/* number of a job -> ring that it first did not tell */
	struct grt_vec late_name;	/* a bit per job: named once it was complete */
	bool is_scan;
};

/* 0 or -errno with a cause; grt_pick_free() in any case. */
int grt_pick_begin(struct grt_pick *p);
void grt_pick_free(struct grt_pick *p);

/* First look.  0 or -errno with a cause. */
int grt_pick_scan(struct grt_pick *p, const struct grtrace_hdr *rec);

/* After it: -EINVAL with a cause when there is no such ring or process. */
int grt_pick_decide(struct grt_pick *p);

/* Second look: a verdict on an event, or -errno with a cause. */
int grt_pick_event(struct grt_pick *p, const struct grtrace_hdr *ev);

#endif /* GRT_PICK_H */
