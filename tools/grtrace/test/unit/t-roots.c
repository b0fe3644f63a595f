// SPDX-License-Identifier: GPL-2.0
/*
 * Roots of waits: what is remembered, and what is forgotten.  The simulator checks all kinds of
 * chains (t-sim.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "piece.h"
#include "roots.h"

#define CLIENT	7

/* Job 1:@seqno of a client: waits from @from for what @wait says, then runs for 10 ns. */
static struct grt_job job_of(uint64_t seqno, uint64_t from, uint64_t to, const struct grt_piece *wait)
{
	struct grt_job job = {
		.ctx = 1, .seqno = seqno, .client = CLIENT, .ring = 0, .pieces = wait,
		.nr_pieces = wait && to > from,
	};

	grt_job_stamp(&job, GRT_AT_SUBMIT, from);
	grt_job_stamp(&job, GRT_AT_COMMIT, to);
	grt_job_stamp(&job, GRT_AT_START, to);
	grt_job_stamp(&job, GRT_AT_END, to + 10);
	grt_job_stamp(&job, GRT_AT_COMPLETE, to + 12);
	grt_job_stages(&job);
	return job;
}

static struct grt_piece fence(uint64_t from, uint64_t to, uint64_t seqno)
{
	return (struct grt_piece){
		.charge = {
			.from_ns = from, .ns = to - from, .ctx = 1, .seqno = seqno, .client = CLIENT,
			.reason = GRT_BLAME_FENCE, .stage = GRT_STAGE_DEP,
		},
	};
}

/* Adds a job that does not wait, from @from on. */
static void add(struct grt_roots *r, uint64_t seqno, uint64_t from)
{
	struct grt_job job = job_of(seqno, from, from, NULL);
	struct grt_root_list list;

	assert_int_equal(grt_roots_add(r, &job), 0);
	assert_int_equal(grt_roots_list(r, &list), 0);
	assert_int_equal(list.wait, 0);
}

/* The root of a job that waits from @from to @to for job @on, if there is one for all of it. */
static enum grt_root root_of(struct grt_roots *r, uint64_t seqno, uint64_t from, uint64_t to,
			     uint64_t on)
{
	const struct grt_piece wait = fence(from, to, on);
	struct grt_job job = job_of(seqno, from, to, &wait);
	struct grt_root_list list;

	assert_int_equal(grt_roots_add(r, &job), 0);
	assert_int_equal(grt_roots_list(r, &list), 0);
	assert_int_equal(list.wait, 1);
	assert_true(list.spans[0].from_ns == from && list.spans[0].to_ns == to);
	return list.spans[0].kind;
}

static void test_parts(void **state)
{
	struct grt_roots r = { .next_job = 0 };
	const struct grt_piece wait = fence(90, 115, 1);
	struct grt_job job = job_of(2, 90, 115, &wait);
	const struct grt_root_span *spans;
	struct grt_root_list list;

	(void)state;
	add(&r, 1, 100);	/* runs until 110, complete at 112 */
	assert_int_equal(grt_roots_add(&r, &job), 0);
	assert_int_equal(grt_roots_list(&r, &list), 0);
	spans = list.spans;
	assert_int_equal(list.wait, 4);
	assert_int_equal(spans[0].kind, GRT_ROOT_NOT_SUBMITTED);
	assert_true(spans[0].from_ns == 90 && spans[0].to_ns == 100);
	assert_int_equal(spans[1].kind, GRT_ROOT_RUN);
	assert_int_equal(spans[2].kind, GRT_ROOT_SIGNAL);
	assert_int_equal(spans[3].kind, GRT_ROOT_UNKNOWN);	/* it was over by then */
	assert_true(spans[3].from_ns == 112 && spans[3].to_ns == 115);
	assert_int_equal(list.all, 6);		/* and it ran, and was done */
	grt_roots_free(&r);
}

static char warning[128];

static void note_warning(const char *hint, const char *text)
{
	assert_null(hint);
	snprintf(warning, sizeof(warning), "%s", text);
}

static void test_forgets_old_jobs(void **state)
{
	struct grt_roots r = { .next_job = 0 };

	(void)state;
	grt_warn_to(note_warning);
	for (uint64_t i = 1; i <= GRT_ROOTS_JOBS; i++)
		add(&r, i, 100);
	assert_int_equal(root_of(&r, 1 << 20, 100, 105, 2), GRT_ROOT_RUN);
	grt_roots_warn(&r);
	assert_string_equal(warning, "");
	assert_int_equal(root_of(&r, (1 << 20) + 1, 100, 105, 1), GRT_ROOT_UNKNOWN);
	assert_int_equal(root_of(&r, (1 << 20) + 2, 100, 105, GRT_ROOTS_JOBS), GRT_ROOT_RUN);
	/* A job that never came: it may be one that is forgotten. */
	assert_int_equal(root_of(&r, (1 << 20) + 3, 100, 105, 1 << 30), GRT_ROOT_UNKNOWN);
	grt_roots_warn(&r);
	assert_string_equal(warning, "some roots of 2 jobs are not known: what they waited for was over too long "
			    "before, or too much was going on");
	grt_warn_to(NULL);
	grt_roots_free(&r);
}

/* A job with so many spans that none of the others can be kept. */
static void test_forgets_many_spans(void **state)
{
	struct grt_roots r = { .next_job = 0 };
	struct grt_piece *waits = calloc(GRT_ROOTS_SPANS, sizeof(*waits));
	struct grt_job job = job_of(5, 0, 0, waits);
	struct grt_root_list list;

	(void)state;
	assert_non_null(waits);
	add(&r, 1, 100);
	for (uint32_t i = 0; i < GRT_ROOTS_SPANS; i++)
		waits[i].charge = (struct grt_charge){
			.from_ns = i, .ns = 1, .ctx = 9, .client = i & 1, .reason = GRT_BLAME_RING,
			.stage = GRT_STAGE_QUEUE,
		};
	job.nr_pieces = GRT_ROOTS_SPANS;
	assert_int_equal(grt_roots_add(&r, &job), 0);
	assert_int_equal(grt_roots_list(&r, &list), 0);
	assert_int_equal(list.wait, GRT_ROOTS_SPANS);
	assert_int_equal(root_of(&r, 6, 100, 105, 1), GRT_ROOT_UNKNOWN);
	add(&r, 7, 200);
	assert_int_equal(root_of(&r, 8, 200, 205, 7), GRT_ROOT_RUN);
	assert_true(grt_deque_count(&r.spans, struct grt_root_span) <= 2 * GRT_ROOTS_SPANS);
	free(waits);
	grt_roots_free(&r);
}

static void test_repeated_key(void **state)
{
	struct grt_roots r = { .next_job = 0 };

	(void)state;
	add(&r, 1, 100);
	add(&r, 1, 500);
	add(&r, 3, 700);
	assert_int_equal(root_of(&r, 4, 100, 105, 1), GRT_ROOT_RUN);
	assert_int_equal(root_of(&r, 5, 700, 705, 3), GRT_ROOT_RUN);
	grt_roots_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_forgets_old_jobs),
		cmocka_unit_test(test_forgets_many_spans),
		cmocka_unit_test(test_repeated_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
