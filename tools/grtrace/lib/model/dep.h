/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Dependencies: which job waits for which fence, and when that fence was over.  A fence is a
 * slot: that of its job, or of no job as long as no event of its job was seen.
 */
#ifndef GRT_DEP_H
#define GRT_DEP_H

#include <stdbool.h>
#include <stdint.h>

#include "keymap.h"
#include "vec.h"

/* One job waits for one fence.  Indices, GRT_NONE = none. */
struct grt_edge {
	uint32_t job, fence;	/* slots */
	uint32_t next;		/* of the same job; free list */
	uint32_t prev_waiter, next_waiter;	/* of the same fence */
	uint8_t is_pipelined;	/* over at the COMMIT of the fence's job */
	uint8_t is_blocked;	/* the scheduler found it in the way */
};

struct grt_edges {
	struct grt_vec rows;	/* of struct grt_edge */
	uint32_t free;
};

struct grt_model;
struct grtrace_dependency;
struct grtrace_fence_signaled;

/* 0 or -errno. */
int grt_dep_event(struct grt_model *m, uint32_t i, const struct grtrace_dependency *rec); /* of job @i */
int grt_dep_signaled(struct grt_model *m, const struct grtrace_fence_signaled *rec);

/* The fence of slot @i is signalled, or its job committed: jobs that waited for it may go on. */
void grt_dep_over(struct grt_model *m, uint32_t i, uint64_t ns, bool is_committed);

/* Slot @i leaves. */
void grt_dep_leave(struct grt_model *m, uint32_t i);

#endif /* GRT_DEP_H */
