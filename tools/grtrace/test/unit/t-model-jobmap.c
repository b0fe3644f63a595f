// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "jobmap.h"

#define JOBS	1000

static uint32_t add(struct grt_jobmap *map, struct grt_pool *pool, uint64_t ctx, uint64_t seqno)
{
	uint32_t i = grt_pool_get(pool);

	assert_int_not_equal(i, GRT_NONE);
	grt_pool_at(pool, i)->job.ctx = ctx;
	grt_pool_at(pool, i)->job.seqno = seqno;
	assert_int_equal(grt_jobmap_put(map, ctx, seqno, i), 0);
	return i;
}

static void test_all_are_found(void **state)
{
	struct grt_jobmap map = { 0 };
	struct grt_pool pool = { 0 };

	(void)state;
	assert_int_equal(grt_jobmap_get(&map, &pool, 7, 1), GRT_NONE);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_int_equal(add(&map, &pool, 7 + i % 3, i), i);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_int_equal(grt_jobmap_get(&map, &pool, 7 + i % 3, i), i);
	assert_int_equal(grt_jobmap_get(&map, &pool, 7, JOBS), GRT_NONE);
	grt_jobmap_free(&map);
	grt_pool_free(&pool);
}

/* Entries behind a deleted one are still found. */
static void test_the_rest_are_found(void **state)
{
	struct grt_jobmap map = { 0 };
	struct grt_pool pool = { 0 };

	(void)state;
	for (uint32_t i = 0; i < JOBS; i++)
		add(&map, &pool, i % 5, i);
	for (uint32_t i = 0; i < JOBS; i += 2)
		grt_jobmap_del(&map, i % 5, i, i);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_int_equal(grt_jobmap_get(&map, &pool, i % 5, i), i % 2 ? i : GRT_NONE);
	assert_int_equal(map.used, JOBS / 2);
	grt_jobmap_free(&map);
	grt_pool_free(&pool);
}

/* Keys whose two halves cancel out in the hash. */
static void test_same_tag(void **state)
{
	const uint64_t ctx_part = 0x9e3779b97f4a7c15ull, seqno_part = -0xd6e8feb86659fd93ull;
	struct grt_jobmap map = { 0 };
	struct grt_pool pool = { 0 };
	uint32_t slots[3];

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(grt_jobmap_tag(1 + i * ctx_part, 1 + i * seqno_part),
				 grt_jobmap_tag(1, 1));
		slots[i] = add(&map, &pool, 1 + i * ctx_part, 1 + i * seqno_part);
	}
	grt_jobmap_del(&map, 1, 1, slots[0]);
	assert_int_equal(grt_jobmap_get(&map, &pool, 1, 1), GRT_NONE);
	for (uint64_t i = 1; i < 3; i++)
		assert_int_equal(grt_jobmap_get(&map, &pool, 1 + i * ctx_part, 1 + i * seqno_part),
				 slots[i]);
	grt_jobmap_free(&map);
	grt_pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_found),
		cmocka_unit_test(test_the_rest_are_found),
		cmocka_unit_test(test_same_tag),
	};

	return cmocka_run_group_tests_name("jobmap", tests, NULL, NULL);
}
