// SPDX-License-Identifier: GPL-2.0
/* The window that puts events of CPUs in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cpu_window.h"

static void put(struct grt_cpu_window *w, uint64_t ns, uint64_t nth)
{
	const struct grt_cpu_event ev = { .ts = ns, .arg = nth };

	assert_int_equal(grt_cpu_window_put(w, &ev), 0);
}

/* Takes all events: in the order of time, equal times as they came. */
static size_t take_all(struct grt_cpu_window *w)
{
	struct grt_cpu_event ev, before = { .ts = 0 };
	size_t count = 0;

	for (; grt_cpu_window_count(w); count++) {
		grt_cpu_window_take(w, &ev);
		assert_true(ev.ts >= before.ts);
		assert_true(!count || ev.ts > before.ts || ev.arg > before.arg);
		before = ev;
	}
	return count;
}

static void test_random(void **state)
{
	struct grt_cpu_window w = { 0 };

	(void)state;
	srandom(3);
	for (unsigned int span = 1; span < 1000000; span *= 7) {
		for (unsigned int i = 0; i < 3000; i++)
			put(&w, i * 10 + random() % span, i);
		assert_int_equal(take_all(&w), 3000);
	}
	grt_cpu_window_free(&w);
}

/* One buffer after the other, as tracers write them; a window's worth is put right. */
static void test_buffers(void **state)
{
	struct grt_cpu_window w = { 0 };
	uint64_t nth = 0;

	(void)state;
	for (unsigned int cpu = 0; cpu < 8; cpu++)
		for (unsigned int i = 0; i < GRT_CPU_WINDOW / 8; i++)
			put(&w, i * 100 + cpu, nth++);
	assert_int_equal(grt_cpu_window_count(&w), GRT_CPU_WINDOW);
	assert_int_equal(take_all(&w), GRT_CPU_WINDOW);
	grt_cpu_window_free(&w);
}

/* One event far ahead of its time does not spoil the order of the others, however many. */
static void test_far_ahead(void **state)
{
	struct grt_cpu_event ev;
	struct grt_cpu_window w = { 0 };
	uint64_t last_ns = 0;

	(void)state;
	put(&w, UINT64_MAX, 0);
	for (uint64_t i = 1; i < 3 * GRT_CPU_WINDOW; i++) {
		if (grt_cpu_window_count(&w) == GRT_CPU_WINDOW) {
			grt_cpu_window_take(&w, &ev);
			assert_true(ev.ts > last_ns);
			last_ns = ev.ts;
		}
		put(&w, i, i);
	}
	assert_int_equal(take_all(&w), GRT_CPU_WINDOW);
	grt_cpu_window_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_far_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
