// SPDX-License-Identifier: GPL-2.0
/* Rate limits of the module: policy/rate.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rate.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define SECOND		1000000000ull

static uint64_t random_below(uint64_t *state, uint64_t most)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (*state >> 33) % most;
}

/* A CPU of the module: it spends the tokens it claimed, and waits when there are none. */
struct claim {
	uint32_t tokens;
	uint64_t until, wait_until;
};

static bool takes(struct grt_rate *r, struct claim *c, uint64_t now)
{
	u64 until;

	if (c->tokens && now < c->until) {
		c->tokens--;
		return true;
	}
	if (now < c->wait_until)
		return false;
	c->tokens = grt_rate_claim(r, now, &until);
	if (!c->tokens) {
		c->wait_until = until;
		return false;
	}
	c->until = until;
	c->tokens--;
	return true;
}

/*
 * Offers events at random times for a minute, 3 times as many as may pass.  Returns how
 * many passed.
 */
static uint64_t pass_for_a_minute(struct grt_rate *r, unsigned int cpus, uint64_t *most_in_second)
{
	const uint64_t begin = 987654321, mean = SECOND / r->limit_hz / 3;
	uint64_t now = begin, seed = 1, passed = 0, second = 0, in_second = 0;
	struct claim claims[64] = { 0 };

	*most_in_second = 0;
	grt_rate_restart(r, cpus);
	while (now < begin + 60 * SECOND) {
		bool is_ok = takes(r, &claims[random_below(&seed, cpus)], now);

		passed += is_ok;
		in_second = (now - begin) / SECOND == second ? in_second + is_ok : is_ok;
		second = (now - begin) / SECOND;
		*most_in_second = in_second > *most_in_second ? in_second : *most_in_second;
		now += random_below(&seed, 2 * mean + 1);
	}
	return passed;
}

static void test_rates(void **state)
{
	static const struct { uint64_t limit_hz, mode, burst; unsigned int cpus; } cases[] = {
		{ 100, GRT_RATE_WINDOW, 0, 1 }, { 5000, GRT_RATE_WINDOW, 0, 4 },
		{ 100, GRT_RATE_BUCKET, 8, 1 }, { 100, GRT_RATE_BUCKET, 20, 16 },
		{ 5000, GRT_RATE_BUCKET, 50, 4 }, { 7777, GRT_RATE_BUCKET, 0, 1 },
		{ 60000, GRT_RATE_WINDOW, 0, 64 }, { 60000, GRT_RATE_BUCKET, 0, 8 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct grt_rate r = { .limit_hz = cases[i].limit_hz, .mode = cases[i].mode,
				      .burst = cases[i].burst };
		uint64_t most, passed = pass_for_a_minute(&r, cases[i].cpus, &most);
		uint64_t extra = r.mode == GRT_RATE_BUCKET ? r.burst ? r.burst : r.limit_hz : 0;

		/* A bucket is full at the begin: that many more may pass. */
		assert_in_range(passed, r.limit_hz * 60 * 98 / 100, r.limit_hz * 60 + extra);
		/* CPUs may also spend what they claimed in the second before. */
		assert_true(most <= r.limit_hz + extra + r.limit_hz / 256 + 1);
	}
}

static void test_burst(void **state)
{
	struct grt_rate r = { .limit_hz = 1000, .mode = GRT_RATE_BUCKET, .burst = 30 };
	uint64_t now = 5 * SECOND;
	struct claim c = { 0 };

	(void)state;
	grt_rate_restart(&r, 1);
	assert_int_equal(grt_rate_left(&r, now), 30);
	for (int i = 0; i < 50; i++)
		assert_int_equal(takes(&r, &c, now), i < 30);
	assert_int_equal(grt_rate_left(&r, now), 0);
	/* A token a millisecond, no sooner. */
	assert_false(takes(&r, &c, now + 999999));
	assert_true(takes(&r, &c, now + 1000000));
	assert_false(takes(&r, &c, now + 1000000));
	/* An hour fills it, and no more. */
	assert_int_equal(grt_rate_left(&r, now + 3600 * SECOND), 30);
	for (int i = 0; i < 50; i++)
		assert_int_equal(takes(&r, &c, now + 3600 * SECOND), i < 30);
	/* A clock that is a little behind gives nothing. */
	assert_false(takes(&r, &c, now));
}

static void test_window(void **state)
{
	struct grt_rate r = { .limit_hz = 3, .mode = GRT_RATE_WINDOW };
	uint64_t now = 7 * SECOND + 5;
	struct claim c = { 0 };

	(void)state;
	grt_rate_restart(&r, 1);
	for (int i = 0; i < 5; i++)
		assert_int_equal(takes(&r, &c, now + i), i < 3);
	assert_false(takes(&r, &c, now + SECOND - 1));
	assert_int_equal(grt_rate_left(&r, now + SECOND - 1), 0);
	assert_int_equal(grt_rate_left(&r, now + SECOND), 3);
	assert_true(takes(&r, &c, now + SECOND));
	assert_int_equal(grt_rate_left(&r, now + SECOND), 2);
}

/* Nothing overflows at the bounds; a lowered limit holds at once. */
static void test_rate_bounds(void **state)
{
	struct grt_rate r = { .limit_hz = GRT_RATE_MAX, .mode = GRT_RATE_BUCKET,
			      .burst = GRT_RATE_BURST_MAX };
	struct claim c = { 0 };

	(void)state;
	grt_rate_restart(&r, 1);
	assert_true(takes(&r, &c, UINT64_MAX / 2));
	assert_int_equal(grt_rate_left(&r, UINT64_MAX / 2) + c.tokens, GRT_RATE_BURST_MAX - 1);
	assert_int_equal(grt_rate_left(&r, UINT64_MAX), GRT_RATE_BURST_MAX);
	r.limit_hz = 1;
	grt_rate_restart(&r, 1);
	c = (struct claim){ 0 };
	assert_true(takes(&r, &c, 1));
	assert_int_equal(grt_rate_left(&r, UINT64_MAX) + c.tokens, GRT_RATE_BURST_MAX);
	r.limit_hz = 10;
	r.burst = 2;
	grt_rate_restart(&r, 1);
	assert_int_equal(grt_rate_left(&r, UINT64_MAX / 2), 2);
}

/* A limit is taken away while a CPU claims: that claim ends, and waits no longer than a second. */
static void test_rate_taken_away(void **state)
{
	struct grt_rate r = { .limit_hz = 100, .mode = GRT_RATE_BUCKET };
	u64 until = 0;

	(void)state;
	grt_rate_restart(&r, 2);
	assert_true(grt_rate_claim(&r, 1000, &until));
	r.limit_hz = 0;
	grt_rate_restart(&r, 2);
	grt_rate_claim(&r, 2000, &until);
	assert_true(until <= 2000 + 1000000000ull);
	r.began_ns = 0;
	r.spent = 1ull << 60;
	assert_int_equal(grt_rate_claim(&r, 3000, &until), 0);
	assert_true(until <= 3000 + 1000000000ull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_rate_bounds),
		cmocka_unit_test(test_rate_taken_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
