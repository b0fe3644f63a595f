// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that seem to be over after a loss, and are not: what their ring did until their next event is not known,
 * however many of them there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model.h"
#include "model-script.h"

#define ROOM	65536		/* for jobs that the second pass does not give up */
#define S	1000000000ull

static void no_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

/* A record of a job. */
static void feed(struct grt_model *m, const char *format, uint32_t ctx, uint64_t ns, int ring)
{
	char script[128];

	snprintf(script, sizeof(script), format, ctx, (unsigned long long)ns, ring);
	script_feed(m, script);
}

/* The last job is on ring 2, all others on ring 1. */
static void play(struct grt_model *m, uint32_t jobs)
{
	script_rings(m);
	for (uint32_t i = 1; i <= jobs; i++)
		feed(m, "S%u.1@%llu/%d", i, 1000 + i, i == jobs ? 2 : 1);
	script_feed(m, "L@900000000-1000000000 S900001.1@70000000000/4");
	for (uint32_t i = 1; i <= jobs; i++) {
		feed(m, "C%u.1@%llu/%d", i, 80 * S + 3000 * i, i == jobs ? 2 : 1);
		feed(m, "E%u.1@%llu/%d", i, 80 * S + 3000 * i + 1000, i == jobs ? 2 : 1);
		feed(m, "D%u.1@%llu/%d", i, 80 * S + 3000 * i + 2000, i == jobs ? 2 : 1);
	}
	assert_int_equal(grt_model_finish(m), 0);
}

static void test_back(void **state)
{
	(void)state;
	for (uint32_t jobs = ROOM - 1; jobs <= ROOM + 2; jobs++) {
		struct grt_model *first = grt_model_create(no_job, NULL), *second = grt_model_create(no_job, NULL);
		const struct grt_ring_use *use;

		play(first, jobs);
		assert_int_equal(grt_model_learn(second, first), 0);
		play(second, jobs);
		use = grt_model_ring_use(second, 1);
		/* From its END to its COMPLETE, which is the last event. */
		assert_int_equal(use->idle_ns[GRT_IDLE_STARVED], 1000);
		assert_true(use->idle_ns[GRT_IDLE_UNKNOWN] > 78 * S);
		grt_model_destroy(second);
		grt_model_destroy(first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_back) };

	return cmocka_run_group_tests_name("model-back", tests, NULL, NULL);
}
