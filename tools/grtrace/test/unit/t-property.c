// SPDX-License-Identifier: GPL-2.0
/*
 * When a part of a trace is missing, each reported value is that of the whole trace, or
 * unknown; whatever is missing, and for whatever reason.  The trials are the same each time.
 * Environment:
 *
 *	GRT_TRIALS	number of trials; 300 by default
 *	GRT_SEED	run only this trial, and print all its faults
 *	GRT_FIRST	skip so many trials of each kind
 *	GRT_SHOW	describe so many failures of each kind; 3 by default
 *	GRT_TRACE	use this file, which must be whole, instead of random schedules
 *	GRT_KEEP	with GRT_SEED: keep the traces in this folder
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "property-kind.h"

#define TRIALS	300

static uint64_t setting(const char *name, uint64_t fallback)
{
	const char *value = getenv(name);

	return value && *value ? strtoull(value, NULL, 0) : fallback;
}

static void show(const struct property_trial *t)
{
	printf("# GRT_SEED=%" PRIu64 ": %s\n", t->seed, t->what);
	printf("#	wrong:");
	for (int i = 0; i < PROPERTY_NR_TOPICS; i++)
		if (t->faults.topics >> i & 1)
			printf(" %s", property_topic_name(i));
	printf("\n");
	for (uint32_t i = 0; i < t->faults.count && i < PROPERTY_MAX_FAULTS; i++)
		printf("#	%s\n", t->faults.text[i]);
	if (t->faults.count > PROPERTY_MAX_FAULTS)
		printf("#	and %u more\n", t->faults.count - PROPERTY_MAX_FAULTS);
	fflush(stdout);
}

static void test_kind(void **state)
{
	const struct property_kind *kind = *state;
	uint64_t base = (kind - property_kinds) * (uint64_t)PROPERTY_SEEDS;
	uint64_t count = setting("GRT_TRIALS", TRIALS) / property_nr_kinds + 1, first = setting("GRT_FIRST", 0);
	uint64_t known = 0, all = 0, refused = 0, wrong = 0, wrong_by[PROPERTY_NR_TOPICS] = { 0 };
	struct property_trial t;

	for (uint64_t n = first; n < first + count; n++) {
		property_try(&t, base + n);
		for (int i = 0; i < PROPERTY_NR_TOPICS; i++)
			wrong_by[i] += t.faults.topics >> i & 1;
		known += t.share.known;
		all += t.share.all;
		refused += t.was_refused;
		if (t.faults.count && wrong++ < setting("GRT_SHOW", 3))
			show(&t);
	}
	printf("# %s: %" PRIu64 " trials, %" PRIu64 " wrong, %" PRIu64 " refused; known still %.1f %%\n",
	       kind->name, count, wrong, refused, all ? 100.0 * known / all : 0.0);
	for (int i = 0; i < PROPERTY_NR_TOPICS; i++)
		if (wrong_by[i])
			printf("#	%s: %" PRIu64 " wrong\n", property_topic_name(i), wrong_by[i]);
	assert_int_equal(wrong, 0);
	assert_true(refused < count);
	assert_true(100 * known >= kind->floor_pct * all);
}

static void test_seed(void **state)
{
	struct property_trial t;

	(void)state;
	property_try(&t, setting("GRT_SEED", 0));
	show(&t);
	assert_int_equal(t.faults.count, 0);
}

/* Trials that found something once. */
static const uint64_t found[] = {
	2002907,	/* a ring's credits, counted by a COMMIT and an END with one time */
	2004744,	/* a job left before the trace showed that its source declares dependencies */
	3004524,	/* a COMMIT that comes before the SUBMIT of the same time ended the time without a job */
	4005084,	/* a killed job, perhaps ready before the job that is handed over next */
	6004294,	/* as 2004744 */
	8000623,	/* a reset that began before the slice did */
	8000899,	/* a job behind unseen ones looked as if it asked for credits */
	12000280,	/* a repaired trace, whose header was damaged, forgot that CPUs are missing */
	12000827,	/* the same */
};

static void test_found(void **state)
{
	struct property_trial t;

	(void)state;
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		property_try(&t, found[i]);
		if (t.faults.count)
			show(&t);
		assert_int_equal(t.faults.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest one[] = { cmocka_unit_test(test_seed) };
	struct CMUnitTest tests[property_nr_kinds + 1];

	if (getenv("GRT_SEED"))
		return cmocka_run_group_tests(one, NULL, NULL);
	for (uint32_t i = 0; i < property_nr_kinds; i++)
		tests[i] = (struct CMUnitTest){
			.name = property_kinds[i].name, .test_func = test_kind,
			.initial_state = (void *)&property_kinds[i],
		};
	tests[property_nr_kinds] = (struct CMUnitTest)cmocka_unit_test(test_found);
	return cmocka_run_group_tests_name("property", tests, NULL, NULL);
}
