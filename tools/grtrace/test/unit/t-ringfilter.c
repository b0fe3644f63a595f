// SPDX-License-Identifier: GPL-2.0
/* Which rings a policy keeps, and whether their data are complete without the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ringfilter.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* gfx 1 and gfx_low 3 share their hardware; 17 is gfx of another device. */
static const struct grtrace_ring rings[] = {
	{ .ring = 1, .hw_ring = 1, .engine = GRTRACE_ENGINE_GRAPHICS, .name = "gfx", .device = "card0" },
	{ .ring = 2, .hw_ring = 2, .engine = GRTRACE_ENGINE_COPY, .name = "copy", .device = "card0" },
	{ .ring = 3, .hw_ring = 1, .engine = GRTRACE_ENGINE_COMPUTE, .name = "low", .device = "card0" },
	{ .ring = 17, .engine = GRTRACE_ENGINE_GRAPHICS, .name = "gfx", .device = "card1" },
};

/* '+' before a policy that comes after the first event. */
static const struct filter_case {
	const char *policies, *kept;
	bool is_clean;
} filter_cases[] = {
	{ "", "1 2 3 17 ", false },	/* nothing is left out by these */
	{ "filter_ring_id=-1", "1 2 3 17 ", false },
	{ "filter_ring_id=0", "1 2 3 17 ", false },
	{ "filter_ring_id=copy", "2 ", true },
	{ "filter_ring_id=2", "2 ", true },
	{ "filter_ring_id=gfx", "1 17 ", false },
	{ "filter_ring_id=gfx,low", "1 3 17 ", true },
	{ "filter_ring_id=1,3", "1 3 ", true },
	{ "filter_ring_id=card1/gfx", "17 ", true },
	{ "filter_ring_id=gf,gfxx,7,22,17x", "", true },
	{ "filter_engine_mask=4", "2 ", true },
	{ "filter_engine_mask=0x1", "1 17 ", false },
	{ "filter_engine_mask=3", "1 3 17 ", true },
	{ "filter_engine_mask=all", "1 2 3 17 ", false },
	{ "filter_engine_mask=no", "1 2 3 17 ", false },
	{ "filter_engine_mask=3 filter_ring_id=card0/gfx,low,copy", "1 3 ", true },
	{ "filter_ring_id=copy sample=50", "2 ", true },
	{ "filter_ring_id=copy +filter_ring_id=2", "2 ", false },
	{ "+filter_ring_id=copy", "2 ", false },
	{ "filter_ring_id=copy +sample=50", "2 ", true },
};

static void put(struct grt_ringfilter *f, const char *policies)
{
	char key[64], value[64];
	int used;

	while (sscanf(policies, " %63[^=]=%63s%n", key, value, &used) == 2) {
		bool is_late = *key == '+';

		grt_ringfilter_policy(f, key + is_late, value, !is_late);
		policies += used;
	}
}

static void test_filter(void **state)
{
	const struct filter_case *c = *state;
	struct grt_ringfilter f = { .rings = "" };
	struct grt_names names = { 0 };
	char kept[64] = "";

	put(&f, c->policies);
	for (size_t i = 0; i < NR(rings); i++) {
		const struct grt_ring *ring;

		assert_int_equal(grt_names_ring(&names, &rings[i]), 0);
		ring = grt_names_ring_at(&names, i);
		if (grt_ringfilter_keeps(&f, ring))
			snprintf(kept + strlen(kept), sizeof(kept) - strlen(kept), "%u ", ring->id);
	}
	assert_string_equal(kept, c->kept);
	assert_int_equal(grt_ringfilter_is_clean(&f, &names), c->is_clean);
	grt_names_free(&names);
}

/* Its end may be cut off. */
static void test_long(void **state)
{
	struct grt_ringfilter f = { .rings = "" };
	struct grt_names names = { 0 };
	char value[137];

	(void)state;
	memset(value, 'x', sizeof(value));
	value[135] = '\0';
	grt_ringfilter_policy(&f, "filter_ring_id", value, true);
	assert_false(grt_ringfilter_is_clean(&f, &names));
	grt_names_free(&names);
}

int main(void)
{
	struct CMUnitTest tests[NR(filter_cases) + 1];

	for (size_t i = 0; i < NR(filter_cases); i++)
		tests[i] = (struct CMUnitTest){
			.name = filter_cases[i].policies, .test_func = test_filter,
			.initial_state = (void *)&filter_cases[i],
		};
	tests[NR(filter_cases)] = (struct CMUnitTest)cmocka_unit_test(test_long);
	return cmocka_run_group_tests_name("ringfilter", tests, NULL, NULL);
}
