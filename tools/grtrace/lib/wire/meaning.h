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

/* When the blank began: as the kernel says, unless that is of another clock than the record. */
static inline uint64_t grt_blank_ns(const struct grtrace_vblank *rec)
{
	uint64_t apart = rec->vblank_ns < rec->hdr.ts ? rec->hdr.ts - rec->vblank_ns :
							rec->vblank_ns - rec->hdr.ts;

	return apart < 1000000000 ? rec->vblank_ns : rec->hdr.ts;
}

/* Whether that is the hardware's own stamp. */
static inline bool grt_blank_is_exact(const struct grtrace_vblank *rec)
{
	return rec->hdr.flags & GRTRACE_F_HIGH_PRECISION && grt_blank_ns(rec) == rec->vblank_ns;
}

#endif
