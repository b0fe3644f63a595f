// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

#include "mask.h"

#define TYPE(NAME)	(1ull << GRTRACE_##NAME)
/* Includes JOB and WINDOW: an extension module may write them instead of the events. */
#define MINIMAL		(TYPE(SUBMIT) | TYPE(COMPLETE) | TYPE(ERROR) | TYPE(JOB) | TYPE(WINDOW))
#define NORMAL		(MINIMAL | TYPE(COMMIT) | TYPE(START) | TYPE(END) | TYPE(DEPENDENCY) | \
			 TYPE(FENCE_SIGNALED) | TYPE(CTX_SWITCH) | TYPE(MARK) | TYPE(SUSPEND))

static const u64 level_types[] = {
	[GRT_LEVEL_OFF]	    = 0,
	[GRT_LEVEL_MINIMAL] = MINIMAL,
	[GRT_LEVEL_NORMAL]  = NORMAL,
	[GRT_LEVEL_VERBOSE] = ~0ull,
};

static u64 types_of_level(const struct grt_mask *m)
{
	u64 level = READ_ONCE(m->level);

	return level_types[level <= GRT_LEVEL_VERBOSE ? level : GRT_LEVEL_VERBOSE];
}

u32 grt_mask_types(const struct grt_mask *m)
{
	u64 types = READ_ONCE(m->types);

	return ~types_of_level(m) | (types ? ~types : 0);
}

enum grtrace_fate grt_mask_type_fate(const struct grt_mask *m, u16 type)
{
	u64 types = READ_ONCE(m->types);

	if (!(types_of_level(m) >> type & 1))
		return GRTRACE_FATE_FILTERED_LEVEL;
	if (types && !(types >> type & 1))
		return GRTRACE_FATE_FILTERED_TYPE;
	return GRTRACE_FATE_WRITTEN;
}

enum grtrace_fate grt_mask_ring_fate(const struct grt_mask *m, u32 ring, unsigned int engine)
{
	u64 engines = READ_ONCE(m->engines);

	if (!ring)
		return GRTRACE_FATE_WRITTEN;
	if (engines && !(engines >> engine & 1))
		return GRTRACE_FATE_FILTERED_ENGINE;
	if (grt_ringset_is_used(&m->rings) && !grt_ringset_has(&m->rings, ring))
		return GRTRACE_FATE_FILTERED_RING;
	return GRTRACE_FATE_WRITTEN;
}
