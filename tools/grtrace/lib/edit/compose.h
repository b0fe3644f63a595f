/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes a trace out of the records of others, as a stream gives them: in the order of
 * time.  They get sub-buffers and numbers of their own.  What is missing is told by LOSS
 * records, which a stream has made of the fates already; so the fates of the new
 * sub-buffers know of nothing but what is written.
 */
#ifndef GRT_COMPOSE_H
#define GRT_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "target.h"
#include "vec.h"

/* A record and the SUBBUF before it always fit. */
#define GRT_COMPOSE_BYTES	(128u << 10)

struct grt_compose {
	struct grt_target *to;		/* open */
	const char *line;		/* of METADATA: what this trace was made of */
	uint64_t session_id;		/* that all of it names */
	struct grt_vec defs;		/* not written yet */
	struct grt_vec lanes;		/* struct grt_compose_lane *, owned, by CPU; NULL: none */
	uint64_t events;
	bool has_metadata;
};

/*
 * Takes @rec as one of @cpu and leaves it in *copy, to be changed until the next call;
 * its size stays.  The caller keeps time from running back on a CPU.  0 or -errno with a
 * cause.
 */
int grt_compose_put(struct grt_compose *c, const struct grtrace_hdr *rec, uint16_t cpu,
		    struct grtrace_hdr **copy);

/* METADATA, with the line before its text.  0 or -errno with a cause. */
int grt_compose_metadata(struct grt_compose *c, const struct grtrace_metadata *rec);

/* Writes what is left; @has_end: nothing is missing behind it.  0 or -errno with a cause. */
int grt_compose_end(struct grt_compose *c, bool has_end);
void grt_compose_free(struct grt_compose *c);

#endif /* GRT_COMPOSE_H */
