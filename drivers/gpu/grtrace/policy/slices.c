// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of a ring over the last second.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "slices.h"

static u64 oldest(const struct grt_slices *s)
{
	return s->newest < GRT_SLICES ? 0 : s->newest - GRT_SLICES + 1;
}

static struct grt_slice *slot(struct grt_slices *s, u64 number)
{
	return &s->slices[number % GRT_SLICES];
}

void grt_slices_init(struct grt_slices *s)
{
	memset(s, 0, sizeof(*s));
	s->now = slot(s, 0);
}

/* Begins the slices up to @number and empties them. */
static void begin_slices(struct grt_slices *s, u64 number)
{
	if (number <= s->newest)
		return;
	if (number >= s->newest + GRT_SLICES) {
		memset(s->slices, 0, sizeof(s->slices));
		s->newest = number;
	}
	while (s->newest < number)
		memset(slot(s, ++s->newest), 0, sizeof(struct grt_slice));
	s->now = slot(s, number);
	s->from_ns = number * GRT_SLICE_NS;
}

struct grt_slice *grt_slices_at(struct grt_slices *s, u64 ns)
{
	u64 number = grt_slice_number(ns);

	begin_slices(s, number);
	return slot(s, max(number, oldest(s)));
}

/* Adds the busy time from busy_since to @until to its slices. */
static void was_busy(struct grt_slices *s, u64 until)
{
	u64 from = max(s->busy_since, oldest(s) * GRT_SLICE_NS);

	while (from < until) {
		u64 number = grt_slice_number(from);
		u64 end = min(until, (number + 1) * GRT_SLICE_NS);

		slot(s, number)->busy_ns += end - from;
		from = end;
	}
	s->busy_since = max(s->busy_since, until);
	s->busy_until = s->busy_since;
}

void grt_slices_job_off(struct grt_slices *s, u64 ns)
{
	begin_slices(s, grt_slice_number(ns));
	if (!--s->jobs_on)
		was_busy(s, ns);
}

void grt_slices_sum(struct grt_slices *s, u64 now_ns, struct grt_slices_sum *sum)
{
	u64 number = grt_slice_number(now_ns), i;

	begin_slices(s, number);
	if (s->jobs_on)
		was_busy(s, now_ns);
	memset(sum, 0, sizeof(*sum));
	for (i = max(oldest(s), number > GRT_WINDOW ? number - GRT_WINDOW : 0); i < number; i++) {
		const struct grt_slice *slice = slot(s, i);

		sum->busy_ns += slice->busy_ns;
		if (slice->untracked) {
			sum->busy_ns = 0;
			sum->busy_from_ns = (i + 1) * GRT_SLICE_NS;
		}
		sum->latency_sum_ns += slice->latency_sum_ns;
		sum->seen += slice->seen;
		sum->dropped += slice->dropped;
		sum->jobs += slice->jobs;
		sum->untimed += slice->untimed;
	}
}
