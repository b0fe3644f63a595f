/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Makes one list of definitions without repeats: every CPU's stream has all definitions, and a
 * file may have a definition behind the events that need it.
 */
#ifndef GRT_DEFS_H
#define GRT_DEFS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/grtrace.h>

#include "map.h"
#include "vec.h"

struct grt_defs {
	struct grt_vec first;	/* const struct grtrace_hdr *: before all events */
	struct grt_vec later;	/* the same, in time order: each at its time */
	struct grt_vec kept;	/* struct grtrace_hdr *, owned: copies of live definitions */
	struct grt_map latest;	/* type and id -> hash of the definition in force */
	struct grtrace_stream_info info;
	bool has_info;
	uint64_t unknown;	/* records of a later version, which are left out */
};

/* Collects all definitions of a file, back to back; @data must stay valid.  0 or -errno. */
int grt_defs_collect(struct grt_defs *defs, const void *data, size_t bytes);

/* Whether a definition is new: 1 or 0, or -errno with a cause. */
int grt_defs_add(struct grt_defs *defs, const struct grtrace_hdr *def);

/* What a definition says, without its time. */
uint64_t grt_defs_hash(const struct grtrace_hdr *def);

/* Definitions with the same key replace each other.  @hash: that of @def. */
uint64_t grt_defs_key(const struct grtrace_hdr *def, uint64_t hash);

/* A copy that is valid as long as @defs; NULL without memory. */
const struct grtrace_hdr *grt_defs_keep(struct grt_defs *defs, const struct grtrace_hdr *def);

void grt_defs_free(struct grt_defs *defs);

#endif /* GRT_DEFS_H */
