// SPDX-License-Identifier: GPL-2.0
/* Beginnings and ends of calls that are paired. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../cmd/call_times.c"

/* '(' and ')': a call of a key begins or ends; '!': hits are lost.  Time goes on by 1 for each. */
static const struct {
	const char *name, *hits;	/* pairs of a letter, the key, and what happens to it */
	bool nests;
	uint64_t count, sum, open, unbegun, replaced, cut;
} cases[] = {
	{ "one call", "a(a)", true, 1, 1, 0, 0, 0, 0 },
	{ "one in another", "a(a(a)a)", true, 2, 1 + 3, 0, 0, 0, 0 },
	{ "two threads", "a(b(a)b)", true, 2, 2 + 2, 0, 0, 0, 0 },
	{ "a place is used again", "a(a)a(b(b)a)", true, 3, 1 + 1 + 3, 0, 0, 0, 0 },
	{ "began before", "a)a(a)", true, 1, 1, 0, 1, 0, 0 },
	{ "does not end", "a(a(a)", true, 1, 1, 1, 0, 0, 0 },
	{ "points do not nest", "a(a(a)a)", false, 1, 1, 0, 1, 1, 0 },
	{ "a loss", "a(b(x!a)b)c(c)", true, 1, 1, 0, 2, 0, 2 },
};

static void test_pairs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct grt_call_times t = { .nests = cases[i].nests };
		uint64_t ns = 100;

		for (const char *at = cases[i].hits; *at; at += 2, ns++) {
			if (at[1] == '(')
				assert_int_equal(grt_call_begins(&t, *at, ns), 0);
			else if (at[1] == ')')
				assert_int_equal(grt_call_ends(&t, *at, ns, *at, ""), 0);
			else
				grt_call_times_cut(&t);
		}
		if (t.times.count != cases[i].count || grt_hist_sum(&t.times) != cases[i].sum ||
		    t.nr_open != cases[i].open || t.unbegun != cases[i].unbegun ||
		    t.replaced != cases[i].replaced || t.cut != cases[i].cut)
			fail_msg("%s: count %ju sum %ju open %ju unbegun %ju replaced %ju cut %ju", cases[i].name,
				 (uintmax_t)t.times.count, (uintmax_t)grt_hist_sum(&t.times),
				 (uintmax_t)t.nr_open, (uintmax_t)t.unbegun, (uintmax_t)t.replaced,
				 (uintmax_t)t.cut);
		grt_call_times_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
