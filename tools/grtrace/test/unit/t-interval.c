// SPDX-License-Identifier: GPL-2.0
/* Intervals of quantiles: their ranks against plain sums, and whether they hold the true value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interval.h"
#include "student.h"

#define MOST_VALUES	600	/* so that p99 is known, too */
#define TRIALS		3000

static const unsigned int permilles[] = { 1, 100, 500, 900, 990, 999 };
static const double confidences[] = { 0.5, 0.9, 0.95, 0.999 };

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* The chance that exactly k of n values are below, by adding one value after the other. */
static void binomial(long double *chance, unsigned int n, long double q)
{
	chance[0] = 1;
	for (unsigned int i = 1; i <= n; i++) {
		chance[i] = chance[i - 1] * q;
		for (unsigned int k = i - 1; k; k--)
			chance[k] = chance[k] * (1 - q) + chance[k - 1] * q;
		chance[0] *= 1 - q;
	}
}

/* The narrowest ranks that miss no more often than allowed on each side. */
static void exact_ranks(const long double *chance, unsigned int n, long double miss,
			unsigned int *low, unsigned int *high)
{
	long double sum = 0;

	for (*low = 0; *low <= n && sum + chance[*low] <= miss; ++*low)
		sum += chance[*low];
	sum = 0;
	for (*high = n + 1; *high && sum + chance[*high - 1] <= miss; --*high)
		sum += chance[*high - 1];
}

static void test_ranks(void **state)
{
	static long double chance[MOST_VALUES + 1];
	unsigned int low, high, known = 0;
	uint64_t got_low, got_high;

	(void)state;
	for (unsigned int n = 1; n <= MOST_VALUES; n += n < 60 ? 1 : 45)
		for (size_t p = 0; p < NR(permilles); p++) {
			binomial(chance, n, permilles[p] / 1000.0L);
			for (size_t c = 0; c < NR(confidences); c++) {
				bool is_known;

				exact_ranks(chance, n, (1 - (long double)confidences[c]) / 2, &low,
					    &high);
				is_known = grt_interval_ranks(n, permilles[p], confidences[c],
							      &got_low, &got_high);
				assert_int_equal(is_known, low && high <= n);
				if (!is_known)
					continue;
				assert_int_equal(got_low, low);
				assert_int_equal(got_high, high);
				known++;
			}
		}
	assert_true(known > 300);
}

/* From tables: the sign test, and the least number of values for p99. */
static void test_known_ranks(void **state)
{
	uint64_t low, high;

	(void)state;
	assert_true(grt_interval_ranks(100, 500, 0.95, &low, &high));
	assert_int_equal(low, 40);
	assert_int_equal(high, 61);
	assert_false(grt_interval_ranks(5, 500, 0.95, &low, &high));
	assert_true(grt_interval_ranks(6, 500, 0.95, &low, &high));
	assert_false(grt_interval_ranks(367, 990, 0.95, &low, &high));
	assert_true(grt_interval_ranks(368, 990, 0.95, &low, &high));
	assert_false(grt_interval_ranks(0, 500, 0.95, &low, &high));
	/* Too many to count: the median's ranks are 1.96 standard deviations away. */
	assert_true(grt_interval_ranks(100000000, 500, 0.95, &low, &high));
	assert_in_range(low, 49990198, 49990204);
	assert_in_range(high, 50009798, 50009804);
}

/* Shapes: a share of all values, in millionths, becomes a time. */
static uint64_t even(uint64_t u) { return 1000000 + u; }
static uint64_t long_tail(uint64_t u) { return 1000 + 1000000000000 / (1000001 - u); }
static uint64_t small(uint64_t u) { return u / 20000; }
static uint64_t two_humps(uint64_t u) { return u < 700000 ? 5000 + u / 100 : 80000000 + u; }

static const struct shape {
	const char *name;
	uint64_t (*time)(uint64_t u);
} shapes[] = {
	{ "even", even }, { "a long tail", long_tail }, { "a few values", small },
	{ "two humps", two_humps },
};

static uint64_t random_u(void)
{
	return ((uint64_t)random() << 20 ^ (uint64_t)random()) % 1000000;
}

