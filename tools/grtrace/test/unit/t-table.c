// SPDX-License-Identifier: GPL-2.0
/* Tables that fit the width of a terminal: columns are left out, then texts are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "job_table.h"

static void fill(struct grt_table *t, size_t width)
{
	static const char *const cells[] = {
		"WHO", "", "busy", "idle", "max",
		" gfx", "game[7]", "71.0%", "29.0%", "12 ms",
		" äöü", "copier[8]", "1.0%", "99.0%", "-",
	};

	grt_table_init(t, "llrrr");
	grt_table_fit(t, width, "00120");
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		grt_table_add(t, "%s", cells[i]);
}

static const struct {
	size_t width;
	const char *text;
} cases[] = {
	{ 0,  "WHO               busy   idle    max\n"
	      " gfx  game[7]    71.0%  29.0%  12 ms\n"
	      " äöü  copier[8]   1.0%  99.0%      -\n" },
	{ 36, "WHO               busy   idle    max\n"
	      " gfx  game[7]    71.0%  29.0%  12 ms\n"
	      " äöü  copier[8]   1.0%  99.0%      -\n" },
	{ 35, "WHO               busy    max\n"
	      " gfx  game[7]    71.0%  12 ms\n"
	      " äöü  copier[8]   1.0%      -\n" },
	{ 28, "WHO                max\n"
	      " gfx  game[7]    12 ms\n"
	      " äöü  copier[8]      -\n" },
	{ 21, "WHO               max\n"
	      " gfx  game[7]   12 ms\n"
	      " äöü  copier[~      -\n" },
};

static char *print(struct grt_table *t)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	assert_non_null(f);
	grt_table_print(t, f, "", "");
	grt_table_free(t);
	fclose(f);
	return text;
}

static void test_widths(void **state)
{
	struct grt_table t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text;

		fill(&t, cases[i].width);
		text = print(&t);
		assert_string_equal(text, cases[i].text);
		free(text);
	}
}

/* Down to the narrowest terminal, no line is wider than it. */
static void test_all_widths(void **state)
{
	struct grt_table t;

	(void)state;
	for (size_t width = 21; width < 60; width++) {
		char *text, *line, *save;

		fill(&t, width);
		text = print(&t);
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			assert_true(grt_text_cells(line) <= width);
		free(text);
	}
}

static void test_fold(void **state)
{
	static const struct {
		size_t width;
		const char *text, *folded;
	} folds[] = {
		{ 0, " one two three\nfour\n", " one two three\nfour\n" },
		{ 9, " one two three\nfour five six\n", " one two\n  three\nfour five\n  six\n" },
		{ 4, "word\nlongerword x\n", "word\nlongerword\n  x\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(folds) / sizeof(folds[0]); i++) {
		char *text = NULL;
		size_t bytes;
		FILE *f = open_memstream(&text, &bytes);

		assert_non_null(f);
		grt_text_fold(f, folds[i].text, folds[i].width, 2);
		fclose(f);
		assert_string_equal(text, folds[i].folded);
		free(text);
	}
}

/* A table has as many columns as it was given. */
static void test_many_columns(void **state)
{
	static const char align[] = "lrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr";
	char expected[8 * sizeof(align)] = "", *text;
	struct grt_table t;

	(void)state;
	grt_table_init(&t, align);
	for (int row = 0; row < 2; row++) {
		for (size_t i = 0; i < strlen(align); i++) {
			grt_table_add(&t, "%zu", 10 * (row + 1) + i % 10);
			snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected), "%s%zu",
				 i ? "  " : "", 10 * (row + 1) + i % 10);
		}
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected), "\n");
	}
	text = print(&t);
	assert_string_equal(text, expected);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_many_columns),
		cmocka_unit_test(test_all_widths),
		cmocka_unit_test(test_fold),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
