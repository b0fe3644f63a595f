// SPDX-License-Identifier: GPL-2.0
/*
 * A job, the thread that handed it over (50) and one that waits for it (60), through the
 * whole model: t_sched_cpu, t_wake, and when the job is given.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model.h"
#include "model-script.h"

struct seen {
	unsigned int jobs;
	struct grt_job job;
	uint64_t charged_ns;
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct seen *s = arg;

	s->jobs++;
	s->job = *job;
	s->charged_ns = 0;
	for (uint32_t i = 0; i < job->nr_charges; i++)
		s->charged_ns += job->charges[i].ns;
}

#define FEED(m, st, TYPE, at, ...) do {						\
	const struct grtrace_##st rec = {					\
		.hdr = { .type = GRTRACE_##TYPE, .size = sizeof(rec), .cpu = 1, .ts = at }, \
		__VA_ARGS__							\
	};									\
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);			\
} while (0)

static void feed_switch(struct grt_model *m, uint64_t ns, uint32_t prev, uint32_t next)
{
	struct grtrace_cpu_switch rec = {
		.hdr = { .type = GRTRACE_CPU_SWITCH, .size = sizeof(rec), .cpu = 1, .ts = ns },
		.prev_tid = prev, .next_tid = next, .prev_state = 1,
	};

	if (prev < 100)
		rec.hdr.flags |= GRTRACE_F_PREV_FOLLOWED;
	if (next < 100)
		rec.hdr.flags |= GRTRACE_F_NEXT_FOLLOWED;
	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
}

/* SUBMIT to COMMIT 700 ns, of these 500 until the thread that was woken has a CPU. */
static void feed_job(struct grt_model *m)
{
	feed_switch(m, 1000, 50, 900);
	FEED(m, submit, SUBMIT, 2000, .ctx = 1, .seqno = 1, .ring = 1, .tgid = 7, .tid = 60,
	     .credits = 1);
	FEED(m, cpu_wake, CPU_WAKE, 2100, .tid = 50);
	feed_switch(m, 2600, 900, 50);
	FEED(m, commit, COMMIT, 2700, .ctx = 1, .seqno = 1, .ring = 1, .credits = 1,
	     .hw_credits = 1);
	feed_switch(m, 2800, 50, 60);
}

static void feed_wait(struct grt_model *m)
{
	struct grtrace_sync_wait_enter rec = {
		.hdr = { .type = GRTRACE_SYNC_WAIT_ENTER, .size = sizeof(rec), .cpu = 1,
			 .flags = GRTRACE_F_CPU_WAIT, .ts = 2900 },
		.ctx = 1, .seqno = 1, .ring = 1, .tgid = 7, .tid = 60,
	};

	assert_int_equal(grt_model_feed(m, &rec.hdr), 0);
	feed_switch(m, 3000, 60, 900);
}

/* An event so late that no job is kept until then. */
static void feed_end(struct grt_model *m)
{
	FEED(m, end, END, 5000, .ctx = 1, .seqno = 1, .ring = 1);
	FEED(m, complete, COMPLETE, 5100, .ctx = 1, .seqno = 1, .ring = 1);
	FEED(m, vblank, VBLANK, 40000, .vblank_ns = 1);
	grt_model_pass(m, 40001);
}

static void check_job(const struct seen *s)
{
	assert_int_equal(s->jobs, 1);
	assert_int_equal(s->job.stage_ns[GRT_STAGE_SCHED], 700);
	assert_true(grt_job_knows(&s->job, GRT_STAGE_SCHED_CPU));
	assert_int_equal(s->job.stage_ns[GRT_STAGE_SCHED_CPU], 500);
	assert_int_equal(s->charged_ns, 700);
}

static struct grt_model *begin(struct seen *s)
{
	struct grt_model *m = grt_model_create(take_job, s);

	assert_non_null(m);
	script_rings(m);
	return m;
}

static void test_waited_for(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_wait(m);
	feed_end(m);
	assert_int_equal(s.jobs, 0);
	feed_switch(m, 45100, 900, 60);
	check_job(&s);
	assert_true(grt_job_knows(&s.job, GRT_STAGE_WAKE));
	assert_int_equal(s.job.stage_ns[GRT_STAGE_WAKE], 40000);
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(s.jobs, 1);
	grt_model_destroy(m);
}

static void test_not_waited_for(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_end(m);
	check_job(&s);
	assert_false(grt_job_knows(&s.job, GRT_STAGE_WAKE));
	grt_model_destroy(m);
}

static void test_running(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_wait(m);
	feed_switch(m, 3100, 900, 60);
	feed_end(m);
	check_job(&s);
	assert_true(grt_job_knows(&s.job, GRT_STAGE_WAKE));
	assert_int_equal(s.job.stage_ns[GRT_STAGE_WAKE], 0);
	grt_model_destroy(m);
}

static void test_trace_ends(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_wait(m);
	feed_end(m);
	assert_int_equal(s.jobs, 0);
	assert_int_equal(grt_model_finish(m), 0);
	check_job(&s);
	assert_false(grt_job_knows(&s.job, GRT_STAGE_WAKE));
	grt_model_destroy(m);
}

/* The model is destroyed without grt_model_finish(): the sanitizer finds no leak. */
static void test_never_finished(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_wait(m);
	feed_end(m);
	grt_model_destroy(m);
	assert_int_equal(s.jobs, 0);
}

static void test_loss(void **state)
{
	struct seen s = { 0 };
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_wait(m);
	/* Known beforehand; it may have run in there. */
	assert_int_equal(grt_model_add_loss(m, 20000, 30000), 0);
	feed_end(m);
	feed_switch(m, 45100, 900, 60);
	check_job(&s);
	assert_false(grt_job_knows(&s.job, GRT_STAGE_WAKE));
	grt_model_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waited_for),
		cmocka_unit_test(test_not_waited_for),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_trace_ends),
		cmocka_unit_test(test_never_finished),
		cmocka_unit_test(test_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
