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

/* What is known of all of them.  There may be millions, so it is kept in few bytes. */
struct grt_inflights {
	struct grt_vec slots;	/* uint32_t, owned by the caller: the jobs, in the order in which they leave */
	struct grt_vec rows, deps, hangs, credits;
};

/*
 * Finds out what is known of the jobs in @all->slots, before the first of them leaves.  0 or -errno.
 * Free it, also after an error.
 */
int grt_inflight_find(struct grt_model *m, struct grt_inflights *all);
void grt_inflight_free(struct grt_inflights *all);

/* What is known of job @i of @all->slots. */
struct grt_flying grt_inflight_at(const struct grt_model *m, const struct grt_inflights *all, size_t i);

/* The end of the trace, for jobs in flight. */
void grt_inflight_end(struct grt_model *m);

#endif /* GRT_INFLIGHT_H */
