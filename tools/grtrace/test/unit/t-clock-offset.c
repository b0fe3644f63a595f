// SPDX-License-Identifier: GPL-2.0
/* Estimates of clock offsets, from threads whose true offset is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "clock_offset.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define US		1000ull
#define MS		1000000ull
#define S		1000000000ull
#define HOUR		(3600 * S)
#define BEGIN		(90000 * S)

/* How threads behave. */
struct load {
	const char *name;
	uint64_t every_ns, jitter_ns;	/* between ioctls */
	uint64_t ioctl_ns;		/* the longest */
	unsigned int one_in;		/* so many ioctls, one submits */
	unsigned int ioctls;		/* of each thread */
};

static const struct load games[] = {
	{ "a game", 4 * MS, 3 * MS, 200 * US, 4, 2000 },
	{ "frames at 60 Hz", 16666 * US, 300 * US, 100 * US, 1, 500 },
	{ "as fast as possible", 50 * US, 30 * US, 40 * US, 2, 20000 },
	{ "long waits", 20 * MS, 5 * MS, 15 * MS, 1, 500 },
	{ "a few", 50 * MS, 40 * MS, 300 * US, 1, 12 },
};

static const int64_t offsets[] = {
	0, -(int64_t)MS, (int64_t)MS, 37, -(int64_t)(3 * S), (int64_t)(7 * S),
	-(int64_t)(2 * HOUR), (int64_t)(20 * HOUR),
};

static uint64_t random_to(uint64_t most)
{
	return most ? ((uint64_t)random() << 31 | random()) % most : 0;
}

/* A SUBMIT in some ioctls of two threads; the trace's clock is @offset_ns behind. */
static void fill(struct grt_clock_pairs *p, const struct load *l, int64_t offset_ns)
{
	struct { uint64_t enter_ns, exit_ns; } *all[2];

	for (unsigned int t = 0; t < 2; t++) {
		uint64_t ns = BEGIN + t * 777;

		all[t] = calloc(l->ioctls, sizeof(*all[t]));
		assert_non_null(all[t]);
		for (unsigned int i = 0; i < l->ioctls; i++) {
			uint64_t last_ns = 2 * US + random_to(l->ioctl_ns - 2 * US);

			all[t][i].enter_ns = ns;
			all[t][i].exit_ns = ns + last_ns;
			ns += last_ns + l->every_ns - l->jitter_ns + random_to(2 * l->jitter_ns);
			if (i % l->one_in == 0)
				grt_clock_pairs_submit(p, 7 + t, all[t][i].enter_ns + 1 * US +
						       random_to(last_ns - 1 * US) - offset_ns);
		}
	}
	for (unsigned int t = 0; t < 2; t++) {
		for (unsigned int i = 0; i < l->ioctls; i++)
			grt_clock_pairs_ioctl(p, 7 + t, all[t][i].enter_ns, all[t][i].exit_ns);
		free(all[t]);
	}
}

static void test_known(void **state)
{
	(void)state;
	srandom(11);
	for (size_t l = 0; l < NR(games); l++)
		for (size_t i = 0; i < NR(offsets); i++) {
			struct grt_clock_pairs p = { 0 };
			struct grt_clock_offset found;
			uint64_t wrong;

			fill(&p, &games[l], offsets[i]);
			assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
			wrong = llabs(found.ns - offsets[i]);
			print_message("# %s, %lld: %lld +- %llu, %llu of %llu\n", games[l].name,
				      (long long)offsets[i], (long long)found.ns,
				      (unsigned long long)found.error_ns,
				      (unsigned long long)found.best.inside,
				      (unsigned long long)found.best.submits);
			assert_true(found.is_known);
			assert_true(wrong <= found.error_ns);
			assert_true(found.error_ns <= games[l].ioctl_ns);
			assert_int_equal(found.best.inside, found.best.submits);
			assert_int_equal(found.threads, 2);
			if (llabs(offsets[i]) >= (int64_t)(40 * MS))
				assert_true(grt_clock_offset_differs(&found));
			if (!offsets[i])
				assert_int_equal(found.ns, 0);
			grt_clock_pairs_free(&p);
		}
}

