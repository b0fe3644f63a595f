// SPDX-License-Identifier: GPL-2.0
/* A picture with more processes or jobs than there is room for: who has most of a cell is not known then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lanes.h"

/* Small ones, which a test can reach. */
#undef GRT_LANES_MAX_SHARES
#define GRT_LANES_MAX_SHARES	4
#undef GRT_LANES_MAX_CULPRITS
#define GRT_LANES_MAX_CULPRITS	2
#include "../../lib/analysis/lanes.c"

static void test_shares(void **state)
{
	struct grt_lane_top first = { .ns = 0 }, second = { .ns = 0 };
	struct grt_lanes l = { .columns = 2 };

	(void)state;
	assert_int_equal(add_share(&l, RUNNERS, 0, 0, 10, 100, &first), 0);
	assert_int_equal(add_share(&l, RUNNERS, 0, 0, 11, 200, &first), 0);
	assert_int_equal(add_share(&l, RUNNERS, 0, 1, 10, 100, &second), 0);
	assert_int_equal(add_share(&l, RUNNERS, 0, 1, 11, 50, &second), 0);
	assert_false(l.is_full);
	/* The third one of a cell may have most of it. */
	assert_int_equal(add_share(&l, RUNNERS, 0, 1, 12, 300, &second), 0);
	assert_true(l.is_full && second.is_lost && !second.ns);
	assert_int_equal(add_share(&l, RUNNERS, 0, 1, 10, 5000, &second), 0);
	assert_true(second.is_lost && !second.ns);
	/* A cell that needs no more room is right. */
	assert_int_equal(add_share(&l, RUNNERS, 0, 0, 10, 150, &first), 0);
	assert_true(first.ns == 250 && first.who == 10 && !first.is_lost);
	grt_lanes_free(&l);
}

static void test_culprits(void **state)
{
	struct grt_lanes l = { .columns = 1, .from_ns = 0, .to_ns = 1000 };
	struct grt_ring_stretch s = { .ring = 1, .state = GRT_IDLE_DEPENDENCY, .from_ns = 0, .to_ns = 10 };

	(void)state;
	for (s.ctx = 1; s.ctx <= 3; s.ctx++) {
		assert_int_equal(add_stretch(&l, &s), 0);
		assert_int_equal(grt_lane_at(&l, 0)->cells[0].culprit.is_lost, s.ctx == 3);
	}
	assert_true(l.is_full && !grt_lane_at(&l, 0)->cells[0].culprit.ns);
	assert_int_equal(grt_lane_at(&l, 0)->cells[0].ns[GRT_IDLE_DEPENDENCY], 30);
	grt_lanes_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_culprits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
