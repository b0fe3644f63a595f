// SPDX-License-Identifier: GPL-2.0
/*
 * What a job waited for, who is to blame, and where a ring's time went: small schedules
 * worked out by hand.
 */
#include <stdio.h>

#include "model-script.h"

static const struct wait_case {
	const char *name, *script;
	/* per job: ctx.seqno order dep ring sched queue */
	const char *stages;
	/* per job: ctx.seqno, then its charges: reason ns by ctx.seqno */
	const char *charges;
	/* ring 1: busy starved dependency scheduler hardware recovery unknown */
	const char *idle;
} wait_cases[] = {
	{ "handed over late",
	  "S1.1@100*1:0 C1.1@110*1:1 E1.1@150 D1.1@150",
	  "1.1 0 0 0 10 0;", "1.1 scheduler 10;", "40 0 0 10 0 0 0" },
	{ "the ring is full: four credits, four jobs",
	  "S1.1@100*4:0 C1.1@100*4:4 S2.1@110*1:4 E1.1@150 D1.1@150 C2.1@155*1:1 E2.1@160 D2.1@160",
	  "1.1 0 0 0 0 0;2.1 0 0 40 5 0;", "1.1;2.1 ring 40 1.1 scheduler 5;",
	  "55 0 0 5 0 0 0" },
	{ "free credits, but not for the job that is next",
	  "S1.1@100*3:0 C1.1@100*3:3 S2.1@110*2:3 S3.1@120*1:3 E1.1@150 D1.1@150 "
	  "C2.1@150*2:2 C3.1@150*1:3 E2.1@160 D2.1@160 E3.1@170 D3.1@170",
	  "1.1 0 0 0 0 0;2.1 0 0 40 0 0;3.1 0 0 30 0 10;",
	  "1.1;2.1 ring 40 1.1;3.1 ring 40 1.1;", "70 0 0 0 0 0 0" },
	{ "behind another of its context",
	  "S1.1@100*4:0 S1.2@105*4:0 C1.1@110*4:4 E1.1@150 D1.1@150 C1.2@150*4:4 E1.2@170 D1.2@170",
	  "1.1 0 0 0 10 0;1.2 5 0 40 0 0;", "1.1 scheduler 10;1.2 scheduler 5 ring 40 1.1;",
	  "60 0 0 10 0 0 0" },
	{ "a dependency on another ring",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 W1.1@100>2.1!d E2.1@130/2 D2.1@130/2 "
	  "C1.1@135*1:1 E1.1@150 D1.1@150",
	  "2.1 0 0 0 0 0;1.1 0 30 0 5 0;", "2.1;1.1 fence 30 2.1 scheduler 5;",
	  "15 0 30 5 0 0 10" },
	{ "the same, looked at late",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 E2.1@130/2 D2.1@130/2 W1.1@133>2.1!po "
	  "C1.1@135*1:1 E1.1@150 D1.1@150",
	  "2.1 0 0 0 0 0;1.1 0 30 0 5 0;", "2.1;1.1 fence 30 2.1 scheduler 5;",
	  "15 0 30 5 0 0 10" },
	{ "the same, found blocking",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 W1.1@103>2.1!pb E2.1@130/2 D2.1@130/2 "
	  "C1.1@135*1:1 E1.1@150 D1.1@150",
	  "2.1 0 0 0 0 0;1.1 0 30 0 5 0;", "2.1;1.1 fence 30 2.1 scheduler 5;",
	  "15 0 30 5 0 0 10" },
	{ "two dependencies: the one that ends last is charged for all",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 W1.1@100>2.1!d W1.1@100>9.9!df E2.1@130/2 "
	  "D2.1@130/2 F9.9@140 C1.1@145*1:1 E1.1@150 D1.1@150",
	  "2.1 0 0 0 0 0;1.1 0 40 0 5 0;", "2.1;1.1 fence 40 9.9 scheduler 5;",
	  "5 0 40 5 0 0 10" },
	{ "the same, but the submitter was interrupted for 2 ms before it declared the dependency",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 E2.1@130/2 D2.1@130/2 W1.1@2000130>2.1!do "
	  "C1.1@2000135*1:1 E1.1@2000150 D1.1@2000150",
	  "2.1 0 0 0 0 0;1.1 0 30 0 2000005 0;", "2.1;1.1 fence 30 2.1 scheduler 2000005;",
	  "15 0 30 2000005 0 0 10" },
	{ "a fence of no job, declared as over, and no event shows its end",
	  "S1.1@100*1:0 W1.1@105>9.9!dof C1.1@145*1:1 E1.1@150 D1.1@150",
	  "1.1 0 - - - 0;", "1.1 unknown 45;", "5 0 0 40 0 0 5" },
	{ "a fence that is over already, and says since when",
	  "S1.1@100*1:0 F9.9@140=120 W1.1@140>9.9!pof C1.1@145*1:1 E1.1@150 D1.1@150",
	  "1.1 0 20 0 25 0;", "1.1 fence 20 9.9 scheduler 25;", "5 0 20 25 0 0 0" },
	{ "a fence told late, and another dependency that was open for longer",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 W1.1@100>2.1!d W1.1@100>9.9!df W1.1@101>2.1!b "
	  "E2.1@130/2 D2.1@130/2 F9.9@132=110 C1.1@145*1:1 E1.1@150 D1.1@150",
	  "2.1 0 0 0 0 0;1.1 0 30 0 15 0;", "2.1;1.1 fence 30 2.1 scheduler 15;",
	  "5 0 30 15 0 0 10" },
	{ "a fence told late, and the job in front was handed over after its end",
	  "S1.1@90*1:0 W1.1@90>9.8!df S1.2@90*1:0 W1.2@90>9.9!df F9.8@120 C1.1@125*1:1 E1.1@126 "
	  "D1.1@126 F9.9@130=110 C1.2@145*1:1 E1.2@150 D1.2@150",
	  "1.1 0 30 0 5 0;1.2 35 0 0 20 0;", "1.1 fence 30 9.8 scheduler 5;1.2 fence 30 9.8 scheduler 25;",
	  "6 0 30 24 0 0 0" },
	{ "COMMITs of a context at one time, in the wrong order",
	  "S1.1@100*1:0 S1.2@120*1:0 C1.2@150*1:1 C1.1@150*1:2 E1.1@170 D1.1@170 E1.2@190 D1.2@190",
	  "1.1 0 0 0 50 0;1.2 30 0 0 0 20;", "1.1 scheduler 50;1.2 scheduler 30 ring 20 1.1;",
	  "40 0 0 50 0 0 0" },
	{ "COMMITs of a context in the wrong order, because the clocks of two CPUs differ",
	  "S1.1@100*1:0 S1.2@120*1:0 S1.3@121*1:0 C1.2@150*1:1 C1.3@152*1:2 C1.1@155*1:3 E1.1@170 "
	  "D1.1@170 E1.2@190 D1.2@190 E1.3@195 D1.3@195",
	  "1.1 0 0 - - 0;1.2 30 0 0 0 20;1.3 31 0 0 0 38;",
	  "1.1 unknown 55;1.2 unknown 35 ring 15 1.1;1.3 unknown 34 ring 35 1.1;",
	  "40 0 0 50 5 0 0" },
	{ "a driver with queues of its own: what its jobs waited for is unknown",
	  "S1.1@100/5 C1.1@110/5 E1.1@150/5 D1.1@155/5 S2.1@160/5 D2.1@190/5!u",
	  "1.1 0 - - - -;2.1 - - - - -;", "1.1 unknown 10;2.1;", "0 0 0 0 0 0 90" },
	{ "a fence that is over already, nobody knows since when",
	  "S1.1@100*1:0 W1.1@140>9.9!pof C1.1@145*1:1 E1.1@150 D1.1@150",
	  "1.1 0 - - - 0;", "1.1 unknown 45;", "5 0 0 5 0 0 40" },
	{ "a dependency that was over before: it held up nobody",
	  "S1.1@100*1:0 W1.1@104>2.1!po C1.1@105*1:1 E1.1@150 D1.1@150",
	  "1.1 0 0 0 5 0;", "1.1 scheduler 5;", "45 0 0 5 0 0 0" },
	{ "pipelined: over with the COMMIT",
	  "S2.1@100*1:0 S1.1@100*1:0 W1.1@101>2.1!dl W1.1@101>2.1!bl C2.1@120*1:1 C1.1@121*1:2 "
	  "E2.1@140 D2.1@140 E1.1@150 D1.1@150",
	  "2.1 0 0 0 20 0;1.1 0 20 0 1 19;",
	  "2.1 scheduler 20;1.1 fence 20 2.1 scheduler 1 ring 19 2.1;", "30 0 0 20 0 0 0" },
	{ "behind one that waits for a fence: blamed as that one is",
	  "S2.1@90/2*1:0 C2.1@90/2*1:1 S1.1@100*1:0 W1.1@100>2.1!d S1.2@110*1:0 E2.1@130/2 "
	  "D2.1@130/2 C1.1@130*1:1 C1.2@131*1:2 E1.1@150 D1.1@150 E1.2@160 D1.2@160",
	  "2.1 0 0 0 0 0;1.1 0 30 0 0 0;1.2 20 0 0 1 19;",
	  "2.1;1.1 fence 30 2.1;1.2 fence 20 2.1 scheduler 1 ring 19 1.1;", "30 0 30 0 0 0 10" },
	{ "starved between two jobs",
	  "S1.1@100*1:0 C1.1@100*1:1 E1.1@110 D1.1@110 S1.2@130*1:0 C1.2@131*1:1 E1.2@140 D1.2@140",
	  "1.1 0 0 0 0 0;1.2 0 0 0 1 0;", "1.1;1.2 scheduler 1;", "19 20 0 1 0 0 0" },
	{ "a hang and its reset",
	  "S1.1@100*1:0 S2.1@100*1:0 C1.1@100*1:1 C2.1@101*1:2 R1@150=1 R1@151=2 E1.1@155=-62 "
	  "D1.1@155=-62 R1@160=3 E2.1@170 D2.1@170",
	  "1.1 0 0 0 0 0;2.1 0 0 0 1 59;", "1.1;2.1 scheduler 1 ring 49 1.1 recovery 10;",
	  "65 0 0 0 0 5 0" },
	{ "the trace ends before a hung job on the same hardware is reset: nobody knows whether the next one runs",
	  "S9.1@100/3*1:0 C9.1@100/3*1:1 S1.1@110*1:0 C1.1@110*1:1 R3@150=1 E9.1@160/3=-62 "
	  "D9.1@160/3=-62 S2.1@170/2",
	  "9.1 0 0 0 0 0;1.1 0 0 0 0 -;2.1 - - - - -;", "9.1;1.1;2.1;", "0 0 0 0 0 0 70" },
	{ "nothing ran", "S1.1@100*1:0 C1.1@100*1:1 E1.1@110!n D1.1@110",
	  "1.1 0 0 0 0 -;", "1.1;", "0 0 0 0 10 0 0" },
	{ "killed: no stages, nobody to blame",
	  "S1.1@100*1:0 W1.1@100>9.9!df D1.1@150=-3", "1.1 - - - - -;", "1.1;",
	  "0 0 50 0 0 0 0" },
	{ "events lost in between: not known",
	  "S1.1@100*1:0 L@101-105 C1.1@110*1:1 E1.1@150 D1.1@150",
	  "1.1 - - - - 0;", "1.1 unknown 10;", "40 0 0 0 0 0 10" },
	{ "the source tells of no credits",
	  "S1.1@100 C1.1@110 E1.1@150 D1.1@150", "1.1 0 0 - - 0;", "1.1 unknown 10;",
	  "40 0 0 10 0 0 0" },
	{ "firmware order: occupied, START unknown",
	  "S1.1@100/4*1:0 S2.1@100*1:0 C1.1@110/4*1:1 E1.1@150/4 D1.1@150/4",
	  "1.1 0 0 0 10 -;2.1 - - - - -;", "1.1 scheduler 10;2.1;", "0 0 0 0 0 0 50" },
};

