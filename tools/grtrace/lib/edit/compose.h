/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes a new trace from the records of a stream, in time order.  They get new sub-buffers and
 * numbers.  The stream has already turned the fates of the old sub-buffers into LOSS records, so
 * the fates of the new sub-buffers count only written events.
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
	struct grt_target *to;		/* an open target */
	const char *line;		/* for METADATA: what this trace was made from */
	uint64_t session_id;		/* all records name this session */
	struct grt_vec defs;		/* definitions not written yet */
	struct grt_vec cpus;		/* struct grt_compose_cpu *, owned, by CPU; may be NULL */
	uint64_t events;
	bool has_metadata;
};

/*
 * Adds a copy of @rec to @cpu.  *copy may be changed until the next call, but not its size.  The
 * caller makes sure that time does not run back on a CPU.  0 or -errno with a cause.
 */
int grt_compose_put(struct grt_compose *c, const struct grtrace_hdr *rec, uint16_t cpu,
		    struct grtrace_hdr **copy);

/* Adds a METADATA record: @c->line, then the text of @rec.  0 or -errno with a cause. */
int grt_compose_metadata(struct grt_compose *c, const struct grtrace_metadata *rec);

/* Writes the rest.  @has_end: nothing is missing at the end.  0 or -errno with a cause. */
int grt_compose_end(struct grt_compose *c, bool has_end);
void grt_compose_free(struct grt_compose *c);

#endif /* GRT_COMPOSE_H */
