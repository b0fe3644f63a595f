// SPDX-License-Identifier: LGPL-2.1
/* The time that the machine was awake. */
#include "model_private.h"

uint64_t grt_model_awake_ns(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	struct grt_span all = grt_in_window(m, from_ns, to_ns);
	uint64_t ns = all.to_ns - all.from_ns;

	for (size_t i = 0; i < grt_losses_count(&m->asleep); i++) {
		struct grt_span span = *grt_losses_at(&m->asleep, i);

		if (span.from_ns < all.from_ns)
			span.from_ns = all.from_ns;
		if (span.to_ns > all.to_ns)
			span.to_ns = all.to_ns;
		if (span.from_ns < span.to_ns)
			ns -= span.to_ns - span.from_ns;
	}
	return ns;
}

bool grt_model_slept(const struct grt_model *m, uint64_t from_ns, uint64_t to_ns)
{
	return grt_losses_touch(&m->asleep, from_ns, to_ns);
}

uint64_t grt_model_wall_ns(const struct grt_model *m)
{
	return grt_model_awake_ns(m, m->totals.first_ns, m->totals.last_ns);
}
