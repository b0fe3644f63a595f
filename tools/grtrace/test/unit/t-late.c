// SPDX-License-Identifier: GPL-2.0
/* Records of an import that stand behind later ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "late.h"

#define MANY	100000

static void add(struct grt_late *l, uint64_t ns, uint16_t type, uint16_t bytes)
{
	struct grtrace_hdr *rec = grt_late_add(l, bytes);

	assert_non_null(rec);
	memset(rec, 0, bytes);
	rec->ts = ns;
	rec->type = type;
	rec->size = bytes;
}

static void expect(const struct grt_late *l, size_t i, uint64_t ns, uint16_t type)
{
	assert_int_equal(grt_late_at(l, i)->ts, ns);
	assert_int_equal(grt_late_at(l, i)->type, type);
}

static void test_order(void **state)
{
	struct grt_late l = { 0 };

	(void)state;
	assert_int_equal(grt_late_sort(&l), 0);
	assert_int_equal(grt_late_count(&l), 0);
	add(&l, 30, 1, 32);
	add(&l, 10, 2, 64);
	add(&l, 20, 3, 40);
	add(&l, 10, 4, 32);
	assert_int_equal(grt_late_sort(&l), 0);
	assert_int_equal(grt_late_count(&l), 4);
	expect(&l, 0, 10, 2);
	expect(&l, 1, 10, 4);
	expect(&l, 2, 20, 3);
	expect(&l, 3, 30, 1);
	grt_late_clear(&l);
	add(&l, 5, 6, 32);
	assert_int_equal(grt_late_sort(&l), 0);
	assert_int_equal(grt_late_count(&l), 1);
	expect(&l, 0, 5, 6);
	grt_late_free(&l);
}

static void test_newest_first(void **state)
{
	struct grt_late l = { 0 };

	(void)state;
	for (uint64_t ns = MANY; ns; ns--)
		add(&l, ns, 0, 32);
	assert_int_equal(grt_late_sort(&l), 0);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(grt_late_at(&l, i)->ts, i + 1);
	grt_late_free(&l);
}

static void test_full(void **state)
{
	struct grt_late l = { 0 };
	size_t count = 0;

	(void)state;
	for (; !grt_late_is_full(&l, 4096); count++)
		add(&l, 1, 0, 4096);
	assert_int_equal(count * 4096, GRT_LATE_BYTES);
	grt_late_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_newest_first),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
