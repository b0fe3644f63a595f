/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The definitions that explain a stream, as records: STREAM_INFO, METADATA, then
 * RING, PROCESS and POLICY rows in the order in which they became known.
 */
#ifndef _GRTRACE_DEFS_H
#define _GRTRACE_DEFS_H

#include <linux/types.h>

#include "line.h"

#define GRT_DEF_MAX	8192	/* longest record */

/* A reader's position.  Zeroed = nothing was read yet. */
struct grt_defs_cursor {
	bool has_begun;
	bool has_metadata;
	bool has_snapshot;
	struct grt_line_cursor rings;
	struct grt_line_cursor processes;
	u32 policies;
};

/*
 * Writes the definition after @cursor, for the file of @cpu, to @to (GRT_DEF_MAX bytes), and
 * moves @cursor.  Returns its size, 0 when there is no new definition.  May sleep.
 */
size_t grt_defs_next(struct grt_defs_cursor *cursor, int cpu, void *to);

/* Writes the STREAM_INFO for the file of @cpu, or for its turn in a pipe; returns its size. */
size_t grt_defs_stream_info(void *to, int cpu);

/* Writes the text of METADATA, NUL terminated; returns its length. */
size_t grt_defs_metadata(char *to, size_t room);

#endif
