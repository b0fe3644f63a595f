/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of record --rotate, for export --segment: a job may begin in the file before it and end in the next
 * one, so these are read, too, and what belongs to the file is what happened while it was recorded.
 */
#ifndef GRT_CMD_EXPORT_SEGMENT_H
#define GRT_CMD_EXPORT_SEGMENT_H

#include <limits.h>
#include <stdbool.h>

#include "window.h"

struct segment {
	const char *path;		/* of the file; the caller sets it, and @fd to -1, and all else to 0 */
	int fd;				/* of the merged trace, which has no name; -1: none was made */
	char merged[32];		/* a path that opens it */
	uint64_t begin_ns;		/* when it was begun */
	char since[GRT_SECONDS_MAX + 1], until[GRT_SECONDS_MAX + 1];	/* "@1.5" */
};

/*
 * Looks for the files next to the one at s->path, and sets the times of @window.  Sets *trace if another file
 * has to be read instead; it is there until segment_free().  @is_last: no file follows, even if this one says
 * otherwise.  0 or -errno with a cause.
 */
int segment_open(struct segment *s, bool is_last, struct grt_window *window, char **trace);
void segment_free(struct segment *s);

#endif /* GRT_CMD_EXPORT_SEGMENT_H */
