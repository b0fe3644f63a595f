/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What goes along with lanes in the same columns: the frames of a process, the vertical
 * blanks of displays, and clocks, power and temperature of GPUs.  Memory depends on the number of columns only.
 */
#ifndef GRT_TRACKS_H
#define GRT_TRACKS_H

#include <stdbool.h>

#include "frame.h"
#include "lanes.h"
#include "meaning.h"

#define GRT_TRACKS_CRTCS	4	/* more are not drawn, and the legend says so */
#define GRT_TRACKS_GAUGES	16

struct grtrace_hdr;

struct grt_track_frames {
	uint64_t ns[GRT_NR_FRAME_VERDICTS];
	uint32_t begins;
	bool has_late;		/* one that begins here */
	/* The frame that began here last. */
	uint64_t number, duration_ns, end_ns;
	uint8_t verdict;
};

struct grt_track_crtc {
	uint32_t gpu, crtc;		/* of VBLANK */
	uint32_t *cells;		/* owned: how many vertical blanks */
};

struct grt_track_gauge {
	uint32_t gauge, ring, gpu;	/* of FREQUENCY; ring 0: the GPU's, gpu 0: not known which */
	bool is_known, has_most;	/* there is a value now; there was one in the picture */
	int64_t now, most;
	uint64_t since_ns, until_ns;	/* the time of the value now */
	struct grt_track_value {
		__int128 sum;		/* value times ns */
		uint64_t ns;		/* how long it was known */
	} *cells;			/* owned */
};

/* Zeroed memory is empty. */
struct grt_tracks {
	const struct grt_lanes *lanes;	/* not owned: the columns */
	struct grt_track_frames *frames;	/* owned */
	uint64_t nr_frames;
	uint32_t process;		/* whose frames: a row of the names, or GRT_NONE */
	struct grt_blank_clock blanks;
	struct grt_track_crtc crtcs[GRT_TRACKS_CRTCS];
	unsigned int nr_crtcs;
	struct grt_track_gauge gauges[GRT_TRACKS_GAUGES];
	unsigned int nr_gauges;
	bool lacks_crtcs, lacks_gauges;	/* there are more */
};

/* A pass begins.  0 or -errno. */
int grt_tracks_begin(struct grt_tracks *t, const struct grt_lanes *lanes);

/* Takes STREAM_INFO, FREQUENCY and VBLANK; others are none of its business.  0 or -errno. */
int grt_tracks_record(struct grt_tracks *t, const struct grtrace_hdr *rec);
void grt_tracks_frame(struct grt_tracks *t, const struct grt_frame *frame);

/* After the last record. */
void grt_tracks_close(struct grt_tracks *t);
void grt_tracks_free(struct grt_tracks *t);

#endif /* GRT_TRACKS_H */
