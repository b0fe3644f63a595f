// SPDX-License-Identifier: GPL-2.0
#include "rate.h"

#define SECOND	1000000000ull

static u64 depth(const struct grt_rate *r)
{
	return (r->burst ? r->burst : r->limit_hz) * SECOND;
}

void grt_rate_restart(struct grt_rate *r, u64 now_ns)
{
	r->window_end = 0;
	r->left = 0;
	r->filled_at = now_ns;
	r->level = depth(r);
}

/* What has dripped in: each ns brings limit_hz parts.  A long pause fills it, no more. */
static u64 level_at(const struct grt_rate *r, u64 now_ns)
{
	u64 most = depth(r), passed = now_ns > r->filled_at ? now_ns - r->filled_at : 0;
	u64 came;

	if (r->level >= most)	/* the limit was lowered just now */
		return most;
	/* The longest that does not overflow: 92 s at the highest rate, enough to fill it. */
	if (__builtin_mul_overflow(passed, r->limit_hz, &came) || came >= most - r->level)
		return most;
	return r->level + came;
}

static bool take_token(struct grt_rate *r, u64 now_ns)
{
	r->level = level_at(r, now_ns);
	if (now_ns > r->filled_at)
		r->filled_at = now_ns;
	if (r->level < SECOND)
		return false;
	r->level -= SECOND;
	return true;
}

static bool take_of_window(struct grt_rate *r, u64 now_ns)
{
	if (now_ns >= r->window_end) {
		r->window_end = now_ns + SECOND;
		r->left = r->limit_hz;
	}
	if (!r->left)
		return false;
	r->left--;
	return true;
}

bool grt_rate_takes(struct grt_rate *r, u64 now_ns)
{
	return r->mode == GRT_RATE_BUCKET ? take_token(r, now_ns) : take_of_window(r, now_ns);
}

u64 grt_rate_left(const struct grt_rate *r, u64 now_ns)
{
	if (r->mode == GRT_RATE_BUCKET)
		return level_at(r, now_ns) / SECOND;
	return now_ns >= r->window_end ? r->limit_hz : r->left;
}
