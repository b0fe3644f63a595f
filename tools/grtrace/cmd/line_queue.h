/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A FILE for lines of a command that must not stop when nobody reads them: a write never waits.  Lines for which there
 * is no room are dropped and counted, and a line says so as soon as there is room again.
 */
#ifndef GRT_LINE_QUEUE_H
#define GRT_LINE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ready_fd.h"
#include "vec.h"

struct grt_line_queue {
	FILE *file;			/* owned; line by line */
	struct grt_ready_fd out;
	struct grt_vec bytes;		/* still to be written ... */
	size_t at;			/* ... from here on */
	uint64_t dropped, untold;	/* lines; untold: no line says it yet */
	int err;			/* -errno: a write failed, so nothing more is written, and all lines are dropped */
};

/* @q->file writes to the file of @fd.  0, or -errno with a cause. */
int grt_line_queue_open(struct grt_line_queue *q, int fd);

/* Writes what the reader takes now. */
void grt_line_queue_pass(struct grt_line_queue *q);

/* What to wait for: -1 if nothing is to be written. */
int grt_line_queue_fd(const struct grt_line_queue *q);

/*
 * Writes the rest, but gives up a reader that reads nothing, and closes.  Returns how many lines nobody read; a dropped
 * line counts only if no other line told of it.  0 if a write failed: see @q->err.
 */
uint64_t grt_line_queue_close(struct grt_line_queue *q);

#endif /* GRT_LINE_QUEUE_H */
