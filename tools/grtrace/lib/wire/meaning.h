/* SPDX-License-Identifier: LGPL-2.1 */
/* What a record tells, where records of one type tell different things. */
#ifndef GRT_MEANING_H
#define GRT_MEANING_H

#include <stdbool.h>

#include <linux/grtrace.h>

/* A display began a vertical blank; false: a client asked to be told of one, or was told. */
static inline bool grt_is_blank(const struct grtrace_vblank *rec)
{
	return !(rec->hdr.flags & (GRTRACE_F_QUEUED | GRTRACE_F_DELIVERED));
}

/* The clock of engines changed; false: that of memory did, or it tells of power or temperature. */
static inline bool grt_is_engine_clock(const struct grtrace_frequency *rec)
{
	return rec->gauge == GRTRACE_GAUGE_CORE;
}

#endif
