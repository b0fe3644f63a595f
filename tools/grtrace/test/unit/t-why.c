// SPDX-License-Identifier: GPL-2.0
/* The chain behind a job: its lines, its depth, and the line where it ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "keymap.h"
#include "piece.h"
#include "why.h"

/* A piece of a wait: [from, to) for job or fence @on of context 1; 0: the scheduler. */
struct wait {
	uint64_t from, to, on;
	enum grt_blame_reason reason;
	enum grt_stage stage;
};

/* Job 1:@seqno: submitted, handed over, begun, over. */
struct life {
	uint64_t seqno, submit, commit, start, end;
	struct wait waits[4];
};

static int add(struct grt_why *w, const struct life *l)
{
	struct grt_piece pieces[4] = { 0 };
	struct grt_job job = { .ctx = 1, .seqno = l->seqno, .pieces = pieces };

	grt_job_stamp(&job, GRT_AT_SUBMIT, l->submit);
	if (l->commit) {
		grt_job_stamp(&job, GRT_AT_COMMIT, l->commit);
		grt_job_stamp(&job, GRT_AT_START, l->start);
		grt_job_stamp(&job, GRT_AT_END, l->end);
	} else {
		job.flags |= GRT_JOB_KILLED;
	}
	grt_job_stamp(&job, GRT_AT_COMPLETE, l->end);
	grt_job_stages(&job);
	for (int i = 0; i < 4 && l->waits[i].to; i++) {
		const struct wait *p = &l->waits[i];

		pieces[job.nr_pieces++].charge = (struct grt_charge){
			.from_ns = p->from, .ns = p->to - p->from, .ctx = p->on ? 1 : 0,
			.seqno = p->on, .client = p->on ? 0 : GRT_NONE, .reason = p->reason,
			.stage = p->stage,
		};
	}
	return grt_why_add(w, &job);
}

/* "depth.seqno step@at+ns>by*jobs", a word a line; at is since the job's SUBMIT. */
static char *told(const struct grt_why *w)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&text, &bytes);

	for (size_t i = 0; i < grt_why_count(w); i++) {
		const struct grt_why_line *l = grt_why_line(w, i);

		fprintf(f, "%s%u.%d %s", i ? ", " : "", l->depth, (int)l->job->seqno,
			grt_why_step_name(l->step));
		if (l->has_at)
			fprintf(f, "@%d", (int)l->at_ns);
		if (l->has_ns)
			fprintf(f, "+%d", (int)l->ns);
		if (l->step == GRT_WHY_WAIT)
			fprintf(f, ">%d", (int)l->wait.seqno);
		if (l->step == GRT_WHY_WAIT && l->wait_jobs > 1)
			fprintf(f, "*%u", l->wait_jobs);
	}
	fclose(f);
	return text;
}

#define FENCE(from, to, on)	{ from, to, on, GRT_BLAME_FENCE, GRT_STAGE_DEP }
#define QUEUE(from, to, on)	{ from, to, on, GRT_BLAME_RING, GRT_STAGE_QUEUE }
#define SCHED(from, to)		{ from, to, 0, GRT_BLAME_SCHEDULER, GRT_STAGE_SCHED }

