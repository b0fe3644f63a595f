// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/minmax.h>

#include "rate.h"

#define SECOND		1000000000ull
#define TICKS_PER_NS	256ull		/* an interval is exact to 1 in 2560 */
#define MOST_TICKS	BIT_ULL(62)	/* 208 days */
#define MOST_BATCH	64u
#define TAKEN_BITS	32
#define GRT_RATE_TAKEN	(BIT_ULL(TAKEN_BITS) - 1)

void grt_rate_restart(struct grt_rate *r, unsigned int cpus)
{
	u64 events = r->burst ? r->burst : r->limit_hz, depth = MOST_TICKS;

	WRITE_ONCE(r->began_ns, 0);
	WRITE_ONCE(r->spent, 0);
	/* A CPU may be claiming and divide by the interval: keep the old one, it is not 0. */
	if (!r->limit_hz)
		return;
	WRITE_ONCE(r->interval, (SECOND * TICKS_PER_NS + r->limit_hz - 1) / r->limit_hz);
	if (events < MOST_TICKS / r->interval)
		depth = events * r->interval;
	WRITE_ONCE(r->depth, depth);
	/* All CPUs together hold at most 1/256 of the events as unspent claims. */
	events = r->mode == GRT_RATE_BUCKET ? min(events, r->limit_hz) : r->limit_hz;
	WRITE_ONCE(r->batch, clamp(events / (256ull * cpus), 1ull, (u64)MOST_BATCH));
}

/* Time since the first event; 0 if this is the first. */
static u64 passed_ns(struct grt_rate *r, u64 now_ns)
{
	u64 began_ns = READ_ONCE(r->began_ns);

	if (!began_ns)
		began_ns = cmpxchg64(&r->began_ns, 0, now_ns) ?: now_ns;
	return now_ns > began_ns ? now_ns - began_ns : 0;
}

/*
 * The bucket has the tokens from the returned tick up to @now: never more than depth ticks.
 * ticks() starts at depth, so that a new bucket is full.
 */
static u64 filled_from(const struct grt_rate *r, u64 spent, u64 now)
{
	u64 depth = READ_ONCE(r->depth);

	return max(spent, now > depth ? now - depth : 0);
}

static u64 ticks(const struct grt_rate *r, u64 passed_ns)
{
	return READ_ONCE(r->depth) + min(passed_ns, MOST_TICKS / TICKS_PER_NS) * TICKS_PER_NS;
}

static u32 claim_of_bucket(struct grt_rate *r, u64 passed, u64 *wait_ns)
{
	u64 spent = READ_ONCE(r->spent), now = ticks(r, passed), from, was;
	u64 interval = READ_ONCE(r->interval);
	u32 taken;

	for (;;) {
		from = filled_from(r, spent, now);
		if (from + interval > now) {
			*wait_ns = (from + interval - now + TICKS_PER_NS - 1) / TICKS_PER_NS;
			/* While the limit changes, the sum may be wrong: wait a second at most. */
			*wait_ns = min(*wait_ns, SECOND);
			return 0;
		}
		taken = min((now - from) / interval, (u64)READ_ONCE(r->batch));
		was = cmpxchg64(&r->spent, spent, from + taken * interval);
		if (was == spent)
			break;
		spent = was;
	}
	*wait_ns = SECOND;	/* unspent claims expire after that time */
	return taken;
}

/* The number of tokens taken in second @number. */
static u64 taken_of(u64 spent, u64 number)
{
	return spent >> TAKEN_BITS == number ? spent & GRT_RATE_TAKEN : 0;
}

static u32 claim_of_window(struct grt_rate *r, u64 passed, u64 *wait_ns)
{
	u64 spent = READ_ONCE(r->spent), number = passed / SECOND, before, was;
	u64 limit_hz = READ_ONCE(r->limit_hz);
	u32 taken;

	*wait_ns = (number + 1) * SECOND - passed;
	for (;;) {
		/* Another CPU's clock is ahead: it has begun the next second already. */
		if (spent >> TAKEN_BITS > number) {
			*wait_ns = 1;
			return 0;
		}
		before = taken_of(spent, number);
		if (before >= limit_hz)
			return 0;
		taken = min(limit_hz - before, (u64)READ_ONCE(r->batch));
		was = cmpxchg64(&r->spent, spent, number << TAKEN_BITS | (before + taken));
		if (was == spent)
			return taken;
		spent = was;
	}
}

u32 grt_rate_claim(struct grt_rate *r, u64 now_ns, u64 *until_ns)
{
	u64 passed = passed_ns(r, now_ns), wait_ns;
	u32 taken;

	if (READ_ONCE(r->mode) == GRT_RATE_BUCKET)
		taken = claim_of_bucket(r, passed, &wait_ns);
	else
		taken = claim_of_window(r, passed, &wait_ns);
	*until_ns = now_ns + wait_ns;
	return taken;
}

u64 grt_rate_left(const struct grt_rate *r, u64 now_ns)
{
	u64 began_ns = READ_ONCE(r->began_ns), spent = READ_ONCE(r->spent), passed, now;
	u64 interval = READ_ONCE(r->interval), limit_hz = READ_ONCE(r->limit_hz);

	/* The interval is 0 until a new limit is applied. */
	if (!limit_hz || !interval)
		return 0;
	passed = began_ns && now_ns > began_ns ? now_ns - began_ns : 0;
	if (READ_ONCE(r->mode) == GRT_RATE_WINDOW)
		return limit_hz - min(taken_of(spent, passed / SECOND), limit_hz);
	now = ticks(r, passed);
	return (now - min(filled_from(r, spent, now), now)) / interval;
}
