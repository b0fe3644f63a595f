/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects events by level, by masks of types and engine classes, and by rings.
 */
#ifndef _GRTRACE_MASK_H
#define _GRTRACE_MASK_H

#include <uapi/linux/grtrace.h>

#include "ringset.h"

enum grt_level {
	GRT_LEVEL_OFF,
	GRT_LEVEL_MINIMAL,	/* SUBMIT, COMPLETE and errors */
	GRT_LEVEL_NORMAL,	/* all events of a job */
	GRT_LEVEL_VERBOSE,	/* all events */
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

/* Returns the refused types as a mask: bit N = events of type N are refused on all rings. */
u32 grt_mask_types(const struct grt_mask *m);

/*
 * Returns the fate that the level and the type mask give to an event of @type.
 */
enum grtrace_fate grt_mask_type_fate(const struct grt_mask *m, u16 type);

/*
 * Returns the fate that the engine mask and the selected rings give to an event on row @ring, of
 * class @engine.
 * An event with an unknown ring, or with none, passes.
 */
enum grtrace_fate grt_mask_ring_fate(const struct grt_mask *m, u32 ring, unsigned int engine);

#endif
