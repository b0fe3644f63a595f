/* SPDX-License-Identifier: GPL-2.0 */
/* A flight recorder: flight.c waits for triggers, flight_drain.c fills the ring, flight_save.c writes the files. */
#ifndef GRT_FLIGHT_PRIVATE_H
#define GRT_FLIGHT_PRIVATE_H

#include "flight_ring.h"
#include "record.h"

/* What a flight recorder listens to beside the streams. */
struct grt_flight_ears {
	struct grt_notes *notes;		/* NULL: none */
	struct grt_event_watch *events;	/* NULL: none */
	struct grt_record_waits waits;
};

struct grt_flight_recorder {
	struct record *r;
	struct grt_flight_ears ears;
	/* If the source has no snapshots: */
	struct grt_flight_ring *ring;		/* else NULL */
	struct grtrace_snapshot why;		/* a trigger that came; hdr.size 0: none */
	uint32_t taken;
	bool lacks_room;			/* the last one could not be saved: the disk is full */
};

/* Moves what the streams have now to the ring.  0 or -errno with a cause. */
int grt_flight_drain(struct grt_flight_recorder *f);

/* Saves the snapshot that is held, or what the ring has, as @path.  0 or -errno with a cause. */
int grt_flight_save_as(struct grt_flight_recorder *f, const char *path);

#endif /* GRT_FLIGHT_PRIVATE_H */
