// SPDX-License-Identifier: GPL-2.0
/* START by the order of the ring, and how busy the ring was. */
#include <stdio.h>

#include "model-script.h"

static const struct start_case {
	const char *name, *script;
	/* per job: ctx.seqno start, - = not known */
	const char *starts;
	/* busy time of rings 1 and 3, jobs of either without START */
	uint64_t busy_ns[2], unknown[2];
} start_cases[] = {
	{ "alone: at COMMIT", "S1.1@100 C1.1@110 E1.1@150", "1.1 110;", { 40 }, { 0 } },
	{ "behind another: at its END",
	  "S1.1@100 C1.1@110 S2.1@111 C2.1@120 E1.1@150 E2.1@170",
	  "1.1 110;2.1 150;", { 60 }, { 0 } },
	{ "three in a row",
	  "C1.1@110 C2.1@111 C3.1@112 E1.1@150 E2.1@170 E3.1@180",
	  "1.1 110;2.1 150;3.1 170;", { 70 }, { 0 } },
	{ "the ring was idle in between",
	  "C1.1@110 E1.1@150 C2.1@160 E2.1@170", "1.1 110;2.1 160;", { 50 }, { 0 } },
	{ "committed at the instant of that END",
	  "C1.1@110 C2.1@150 E1.1@150 E2.1@170", "1.1 110;2.1 150;", { 60 }, { 0 } },
	{ "both end at one instant: the second took no time",
	  "C1.1@110 C2.1@120 E1.1@150 E2.1@150", "1.1 110;2.1 150;", { 40 }, { 0 } },
	{ "both end at one instant, wrong order",
	  "C1.1@110 C2.1@120 E2.1@150 E1.1@150", "1.1 110;2.1 150;", { 40 }, { 0 } },
	{ "an END out of order: which ran first is not known",
	  "C1.1@110 C2.1@120 C3.1@125 E2.1@150 E1.1@160 E3.1@170",
	  "1.1 -;2.1 -;3.1 160;", { 10 }, { 2 } },
	{ "long out of order: the ring has none from there on",
	  "C1.1@110 C2.1@120 E2.1@150 E1.1@20160 C3.1@20170 E3.1@20180",
	  "1.1 -;2.1 -;3.1 -;", { 0 }, { 3 } },
	{ "another ring does not count",
	  "C1.1@110 C2.1@115/2 E2.1@140/2 E1.1@150", "1.1 110;2.1 115;", { 40 }, { 0 } },
	{ "two rings, one hardware",
	  "C1.1@110 C2.1@115/3 E1.1@150 E2.1@170/3 C3.1@171/3 C4.1@172 E3.1@180/3 E4.1@190",
	  "1.1 110;2.1 150;3.1 171;4.1 180;", { 50, 29 }, { 0 } },
	{ "firmware order: not known",
	  "C1.1@110/4 E1.1@150/4", "1.1 -;", { 0 }, { 0 } },
	{ "firmware order: seen", "C1.1@110/4 B1.1@120/4 E1.1@150/4", "1.1 120;", { 0 }, { 0 } },
	{ "a ring without a definition: not known",
	  "C1.1@110/9 E1.1@150/9", "1.1 -;", { 0 }, { 0 } },
	{ "ring known from SUBMIT only",
	  "S1.1@100/1 C1.1@110/0 E1.1@150/0", "1.1 110;", { 40 }, { 0 } },
	{ "ring known from END only",
	  "C1.1@110/0 E1.1@150/1", "1.1 110;", { 40 }, { 0 } },
	{ "ring known from END only, others came after it",
	  "C1.1@110/0 C2.1@120 E1.1@150/1 E2.1@170", "1.1 -;2.1 150;", { 20 }, { 1 } },
	{ "ring never known", "C1.1@110/0 E1.1@150/0", "1.1 -;", { 0 }, { 0 } },
	{ "the job in front was committed before the trace",
	  "C2.1@120 E1.1@150 E2.1@170", "2.1 150;1.1 -;", { 20 }, { 1 } },
	{ "the job in front never ran",
	  "C1.1@110 C2.1@120 E1.1@130!n E2.1@170", "1.1 -;2.1 120;", { 50 }, { 0 } },
	{ "behind one that never ran, behind one that did",
	  "C1.1@110 C2.1@115 C3.1@120 E1.1@150 E2.1@151!n E3.1@170",
	  "1.1 110;2.1 -;3.1 150;", { 60 }, { 0 } },
	{ "the job in front has no END: it ran until its COMPLETE, at most",
	  "S1.1@100 C1.1@110 C2.1@120 D1.1@130=-62 S9.1@90000/4 E2.1@90170",
	  "1.1 -;2.1 -;9.1 -;", { 0 }, { 1 } },
	{ "and it was complete before",
	  "S1.1@100 C1.1@110 D1.1@130=-62 C2.1@140 S9.1@90000/4 E2.1@90170",
	  "1.1 -;2.1 140;9.1 -;", { 90030 }, { 0 } },
	{ "by hand: does not touch real ones",
	  "C1.1@110!s C2.1@120 E1.1@150!s E2.1@170", "1.1 110;2.1 120;", { 50 }, { 0 } },
	{ "START seen: the end of the one in front is not asked",
	  "C1.1@110 C2.1@115 B2.1@140 E1.1@150 E2.1@170", "1.1 110;2.1 140;", { 60 }, { 0 } },
	{ "a loss while on the ring", "C1.1@110 L@120-130 E1.1@150", "1.1 -;", { 0 }, { 1 } },
	{ "a loss that ends at COMMIT", "L@100-110 C1.1@110 E1.1@150", "1.1 -;", { 0 }, { 1 } },
	{ "a loss that begins at END", "C1.1@110 E1.1@150 L@150-160", "1.1 -;", { 0 }, { 1 } },
	{ "a loss just before", "L@100-109 C1.1@110 E1.1@150", "1.1 110;", { 40 }, { 0 } },
	{ "a loss around it all", "L@100-200 C1.1@110 E1.1@150", "1.1 -;", { 0 }, { 1 } },
	{ "a loss while the one in front ran",
	  "C1.1@110 L@112-113 C2.1@120 E1.1@150 E2.1@170", "1.1 -;2.1 150;", { 20 }, { 1 } },
	{ "a loss, START seen", "C1.1@110 B1.1@115 L@120-130 E1.1@150", "1.1 115;", { 25 }, { 0 } },
};

