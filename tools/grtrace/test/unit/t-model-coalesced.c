// SPDX-License-Identifier: GPL-2.0
/* Jobs of a context that end together: the source reports the END of the last one only. */
#include <stdio.h>

#include "model-script.h"

static const struct coalesced_case {
	const char *name, *script;
	const char *jobs;	/* ctx.seqno START END COMPLETE flags; - = not known */
	uint64_t occupied_ns;
} cases[] = {
	{ "each comes in, the last goes out",
	  "S1.1@100/5 C1.1@110/5 B1.1@120/5 S1.2@130/5 C1.2@140/5 B1.2@150/5 E1.2@300/5 D1.2@300/5!i S9.1@900/5",
	  "1.1 120 300 300 upper_bound|inferred_end|inferred_complete;1.2 - 300 300 inferred_complete;9.1 - - - cut;", 190 },
	{ "only the last comes in: the first begins then",
	  "S1.1@100/5 C1.1@110/5 S1.2@130/5 C1.2@140/5 B1.2@150/5 E1.2@300/5 D1.2@300/5!i S9.1@900/5",
	  "1.1 150 300 300 inferred_start|upper_bound|inferred_end|inferred_complete;1.2 - 300 300 inferred_complete;9.1 - - - cut;", 190 },
	{ "three, where the one in the middle is over before the last comes",
	  "C1.1@110/5 B1.1@120/5 C1.2@140/5 B1.2@150/5 E1.2@200/5 C1.3@210/5 B1.3@220/5 E1.3@300/5 S9.1@900/5",
	  "1.1 120 200 - cut|upper_bound|inferred_end;1.2 - 200 - cut;1.3 220 300 - cut;9.1 - - - cut;", 180 },
	{ "waiters knew before that it is over",
	  "C1.1@110/5 B1.1@120/5 C1.2@140/5 D1.1@200/5 B1.2@210/5 E1.2@300/5 D1.2@310/5 S9.1@900/5",
	  "1.1 120 200 200 cut|upper_bound|inferred_end;1.2 210 300 310 cut;9.1 - - - cut;", 190 },
	{ "another context proves nothing",
	  "C1.1@110/5 B1.1@120/5 C2.2@140/5 B2.2@150/5 E2.2@300/5 E1.1@400/5 S9.1@900/5",
	  "1.1 120 400 - cut;2.2 150 300 - cut;9.1 - - - cut;", 290 },
	{ "nor does an older job",
	  "C1.1@110/5 B1.1@120/5 C1.2@140/5 E1.1@300/5 E1.2@400/5 S9.1@900/5",
	  "1.1 120 300 - cut;1.2 - 400 - cut;9.1 - - - cut;", 290 },
	{ "nor one that did not run",
	  "C1.1@110/5 B1.1@120/5 C1.2@140/5 E1.2@300/5!n E1.1@400/5 S9.1@900/5",
	  "1.1 120 400 - cut;1.2 - 300 - cut|no_hw;9.1 - - - cut;", 290 },
	{ "another driver reports each END",
	  "C1.1@110/4 B1.1@120/4 C1.2@140/4 B1.2@150/4 E1.2@300/4 E1.1@400/4 S9.1@900/5",
	  "1.1 120 400 - cut;1.2 150 300 - cut;9.1 - - - cut;", 0 },
};

static void put(FILE *out, const struct grt_job *job, enum grt_stamp stamp)
{
	if (grt_job_has(job, stamp))
		fprintf(out, " %llu", (unsigned long long)job->at_ns[stamp]);
	else
		fputs(" -", out);
}

static void as_text(void *arg, const struct grt_job *job)
{
	char flags[GRT_JOB_FLAGS_LEN];
	FILE *out = arg;

	fprintf(out, "%llu.%llu", (unsigned long long)job->ctx, (unsigned long long)job->seqno);
	put(out, job, GRT_AT_START);
	put(out, job, GRT_AT_END);
	put(out, job, GRT_AT_COMPLETE);
	fprintf(out, " %s;", grt_job_flags(job->flags, flags));
}

static void test_coalesced(void **state)
{
	const struct coalesced_case *c = *state;
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct grt_model *m = grt_model_create(as_text, out);

	script_rings(m);
	script_feed(m, c->script);
	assert_int_equal(grt_model_finish(m), 0);
	/* Ring 5 is no FIFO: its busy time is that with committed jobs. */
	assert_int_equal(grt_model_ring_use(m, 4)->busy_ns, c->occupied_ns);
	grt_model_destroy(m);
	fclose(out);
	assert_string_equal(text, c->jobs);
	free(text);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(cases) / sizeof(cases[0])];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		tests[i] = (struct CMUnitTest){ cases[i].name, test_coalesced, NULL, NULL, (void *)&cases[i] };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
