// SPDX-License-Identifier: GPL-2.0
/*
 * Which events are wanted at all.
 */
#include "mask.h"

struct grt_mask grt_mask;
DEFINE_STATIC_KEY_FALSE(grt_mask_is_set);

void grt_mask_apply(void)
{
	if (grt_mask.types || grt_mask.engines || grt_mask.ring)
		static_branch_enable(&grt_mask_is_set);
	else
		static_branch_disable(&grt_mask_is_set);
}
