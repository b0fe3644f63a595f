// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "label_sets.h"

static void expect_row(struct grt_label_sets *s, uint64_t a, uint64_t now_ns, uint32_t row, bool is_new)
{
	bool was_new;

	assert_int_equal(grt_label_sets_row(s, a, 7, now_ns, &was_new), row);
	assert_int_equal(was_new, is_new);
}

static void test_rows(void **state)
{
	struct grt_label_sets s = { .cap = 2 };

	(void)state;
	assert_int_equal(grt_label_sets_count(&s), 0);
	expect_row(&s, 10, 1, 1, true);
	expect_row(&s, 20, 2, 2, true);
	expect_row(&s, 10, 3, 1, false);
	assert_int_equal(s.folded, 0);
	expect_row(&s, 30, 4, GRT_OTHER_ROW, false);
	expect_row(&s, 30, 5, GRT_OTHER_ROW, false);
	expect_row(&s, 40, 1u << 30, GRT_OTHER_ROW, false);
	assert_int_equal(s.folded, 2);
	assert_int_equal(grt_label_sets_count(&s), 3);
	assert_int_equal(grt_label_sets_at(&s, 2)->a, 20);
	grt_label_sets_free(&s);
	assert_int_equal(s.cap, 2);
}

static void test_idle(void **state)
{
	struct grt_label_sets s = { .cap = 2, .idle_ns = 100 };

	(void)state;
	expect_row(&s, 10, 1000, 1, true);
	expect_row(&s, 20, 1050, 2, true);
	expect_row(&s, 30, 1099, GRT_OTHER_ROW, false);
	expect_row(&s, 10, 1110, 1, false);
	/* 40 gets the row of 20. */
	expect_row(&s, 40, 1150, 2, true);
	assert_int_equal(grt_label_sets_at(&s, 2)->a, 40);
	expect_row(&s, 10, 1160, 1, false);
	expect_row(&s, 40, 1160, 2, false);
	expect_row(&s, 20, 1170, GRT_OTHER_ROW, false);
	expect_row(&s, 30, 1260, 1, true);
	expect_row(&s, 20, 1260, 2, true);
	/* A time before the last use makes no row idle. */
	expect_row(&s, 50, 5, GRT_OTHER_ROW, false);
	grt_label_sets_free(&s);
}

/* There is no row that could be given away. */
static void test_no_rows(void **state)
{
	struct grt_label_sets s = { .cap = 0, .idle_ns = 100 };

	(void)state;
	expect_row(&s, 10, 1, GRT_OTHER_ROW, false);
	expect_row(&s, 20, UINT64_MAX, GRT_OTHER_ROW, false);
	assert_int_equal(s.folded, 2);
	assert_int_equal(grt_label_sets_count(&s), 1);
	grt_label_sets_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