/* How often the interval of a random sample holds the true quantile. */
static double coverage(const struct shape *shape, unsigned int n, unsigned int permille)
{
	uint64_t truth = shape->time(permille * 1000ull);
	unsigned int hits = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		struct grt_hist h = { 0 };
		struct grt_interval i;

		for (unsigned int k = 0; k < n; k++)
			assert_int_equal(grt_hist_add(&h, shape->time(random_u())), 0);
		i = grt_interval(&h, n, permille, 0.95);
		assert_true(i.is_known && i.low_ns <= i.ns && i.ns <= i.high_ns);
		hits += i.low_ns <= truth && truth <= i.high_ns;
		grt_hist_free(&h);
	}
	return (double)hits / TRIALS;
}

static void test_coverage(void **state)
{
	const struct shape *shape = *state;

	srandom(7);
	/* Three standard deviations of a share of 0.95 in so many trials are 0.012. */
	assert_true(coverage(shape, 30, 500) > 0.938);
	assert_true(coverage(shape, 150, 900) > 0.938);
	assert_true(coverage(shape, 400, 990) > 0.938);
	/* The interval is not too wide either. */
	if (shape->time == even)
		assert_true(coverage(shape, 150, 500) < 0.985);
}

/* A change is known as well as its two sides together: 3 and 4 make 5. */
static void test_change(void **state)
{
	const struct grt_interval a = { 100, 90, 103, true }, b = { 120, 116, 130, true };
	double low, high;

	(void)state;
	grt_interval_change(&a, &b, &low, &high);
	assert_true(low > 14.999 && low < 15.001);
	assert_true(high > 34.14 && high < 34.15);
}

#define BLOCKS		60
#define IN_BLOCK	20

/* How many independent values tell as much as those of blocks that are alike,  in a row. */
static double effective(unsigned int run)
{
	double all[BLOCKS + 4] = { 0 }, below[BLOCKS + 4] = { 0 }, sum = 0;
	unsigned int df = 0;

	for (int trial = 0; trial < 200; trial++) {
		unsigned int like = 0;

		for (unsigned int i = 0; i < BLOCKS; i++) {
			if (i % run == 0)
				for (unsigned int k = like = 0; k < IN_BLOCK; k++)
					like += random_u() < 500000;
			all[i] = IN_BLOCK;
			below[i] = like;
		}
		sum += grt_interval_effective(all, below, BLOCKS + 4, 500, &df);
		assert_in_range(df, 3, BLOCKS - 1);
	}
	return sum / 200;
}

static void test_effective(void **state)
{
	double below[] = { 5, 5, 5, 5, 5, 5, 5 }, all[] = { 9, 9, 9, 9, 9, 9, 9 };
	unsigned int df;

	(void)state;
	srandom(11);
	/* Independent ones count nearly all; of four that are alike one counts, or fewer. */
	assert_true(effective(1) > 0.7 * BLOCKS * IN_BLOCK && effective(1) < 1.2 * BLOCKS * IN_BLOCK);
	assert_true(effective(4) < 0.45 * BLOCKS * IN_BLOCK);
	assert_true(grt_interval_effective(all, below, NR(all), 500, &df) <= 0);
}

/* From tables. */
static void test_student(void **state)
{
	static const struct {
		unsigned int df;
		double tail, t;
	} table[] = {
		{ 1, 0.025, 12.7062 }, { 2, 0.005, 9.9248 }, { 3, 0.005, 5.8409 },
		{ 4, 0.0005, 8.6103 }, { 10, 0.025, 2.2281 }, { 10, 0.0005, 4.5869 },
		{ 30, 0.05, 1.6973 }, { 30, 0.0005, 3.6460 }, { 100, 0.005, 2.6259 },
	};

	(void)state;
	for (size_t i = 0; i < NR(table); i++) {
		double t = grt_student(table[i].df, table[i].tail);

		assert_true(t > table[i].t - 0.0002 && t < table[i].t + 0.0002);
	}
	assert_true(grt_student(100000, 0.025) < 1.973 && grt_student(100000, 0.025) > 1.959);
	assert_true(grt_square_root(2) > 1.41421356 && grt_square_root(2) < 1.41421357);
	assert_true(grt_square_root(0.0001) > 0.00999999 && grt_square_root(0.0001) < 0.01000001);
}

int main(void)
{
	struct CMUnitTest tests[NR(shapes) + 5] = {
		[NR(shapes)] = cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_known_ranks),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_effective),
		cmocka_unit_test(test_student),
	};

	for (size_t i = 0; i < NR(shapes); i++)
		tests[i] = (struct CMUnitTest){
			.name = shapes[i].name, .test_func = test_coverage,
			.initial_state = (void *)&shapes[i],
		};
	return cmocka_run_group_tests_name("interval", tests, NULL, NULL);
}