struct texts {
	FILE *stages, *charges;
};

static void take_job(void *arg, const struct grt_job *job)
{
	static const enum grt_stage stages[] = {
		GRT_STAGE_ORDER, GRT_STAGE_DEP, GRT_STAGE_RING, GRT_STAGE_SCHED, GRT_STAGE_QUEUE,
	};
	static const char *const ways[] = {
#define GRT_X(NAME, name, text) #name,
		GRT_BLAME_REASONS(GRT_X)
#undef GRT_X
	};
	struct texts *t = arg;

	fprintf(t->stages, "%d.%d", (int)job->ctx, (int)job->seqno);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (grt_job_knows(job, stages[i]))
			fprintf(t->stages, " %d", (int)job->stage_ns[stages[i]]);
		else
			fputs(" -", t->stages);
	}
	putc(';', t->stages);
	fprintf(t->charges, "%d.%d", (int)job->ctx, (int)job->seqno);
	for (uint32_t i = 0; i < job->nr_charges; i++) {
		const struct grt_charge *c = &job->charges[i];

		fprintf(t->charges, " %s %d", ways[c->reason], (int)c->ns);
		if (c->ctx)
			fprintf(t->charges, " %d.%d", (int)c->ctx, (int)c->seqno);
	}
	putc(';', t->charges);
}

