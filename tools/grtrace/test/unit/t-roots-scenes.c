// SPDX-License-Identifier: GPL-2.0
/*
 * The roots of small traces, one for each case that report.rst names.  A trace is a script, see model-script.h;
 * the roots are worked out by hand.  These words of scripts are for this file only:
 *
 *	X1.7@40=2	ERROR 2 of ring 1 that names job 1:7
 *	V1.7@40		a thread begins to wait for job 1:7
 *	U1.7@60		and no longer waits
 */
#include <stdio.h>

#include "model-script.h"
#include "roots.h"

static const struct roots_case {
	const char *name, *script;
	const char *roots;	/* per job as it is over: ctx.seqno, then root ns, of hangs and fences also whose */
} roots_cases[] = {
	{ "the job that is waited for waits itself",
	  "S2.1@90/2*1:0 S1.1@100*1:0 W1.1@100>2.1!d C2.1@110/2*1:1 E2.1@130/2 D2.1@132/2 C1.1@135*1:1 "
	  "E1.1@150 D1.1@150",
	  "2.1 scheduler 20;1.1 scheduler 10 run 20 signal 2 scheduler 3;" },
	{ "a thread waits for it until later: the roots are known in time",
	  "S2.1@90/2*1:0 S1.1@100*1:0 W1.1@100>2.1!d V2.1@105 C2.1@110/2*1:1 E2.1@130/2 D2.1@132/2 "
	  "C1.1@135*1:1 E1.1@150 D1.1@150 S1.2@2000000*1:0 C1.2@2000000*1:1 E1.2@2000010 D1.2@2000010 "
	  "S1.3@5000000*1:0 U2.1@5000000 C1.3@5000000*1:1 E1.3@5000010 D1.3@5000010",
	  "2.1 scheduler 20;1.1 scheduler 10 run 20 signal 2 scheduler 3;1.2;2.1 again scheduler 20;1.3;" },
	{ "three jobs with threads, each waits for the one before",
	  "S2.1@90/2*1:0 S1.1@100*1:0 W1.1@100>2.1!d V2.1@105 C2.1@110/2*1:1 E2.1@130/2 D2.1@132/2 "
	  "S3.1@133/2*1:0 W3.1@133>1.1!d V1.1@134 C1.1@135*1:1 E1.1@150 D1.1@151 C3.1@160/2*1:1 V3.1@161 "
	  "E3.1@170/2 D3.1@170/2 S1.2@2000000*1:0 C1.2@2000000*1:1 E1.2@2000010 D1.2@2000010 "
	  "S1.3@5000000*1:0 U3.1@5000000 U1.1@5000000 U2.1@5000000 C1.3@5000000*1:1 E1.3@5000010 D1.3@5000010",
	  "2.1 scheduler 20;1.1 scheduler 10 run 20 signal 2 scheduler 3;3.1 scheduler 2 run 15 signal 1 scheduler 9;"
	  "1.2;3.1 again scheduler 2 run 15 signal 1 scheduler 9;1.1 again scheduler 10 run 20 signal 2 scheduler 3;"
	  "2.1 again scheduler 20;1.3;" },
	{ "not submitted yet",
	  "S1.1@100*1:0 W1.1@100>2.1!d S2.1@120/2*1:0 C2.1@120/2*1:1 E2.1@130/2 D2.1@130/2 C1.1@130*1:1 "
	  "E1.1@150 D1.1@150",
	  "2.1;1.1 not_submitted 20 run 10;" },
	{ "a fence of no job",
	  "S1.1@100*1:0 W1.1@100>9.9!df F9.9@140 C1.1@145*1:1 E1.1@150 D1.1@150",
	  "1.1 foreign 40 9.9 scheduler 5;" },
	{ "FENCE_SIGNALED says that it is no job's, not the flag FOREIGN",
	  "S1.1@100*1:0 W1.1@100>9.9!d F9.9@140 C1.1@145*1:1 E1.1@150 D1.1@150",
	  "1.1 foreign 40 9.9 scheduler 5;" },
	{ "neither that nor a job: its end is not known",
	  "S1.1@100*1:0 W1.1@100>9.9!d C1.1@145*1:1 E1.1@150 D1.1@150", "1.1 unknown 45;" },
	{ "the same with the flag FOREIGN",
	  "S1.1@100*1:0 W1.1@100>9.9!df C1.1@145*1:1 E1.1@150 D1.1@150", "1.1 unknown 45;" },
	{ "its SUBMIT is before the trace",
	  "S1.1@100*1:0 W1.1@100>2.1!d C2.1@110/2*1:1 E2.1@130/2 D2.1@132/2 C1.1@135*1:1 E1.1@150 D1.1@150",
	  "2.1;1.1 unknown 10 run 20 signal 2 scheduler 3;" },
	{ "a killed job",
	  "S1.1@90*1:0 W1.1@90>2.1!d S2.1@100/2*1:0 W2.1@100>9.9!df D2.1@130/2=-3 C1.1@130*1:1 E1.1@150 D1.1@150",
	  "2.1;1.1 not_submitted 10 unknown 30;" },
	{ "the first ERROR names the job that the ring is reset for",
	  "S1.1@100*1:0 S2.1@100*1:0 C1.1@100*1:1 C2.1@101*1:2 X1.1@150=1 X2.1@152=2 E1.1@155=-62 "
	  "D1.1@155=-62 R1@160=3 E2.1@170 D2.1@170",
	  "1.1;2.1 scheduler 1 hang 59 1.1;" },
	{ "it names none, and a later one does: nobody",
	  "S1.1@100*1:0 S2.1@100*1:0 C1.1@100*1:1 C2.1@101*1:2 R1@150=1 X1.1@152=2 E1.1@155=-62 "
	  "D1.1@155=-62 R1@160=3 E2.1@170 D2.1@170",
	  "1.1;2.1 scheduler 1 run 49 hang 10 0.0;" },
	{ "a second reset is for the job that its own first ERROR names",
	  "S1.1@100*1:0 S2.1@100*1:0 S3.1@100*1:0 C1.1@100*1:1 C2.1@101*1:2 C3.1@102*1:3 X1.1@150=1 "
	  "E1.1@155=-62 D1.1@155=-62 R1@160=3 X2.1@170=1 X1.1@171=2 E2.1@175=-62 D2.1@175=-62 R1@180=3 "
	  "E3.1@190 D3.1@190",
	  "1.1;2.1 scheduler 1 hang 59 1.1;3.1 scheduler 2 hang 58 1.1 hang 20 2.1;" },
	{ "pipelined: the job that is waited for is over later",
	  "S2.1@100*1:0 S1.1@100*1:0 W1.1@101>2.1!dl W1.1@101>2.1!bl C2.1@120*1:1 C1.1@121*1:2 "
	  "E1.1@125!n D1.1@125 E2.1@200000 D2.1@200000",
	  "1.1 unknown 20 scheduler 1;2.1 scheduler 20;" },
	{ "pipelined: a job behind it in the context comes later, and knows",
	  "S2.1@100*1:0 S1.1@100*1:0 W1.1@101>2.1!dl W1.1@101>2.1!bl S1.2@105*1:0 C2.1@120*1:1 C1.1@121*1:2 "
	  "E1.1@125!n D1.1@125 C1.2@130*1:2 E2.1@200000 D2.1@200000 E1.2@200010 D1.2@200010",
	  "1.1 unknown 20 scheduler 1;2.1 scheduler 20;1.2 scheduler 25 run 199870;" },
};

