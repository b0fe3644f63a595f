// SPDX-License-Identifier: GPL-2.0
/* When finished jobs are handed out: in groups, but no job is kept for long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "model.h"
#include "model-script.h"

#define COMPLETE_NS	155
#define SOON_NS		(COMPLETE_NS + GRT_SKEW_NS + 1)
#define LATE_NS		(COMPLETE_NS + GRT_SKEW_NS + GRT_HELD_NS + 1)

struct seen {
	unsigned int jobs;
	uint64_t last_ns;
	bool in_order;
};

static void take_job(void *arg, const struct grt_job *job)
{
	struct seen *s = arg;

	s->in_order &= job->at_ns[GRT_AT_COMPLETE] >= s->last_ns;
	s->last_ns = job->at_ns[GRT_AT_COMPLETE];
	s->jobs++;
}

static struct grt_model *begin(struct seen *s)
{
	struct grt_model *m = grt_model_create(take_job, s);

	*s = (struct seen){ .in_order = true };
	assert_non_null(m);
	script_rings(m);
	return m;
}

static void feed_at(struct grt_model *m, unsigned int ctx, uint64_t ns)
{
	char script[64];

	snprintf(script, sizeof(script), "S%u.1@%llu", ctx, (unsigned long long)ns);
	script_feed(m, script);
}

static void feed_job(struct grt_model *m)
{
	script_feed(m, "S1.1@100 C1.1@110 E1.1@150 D1.1@155");
}

static void end(struct grt_model *m, const struct seen *s, unsigned int jobs)
{
	assert_int_equal(grt_model_finish(m), 0);
	assert_int_equal(s->jobs, jobs);
	grt_model_destroy(m);
}

static void test_alone(void **state)
{
	struct seen s;
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	feed_at(m, 2, SOON_NS);
	feed_at(m, 3, LATE_NS - 1);
	assert_int_equal(s.jobs, 0);
	feed_at(m, 4, LATE_NS);
	assert_int_equal(s.jobs, 1);
	end(m, &s, 4);
}

/* Many jobs are not kept: they leave as soon as no event of theirs can come. */
static void test_many(void **state)
{
	enum { LAST_NS = 1003 + 4 * (GRT_MANY_HELD - 1) };
	struct seen s;
	struct grt_model *m = begin(&s);
	char script[128];

	(void)state;
	for (int i = 0; i < GRT_MANY_HELD; i++) {
		snprintf(script, sizeof(script), "S1.%d@%d C1.%d@%d E1.%d@%d D1.%d@%d", i + 1,
			 1000 + 4 * i, i + 1, 1001 + 4 * i, i + 1, 1002 + 4 * i, i + 1, 1003 + 4 * i);
		script_feed(m, script);
	}
	feed_at(m, 2, LAST_NS + GRT_SKEW_NS);
	assert_int_equal(s.jobs, 0);
	feed_at(m, 3, LAST_NS + GRT_SKEW_NS + 1);
	assert_int_equal(s.jobs, GRT_MANY_HELD);
	assert_true(s.in_order);
	end(m, &s, GRT_MANY_HELD + 2);
}

/* After a loss, known beforehand or reported now, jobs do not wait any longer. */
static void test_loss(void **state)
{
	(void)state;
	for (int is_known = 0; is_known < 2; is_known++) {
		struct seen s;
		struct grt_model *m = begin(&s);

		if (is_known)
			assert_int_equal(grt_model_add_loss(m, 5000000, 5000001), 0);
		feed_job(m);
		if (!is_known)
			script_feed(m, "L@300-400");
		feed_at(m, 2, SOON_NS);
		assert_int_equal(s.jobs, 1);
		end(m, &s, 2);
	}
}

/* A live session that is silent. */
static void test_silence(void **state)
{
	struct seen s;
	struct grt_model *m = begin(&s);

	(void)state;
	feed_job(m);
	grt_model_pass(m, SOON_NS - 1);
	assert_int_equal(s.jobs, 0);
	grt_model_pass(m, SOON_NS);
	assert_int_equal(s.jobs, 1);
	end(m, &s, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_silence),
	};

	return cmocka_run_group_tests_name("held", tests, NULL, NULL);
}
