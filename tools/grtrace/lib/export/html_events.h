/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What the HTML view shows beside jobs: frames, frequencies, vertical blanks, marks, errors, losses,
 * ioctls and threads on CPUs.
 */
#ifndef GRT_EXPORT_HTML_EVENTS_H
#define GRT_EXPORT_HTML_EVENTS_H

#include <stdint.h>
#include <stdio.h>

#include <linux/grtrace.h>

#include "frame.h"
#include "meaning.h"
#include "model.h"
#include "packed.h"

/* X(name): kinds of rows.  html/events.js reads them. */
#define GRT_HTML_EVENTS(X)						\
	X(frame) X(frequency) X(vblank) X(mark) X(error) X(loss)	\
	X(ioctl) X(cpu) X(wake)

enum grt_html_event {
#define GRT_X(name) GRT_HTML_EVENT_##name,
	GRT_HTML_EVENTS(GRT_X)
#undef GRT_X
	GRT_NR_HTML_EVENTS
};

#define GRT_HTML_MAX_ROWS	1000000		/* of a kind; a page shows no more */

struct grt_html_rows {
	struct grt_packed packed;	/* of the block that is being filled */
	uint64_t rows, blocks;		/* in all */
	uint64_t left_out;		/* beyond GRT_HTML_MAX_ROWS */
};

/* Zeroed memory but for the first members is empty. */
struct grt_html_events {
	FILE *file;
	uint64_t from_ns;		/* times are written relative to it */
	const struct grt_model *model;

	struct grt_html_rows kinds[GRT_NR_HTML_EVENTS];
	struct grt_vec cpus;		/* of struct html_cpu: who runs there */
	struct grt_blank_clock blanks;
};

const char *grt_html_event_name(enum grt_html_event kind);

/* Each returns 0 or -errno with a cause. */
int grt_html_event(struct grt_html_events *h, const struct grtrace_hdr *rec);
/* A mark; @at_ns: where it is drawn. */
int grt_html_snapshot(struct grt_html_events *h, const struct grtrace_snapshot *rec, uint64_t at_ns);
int grt_html_frame(struct grt_html_events *h, const struct grt_frame *frame);
int grt_html_events_end(struct grt_html_events *h);	/* writes what is left */

void grt_html_events_free(struct grt_html_events *h);

#endif /* GRT_EXPORT_HTML_EVENTS_H */
