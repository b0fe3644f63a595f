/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of a flight recorder whose source has no snapshots: the last records of each CPU.  The
 * recorder reads the streams all the time, and forgets the oldest records.
 */
#ifndef GRT_FLIGHT_RING_H
#define GRT_FLIGHT_RING_H

#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "run.h"

struct grt_flight_ring;
struct grt_output;

/* @bytes: what each of @lanes may take.  @ring_rows: as in struct grt_kept.  NULL without memory. */
struct grt_flight_ring *grt_flight_ring_create(unsigned int lanes, size_t bytes, uint32_t ring_rows);
void grt_flight_ring_destroy(struct grt_flight_ring *ring);

/*
 * Takes @run of @lane, the stream of @cpu.  If it has a trigger before *@why, or *@why is none yet (hdr.size 0),
 * fills *@why.  0 or -errno with a cause.
 */
int grt_flight_ring_add(struct grt_flight_ring *ring, unsigned int lane, uint32_t cpu,
			const struct grt_run *run, struct grtrace_snapshot *why);

/* The STREAM_INFO; NULL: there was none yet. */
const struct grtrace_stream_info *grt_flight_ring_info(const struct grt_flight_ring *ring);

struct grt_flight_part {
	uint64_t events, first_ns, last_ns;
};

/*
 * Writes all records to @o, which has begun, with their definitions and @why, and forgets the records.
 * *@part says what was written.  0 or -errno with a cause.
 */
int grt_flight_ring_save(struct grt_flight_ring *ring, struct grt_output *o,
			 const struct grtrace_snapshot *why, struct grt_flight_part *part);

#endif /* GRT_FLIGHT_RING_H */