static void start_as_text(void *arg, const struct grt_job *job)
{
	FILE *out = arg;

	fprintf(out, "%llu.%llu ", (unsigned long long)job->ctx, (unsigned long long)job->seqno);
	if (grt_job_has(job, GRT_AT_START))
		fprintf(out, "%llu;", (unsigned long long)job->at_ns[GRT_AT_START]);
	else
		fprintf(out, "-;");
}

static void test_start(void **state)
{
	const struct start_case *c = *state;
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct grt_model *m = grt_model_create(start_as_text, out);
	const uint32_t rows[] = { 0, 2 };	/* rings 1 and 3 */

	script_rings(m);
	script_feed(m, c->script);
	/* In order of COMMIT: all are still in flight. */
	assert_int_equal(grt_model_finish(m), 0);
	for (int i = 0; i < 2; i++) {
		const struct grt_ring_use *use = grt_model_ring_use(m, rows[i]);

		assert_int_equal(use->busy_ns, c->busy_ns[i]);
		assert_int_equal(use->unknown_jobs, c->unknown[i]);
	}
	grt_model_destroy(m);
	fclose(out);
	assert_string_equal(text, c->starts);
	free(text);
}

/*
 * A ring of a thousand jobs, each behind the one before: exec adds up to the
 * ring's busy time, and the ring is busy from the first COMMIT to the last END.
 */
static void sum_exec(void *arg, const struct grt_job *job)
{
	uint64_t *sum_ns = arg;

	assert_true(grt_job_knows(job, GRT_STAGE_EXEC));
	*sum_ns += job->stage_ns[GRT_STAGE_EXEC];
}

static void test_busy_is_sum_of_exec(void **state)
{
	uint64_t sum_ns = 0;
	struct grt_model *m = grt_model_create(sum_exec, &sum_ns);
	char script[256];

	(void)state;
	script_rings(m);
	for (int i = 0; i < 1000; i++) {
		int at = 1000 + 100 * i, ring = i & 1 ? 3 : 1;

		snprintf(script, sizeof(script), "S1.%d@%d/%d C1.%d@%d", i, at, ring, i, at + 1);
		script_feed(m, script);
		if (!i)
			continue;
		snprintf(script, sizeof(script), "E1.%d@%d D1.%d@%d", i - 1, at + 20, i - 1,
			 at + 30);
		script_feed(m, script);
	}
	script_feed(m, "E1.999@101500 D1.999@101501");
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(sum_ns, 101500 - 1001);
	assert_int_equal(grt_model_ring_use(m, 0)->busy_ns + grt_model_ring_use(m, 2)->busy_ns,
			 sum_ns);
	grt_model_destroy(m);
}

#define NR_START_CASES	(sizeof(start_cases) / sizeof(start_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_START_CASES + 1] = {
		[NR_START_CASES] = cmocka_unit_test(test_busy_is_sum_of_exec),
	};

	for (size_t i = 0; i < NR_START_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = start_cases[i].name, .test_func = test_start,
			.initial_state = (void *)&start_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
