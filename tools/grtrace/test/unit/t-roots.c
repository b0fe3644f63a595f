// SPDX-License-Identifier: GPL-2.0
/*
 * Roots of waits: what is remembered, and what is forgotten.  The simulator checks all kinds of
 * chains (t-sim.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "roots.h"

#define CLIENT	7

/* Job 1:@seqno of a client: waits from @from for what @wait says, then runs for 10 ns. */
static struct grt_job job_of(uint64_t seqno, uint64_t from, uint64_t to, struct grt_charge *wait)
{
	struct grt_job job = {
		.ctx = 1, .seqno = seqno, .client = CLIENT, .ring = 0, .charges = wait,
		.nr_charges = wait && to > from,
	};

	grt_job_stamp(&job, GRT_AT_SUBMIT, from);
	grt_job_stamp(&job, GRT_AT_COMMIT, to);
	grt_job_stamp(&job, GRT_AT_START, to);
	grt_job_stamp(&job, GRT_AT_END, to + 10);
	grt_job_stamp(&job, GRT_AT_COMPLETE, to + 12);
	grt_job_stages(&job);
	return job;
}

static struct grt_charge fence(uint64_t from, uint64_t to, uint64_t seqno)
{
	return (struct grt_charge){
		.from_ns = from, .ns = to - from, .ctx = 1, .seqno = seqno, .client = CLIENT,
		.reason = GRT_BLAME_FENCE, .stage = GRT_STAGE_DEP,
	};
}

/* Adds a job that does not wait, from @from on. */
static void add(struct grt_roots *r, uint64_t seqno, uint64_t from)
{
	const struct grt_root_span *spans;
	struct grt_job job = job_of(seqno, from, from, NULL);
	uint32_t count;

	assert_int_equal(grt_roots_add(r, &job, &spans, &count), 0);
	assert_int_equal(count, 0);
}

/* The root of a job that waits from @from to @to for job @on, if there is one for all of it. */
static enum grt_root root_of(struct grt_roots *r, uint64_t seqno, uint64_t from, uint64_t to,
			     uint64_t on)
{
	struct grt_charge wait = fence(from, to, on);
	struct grt_job job = job_of(seqno, from, to, &wait);
	const struct grt_root_span *spans;
	uint32_t count;

	assert_int_equal(grt_roots_add(r, &job, &spans, &count), 0);
	assert_int_equal(count, 1);
	assert_true(spans[0].from_ns == from && spans[0].to_ns == to);
	return spans[0].kind;
}

static void test_parts(void **state)
{
	struct grt_roots r = { .next_job = 0 };
	struct grt_charge wait = fence(90, 115, 1);
	struct grt_job job = job_of(2, 90, 115, &wait);
	const struct grt_root_span *spans;
	uint32_t count;

	(void)state;
	add(&r, 1, 100);	/* runs until 110, complete at 112 */
	assert_int_equal(grt_roots_add(&r, &job, &spans, &count), 0);
	assert_int_equal(count, 4);
	assert_int_equal(spans[0].kind, GRT_ROOT_NOT_SUBMITTED);
	assert_true(spans[0].from_ns == 90 && spans[0].to_ns == 100);
	assert_int_equal(spans[1].kind, GRT_ROOT_RUN);
	assert_int_equal(spans[2].kind, GRT_ROOT_SIGNAL);
	assert_int_equal(spans[3].kind, GRT_ROOT_UNKNOWN);	/* it was over by then */
	assert_true(spans[3].from_ns == 112 && spans[3].to_ns == 115);
	assert_int_equal(grt_roots_count(&r), 6);		/* and it ran, and was done */
	grt_roots_free(&r);
}

static void test_forgets_old_jobs(void **state)
{
	struct grt_roots r = { .next_job = 0 };

	(void)state;
	for (uint64_t i = 1; i <= GRT_ROOTS_JOBS; i++)
		add(&r, i, 100);
	assert_int_equal(root_of(&r, 1 << 20, 100, 105, 2), GRT_ROOT_RUN);
	assert_int_equal(root_of(&r, (1 << 20) + 1, 100, 105, 1), GRT_ROOT_UNKNOWN);
	assert_int_equal(root_of(&r, (1 << 20) + 2, 100, 105, GRT_ROOTS_JOBS), GRT_ROOT_RUN);
	grt_roots_free(&r);
}

/* A job with so many spans that none of the others can be kept. */
static void test_forgets_many_spans(void **state)
{
	struct grt_roots r = { .next_job = 0 };
	struct grt_charge *waits = calloc(GRT_ROOTS_SPANS, sizeof(*waits));
	struct grt_job job = job_of(5, 0, 0, waits);
	const struct grt_root_span *spans;
	uint32_t count;

	(void)state;
	assert_non_null(waits);
	add(&r, 1, 100);
	for (uint32_t i = 0; i < GRT_ROOTS_SPANS; i++)
		waits[i] = (struct grt_charge){
			.from_ns = i, .ns = 1, .ctx = 9, .client = i & 1, .reason = GRT_BLAME_RING,
			.stage = GRT_STAGE_QUEUE,
		};
	job.nr_charges = GRT_ROOTS_SPANS;
	assert_int_equal(grt_roots_add(&r, &job, &spans, &count), 0);
	assert_int_equal(count, GRT_ROOTS_SPANS);
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