struct taker {
	struct grt_roots roots;
	FILE *out;
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct taker *t = arg;
	const struct grt_root_total *totals;
	struct grt_root_list list;
	uint64_t sum_ns = 0, total_ns = 0;
	uint32_t count;

	assert_int_equal(grt_roots_add(&t->roots, job), 0);
	assert_int_equal(grt_roots_list(&t->roots, &list), 0);
	assert_int_equal(grt_roots_totals(&t->roots, &totals, &count), 0);
	fprintf(t->out, "%d.%d%s", (int)job->ctx, (int)job->seqno, job->was_early ? " again" : "");
	for (uint32_t i = 0; i < list.wait; i++) {
		const struct grt_root_span *s = &list.spans[i];

		fprintf(t->out, " %s %d", grt_root_name(s->kind), (int)(s->to_ns - s->from_ns));
		if (s->kind == GRT_ROOT_HANG || s->kind == GRT_ROOT_FOREIGN)
			fprintf(t->out, " %d.%d", (int)s->ctx, (int)s->seqno);
		sum_ns += s->to_ns - s->from_ns;
	}
	putc(';', t->out);
	for (uint32_t i = 0; i < count; i++)
		total_ns += totals[i].ns;
	assert_int_equal(total_ns, sum_ns);
}

static void feed_word(struct grt_model *m, const char *word)
{
	unsigned int ctx, seqno, ns, code = 0;
	char kind;

	if (!strchr("XVU", *word)) {
		script_feed(m, word);
		return;
	}
	assert_true(sscanf(word, "%c%u.%u@%u=%u", &kind, &ctx, &seqno, &ns, &code) >= 4);
	if (kind == 'X') {
		const struct grtrace_error e = {
			.hdr = { .type = GRTRACE_ERROR, .size = sizeof(e), .ts = ns },
			.ctx = ctx, .seqno = seqno, .ring = 1, .code = code,
		};

		assert_int_equal(grt_model_feed(m, &e.hdr), 0);
	} else {
		const struct grtrace_sync_wait_enter e = {
			.hdr = {
				.type = kind == 'V' ? GRTRACE_SYNC_WAIT_ENTER : GRTRACE_SYNC_WAIT_EXIT,
				.size = sizeof(e), .ts = ns, .flags = GRTRACE_F_CPU_WAIT,
			},
			.ctx = ctx, .seqno = seqno, .tid = 100 * ctx + seqno,
		};

		assert_int_equal(grt_model_feed(m, &e.hdr), 0);
	}
}

static void test_roots(void **state)
{
	const struct roots_case *c = *state;
	char *roots = NULL, *script = strdup(c->script), *rest = NULL;
	size_t bytes;
	struct taker t = { .out = open_memstream(&roots, &bytes) };
	struct grt_model *m = grt_model_create(take_job, &t);

	grt_model_keep_pieces(m);
	script_rings(m);
	for (char *word = strtok_r(script, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		feed_word(m, word);
	assert_int_equal(grt_model_finish(m), 0);
	fclose(t.out);
	assert_string_equal(roots, c->roots);
	grt_model_destroy(m);
	grt_roots_free(&t.roots);
	free(roots);
	free(script);
}

int main(void)
{
	enum { NR_CASES = sizeof(roots_cases) / sizeof(roots_cases[0]) };
	struct CMUnitTest tests[NR_CASES];

	for (size_t i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = roots_cases[i].name, .test_func = test_roots,
			.initial_state = (void *)&roots_cases[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
