// SPDX-License-Identifier: GPL-2.0
/* Names of rings that BPF programs choose: as many as there is room for, and no silent limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../capture/bpf_patterns.c"

static const char *names(unsigned int count)
{
	static char text[1024];
	size_t at = 0;

	for (unsigned int i = 0; i < count; i++)
		at += snprintf(text + at, sizeof(text) - at, "%ss%u", i ? "," : "", i);
	return text;
}

static void test_rings(void **state)
{
	struct grt_bpf_patterns p = { .count = 0 };

	(void)state;
	assert_int_equal(grt_bpf_patterns_rings(&p, NULL), 0);
	assert_true(p.is_default_wanted && !p.count);
	assert_int_equal(grt_bpf_patterns_rings(&p, names(GRT_BPF_MAX_PATTERNS)), 0);
	assert_int_equal(p.count, GRT_BPF_MAX_PATTERNS);
	assert_false(p.is_default_wanted);
	assert_string_equal((const char *)p.rows[GRT_BPF_MAX_PATTERNS - 1].text, "s23");
}

static void test_too_many(void **state)
{
	struct grt_bpf_patterns p = { .count = 0 };

	(void)state;
	assert_int_equal(grt_bpf_patterns_rings(&p, names(GRT_BPF_MAX_PATTERNS + 1)), -E2BIG);
	assert_string_equal(grt_cause(), "the source bpf chooses 24 rings at most");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
