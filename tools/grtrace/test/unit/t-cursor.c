// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cursor.h"
#include "run.h"
#include "synth.h"

static void test_sticky(void **state)
{
	static const struct grtrace_hdr good = { .type = 4711, .size = sizeof(good) };
	struct grt_cursor c = grt_cursor(&good, sizeof(good) - 1);

	(void)state;
	assert_null(grt_take_record(&c));
	/* A record that would fit is refused, too. */
	c.end++;
	assert_null(grt_take_record(&c));
	c.failed = false;
	assert_ptr_equal(grt_take_record(&c), &good);
}

static const struct record_case {
	const char *name;
	uint16_t type, size;
	size_t bytes;
	bool is_record, is_cut;
} record_cases[] = {
	{ "a submit", GRTRACE_SUBMIT, 80, 80, true, false },
	{ "a submit with a longer payload", GRTRACE_SUBMIT, 96, 96, true, false },
	{ "a submit shorter than its struct", GRTRACE_SUBMIT, 72, 80, false, false },
	{ "an unknown type", 4711, 32, 32, true, false },
	{ "an unknown type with payload", 4711, 4000, 4000, true, false },
	{ "an unknown type of the stream", 0xff77, 40, 40, true, false },
	{ "size 0", 4711, 0, 80, false, false },
	{ "size below the header", 4711, 24, 80, false, false },
	{ "size no multiple of 8", 4711, 36, 80, false, false },
	{ "a header that is cut", GRTRACE_SUBMIT, 80, 31, false, true },
	{ "a submit that is cut", GRTRACE_SUBMIT, 80, 72, false, true },
	{ "one byte", GRTRACE_SUBMIT, 80, 1, false, true },
	{ "the largest", 4711, 65528, 65528, true, false },
};

static void test_record(void **state)
{
	const struct record_case *r = *state;
	static uint64_t room[65528 / 8];
	struct grtrace_hdr hdr = { .type = r->type, .size = r->size };
	struct grt_cursor c = grt_cursor(room, r->bytes);

	memcpy(room, &hdr, sizeof(hdr));
	assert_ptr_equal(grt_take_record(&c), r->is_record ? room : NULL);
	assert_int_equal(c.failed, !r->is_record);
	assert_int_equal(grt_cursor_is_cut(&c), r->is_cut);
	/* After a failure the cursor shows where. */
	assert_ptr_equal(c.pos, r->is_record ? (uint8_t *)room + r->bytes : (uint8_t *)room);
}

static void test_runs(void **state)
{
	struct grt_cursor c;
	struct grt_run run;
	unsigned int defs = 0, data = 0;
	size_t bytes = 0, events = 0;
	struct synth s;

	(void)state;
	synth_example(&s, 0);
	c = grt_cursor(s.bytes.data, s.bytes.bytes);
	while (grt_next_run(&c, 1 << 20, &run)) {
		defs += run.is_defs;
		data += !run.is_defs;
		bytes += run.bytes;
		events += run.events;
	}
	assert_false(c.failed);
	assert_int_equal(bytes, s.bytes.bytes);
	assert_int_equal(events, 13);
	assert_int_equal(defs, 3);
	assert_int_equal(data, 3);
	/* A small goal still takes whole records, at least one a run. */
	c = grt_cursor(s.bytes.data, s.bytes.bytes);
	for (bytes = 0; grt_next_run(&c, 1, &run); bytes += run.bytes)
		assert_int_equal(run.bytes, ((const struct grtrace_hdr *)run.data)->size);
	assert_int_equal(bytes, s.bytes.bytes);
	synth_free(&s);
}

static void test_is_stream(void **state)
{
	struct synth s;

	(void)state;
	synth_begin(&s, 0);
	assert_true(grt_is_stream(s.bytes.data, s.bytes.bytes));
	assert_false(grt_is_stream(s.bytes.data, sizeof(struct grtrace_stream_info) - 1));
	/* The magic of a big-endian machine. */
	((struct grtrace_stream_info *)s.bytes.data)->magic = __builtin_bswap64(GRTRACE_STREAM_MAGIC);
	assert_false(grt_is_stream(s.bytes.data, s.bytes.bytes));
	synth_free(&s);
}

#define NR_CASES (sizeof(record_cases) / sizeof(record_cases[0]))

int main(void)
{
	struct CMUnitTest tests[3 + NR_CASES] = {
		cmocka_unit_test(test_sticky),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_is_stream),
	};

	for (size_t i = 0; i < NR_CASES; i++)
		tests[3 + i] = (struct CMUnitTest){
			record_cases[i].name, test_record, NULL, NULL,
			(void *)&record_cases[i],
		};
	return cmocka_run_group_tests_name("cursor", tests, NULL, NULL);
}
