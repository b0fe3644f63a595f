/* SPDX-License-Identifier: GPL-2.0 */
/* merge --cpu --gpu: events of CPUs and of a trace in one list. */
#ifndef GRT_MERGE_TIMELINE_H
#define GRT_MERGE_TIMELINE_H

#include <stdbool.h>

struct merge_timeline {
	const char *cpu, *gpu;		/* files; NULL: not given */
	const char *output;		/* NULL: standard output */
	const char *offset;		/* as typed: "-1000000", "-1ms", "auto"; NULL: 0 */
	bool is_stats_only, is_verbose, has_deltas;
};

/* Whether an option that only this kind of merge has was given. */
static inline bool merge_timeline_is_meant(const struct merge_timeline *a)
{
	return a->cpu || a->gpu || a->offset || a->is_stats_only || a->is_verbose || a->has_deltas;
}

/* 0, or -EINVAL with a cause: these options cannot be used together. */
int merge_timeline_check(const struct merge_timeline *a, int operands);

/* Returns the exit code. */
int merge_timeline(const struct merge_timeline *a);

#endif /* GRT_MERGE_TIMELINE_H */
