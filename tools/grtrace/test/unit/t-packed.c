// SPDX-License-Identifier: GPL-2.0
/* Elements of the page for a browser: the same whether they are written at once or bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packed.h"

#define MOST	300000

/* Numbers that compress badly at first and well later on. */
static void fill(char *text, size_t bytes)
{
	uint32_t random = 1;

	for (size_t i = 0; i < bytes; i++) {
		random = random * 1664525 + 1013904223;
		text[i] = i < MOST / 3 ? random >> 24 : '0' + i / 7 % 10;
	}
}

static void put(FILE *f, const char *text, size_t bytes)
{
	for (size_t at = 0, step = 1; at < bytes; at += step, step = step % 9000 + 77) {
		if (step > bytes - at)
			step = bytes - at;
		assert_int_equal(fwrite(text + at, 1, step, f), step);
	}
	assert_int_equal(fclose(f), 0);
}

static void test_same(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 1000, 12288, MOST / 3, MOST };
	char *text = malloc(MOST);

	(void)state;
	fill(text, MOST);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct grt_packed p = { 0 };
		char *whole, *parts;
		size_t bytes[2];
		FILE *f = open_memstream(&whole, &bytes[0]);

		grt_pack_bytes(&p, text, sizes[i]);
		assert_int_equal(grt_packed_write(&p, f, "name", 7), 0);
		assert_int_equal(p.bytes.bytes, 0);
		grt_packed_free(&p);
		fclose(f);
		f = open_memstream(&parts, &bytes[1]);
		put(grt_packed_open(f, "name", 7), text, sizes[i]);
		fclose(f);
		assert_string_equal(whole, parts);
		assert_memory_equal(whole, "<script type=\"text/plain\" id=\"name7\">", 37);
		assert_string_equal(whole + bytes[0] - 10, "</script>\n");
		free(whole);
		free(parts);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
