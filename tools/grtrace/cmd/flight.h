/* SPDX-License-Identifier: GPL-2.0 */
/* The flight recorder: waits for a trigger, and saves the events before it in a file. */
#ifndef GRT_FLIGHT_H
#define GRT_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct record;

struct grt_flight {
	bool is_on;
	uint64_t last_ns;		/* how much of a snapshot to keep; 0: all */
	struct grt_words stop_on;	/* events of the kernel that trigger a snapshot, too */
};

/* Records until it is told to end; a file per snapshot.  0 or -errno with a cause. */
int grt_flight_record(struct record *r);

/* Saves the snapshot that is held as @path, and gives it up.  0 or -errno with a cause. */
int grt_flight_save(struct record *r, const char *path);

#endif /* GRT_FLIGHT_H */