static const struct why_case {
	const char *name;
	uint64_t seqno;
	struct life lives[12];
	const char *told;
} why_cases[] = {
	{ "no wait", 1, { { 1, 10, 10, 10, 30, { { 0 } } } },
	  "0.1 submit@0, 0.1 commit@0, 0.1 run@0+20, 0.1 end@20+0" },
	{ "waits that are known of nobody", 1, { { 1, 10, 15, 15, 30, { { 0 } } } },
	  "0.1 submit@0, 0.1 wait@0+5>0, 0.1 commit@5, 0.1 run@5+15, 0.1 end@20+0" },
	{ "the scheduler", 1, { { 1, 10, 15, 15, 30, { SCHED(10, 15) } } },
	  "0.1 submit@0, 0.1 wait@0+5>0, 0.1 commit@5, 0.1 run@5+15, 0.1 end@20+0" },
	{ "killed", 1, { { 1, 10, 0, 0, 30, { { 0 } } } }, "0.1 submit@0, 0.1 killed@20" },
	{ "two on the ring are one line", 1,
	  { { 1, 10, 10, 40, 50, { QUEUE(10, 15, 7), QUEUE(15, 40, 8) } } },
	  "0.1 submit@0, 0.1 commit@0, 0.1 wait@0+30>8*2, 0.1 run@30+10, 0.1 end@40+0" },
	{ "a fence, and what its job did meanwhile", 2,
	  { { 1, 0, 5, 12, 30, { SCHED(0, 5), QUEUE(5, 12, 9) } },
	    { 2, 10, 30, 30, 40, { FENCE(10, 30, 1) } } },
	  "0.2 submit@0, 0.2 wait@0+20>1, 1.1 submit@-10, 1.1 wait@0+2>9, 1.1 run@2+18, "
	  "0.2 commit@20, 0.2 run@20+10, 0.2 end@30+0" },
	{ "a fence behind a fence", 3,
	  { { 1, 0, 1, 1, 20, { { 0 } } }, { 2, 0, 20, 20, 30, { FENCE(0, 20, 1) } },
	    { 3, 10, 30, 30, 40, { FENCE(10, 30, 2) } } },
	  "0.3 submit@0, 0.3 wait@0+20>2, 1.2 submit@-10, 1.2 wait@0+10>1, 2.1 submit@-10, "
	  "2.1 run@0+10, 1.2 run@10+10, 0.3 commit@20, 0.3 run@20+10, 0.3 end@30+0" },
	{ "the same job twice", 2,
	  { { 1, 0, 5, 5, 30, { { 0 } } },
	    { 2, 10, 30, 30, 40, { FENCE(10, 15, 1), SCHED(15, 20), FENCE(20, 30, 1) } } },
	  "0.2 submit@0, 0.2 wait@0+5>1, 1.1 submit@-10, 1.1 run@0+5, 0.2 wait@5+5>0, "
	  "0.2 wait@10+10>1, 1.2 above, 0.2 commit@20, 0.2 run@20+10, 0.2 end@30+0" },
	{ "a job that is not there", 2, { { 2, 10, 30, 30, 40, { FENCE(10, 30, 1) } } },
	  "0.2 submit@0, 0.2 wait@0+20>1, 1.2 missing, 0.2 commit@20, 0.2 run@20+10, "
	  "0.2 end@30+0" },
	{ "a cycle", 2,
	  { { 1, 0, 25, 25, 30, { FENCE(0, 25, 2) } },
	    { 2, 10, 30, 30, 40, { FENCE(10, 30, 1) } } },
	  "0.2 submit@0, 0.2 wait@0+20>1, 1.1 submit@-10, 1.1 wait@0+15>2, 2.1 cycle, "
	  "1.1 run@15+5, 0.2 commit@20, 0.2 run@20+10, 0.2 end@30+0" },
	{ "it waits for itself", 1, { { 1, 10, 30, 30, 40, { FENCE(10, 30, 1) } } },
	  "0.1 submit@0, 0.1 wait@0+20>1, 1.1 cycle, 0.1 commit@20, 0.1 run@20+10, 0.1 end@30+0" },
	{ "its fence ends later", 1,
	  { { 1, 10, 30, 30, 40, { FENCE(10, 30, 2) } }, { 2, 0, 5, 5, 50, { { 0 } } } },
	  "0.1 submit@0, 0.1 wait@0+20>2, 1.2 submit@-10, 1.2 run@0+20, 0.1 commit@20, "
	  "0.1 run@20+10, 0.1 end@30+0" },
};

/* Feeds @lives in passes, as report does.  Returns the number of passes. */
static int feed(struct grt_why *w, const struct life *lives, size_t count)
{
	int passes = 0;

	do {
		for (size_t i = 0; i < count && lives[i].seqno; i++)
			assert_int_equal(add(w, &lives[i]), 0);
		passes++;
	} while (grt_why_wants_more(w));
	return passes;
}

