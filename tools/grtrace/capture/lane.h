/* SPDX-License-Identifier: GPL-2.0 */
/* The raw stream of one CPU, while a source without the module makes it. */
#ifndef GRT_CAPTURE_LANE_H
#define GRT_CAPTURE_LANE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/grtrace.h>

#include "vec.h"

struct grt_capture_defs;

/* To be set up with @cpu and @defs; the rest starts at 0. */
struct grt_capture_lane {
	uint32_t cpu;
	struct grt_capture_defs *defs;	/* not owned; of all lanes */
	struct grt_vec out;		/* the stream, and how much of it was read */
	size_t out_at;
	uint64_t cseq, last_ns, index;
	bool has_begun, has_ended;
};

void grt_capture_lane_free(struct grt_capture_lane *l);

/* Appends STREAM_INFO and METADATA.  All of these return 0, or -ENOMEM with a cause. */
int grt_capture_lane_begin(struct grt_capture_lane *l);

/* Appends a SUBBUF: @fates are those of all events before the next one. */
int grt_capture_lane_subbuf(struct grt_capture_lane *l, uint64_t ts,
			    const struct grtrace_fates *fates);

/* Numbers an event, and moves its time forward if it runs back; the caller appends it. */
void grt_capture_lane_stamp(struct grt_capture_lane *l, struct grtrace_hdr *hdr);

/* Appends STREAM_END with the fates of all events. */
int grt_capture_lane_end(struct grt_capture_lane *l, const struct grtrace_fates *fates);

/* Moves bytes of the stream to @to: their number; 0 at its end; -EAGAIN if there are none now. */
ssize_t grt_capture_lane_take(struct grt_capture_lane *l, void *to, size_t room);

/* Whether all bytes are taken; then their memory is free for more. */
bool grt_capture_lane_is_empty(struct grt_capture_lane *l);

#endif /* GRT_CAPTURE_LANE_H */
