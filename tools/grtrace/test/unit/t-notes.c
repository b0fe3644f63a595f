// SPDX-License-Identifier: GPL-2.0
/* Lines of the kernel's log beside a snapshot: long ones are cut, and the oldest ones go, but not in silence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Replaces the clock. */
#define grt_capture_now_ns	now_as_told
#include "../../capture/notes.c"

static uint64_t now_ns;

uint64_t now_as_told(void)
{
	return now_ns;
}

static struct {
	unsigned int count;
	char first[GRT_NOTE_BYTES], last[GRT_NOTE_BYTES];
} got;

static int take(void *arg, const struct grtrace_hdr *rec)
{
	const char *text = (const char *)rec + sizeof(struct grtrace_note);

	(void)arg;
	if (!got.count++)
		snprintf(got.first, sizeof(got.first), "%s", text);
	snprintf(got.last, sizeof(got.last), "%s", text);
	return 0;
}

static void each(const struct grt_notes *n, uint64_t from_ns)
{
	memset(&got, 0, sizeof(got));
	assert_int_equal(grt_notes_each(n, from_ns, take, NULL), 0);
}

static void test_many(void **state)
{
	static struct grt_notes n;
	char text[32];

	(void)state;
	for (now_ns = 1; now_ns <= GRT_NOTES_MOST; now_ns++) {
		snprintf(text, sizeof(text), "line %u", (unsigned int)now_ns);
		add(&n, 0, text);
	}
	each(&n, 0);
	assert_int_equal(got.count, GRT_NOTES_MOST);
	assert_string_equal(got.first, "line 1");
	add(&n, 0, "one more");
	each(&n, 0);
	assert_int_equal(got.count, GRT_NOTES_MOST + 1);
	assert_string_equal(got.first, "earlier lines are missing: the last 512 are kept");
	assert_string_equal(got.last, "one more");
	/* What went was before that time. */
	each(&n, 3);
	assert_int_equal(got.count, GRT_NOTES_MOST - 1);
	assert_string_equal(got.first, "line 3");
}

static void test_long(void **state)
{
	static struct grt_notes n;
	char text[2 * GRT_NOTE_BYTES];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[GRT_NOTE_BYTES - 1] = '\0';
	add(&n, 0, text);
	each(&n, 0);
	assert_string_equal(got.last, text);
	text[GRT_NOTE_BYTES - 1] = 'x';
	text[GRT_NOTE_BYTES] = '\0';
	add(&n, 0, text);
	each(&n, 0);
	assert_int_equal(strlen(got.last), GRT_NOTE_BYTES - 1);
	assert_string_equal(got.last + GRT_NOTE_BYTES - 5, "x...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