static void test_why(void **state)
{
	const struct why_case *c = *state;
	struct grt_why *w = grt_why_create(1, c->seqno);
	char *text;

	feed(w, c->lives, 12);
	assert_int_equal(grt_why_finish(w), 0);
	assert_int_equal(grt_why_job(w)->seqno, c->seqno);
	text = told(w);
	assert_string_equal(text, c->told);
	free(text);
	grt_why_destroy(w);
}

/* Each job waits for the one before; the chain ends after GRT_WHY_DEPTH of them. */
static void test_depth(void **state)
{
	struct grt_why *w = grt_why_create(1, 100);
	unsigned int deepest = 0;
	bool says_so = false;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++) {
		const struct life life = { i, 0, 10 * i, 10 * i, 10 * i + 5, { FENCE(0, 10 * i, i - 1) } };

		assert_int_equal(add(w, &life), 0);
	}
	assert_false(grt_why_wants_more(w) && grt_why_wants_more(w));
	assert_int_equal(grt_why_finish(w), 0);
	for (size_t i = 0; i < grt_why_count(w); i++) {
		const struct grt_why_line *l = grt_why_line(w, i);

		if (l->depth > deepest)
			deepest = l->depth;
		says_so |= l->step == GRT_WHY_TOO_DEEP;
	}
	assert_int_equal(deepest, GRT_WHY_DEPTH + 1);
	assert_true(says_so);
	grt_why_destroy(w);
}

/* 1:1 was over so long before 1:2 that it is no longer kept: a second pass finds it. */
static void test_two_passes(void **state)
{
	const struct life first = { 1, 0, 5, 5, 30, { { 0 } } };
	const struct life last = { 2, 10, 30, 30, 40, { FENCE(10, 30, 1) } };
	struct grt_why *w = grt_why_create(1, 2);
	int passes = 0;

	(void)state;
	do {
		add(w, &first);
		for (uint64_t i = 0; i < 70000; i++) {
			const struct life other = { 1000 + i, 0, 5, 5, 30, { { 0 } } };

			assert_int_equal(add(w, &other), 0);
		}
		add(w, &last);
		passes++;
	} while (grt_why_wants_more(w));
	assert_int_equal(passes, 2);
	assert_int_equal(grt_why_finish(w), 0);
	for (size_t i = 0; i < grt_why_count(w); i++)
		assert_int_not_equal(grt_why_line(w, i)->step, GRT_WHY_MISSING);
	grt_why_destroy(w);
}

static const struct nobody_case {
	const char *name;
	uint64_t seqnos[4];
	const char *cause, *hint;
} nobody_cases[] = {
	{ "no such context", { 0 }, "no job of context 1 ", "--per-ctx" },
	{ "between two", { 2, 3, 7, 9 }, "no job 1:5 ", "are 1:3 and 1:7" },
	{ "after all", { 2, 3 }, "no job 1:5 ", "is 1:3" },
	{ "before all", { 8, 7 }, "no job 1:5 ", "is 1:7" },
};

static void test_nobody(void **state)
{
	const struct nobody_case *c = *state;
	struct grt_why *w = grt_why_create(1, 5);

	for (int i = 0; i < 4 && c->seqnos[i]; i++) {
		const struct life life = { c->seqnos[i], 0, 5, 5, 30, { { 0 } } };

		assert_int_equal(add(w, &life), 0);
	}
	assert_false(grt_why_wants_more(w));
	assert_int_not_equal(grt_why_finish(w), 0);
	assert_non_null(strstr(grt_cause(), c->cause));
	assert_non_null(strstr(grt_hint(), c->hint));
	grt_why_destroy(w);
}

#define NR(cases)	(sizeof(cases) / sizeof((cases)[0]))
#define ADD(cases, function)							\
	for (size_t i = 0; i < NR(cases); i++)					\
		*t++ = (struct CMUnitTest){					\
			.name = (cases)[i].name, .test_func = function,		\
			.initial_state = (void *)&(cases)[i],			\
		}

int main(void)
{
	struct CMUnitTest tests[NR(why_cases) + NR(nobody_cases) + 2] = {
		cmocka_unit_test(test_depth), cmocka_unit_test(test_two_passes),
	};
	struct CMUnitTest *t = tests + 2;

	ADD(why_cases, test_why);
	ADD(nobody_cases, test_nobody);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
