/* SPDX-License-Identifier: LGPL-2.1 */
/* What a record tells, where records of one type tell different things. */
#ifndef GRT_MEANING_H
#define GRT_MEANING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

/* A member that was added to the format later: an older record ends before it, and it counts as 0. */
#define grt_has_member(rec, member)						\
	((rec)->hdr.size >= offsetof(__typeof__(*(rec)), member) + sizeof((rec)->member))
#define grt_member(rec, member)	(grt_has_member(rec, member) ? (rec)->member : 0)

/* The stream of a CPU; false: what the recorder sampled, which is numbered behind the last CPU. */
static inline bool grt_is_cpu(const struct grtrace_stream_info *info, uint32_t cpu)
{
	return !info->cpus || cpu < info->cpus;
}

/* A display began a vertical blank; false: a client asked to be told of one, or was told. */
static inline bool grt_is_blank(const struct grtrace_vblank *rec)
{
	return !(rec->hdr.flags & (GRTRACE_F_QUEUED | GRTRACE_F_DELIVERED));
}

/*
 * Which of its two times tells when a vertical blank began: that of its event, or vblank_ns, which is
 * CLOCK_MONOTONIC.  Zeroed memory: the trace has that clock, too.  If the clock of a trace is not known, vblank_ns
 * counts once an event came next to it: then both are of one clock.
 */
struct grt_blank_clock {
	uint8_t clock;		/* enum grtrace_clock_id */
	bool is_near;
};

#define GRT_BLANK_NEAR_NS	1000000
#define GRT_BLANK_FAR_NS	1000000000	/* no event comes so late: vblank_ns is wrong */

/* Takes STREAM_INFO; others say nothing of the clock. */
static inline void grt_blank_clock_record(struct grt_blank_clock *c, const struct grtrace_hdr *rec)
{
	if (rec->type == GRTRACE_STREAM_INFO)
		c->clock = ((const struct grtrace_stream_info *)rec)->clock;
}

static inline bool grt_blank_clock_is_same(const struct grt_blank_clock *c)
{
	return c->clock == GRTRACE_CLOCK_MONOTONIC || (c->clock == GRTRACE_CLOCK_OTHER && c->is_near);
}

/* When the blank began. */
static inline uint64_t grt_blank_ns(struct grt_blank_clock *c, const struct grtrace_vblank *rec)
{
	uint64_t apart = rec->vblank_ns < rec->hdr.ts ? rec->hdr.ts - rec->vblank_ns :
							rec->vblank_ns - rec->hdr.ts;

	if (c->clock == GRTRACE_CLOCK_OTHER && apart < GRT_BLANK_NEAR_NS)
		c->is_near = true;
	return grt_blank_clock_is_same(c) && apart < GRT_BLANK_FAR_NS ? rec->vblank_ns : rec->hdr.ts;
}

#endif
