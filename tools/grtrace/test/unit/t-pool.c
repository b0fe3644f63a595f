// SPDX-License-Identifier: GPL-2.0
/* Slots of jobs: each is given to one job at a time, and blocks without a job give their memory back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pool.h"

#define MANY	5000

static void take(struct grt_pool *p, uint32_t *slots, uint32_t i)
{
	slots[i] = grt_pool_get(p);
	assert_int_not_equal(slots[i], GRT_NONE);
	assert_int_equal(grt_pool_at(p, slots[i])->state, GRT_NEW);
	assert_int_equal(grt_pool_at(p, slots[i])->job.seqno, 0);
	grt_pool_at(p, slots[i])->state = GRT_SUBMITTED;
	grt_pool_at(p, slots[i])->job.seqno = i + 1;
}

/* Each job still has its slot, and no other slot is in use. */
static void check(const struct grt_pool *p, const uint32_t *slots, uint32_t used)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < MANY; i++)
		if (slots[i] != GRT_NONE)
			assert_int_equal(grt_pool_at(p, slots[i])->job.seqno, i + 1);
	for (uint32_t i = 0; (i = grt_pool_skip(p, i)) < p->nr_slots; i++)
		found += grt_pool_at(p, i)->state != GRT_NEW;
	assert_int_equal(found, used);
}

static void test_all_leave(void **state)
{
	struct grt_pool p = { .nr_slots = 0 };
	uint32_t slots[MANY], nr_slots;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		take(&p, slots, i);
	check(&p, slots, MANY);
	nr_slots = p.nr_slots;
	for (uint32_t i = 0; i < MANY; i++) {
		grt_pool_put(&p, slots[i]);
		slots[i] = GRT_NONE;
	}
	check(&p, slots, 0);
	assert_int_equal(grt_pool_skip(&p, 0), p.nr_slots);
	for (uint32_t i = 0; i < MANY; i++)
		take(&p, slots, i);
	check(&p, slots, MANY);
	assert_int_equal(p.nr_slots, nr_slots);
	grt_pool_free(&p);
}

static void test_some_leave(void **state)
{
	struct grt_pool p = { .nr_slots = 0 };
	uint32_t slots[MANY], used = 0;

	(void)state;
	srandom(1);
	memset(slots, 0xff, sizeof(slots));
	for (uint32_t n = 0; n < 40 * MANY; n++) {
		/* More and more of them are in use, then fewer. */
		uint32_t i = random() % MANY, limit = n / MANY % 8 * (MANY / 8);

		if (slots[i] == GRT_NONE && used <= limit) {
			take(&p, slots, i);
			used++;
		} else if (slots[i] != GRT_NONE && used > limit) {
			grt_pool_put(&p, slots[i]);
			slots[i] = GRT_NONE;
			used--;
		}
		if (n % MANY == 0)
			check(&p, slots, used);
	}
	check(&p, slots, used);
	grt_pool_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_leave),
		cmocka_unit_test(test_some_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
