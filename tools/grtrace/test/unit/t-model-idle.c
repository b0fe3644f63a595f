// SPDX-License-Identifier: GPL-2.0
/* For whose job a ring was idle: small schedules worked out by hand. */
#include <stdio.h>

#include "model-script.h"

static const struct idle_case {
	const char *name, *script;
	/* stretches of ring 1: nanoseconds, state, and the process whose job is to blame */
	const char *stretches;
} idle_cases[] = {
	{ "no job was there until one is submitted",
	  "S1.1@100#8 C1.1@110 E1.1@120 D1.1@120 S1.2@150#9 C1.2@160 E1.2@170 D1.2@170",
	  "10 scheduler 8, 10 busy, 30 starved 9, 10 scheduler 9, 10 busy" },
	{ "its COMMIT and its SUBMIT have one time on two CPUs, and the COMMIT is read first",
	  "S1.1@100#8 C1.1@110 E1.1@120 D1.1@120 C1.2@150 S1.2@150#9 E1.2@170 D1.2@170",
	  "10 scheduler 8, 10 busy, 30 starved 9, 20 busy" },
	{ "its COMMIT has an earlier time than its SUBMIT, because two clocks differ",
	  "S1.1@100#8 C1.1@110 E1.1@120 D1.1@120 C1.2@150 S1.2@155#9 E1.2@170 D1.2@170",
	  "10 scheduler 8, 10 busy, 30 starved 9, 20 busy" },
	{ "the same, but another job was submitted at that time, too, and is read before",
	  "S1.1@100#8 C1.1@110 E1.1@120 D1.1@120 S2.1@150#7 C1.2@150 S1.2@150#9 E1.2@170 D1.2@170 "
	  "C2.1@180 E2.1@190 D2.1@190",
	  "10 scheduler 8, 10 busy, 30 starved 7, 20 busy, 10 scheduler 7, 10 busy" },
	{ "a job is killed before it is handed over; only a later job shows that its source declares dependencies",
	  "S1.1@100#8 D1.1@120=-3 S1.2@90120#9 W1.2@90120>9.9!df F9.9@90130 C1.2@90140 E1.2@90150 D1.2@90150",
	  "20 scheduler 8, 90000 starved 9, 10 dependency, 10 scheduler 9, 10 busy" },
	{ "the same, and no job shows that: the killed job may have waited for a fence",
	  "S1.1@100#8 D1.1@120=-3 S1.2@120#9 C1.2@140 E1.2@150 D1.2@150",
	  "20 unknown, 20 scheduler 9, 10 busy" },
	{ "the same, and another job was ready meanwhile: why the ring was idle is known, but not for which of the two",
	  "S1.1@100#8 S2.1@105#9 D1.1@120=-3 C2.1@130 E2.1@150 D2.1@150",
	  "5 unknown, 15 scheduler, 10 scheduler 9, 20 busy" },
};

struct texts {
	FILE *out;
	const struct grt_model *m;
};

static void ignore_job(void *arg, const struct grt_job *job)
{
	(void)arg, (void)job;
}

static int print_stretch(void *arg, const struct grt_ring_stretch *s)
{
	struct texts *t = arg;
	const struct grt_client *c;

	if (s->ring)
		return 0;
	fprintf(t->out, "%s%d %s", ftell(t->out) ? ", " : "", (int)(s->to_ns - s->from_ns),
		s->state == GRT_RING_BUSY ? "busy" : grt_idle_name(s->state));
	if (s->client == GRT_NONE)
		return 0;
	c = grt_model_client(t->m, s->client);
	fprintf(t->out, " %u", grt_names_process_at(grt_model_names(t->m), c->process)->tgid);
	return 0;
}

static void test_idle(void **state)
{
	const struct idle_case *c = *state;
	struct grt_model *first = grt_model_create(ignore_job, NULL), *m = grt_model_create(ignore_job, NULL);
	char *text = NULL;
	size_t bytes;
	struct texts t = { open_memstream(&text, &bytes), m };

	script_rings(first);
	script_feed(first, c->script);
	assert_int_equal(grt_model_finish(first), 0);
	if (grt_model_wants_hindsight(first))
		assert_int_equal(grt_model_learn(m, first), 0);
	grt_model_watch_rings(m, print_stretch, &t);
	script_rings(m);
	script_feed(m, c->script);
	assert_int_equal(grt_model_finish(m), 0);
	fclose(t.out);
	assert_string_equal(text, c->stretches);
	grt_model_destroy(first);
	grt_model_destroy(m);
	free(text);
}

#define NR_CASES	(sizeof(idle_cases) / sizeof(idle_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_CASES];

	for (size_t i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = idle_cases[i].name, .test_func = test_idle,
			.initial_state = (void *)&idle_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
