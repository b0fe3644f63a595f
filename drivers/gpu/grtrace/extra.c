// SPDX-License-Identifier: GPL-2.0
#include "extra.h"

DEFINE_STATIC_KEY_FALSE(grt_extra);

void grt_extra_get(void)
{
	static_branch_inc(&grt_extra);
}

void grt_extra_put(void)
{
	static_branch_dec(&grt_extra);
}
