/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes records of the lines of a timeline of CPUs and GPUs. */
#ifndef GRT_MERGED_H
#define GRT_MERGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foreign.h"

#define GRT_MERGED_IOCTLS	4096	/* threads within an ioctl; with more, it is not known which of them submits */

/* A thread within an ioctl. */
struct grt_merged_ioctl {
	uint64_t enter_ns;
	uint32_t tid;		/* 0: not known */
	uint32_t depth;		/* of unknown threads: how many are within one */
	char comm[16];
};

/* Zeroed memory is empty. */
struct grt_merged {
	struct grt_merged_ioctl ioctls[GRT_MERGED_IOCTLS];
	unsigned int count;
	bool had_more;		/* there was no room for one */
};

enum grt_merged_cpu { GRT_MERGED_ENTER, GRT_MERGED_EXIT, GRT_MERGED_OTHER };

/*
 * An event of a CPU, with the words behind its arrow: "glxgears(1234)".  Fills in @ioctl, whose
 * thread may not be known.
 */
enum grt_merged_cpu grt_merged_cpu(struct grt_merged *m, struct grt_piece type, uint64_t ts,
				   struct grt_piece delta, struct grt_merged_ioctl *ioctl);

/*
 * The ioctl that a SUBMIT is part of: the one that was entered as long ago as the words behind its
 * arrow say, "121us after ioctl", or the only one.  NULL: not known.
 */
const struct grt_merged_ioctl *grt_merged_submitter(const struct grt_merged *m, uint64_t ts,
						     struct grt_piece delta);

/* Whether a line is one of a timeline.  Fills in @ev, for events of an import. */
bool grt_merged_event(const char *at, size_t len, struct grt_foreign *ev);

/* Whether a file begins with lines of a timeline. */
bool grt_is_merged(int fd);

#endif /* GRT_MERGED_H */
