/* SPDX-License-Identifier: LGPL-2.1 */
/* Several traces as one. */
#ifndef GRT_MERGE_H
#define GRT_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

#define GRT_MERGE_MAX	63	/* traces */

struct grt_merge_input {
	char *path;		/* the caller's */
	int64_t offset_ns;	/* by hand, on top of what is found out */
	bool has_offset;

	/* Filled in. */
	int64_t shift_ns;	/* all in all */
	uint64_t boot;		/* of the merged trace, from 0 */
	uint64_t events;
	bool is_aligned;	/* by CLOCK_REALTIME: another boot than the first trace's */
	char host[64];
};

struct grt_merge {
	struct grt_merge_input *inputs;	/* the caller's */
	int count;
	const char *line;	/* for METADATA: what was merged */
	uint64_t events, boots;	/* filled in */
};

/* 0, or -errno with a cause and no file made: -EBADMSG where two hold the same events. */
int grt_merge_files(struct grt_merge *m, struct grt_target *to);

#endif /* GRT_MERGE_H */
