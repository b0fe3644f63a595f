// SPDX-License-Identifier: GPL-2.0
/* The policies that the model learns from POLICY records, which may hold any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy_log.h"

#define START	1000

/* Texts with their times, one behind the other; '|' is the first event. */
static const struct policy_case {
	const char *name, *words, *rows;
} policy_cases[] = {
	{ "one that held from the start", "1000:sample=25 |", "sample=25 " },
	{ "a change", "1000:sample=25 | 2000:sample=50", "sample=25 sample=50@2000 " },
	{ "a word", "| 2000:level=minimal", "level=minimal@2000 " },
	{ "changed before the first event", "1000:a=1 1100:b=1 1200:a=2 |", "a=2 b=1 " },
	{ "and after it", "1000:a=1 | 1200:a=2 1300:a=1", "a=1 a=2@1200 a=1@1300 " },
	{ "a size, as it was at the start", "1000:buffer_size=65536 |", "buffer_size=65536 " },
	{ "a size for the next start", "1200:buffer_size=65536 | 1300:global_seq=2", "" },
	{ "no value", "1000:odd 1100:odder= |", "odd= odder= " },
	{ "two signs", "1000:a=b=c |", "a=b=c " },
	{ "no text", "1000: |", "= " },
	{ "a long name", "1000:0123456789012345678901234567890123456789=1 |",
	  "0123456789012345678901234567890=1 " },
};

static const char *take(struct grt_policy_log *p, const char *word, bool has_begun)
{
	_Alignas(8) char bytes[sizeof(struct grtrace_policy) + 64];
	struct grtrace_policy *rec = (void *)bytes;
	char *text;
	size_t len;

	rec->hdr.ts = strtoull(word, &text, 10);
	len = strcspn(++text, " ");
	/* The text fills its record; the bytes behind it belong to something else. */
	rec->hdr.size = sizeof(*rec) + len;
	memset(rec + 1, 'x', 64);
	memcpy(rec + 1, text, len);
	assert_int_equal(grt_policy_log_add(p, rec, has_begun, START), 0);
	return text + len;
}

static void test_rows(void **state)
{
	const struct policy_case *c = *state;
	struct grt_policy_log p = { 0 };
	bool has_begun = false;
	char rows[256] = "";
	size_t at = 0;

	for (const char *word = c->words; *word; word += *word == ' ') {
		if (*word == '|') {
			has_begun = true;
			word++;
		} else {
			word = take(&p, word, has_begun);
		}
	}
	for (size_t i = 0; i < grt_policy_log_count(&p); i++) {
		const struct grt_policy *row = grt_policy_log_at(&p, i);

		at += snprintf(rows + at, sizeof(rows) - at, "%s=%s", row->key, row->value);
		if (!row->is_initial)
			at += snprintf(rows + at, sizeof(rows) - at, "@%u", (unsigned int)row->since_ns);
		at += snprintf(rows + at, sizeof(rows) - at, " ");
	}
	assert_string_equal(rows, c->rows);
	grt_policy_log_free(&p);
}

static void test_many(void **state)
{
	struct grt_policy_log p = { 0 };
	char word[64];

	(void)state;
	for (int i = 0; i < GRT_MAX_POLICIES + 7; i++) {
		snprintf(word, sizeof(word), "%d:sample=%d", 2000 + i, i);
		take(&p, word, true);
	}
	assert_int_equal(grt_policy_log_count(&p), GRT_MAX_POLICIES);
	assert_int_equal(p.more, 7);
	grt_policy_log_free(&p);
}

#define NR_CASES	(sizeof(policy_cases) / sizeof(policy_cases[0]))

int main(void)
{
	struct CMUnitTest tests[NR_CASES + 1];

	for (size_t i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = policy_cases[i].name, .test_func = test_rows,
			.initial_state = (void *)&policy_cases[i],
		};
	tests[NR_CASES] = (struct CMUnitTest)cmocka_unit_test(test_many);
	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
