/* SPDX-License-Identifier: GPL-2.0 */
/* The flight recorder: waits for a trigger, and saves the events before it in a file. */
#ifndef GRT_FLIGHT_H
#define GRT_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct grt_flight_recorder;
struct grt_record_waits;
struct record;

struct grt_flight {
	bool is_on;
	const char *path;		/* of the files, without their time */
	uint64_t keep, max_bytes;	/* of all files; 0: no limit */
	uint64_t last_ns;		/* how much of a snapshot to keep; 0: all */
	struct grt_words stop_on;	/* events of the kernel that trigger a snapshot, too */
};

/* Records until it is told to end; a file per snapshot.  0 or -errno with a cause. */
int grt_flight_record(struct record *r);

/*
 * Opens a flight recorder that works beside the recording @r, which reads the streams all the time.  It becomes
 * r->beside, which the caller closes.  0 or -errno with a cause.
 */
int grt_flight_open(struct record *r);
void grt_flight_close(struct grt_flight_recorder *f);
/* What the recording has to wait for. */
struct grt_record_waits *grt_flight_begin(struct grt_flight_recorder *f);
/* After each wait: saves a snapshot if there is a trigger.  0 or -errno with a cause. */
int grt_flight_look(struct grt_flight_recorder *f);
/* The recording is over: saves the last events. */
void grt_flight_end(struct grt_flight_recorder *f);

/* Saves the snapshot that is held as @path, and gives it up.  0 or -errno with a cause. */
int grt_flight_save(struct record *r, const char *path);

#endif /* GRT_FLIGHT_H */
