/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events are wanted at all: a level, masks of types and engine classes, rings.
 */
#ifndef _GRTRACE_MASK_H
#define _GRTRACE_MASK_H

#include <uapi/linux/grtrace.h>

#include "ringset.h"

enum grt_level {
	GRT_LEVEL_OFF,
	GRT_LEVEL_MINIMAL,	/* when a job came and when it was over, and errors */
	GRT_LEVEL_NORMAL,	/* all of a job */
	GRT_LEVEL_VERBOSE,	/* and what happens around it */
};

/* 0 in a mask: all pass. */
struct grt_mask {
	u64 level;
	u64 types;		/* bit N: type N */
	u64 engines;		/* bit N: engine class N */
	struct grt_ringset rings;
};

static inline bool grt_mask_is_used(const struct grt_mask *m)
{
	return m->level != GRT_LEVEL_VERBOSE || m->types || m->engines || m->rings.nr;
}

/* Bit N: an event of type N is refused, whatever its ring. */
u32 grt_mask_types(const struct grt_mask *m);

/*
 * The fate of an event of @type, as far as the level and the mask of types decide.
 */
enum grtrace_fate grt_mask_type_fate(const struct grt_mask *m, u16 type);

/*
 * The fate of an event on row @ring of class @engine as far as these decide.  An event
 * whose ring is not known, or that has none, passes.
 */
enum grtrace_fate grt_mask_ring_fate(const struct grt_mask *m, u32 ring, unsigned int engine);

#endif
