/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What goes along with lanes in the same columns: the frames of a process, and frequencies of
 * clocks.  Memory depends on the number of columns only.
 */
#ifndef GRT_TRACKS_H
#define GRT_TRACKS_H

#include "frame.h"
#include "lanes.h"

#define GRT_TRACKS_CLOCKS	8	/* more are not kept */

struct grtrace_hdr;

struct grt_track_frames {
	uint64_t ns[GRT_NR_FRAME_VERDICTS];
	uint32_t begins;
	bool has_late;		/* one that begins here */
	/* The frame that began here last. */
	uint64_t number, duration_ns, end_ns;
	uint8_t verdict;
};

struct grt_track_clock {
	uint32_t ring;			/* of FREQUENCY: 0: the device's */
	uint64_t now_hz, since_ns, most_hz;
	struct grt_track_hz {
		unsigned __int128 sum;	/* Hz times ns */
		uint64_t ns;		/* how long it was known */
	} *cells;			/* owned */
};

/* Zeroed memory is empty. */
struct grt_tracks {
	const struct grt_lanes *lanes;	/* not owned: the columns */
	struct grt_track_frames *frames;	/* owned */
	uint64_t nr_frames;
	uint32_t process;		/* whose frames: a row of the names, or GRT_NONE */
	struct grt_track_clock clocks[GRT_TRACKS_CLOCKS];
	unsigned int nr_clocks;
};

/* A pass begins.  0 or -errno. */
int grt_tracks_begin(struct grt_tracks *t, const struct grt_lanes *lanes);

/* Takes a FREQUENCY; others are none of its business.  0 or -errno. */
int grt_tracks_record(struct grt_tracks *t, const struct grtrace_hdr *rec);
void grt_tracks_frame(struct grt_tracks *t, const struct grt_frame *frame);

/* After the last record. */
void grt_tracks_close(struct grt_tracks *t);
void grt_tracks_free(struct grt_tracks *t);

#endif /* GRT_TRACKS_H */
