/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Where in a picture of a queue each job has its box: a job keeps one slot from the moment when it
 * enters the queue until it leaves it, and no two jobs share one meanwhile.
 */
#ifndef GRT_EXPORT_SLOTS_H
#define GRT_EXPORT_SLOTS_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "keymap.h"
#include "keyrows.h"
#include "vec.h"

#define GRT_SLOTS	64	/* of a queue; jobs beyond share the last one; a page draws fewer */
#define GRT_SLOTS_JOBS	(1u << 20)	/* jobs that are followed at a time: memory is bounded */

/* The slots of a job: in the software queue of its ring, and in that of the hardware. */
struct grt_slot_pair {
	uint8_t waiting, on_ring;
};

/* Zeroed memory is empty. */
struct grt_slots {
	struct grt_keyrows rings;	/* struct ring_slots, by the id of the ring */
	struct grt_vec jobs;	/* of struct slot_job: those in flight, and free rows */
	struct grt_keymap rows;
	uint32_t free_row;	/* + 1, of the first free row; 0: none */
	uint64_t unfollowed;	/* jobs that were submitted while too many were in flight */
};

/* Takes SUBMIT, COMMIT and END, in the order of the stream; ignores others.  0 or -ENOMEM. */
int grt_slots_record(struct grt_slots *s, const struct grtrace_hdr *rec);

/* The slots of a job that is over, which is forgotten.  0 where events are missing. */
struct grt_slot_pair grt_slots_take(struct grt_slots *s, uint64_t ctx, uint64_t seqno);

void grt_slots_free(struct grt_slots *s);

#endif /* GRT_EXPORT_SLOTS_H */
