// SPDX-License-Identifier: LGPL-2.1
#include "recent_times.h"

#include <errno.h>

#include "error.h"

int grt_recent_times_add(struct grt_recent_times *t, unsigned int i, uint64_t ns)
{
	struct grt_recent_times_second *s = &t->seconds[i];
	uint16_t *number = grt_vec_grow(&s->buckets, sizeof(*number));
	bool is_first = s->buckets.bytes == sizeof(*number);

	if (!number)
		return grt_fail_memory();
	*number = grt_hist_number(ns);
	if (is_first || ns < s->min)
		s->min = ns;
	if (is_first || ns > s->max)
		s->max = ns;
	s->sum += ns;
	if (!t->all.bands && grt_hist_spread(&t->all))
		return -ENOMEM;
	return grt_hist_add(&t->all, ns);
}

void grt_recent_times_drop(struct grt_recent_times *t, unsigned int i)
{
	struct grt_recent_times_second *s = &t->seconds[i];

	for (size_t k = 0; k < grt_vec_count(&s->buckets, uint16_t); k++)
		grt_hist_take(&t->all, *grt_vec_at(&s->buckets, uint16_t, k));
	t->all.sum -= s->sum;
	s->sum = 0;
	s->buckets.bytes = 0;
}

void grt_recent_times_settle(struct grt_recent_times *t)
{
	t->all.min = UINT64_MAX;
	t->all.max = 0;
	for (unsigned int i = 0; i < GRT_RECENT_SECONDS; i++) {
		const struct grt_recent_times_second *s = &t->seconds[i];

		if (!s->buckets.bytes)
			continue;
		if (s->min < t->all.min)
			t->all.min = s->min;
		if (s->max > t->all.max)
			t->all.max = s->max;
	}
}

void grt_recent_times_free(struct grt_recent_times *t)
{
	for (unsigned int i = 0; i < GRT_RECENT_SECONDS; i++)
		grt_vec_free(&t->seconds[i].buckets);
	grt_hist_free(&t->all);
}
