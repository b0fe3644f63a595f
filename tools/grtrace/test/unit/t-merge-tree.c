// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "merge_tree.h"

#define MOST	70
#define STEPS	20000

struct plain {
	bool has[MOST];
	uint64_t ns[MOST];
	uint64_t dice;
};

static uint64_t roll(struct plain *p, uint64_t sides)
{
	p->dice = p->dice * 6364136223846793005u + 1442695040888963407u;
	return (p->dice >> 33) % sides;
}

static uint32_t first(const struct plain *p, uint32_t nr)
{
	uint32_t best = GRT_NONE;

	for (uint32_t i = 0; i < nr; i++)
		if (p->has[i] && (best == GRT_NONE || p->ns[i] < p->ns[best]))
			best = i;
	return best;
}

/* A time near the others, equal to another one, or any number. */
static uint64_t some_time(struct plain *p, uint32_t nr, uint64_t ns)
{
	switch (roll(p, 8)) {
	case 0:
		return p->ns[roll(p, nr)];
	case 1:
		return roll(p, 2) ? UINT64_MAX - roll(p, 3) : roll(p, 3);
	case 2:
		return ns + (1ull << (20 + roll(p, 44)));
	default:
		return ns + roll(p, 1000);
	}
}

static void play(uint32_t nr)
{
	struct plain p = { .dice = nr };
	struct grt_merge_tree h;
	uint64_t ns = 1000;

	assert_int_equal(grt_merge_tree_init(&h, nr), 0);
	assert_int_equal(grt_merge_tree_first(&h), GRT_NONE);
	for (int step = 0; step < STEPS; step++) {
		uint32_t i = roll(&p, nr);

		if (first(&p, nr) != GRT_NONE)
			ns = p.ns[first(&p, nr)];
		p.has[i] = roll(&p, 6);
		if (p.has[i]) {
			p.ns[i] = some_time(&p, nr, ns);
			assert_int_equal(grt_merge_tree_set(&h, i, p.ns[i]), first(&p, nr));
		} else {
			grt_merge_tree_remove(&h, i);
		}
		assert_int_equal(grt_merge_tree_has(&h, i), p.has[i]);
		assert_int_equal(grt_merge_tree_first(&h), first(&p, nr));
	}
	grt_merge_tree_free(&h);
}

static void test_the_earliest_is_first(void **state)
{
	(void)state;
	for (uint32_t nr = 1; nr <= MOST; nr++)
		play(nr);
}

/* A merge of sorted streams is sorted, whatever time the clock began with. */
static void test_times_of_any_clock(void **state)
{
	static const uint64_t starts[] = { 0, 1ull << 40, 1788000000000000000ull, 1ull << 63 };
	struct plain p = { .dice = 1 };

	(void)state;
	for (size_t clock = 0; clock < sizeof(starts) / sizeof(starts[0]); clock++) {
		struct grt_merge_tree h;
		uint64_t last_ns = 0;
		uint32_t next;

		assert_int_equal(grt_merge_tree_init(&h, 17), 0);
		for (uint32_t i = 0; i < 17; i++) {
			p.ns[i] = starts[clock] + roll(&p, 100);
			grt_merge_tree_set(&h, i, p.ns[i]);
		}
		next = grt_merge_tree_first(&h);
		for (int step = 0; step < STEPS; step++) {
			assert_true(p.ns[next] >= last_ns);
			last_ns = p.ns[next];
			p.ns[next] += roll(&p, 1000);
			next = grt_merge_tree_set(&h, next, p.ns[next]);
		}
		grt_merge_tree_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_earliest_is_first),
		cmocka_unit_test(test_times_of_any_clock),
	};

	return cmocka_run_group_tests_name("merge tree", tests, NULL, NULL);
}
