/* SPDX-License-Identifier: LGPL-2.1 */
/* The part of a trace's time that a user asked for, counted from the first event. */
#ifndef GRT_PART_H
#define GRT_PART_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

struct grt_stream;

struct grt_part {
	uint64_t since_ns, until_ns;	/* after the first event; until: UINT64_MAX = to the end */

	/* Filled in as records come. */
	uint64_t first_ns;		/* time of the first event; see @has_begun */
	bool has_begun;
	bool is_narrow;			/* the stream skips the rest */
};

/* Whether all of the trace is wanted. */
static inline bool grt_part_is_whole(const struct grt_part *p)
{
	return !p->since_ns && p->until_ns == UINT64_MAX;
}

/*
 * Whether @rec counts, the next record of the trace.  Events count within the part, a POLICY
 * before its end, other definitions and losses at any time.
 */
bool grt_part_has(struct grt_part *p, const struct grtrace_hdr *rec);

/* Once the first event was seen: @stream skips what need not be read from here on. */
void grt_part_narrow(struct grt_part *p, struct grt_stream *stream);

/* The trace is read again from its beginning. */
void grt_part_rewind(struct grt_part *p);

#endif /* GRT_PART_H */