/* Every offset by a period fits: the nearest to 0 is taken, and another one is told. */
static void test_periodic(void **state)
{
	const struct load clockwork = { "", 10 * MS, 0, 2001, 1, 300 };
	struct grt_clock_pairs p = { 0 };
	struct grt_clock_offset found;

	(void)state;
	fill(&p, &clockwork, 3 * MS);
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	assert_true(found.is_known && found.is_ambiguous);
	assert_true(llabs(found.ns - (int64_t)(3 * MS)) < 100000);
	grt_clock_pairs_free(&p);
}

/* SUBMITs that have nothing to do with the ioctls are no evidence. */
static void test_unrelated(void **state)
{
	struct grt_clock_pairs p = { 0 };
	struct grt_clock_offset found;

	(void)state;
	srandom(5);
	for (unsigned int i = 0; i < 3000; i++)
		grt_clock_pairs_submit(&p, 7, BEGIN + random_to(10 * S));
	for (unsigned int i = 0; i < 3000; i++)
		grt_clock_pairs_ioctl(&p, 7, BEGIN + i * 3 * MS, BEGIN + i * 3 * MS + 100 * US);
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	assert_false(grt_clock_offset_differs(&found));
	grt_clock_pairs_free(&p);
}

/* Some SUBMITs were made elsewhere, and some ioctls were not recorded. */
static void test_noise(void **state)
{
	struct grt_clock_pairs p = { 0 };
	struct grt_clock_offset found;

	(void)state;
	srandom(6);
	for (unsigned int i = 0; i < 100; i++)
		grt_clock_pairs_submit(&p, 7, BEGIN + random_to(4 * S));
	fill(&p, &games[0], -(int64_t)(5 * MS));
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	assert_true(llabs(found.ns + (int64_t)(5 * MS)) <= (int64_t)found.error_ns);
	assert_true(grt_clock_offset_differs(&found));
	grt_clock_pairs_free(&p);
}

static void test_nothing(void **state)
{
	struct grt_clock_pairs p = { 0 };
	struct grt_clock_offset found;

	(void)state;
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	assert_false(found.is_known);
	/* Threads without the other half, thread 0, stamps that cannot be, and a backward ioctl. */
	assert_int_equal(grt_clock_pairs_submit(&p, 7, 5), 0);
	assert_int_equal(grt_clock_pairs_submit(&p, 0, 5), 0);
	assert_int_equal(grt_clock_pairs_submit(&p, 7, UINT64_MAX), 0);
	assert_int_equal(grt_clock_pairs_ioctl(&p, 8, 1, 9), 0);
	assert_int_equal(grt_clock_pairs_ioctl(&p, 7, 9, 1), 0);
	assert_int_equal(grt_clock_pairs_ioctl(&p, 7, 1, UINT64_MAX), 0);
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	assert_false(found.is_known);
	assert_false(grt_clock_offset_differs(&found));
	grt_clock_pairs_free(&p);
}

/* Stamps from one end of the range to the other take no longer. */
static void test_wide(void **state)
{
	struct grt_clock_pairs p = { 0 };
	struct grt_clock_offset found;

	(void)state;
	for (unsigned int i = 0; i < 1000; i++) {
		grt_clock_pairs_submit(&p, 7, i % 2 ? 1 : INT64_MAX / 2 - i);
		grt_clock_pairs_submit(&p, 8, INT64_MAX / 4);
	}
	for (unsigned int i = 0; i < 1000; i++) {
		grt_clock_pairs_ioctl(&p, 7, i, INT64_MAX / 2 - i);
		grt_clock_pairs_ioctl(&p, 8, i, i);
	}
	assert_int_equal(grt_clock_pairs_find(&p, &found), 0);
	grt_clock_pairs_free(&p);
}

/* It stops to take more, and says so. */
static void test_bounds(void **state)
{
	struct grt_clock_pairs p = { 0 };

	(void)state;
	for (uint32_t i = 0; i < GRT_OFFSET_SUBMITS; i++)
		assert_int_equal(grt_clock_pairs_submit(&p, 7, i), 0);
	assert_int_equal(grt_clock_pairs_submit(&p, 7, 1), 1);
	for (uint32_t i = 0; i < GRT_OFFSET_IOCTLS; i++)
		assert_int_equal(grt_clock_pairs_ioctl(&p, 7, i, i), 0);
	assert_int_equal(grt_clock_pairs_ioctl(&p, 7, 1, 1), 1);
	grt_clock_pairs_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known), cmocka_unit_test(test_periodic),
		cmocka_unit_test(test_unrelated), cmocka_unit_test(test_noise),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_wide),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
