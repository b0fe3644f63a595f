/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Displays: their vertical blanks, and how often they refresh.  A first pass over a trace counts
 * the vertical blanks of each CRTC; later passes know which CRTC has most of them, and its refresh
 * period.
 */
#ifndef GRT_DISPLAY_H
#define GRT_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "crtcs.h"

#define GRT_DISPLAY_RECENT	1024	/* vertical blanks that are remembered */

/* Zeroed memory is empty. */
struct grt_display {
	struct grt_crtcs crtcs;
	bool is_chosen;
	uint32_t gpu, crtc;		/* the one with most vertical blanks */
	uint64_t refresh_ns;		/* of that one; 0: not known */
	uint64_t late_ns;		/* the event of a blank came at most so long after its begin */
	bool is_exact;			/* the hardware said when its vertical blanks began */

	/* Of the chosen one, in later passes: when they began. */
	uint64_t recent_ns[GRT_DISPLAY_RECENT];
	uint64_t seen;
};

/* In the first pass: counts vertical blanks; takes STREAM_INFO, VBLANK and LOSS.  0 or -errno. */
int grt_display_learn(struct grt_display *d, const struct grtrace_hdr *rec);

/* The first pass is over.  0 or -errno. */
int grt_display_choose(struct grt_display *d);

/* A later pass begins. */
void grt_display_rewind(struct grt_display *d);

/* Takes a vertical blank; whether it is one of the chosen CRTC, and later than the last one. */
bool grt_display_add(struct grt_display *d, const struct grtrace_vblank *rec);

/* When the latest vertical blank so far began; 0: none. */
uint64_t grt_display_last(const struct grt_display *d);

/*
 * The first vertical blank at @ns or later.  0: none so far; or the one before is not known, so
 * that there may have been an earlier one.
 */
uint64_t grt_display_after(const struct grt_display *d, uint64_t ns);

/* Who said when the vertical blanks of the chosen CRTC began: "hardware" or "events". */
const char *grt_display_stamps(const struct grt_display *d);

void grt_display_free(struct grt_display *d);

#endif /* GRT_DISPLAY_H */
