/* SPDX-License-Identifier: LGPL-2.1 */
/* Merges several traces into one. */
#ifndef GRT_MERGE_H
#define GRT_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

#define GRT_MERGE_MAX	63	/* number of traces */

struct grt_merge_input {
	char *path;		/* the caller's */
	int64_t offset_ns;	/* given by the user, in addition to what is found out */
	bool has_offset;

	/* Filled in by the merge. */
	int64_t shift_ns;	/* total shift of its times */
	uint64_t boot;		/* number of the boot in the merged trace, from 0 */
	uint64_t events;
	bool is_aligned;	/* not the first trace's boot, so aligned by CLOCK_REALTIME */
	bool is_by_peer;	/* aligned by a PEER instead: its times are right within @within_ns */
	bool is_by_fences;	/* set by the caller, who found @offset_ns from jobs: right within @within_ns */
	uint64_t within_ns;
	uint64_t drift_ns;	/* how far the two clocks moved apart while that was recorded */
	char host[64];
};

struct grt_merge {
	struct grt_merge_input *inputs;	/* the caller's */
	int count;
	const char *line;	/* for METADATA: what was merged */
	uint64_t events, boots;	/* filled in */
};

/* 0, or -errno with a cause and no file; -EBADMSG if two traces contain the same events. */
int grt_merge_files(struct grt_merge *m, struct grt_target *to);

#endif /* GRT_MERGE_H */
