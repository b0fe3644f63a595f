// SPDX-License-Identifier: GPL-2.0
/* The windows of time in which extensions count, and a share that follows the load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt.h"
#include "window.h"

static void test_boundaries(void **state)
{
	(void)state;
	assert_int_equal(grt_window_boundary(1000, 100, 1000), 1100);
	assert_int_equal(grt_window_boundary(1000, 100, 1099), 1100);
	assert_int_equal(grt_window_boundary(1000, 100, 1100), 1200);
	assert_int_equal(grt_window_boundary(1000, 100, 5), 1100);	/* before the start */
}

/* Two jobs, one of them into the next window; times of two CPUs, not in order. */
static void test_jobs(void **state)
{
	struct grt_window w = { 0 }, done;

	(void)state;
	grt_window_begin(&w, 1000, 1100);
	assert_false(grt_window_has_content(&w));
	grt_window_join(&w, 1010);
	grt_window_join(&w, 1030);
	grt_window_leave(&w, 1050);
	grt_window_add_latency(&w, 40);
	assert_true(grt_window_end(&w, 1060, &done));	/* in the middle of the window */
	assert_int_equal(done.depth_sum_ns, 20 + 2 * 20 + 10);
	assert_true(grt_window_end(&w, 1100, &done));
	assert_int_equal(done.jobs, 1);
	assert_int_equal(done.latency_min_ns, 40);
	assert_int_equal(done.latency_max_ns, 40);
	assert_int_equal(done.depth_sum_ns, 20 + 2 * 20 + 50);
	assert_int_equal(done.depth_peak, 2);

	grt_window_begin(&w, 1100, 1200);
	assert_int_equal(w.jobs, 0);
	assert_int_equal(w.depth_peak, 1);
	grt_window_leave(&w, 1160);
	grt_window_add_latency(&w, 130);
	grt_window_leave(&w, 1170);	/* one that never came */
	assert_true(grt_window_end(&w, 1200, &done));
	assert_int_equal(done.depth_sum_ns, 60);
	assert_int_equal(done.latency_min_ns, 130);
	grt_window_begin(&w, 1200, 1300);
	assert_false(grt_window_end(&w, 1300, &done));
}

/* A late event of the window before: its time counts from the begin of this window. */
static void test_late(void **state)
{
	struct grt_window w = { 0 }, done;

	(void)state;
	grt_window_begin(&w, 1000, 1100);
	grt_window_join(&w, 990);
	grt_window_end(&w, 1100, &done);
	assert_int_equal(done.depth_sum_ns, 100);
	grt_window_leave(&w, 995);
	grt_window_end(&w, 1100, &done);
	assert_int_equal(done.depth_sum_ns, 0);
}

static void test_targets(void **state)
{
	(void)state;
	assert_int_equal(grt_adapt_target(0, 8000), 8000);
	assert_int_equal(grt_adapt_target(25, 8000), 8000);
	assert_int_equal(grt_adapt_target(50, 8100), 4100);
	assert_int_equal(grt_adapt_target(75, 8000), 100);
	assert_int_equal(grt_adapt_target(300, 8000), 100);
	assert_int_equal(grt_adapt_target(100, 0), 0);	/* nothing is asked for */
}

/* The share reaches both ends, and stays within them. */
static void test_share(void **state)
{
	struct grt_adapt a = { .share = 8000 };
	uint64_t before;

	(void)state;
	for (int i = 0; i < 60; i++) {
		before = a.share;
		grt_adapt_step(&a, 8000, 90, 1000);
		assert_true(a.share <= before && a.share >= 100);
	}
	assert_int_equal(a.share, 100);
	for (int i = 0; i < 60; i++) {
		before = a.share;
		grt_adapt_step(&a, 8000, 0, 1000);
		assert_true(a.share >= before && a.share <= 8000);
	}
	assert_int_equal(a.share, 8000);
}

/* A buffer that begins to fill lowers the share before it is full, and more with more events. */
static void test_growth(void **state)
{
	struct grt_adapt calm = { .share = 8000, .fill_pct = 10, .events_hz = 1000 };
	struct grt_adapt busy = calm;

	(void)state;
	grt_adapt_step(&calm, 8000, 24, 1000);
	grt_adapt_step(&busy, 8000, 24, 3000);
	assert_true(calm.share < 8000);
	assert_true(busy.share < calm.share);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boundaries),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
