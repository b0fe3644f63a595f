// SPDX-License-Identifier: GPL-2.0
/* The sums that move on from job to job are always those that a walk over the spans gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "keymap.h"
#include "span_sums.h"

#define ROUNDS	20000

static uint64_t at_ns;	/* the end of the last span */

static void add_span(struct grt_spans *s, unsigned int clients)
{
	struct grt_span_by by = { .client = random() % clients, .reason = GRT_BLAME_RING, .seqno = random() };

	if (random() % 4 == 0)
		by = (struct grt_span_by){ .client = GRT_NONE, .reason = GRT_BLAME_SCHEDULER };
	if (random() % 1000 == 0)
		at_ns += 5;	/* a gap */
	assert_int_equal(grt_spans_add(s, &by, at_ns, at_ns + 1 + random() % 50, false), 0);
	at_ns = grt_spans_end(s)[-1].to_ns;
}

/* Nanoseconds of those like @by in [@from, @to); @first: the first of them. */
static uint64_t walk(const struct grt_span_by *by, const struct grt_span_by *from, const struct grt_span_by *to,
		     const struct grt_span_by **first)
{
	uint64_t ns = 0;

	*first = NULL;
	for (; from < to; from++)
		if (from->client == by->client && from->reason == by->reason) {
			if (!*first)
				*first = from;
			ns += from->to_ns - from->from_ns;
		}
	return ns;
}

static void check(const struct grt_spans *s, const struct grt_span_sums *sums, const struct grt_span_by *from,
		  const struct grt_span_by *to)
{
	uint64_t sum = 0, last = 0;

	for (size_t i = 0; i < sums->nr_rows; i++) {
		const struct grt_span_by *by = grt_spans_at(s, sums->rows[i].first), *first;

		assert_int_equal(sums->rows[i].ns, walk(by, from, to, &first));
		assert_ptr_equal(by, first);
		assert_true(!i || sums->rows[i].first > last);
		last = sums->rows[i].first;
		sum += sums->rows[i].ns;
	}
	assert_int_equal(sums->ns, sum);
	for (sum = 0; from < to; from++)
		sum += from->to_ns - from->from_ns;
	assert_int_equal(sums->ns, sum);
}

/* Returns how often the sums were known. */
static unsigned int move_on(unsigned int clients)
{
	struct grt_spans s = { .gone = 0 };
	unsigned int known = 0;

	srandom(1);
	at_ns = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const struct grt_span_by *from, *to, *end;
		const struct grt_span_sums *sums;
		uint64_t from_ns;

		for (int i = random() % 4; i >= 0; i--)
			add_span(&s, clients);
		/* Mostly the next job, sometimes one from before. */
		from_ns = at_ns > 3000 ? at_ns - 3000 + random() % (random() % 50 ? 30 : 2000) : 0;
		if (random() % 3 == 0)
			grt_spans_drop(&s, at_ns > 3000 ? at_ns - 3000 : 0);
		end = grt_spans_end(&s);
		from = grt_spans_find(&s, grt_spans_begin(&s), from_ns);
		to = random() % 10 ? end - 1 : end - 1 - random() % (end - from);
		if (to < from)
			continue;
		sums = grt_spans_sum(&s, from, to);
		if (!sums)
			continue;
		known++;
		check(&s, sums, from, to);
	}
	grt_spans_free(&s);
	return known;
}

static void test_moves(void **state)
{
	(void)state;
	assert_true(move_on(1) > ROUNDS / 2);
	assert_true(move_on(5) > ROUNDS / 2);
	assert_true(move_on(GRT_MAX_SPAN_SUMS - 1) > ROUNDS / 2);
}

static void test_many_clients(void **state)
{
	unsigned int known = move_on(2 * GRT_MAX_SPAN_SUMS);

	(void)state;
	assert_true(known > 0 && known < ROUNDS);
	assert_true(move_on(100000) < ROUNDS / 10);
}

static void test_few_spans(void **state)
{
	struct grt_spans s = { .gone = 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		add_span(&s, 3);
	assert_null(grt_spans_sum(&s, grt_spans_begin(&s), grt_spans_end(&s) - 1));
	assert_null(s.sums);
	grt_spans_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_many_clients),
		cmocka_unit_test(test_few_spans),
	};

	return cmocka_run_group_tests_name("sums of spans", tests, NULL, NULL);
}