static void test_wait(void **state)
{
	const struct wait_case *c = *state;
	char *stages = NULL, *charges = NULL, idle[128];
	size_t bytes, more_bytes;
	struct texts t = { open_memstream(&stages, &bytes), open_memstream(&charges, &more_bytes) };
	struct grt_model *m = grt_model_create(take_job, &t);
	const struct grt_ring_use *use;
	uint64_t sum_ns;
	int at;

	script_rings(m);
	script_feed(m, c->script);
	assert_int_equal(grt_model_finish(m), 0);
	use = grt_model_ring_use(m, 0);
	sum_ns = use->busy_ns;
	at = snprintf(idle, sizeof(idle), "%d", (int)use->busy_ns);
	for (int i = 0; i < GRT_NR_IDLES; i++) {
		sum_ns += use->idle_ns[i];
		at += snprintf(idle + at, sizeof(idle) - at, " %d", (int)use->idle_ns[i]);
	}
	fclose(t.stages);
	fclose(t.charges);
	assert_string_equal(stages, c->stages);
	assert_string_equal(charges, c->charges);
	assert_string_equal(idle, c->idle);
	assert_int_equal(sum_ns, grt_model_wall_ns(m));
	grt_model_destroy(m);
	free(stages);
	free(charges);
}

static void ignore_job(void *arg, const struct grt_job *job)
{
	(void)arg, (void)job;
}

