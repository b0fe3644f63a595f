// SPDX-License-Identifier: GPL-2.0
/* Rows stay in order whatever they wait for; rows and sums have limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "monitor.h"

struct seen {
	uint64_t rows, last_ns, with_life;
	bool is_unordered;
};

static int show(void *arg, const struct grt_monitor_row *row)
{
	struct seen *s = arg;

	s->is_unordered |= row->rec.ts < s->last_ns;
	s->last_ns = row->rec.ts;
	s->rows++;
	s->with_life += row->has_life;
	return 0;
}

static void no_job(void *arg, const struct grt_job *job)
{
	(void)arg;
	(void)job;
}

static void begin(struct grt_monitor *m, struct grt_model **model, struct seen *seen, enum grt_monitor_kind kind)
{
	*seen = (struct seen){ .rows = 0 };
	*m = (struct grt_monitor){ .kind = kind, .has_rows = true, .show = show, .arg = seen };
	*model = grt_model_create(no_job, NULL);
	assert_non_null(*model);
	assert_int_equal(grt_monitor_begin(m, *model), 0);
}

static void end(struct grt_monitor *m, struct grt_model *model)
{
	grt_monitor_free(m);
	grt_model_destroy(model);
}

static void put_complete(struct grt_monitor *m, uint64_t ns, uint64_t seqno)
{
	const struct grtrace_complete rec = {
		.hdr = { .type = GRTRACE_COMPLETE, .size = sizeof(rec), .ts = ns }, .ctx = 7, .seqno = seqno,
	};

	assert_int_equal(grt_monitor_record(m, &rec.hdr), 0);
}

/* Jobs come late and in another order, or not at all. */
static void test_order(void **state)
{
	struct grt_monitor m;
	struct grt_model *model;
	struct seen seen;

	(void)state;
	begin(&m, &model, &seen, GRT_MONITOR_DRM);
	put_complete(&m, 1000, 1);
	put_complete(&m, 2000, 2);
	put_complete(&m, 3000, 3);
	assert_int_equal(grt_monitor_job(&m, &(struct grt_job){ .ctx = 7, .seqno = 2 }), 0);
	assert_int_equal(seen.rows, 0);
	assert_int_equal(grt_monitor_job(&m, &(struct grt_job){ .ctx = 7, .seqno = 1 }), 0);
	assert_int_equal(seen.rows, 2);
	/* The third one is given up when the time behind it is over. */
	put_complete(&m, 900000000, 4);
	assert_int_equal(seen.rows, 2);
	put_complete(&m, 900000001, 5);
	assert_int_equal(seen.rows, 3);
	assert_int_equal(grt_monitor_end(&m), 0);
	assert_int_equal(seen.rows, 5);
	assert_int_equal(seen.with_life, 2);
	assert_false(seen.is_unordered);
	end(&m, model);
}

static void test_many_rows(void **state)
{
	struct grt_monitor m;
	struct grt_model *model;
	struct seen seen;

	(void)state;
	begin(&m, &model, &seen, GRT_MONITOR_DRM);
	for (uint64_t i = 1; i <= 3 * GRT_MONITOR_ROWS; i++)
		put_complete(&m, 5, i);
	assert_int_equal(seen.rows, 2 * GRT_MONITOR_ROWS);
	assert_int_equal(grt_monitor_end(&m), 0);
	assert_int_equal(seen.rows, 3 * GRT_MONITOR_ROWS);
	end(&m, model);
}

static void test_many_users(void **state)
{
	const uint32_t most = GRT_JOB_SUMS_ROWS + GRT_JOB_SUMS_OTHERS + 1;
	const struct grt_job_counts counts = { .waits = 1 };
	struct grt_job_sums sums = { .rows = { 0 } };
	uint64_t jobs = 0, waits = 0;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(grt_job_sums_add(&sums, &(struct grt_job){ .ring = i % 300, .process = i }, &counts), 0);
	assert_int_equal(grt_job_sums_count(&sums), most);
	for (uint32_t i = 0; i < most; i++) {
		jobs += grt_job_sums_at(&sums, i)->jobs;
		waits += grt_job_sums_at(&sums, i)->waits;
	}
	assert_int_equal(jobs, 5000);
	assert_int_equal(waits, 5000);
	grt_job_sums_free(&sums);
}

static void test_many_sources(void **state)
{
	struct grt_irq_sums sums = { .count = 0 };
	uint64_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < 3 * GRT_IRQ_SOURCES; i++) {
		const struct grtrace_irq rec = {
			.hdr = { .type = GRTRACE_IRQ, .size = sizeof(rec) }, .irq_source = i,
		};

		assert_int_equal(grt_irq_sums_add(&sums, &rec), 0);
	}
	grt_irq_sums_sort(&sums);
	assert_int_equal(grt_irq_sums_count(&sums), GRT_IRQ_SOURCES + 1);
	assert_true(grt_irq_sums_at(&sums, 0)->is_others);
	for (size_t i = 0; i < grt_irq_sums_count(&sums); i++)
		count += grt_irq_sums_at(&sums, i)->count;
	assert_int_equal(count, sums.count);
	grt_irq_sums_free(&sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_many_rows), cmocka_unit_test(test_many_users),
		cmocka_unit_test(test_many_sources),
	};

	return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
