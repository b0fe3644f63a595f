// SPDX-License-Identifier: GPL-2.0
/*
 * Which events are wanted at all.
 */
#include <linux/export.h>

#include "mask.h"

struct grt_mask grt_mask;
DEFINE_STATIC_KEY_FALSE(grtrace_masked);
EXPORT_SYMBOL_GPL(grtrace_masked);

void grt_mask_apply(void)
{
	if (grt_mask.types || grt_mask.engines || grt_mask.ring)
		static_branch_enable(&grtrace_masked);
	else
		static_branch_disable(&grtrace_masked);
}

enum grtrace_fate grt_mask_fate(u16 type, u32 ring)
{
	u64 types = READ_ONCE(grt_mask.types), engines = READ_ONCE(grt_mask.engines);
	u64 only = READ_ONCE(grt_mask.ring);

	if (types && !(types >> type & 1))
		return GRTRACE_FATE_FILTERED_TYPE;
	if (engines && ring && !(engines >> grt_ring_engine(ring) & 1))
		return GRTRACE_FATE_FILTERED_ENGINE;
	if (only && ring && ring != only)
		return GRTRACE_FATE_FILTERED_RING;
	return GRTRACE_FATE_WRITTEN;
}