/* The clock may run on while the machine is suspended: no ring is charged for that time. */
static void test_suspend(void **state)
{
	static const struct {
		uint32_t clock;
		uint64_t wall_ns, busy_ns, starved_ns;
	} clocks[] = {
		{ GRTRACE_CLOCK_MONOTONIC, 100, 20, 80 },
		{ GRTRACE_CLOCK_BOOTTIME, 60, 20, 40 },
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct grt_model *m = grt_model_create(ignore_job, NULL);
		const struct grtrace_stream_info info = {
			.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info) },
			.clock = clocks[i].clock, .features = 1ull << GRTRACE_FEATURE_DEPENDENCIES,
		};
		const struct grtrace_suspend suspend = {
			.hdr = { .type = GRTRACE_SUSPEND, .size = sizeof(suspend), .ts = 170 },
			.slept_ns = 40,
		};

		assert_int_equal(grt_model_feed(m, &info.hdr), 0);
		script_rings(m);
		script_feed(m, "S1.1@100*1:0 C1.1@100*1:1 E1.1@110 D1.1@110");
		assert_int_equal(grt_model_feed(m, &suspend.hdr), 0);
		script_feed(m, "S1.2@190*1:0 C1.2@190*1:1 E1.2@200 D1.2@200");
		assert_int_equal(grt_model_finish(m), 0);
		assert_int_equal(grt_model_wall_ns(m), clocks[i].wall_ns);
		assert_int_equal(grt_model_ring_use(m, 0)->busy_ns, clocks[i].busy_ns);
		assert_int_equal(grt_model_ring_use(m, 0)->idle_ns[GRT_IDLE_STARVED],
				 clocks[i].starved_ns);
		grt_model_destroy(m);
	}
}

/* One dependency more than the model follows: what the job waits for is unknown. */
static void test_many_dependencies(void **state)
{
	struct grt_model *m = grt_model_create(ignore_job, NULL);
	char word[64];

	(void)state;
	script_rings(m);
	script_feed(m, "S1.1@100*1:0");
	for (int i = 1; i <= 4097; i++) {
		snprintf(word, sizeof(word), "W1.1@100>9.%d!df", i);
		script_feed(m, word);
	}
	for (int i = 1; i <= 4097; i++) {
		snprintf(word, sizeof(word), "F9.%d@%d", i, i == 4097 ? 140 : 130);
		script_feed(m, word);
	}
	script_feed(m, "C1.1@145*1:1 E1.1@150 D1.1@150");
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(grt_model_ring_use(m, 0)->idle_ns[GRT_IDLE_DEPENDENCY], 0);
	assert_int_equal(grt_model_ring_use(m, 0)->idle_ns[GRT_IDLE_SCHEDULER], 0);
	assert_int_equal(grt_model_ring_use(m, 0)->idle_ns[GRT_IDLE_UNKNOWN], 45);
	grt_model_destroy(m);
}

#define NR_CASES	(sizeof(wait_cases) / sizeof(wait_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_CASES + 2] = {
		[NR_CASES] = cmocka_unit_test(test_suspend),
		[NR_CASES + 1] = cmocka_unit_test(test_many_dependencies),
	};

	for (size_t i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = wait_cases[i].name, .test_func = test_wait,
			.initial_state = (void *)&wait_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
