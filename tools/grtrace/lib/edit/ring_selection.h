/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Decides which events belong to the selected rings.  Not every event names its ring, and
 * DEPENDENCY events name two jobs.  So a first pass over the trace follows the jobs and learns
 * what the second pass must know early.  Both passes must see the same events.
 *
 * Memory: the last GRT_RING_SELECTION_JOBS jobs, and one bit for each job.
 */
#ifndef GRT_RING_SELECTION_H
#define GRT_RING_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "map.h"
#include "vec.h"

#define GRT_RING_SELECTION_JOBS	(1u << 17)

enum grt_ring_selection_verdict {
	GRT_RING_SELECTION_DROP,
	GRT_RING_SELECTION_KEEP,
	GRT_RING_SELECTION_FOREIGN,	/* a DEPENDENCY on a dropped job: keep it, as FOREIGN */
	GRT_RING_SELECTION_PENDING,	/* the same, and that job was not complete yet */
	GRT_RING_SELECTION_SIGNALED,	/* COMPLETE of a dropped job: keep it as FENCE_SIGNALED */
};

struct grt_ring_selection {
	const char *rings;	/* names or numbers, with commas; the caller's.  NULL: by @pid */
	uint32_t pid;

	/* Private. */
	struct grt_vec rows;	/* struct grtrace_ring */
	struct grt_map row_of;	/* ring -> number of its latest row, from 1 */
	struct grt_map kept;	/* ring -> KEPT, or USED by @pid */
	struct grt_map kept_hw;	/* first ring on their hardware: all rings there are kept */
	struct grt_ring_selection_job *jobs;	/* owned ring buffer */
	struct grt_keymap keys;	/* job -> index */
	uint64_t nr_jobs;	/* jobs so far */
	struct grt_map late_ring;	/* number of a job -> its ring, if named late */
	struct grt_vec late_name;	/* a bit per job: named after it was complete */
	bool is_scan;
};

/* 0 or -errno with a cause; call grt_ring_selection_free() in any case. */
int grt_ring_selection_begin(struct grt_ring_selection *p);
void grt_ring_selection_free(struct grt_ring_selection *p);

/* First pass, for each record.  0 or -errno with a cause. */
int grt_ring_selection_scan(struct grt_ring_selection *p, const struct grtrace_hdr *rec);

/* After the first pass: -EINVAL with a cause if there is no such ring or process. */
int grt_ring_selection_decide(struct grt_ring_selection *p);

/* Second pass: a verdict on an event, or -errno with a cause. */
int grt_ring_selection_event(struct grt_ring_selection *p, const struct grtrace_hdr *ev);

#endif /* GRT_RING_SELECTION_H */
