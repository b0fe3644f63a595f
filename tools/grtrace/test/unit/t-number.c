// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "error.h"
#include "map.h"
#include "number.h"

typedef int parse_fn(const char *text, uint64_t *value);

static const struct parse_case {
	const char *text;
	parse_fn *parse;
	bool is_good;
	uint64_t value;
} parse_cases[] = {
	{ "0", grt_parse_u64, true, 0 },
	{ "18446744073709551615", grt_parse_u64, true, UINT64_MAX },
	{ "0x1f", grt_parse_u64, true, 31 },
	{ "18446744073709551616", grt_parse_u64, false, 0 },
	{ "-1", grt_parse_u64, false, 0 },
	{ " 1", grt_parse_u64, false, 0 },
	{ "", grt_parse_u64, false, 0 },
	{ "1x", grt_parse_u64, false, 0 },
	{ "65536", grt_parse_bytes, true, 65536 },
	{ "64K", grt_parse_bytes, true, 65536 },
	{ "64k", grt_parse_bytes, true, 65536 },
	{ "1.5M", grt_parse_bytes, true, 1572864 },
	{ "2GiB", grt_parse_bytes, true, 2147483648 },
	{ "99999999999G", grt_parse_bytes, false, 0 },
	{ "4X", grt_parse_bytes, false, 0 },
	{ "K", grt_parse_bytes, false, 0 },
	{ "-4K", grt_parse_bytes, false, 0 },
	{ "3", grt_parse_ns, true, 3000000000 },
	{ "1.5s", grt_parse_ns, true, 1500000000 },
	{ "20ms", grt_parse_ns, true, 20000000 },
	{ "0.25us", grt_parse_ns, true, 250 },
	{ "7ns", grt_parse_ns, true, 7 },
	{ "2m", grt_parse_ns, true, 120000000000 },
	{ "1.", grt_parse_ns, true, 1000000000 },
	{ "5 ms", grt_parse_ns, true, 5000000 },
	{ "12.402 s", grt_parse_ns, true, 12402000000 },
	{ "4.0 MiB", grt_parse_bytes, true, 4194304 },
	{ "5 ", grt_parse_ns, false, 0 },
	{ "5  ms", grt_parse_ns, false, 0 },
	{ "5 m s", grt_parse_ns, false, 0 },
	{ "1.5.5s", grt_parse_ns, false, 0 },
	{ "s", grt_parse_ns, false, 0 },
	{ "1e3", grt_parse_ns, false, 0 },
};

static void test_parse(void **state)
{
	for (size_t i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++) {
		const struct parse_case *c = &parse_cases[i];
		uint64_t value = 0;

		print_message("# %s\n", c->text);
		assert_int_equal(!c->parse(c->text, &value), c->is_good);
		if (c->is_good)
			assert_int_equal(value, c->value);
		else
			assert_non_null(strstr(grt_cause(), c->text));
	}
	(void)state;
}

static void test_format(void **state)
{
	char buf[GRT_NUMBER_MAX];

	(void)state;
	assert_string_equal(grt_format_count(buf, 0), "0");
	assert_string_equal(grt_format_count(buf, 999), "999");
	assert_string_equal(grt_format_count(buf, 1204331), "1,204,331");
	assert_string_equal(grt_format_count(buf, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(grt_format_bytes(buf, 1023), "1023 bytes");
	assert_string_equal(grt_format_bytes(buf, 4 << 20), "4.0 MiB");
	assert_string_equal(grt_format_ns(buf, 80), "80 ns");
	assert_string_equal(grt_format_ns(buf, 11000), "11 us");
	assert_string_equal(grt_format_ns(buf, 3100000), "3.1 ms");
	assert_string_equal(grt_format_ns(buf, 12402000000), "12.402 s");
}

static void test_errors(void **state)
{
	(void)state;
	assert_int_equal(grt_fail(5, "do this", "it is %d", 7), -5);
	assert_string_equal(grt_cause(), "it is 7");
	assert_string_equal(grt_hint(), "do this");
	grt_fail(5, NULL, "else");
	assert_null(grt_hint());
}

static void test_map(void **state)
{
	struct grt_map m = { 0 };

	(void)state;
	assert_null(grt_map_get(&m, 0));
	for (uint64_t i = 0; i < 10000; i++)
		*grt_map_put(&m, i << 32) = i;
	for (uint64_t i = 0; i < 10000; i++)
		assert_int_equal(*grt_map_get(&m, i << 32), i);
	assert_int_equal(grt_map_count(&m), 10000);
	assert_null(grt_map_get(&m, 1));
	assert_int_equal(*grt_map_put(&m, 5ull << 32), 5);
	grt_map_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
