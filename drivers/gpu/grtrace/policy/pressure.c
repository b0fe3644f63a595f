// SPDX-License-Identifier: GPL-2.0
#include "pressure.h"

#define STEPS	64

void grt_pressure_prepare(struct grt_pressure *p, u32 all)
{
	u32 first = (p->threshold_pct * all + 99) / 100;

	WRITE_ONCE(p->first, first);
}

static u64 wanted(u64 threshold_pct, bool is_adaptive, u64 full, u64 all)
{
	u64 pct = 100 * full / all;

	if (pct < threshold_pct)
		return GRT_PRESSURE_ALL;
	if (!is_adaptive || threshold_pct >= 100)
		return 0;
	return (100 - pct) * GRT_PRESSURE_ALL / (101 - threshold_pct);
}

u64 grt_pressure_share(const struct grt_pressure *p, u64 share, u64 full, u64 all)
{
	bool is_adaptive = READ_ONCE(p->is_adaptive);	/* settings may change meanwhile */
	u64 to = wanted(READ_ONCE(p->threshold_pct), is_adaptive, full, all);

	if (!is_adaptive)
		return to;
	/* Round towards the target, so that it is reached. */
	if (share > to)
		return share - (share - to + STEPS - 1) / STEPS;
	return share + (to - share + STEPS - 1) / STEPS;
}
