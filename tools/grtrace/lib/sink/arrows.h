/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Arrows in front of a list of events: each job in flight has a column, from its ioctl or its first
 * event to its last one.
 *
 *	┌──▶ SUBMIT of one job
 *	│┌─▶ SUBMIT of another
 *	├┼─▶ START of the first
 *	└┼─▶ and its COMPLETE
 */
#ifndef GRT_ARROWS_H
#define GRT_ARROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GRT_ARROWS	8	/* columns; more jobs at once have none */

enum grt_arrow { GRT_ARROW_NONE, GRT_ARROW_ENTER, GRT_ARROW_EXIT, GRT_ARROW_JOB, GRT_ARROW_OVER };

struct grt_arrow_event {
	enum grt_arrow kind;
	uint64_t ctx, seqno;	/* the job; of none of both, 0:0 */
	bool has_ioctl;		/* a SUBMIT in the ioctl of @tid */
	uint32_t tid;		/* of an ioctl; 0: one of an unknown thread */
};

struct grt_arrow_column {
	bool is_used, has_job, has_ioctl;
	uint64_t ctx, seqno;
	uint32_t tid;
	uint64_t line;		/* of its latest event */
};

/* Zeroed memory is empty. */
struct grt_arrows {
	bool is_ascii;
	uint64_t line;		/* lines so far */
	struct grt_arrow_column columns[GRT_ARROWS];
};

/* Prints what is in front of the event's line. */
void grt_arrows_print(struct grt_arrows *a, FILE *f, const struct grt_arrow_event *ev);

#endif /* GRT_ARROWS_H */
