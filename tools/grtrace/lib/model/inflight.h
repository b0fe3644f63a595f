/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Jobs that are in flight when the trace ends: what each of them waits for, and which of them wait
 * because another job hung.
 */
#ifndef GRT_INFLIGHT_H
#define GRT_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "vec.h"

struct grt_model;

/* What is known of a slot before any of them leaves. */
struct grt_flying {
	uint32_t slot;
	struct grt_inflight job;	/* without charges */
	bool is_behind;		/* an earlier job of its context is not committed */
	bool is_dep_unknown;
	uint32_t flips;		/* grt_credits_flips() then */
	uint64_t credits_sure_ns;
	uint64_t front_ns;	/* COMMIT of the job in front in its context, 0 = none */
	bool has_dep;		/* it waits for this fence; the first one, if there are several */
	bool is_dep_foreign;
	uint32_t dep_client;
	uint64_t dep_ctx, dep_seqno;
};

/*
 * Fills in the rows of @all, of struct grt_flying with only @slot set, in the order in which they
 * leave.  0 or -errno.
 */
int grt_inflight_find(struct grt_model *m, struct grt_vec *all);

/* The end of the trace, for jobs in flight. */
void grt_inflight_end(struct grt_model *m);

#endif /* GRT_INFLIGHT_H */
