// SPDX-License-Identifier: GPL-2.0
/* Texts of ftrace's events: they are the kernel's, but have no addresses of the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "map.h"

static unsigned int fail_at;	/* which request for memory is refused, from 1; 0: none */

static bool fails(void)
{
	return fail_at && !--fail_at;
}

#define grt_vec_grow(v, bytes)	(fails() ? NULL : (grt_vec_grow)(v, bytes))
#define grt_map_put(m, key)	(fails() ? NULL : (grt_map_put)(m, key))
#define calloc(count, size)	(fails() ? NULL : (calloc)(count, size))

#include "../../capture/event_text.c"

int grt_kallsyms_read(struct grt_kallsyms *k)
{
	(void)k;
	return 0;
}

void grt_kallsyms_free(struct grt_kallsyms *k)
{
	(void)k;
}

/* One function begins a little before CODE. */
const char *grt_kallsyms_find(const struct grt_kallsyms *k, uint64_t address, uint64_t *start)
{
	(void)k;
	*start = 0xffffffff81234560ull;
	return address - *start < 0x100 ? "some_function" : NULL;
}

#define COMMON	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define HEAP	0xffff888012345678ull	/* addresses of the kernel, on x86-64 */
#define CODE	0xffffffff81234567ull
#define USER	0x00007f1234567890ull	/* of a program */

struct common {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
};

static const struct {
	const char *system, *text;
} formats[] = {
	{ "irq", "name: softirq_raise\nID: 1\n" COMMON
	  "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	  "print fmt: \"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })\n" },
	{ "timer", "name: hrtimer_start\nID: 2\n" COMMON
	  "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:s64 expires;\toffset:24;\tsize:8;\tsigned:1;\n"
	  "\tfield:unsigned long flags;\toffset:32;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"hrtimer=%p function=%ps expires=%lld flags=%lx\", REC->hrtimer, REC->function, REC->expires, REC->flags\n" },
	{ "mine", "name: arrays\nID: 3\n" COMMON
	  "\tfield:unsigned long args[2];\toffset:8;\tsize:16;\tsigned:0;\n"
	  "\tfield:__data_loc u64[] list;\toffset:24;\tsize:4;\tsigned:0;\n"
	  "\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"args=%lx,%lx list=%s name=%s\", REC->args[0], REC->args[1], __print_array(__get_dynamic_array(list), 2, 8), __get_str(name)\n" },
	{ "mine", "name: unknown_words\nID: 4\n" COMMON
	  "\tfield:void * page;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:int count;\toffset:16;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"page=%s\", page_words_of_the_kernel(REC->page)\n" },
};

static struct grt_event_text *text_of(void)
{
	static struct grt_event_text t;
	struct tep_handle *tep = tep_alloc();

	assert_non_null(tep);
	memset(&t, 0, sizeof(t));
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		tep_parse_event(tep, formats[i].text, strlen(formats[i].text), formats[i].system);
	t.tep = tep;
	return &t;
}

static void free_text(struct grt_event_text *t)
{
	struct tep_handle *tep = t->tep;

	grt_event_text_free(t);
	tep_free(tep);
}

static void expect(struct grt_event_text *t, void *data, int size, size_t most, const char *want)
{
	const struct tep_record record = { .data = data, .size = size };
	struct grt_piece got;

	assert_int_equal(grt_event_text_print(t, &record, most, &got), 0);
	assert_int_equal(got.len, strnlen(got.at, got.len));
	if (got.len != strlen(want) || memcmp(got.at, want, got.len))
		fail_msg("got '%.*s', expected '%s'", (int)got.len, got.at, want);
}

static void test_plain(void **state)
{
	struct { struct common common; uint32_t vec; } ev = { { .type = 1 }, 1 };
	struct grt_event_text *t = text_of();

	(void)state;
	expect(t, &ev, sizeof(ev), 1024, "irq:softirq_raise vec=1 [action=TIMER]");
	expect(t, &ev, sizeof(ev), 38, "irq:softirq_raise vec=1 [action=TIMER]");
	expect(t, &ev, sizeof(ev), 37, "irq:softirq_raise vec=1 [action=TI...");
	free_text(t);
}

struct timer {
	struct common common;
	uint64_t hrtimer, function;
	int64_t expires;
	uint64_t flags;
};

/* The same address has the same number; the record of the caller stays as it is. */
static void test_addresses(void **state)
{
	struct timer ev = { { .type = 2 }, HEAP, CODE, -99999, 0x80 }, before = ev;
	struct grt_event_text *t = text_of();

	(void)state;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x2 expires=-99999 flags=80");
	assert_memory_equal(&ev, &before, sizeof(ev));
	ev.hrtimer = HEAP + 8;
	ev.flags = HEAP;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x3 function=0x2 expires=-99999 flags=1");
	/* An error, no pointer at all, and an address of a program. */
	ev.hrtimer = -22;
	ev.function = 0;
	ev.flags = USER;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0xffffffffffffffea function=0x0 expires=-99999 flags=7f1234567890");
	free_text(t);
}

static unsigned int warnings;

static void count_warning(const char *hint, const char *text)
{
	assert_null(hint);
	assert_string_equal(text, "trace events have more than 1048576 addresses: further ones are 0 in their texts");
	warnings++;
}

/* What has no room is told once, and those that have a number keep it. */
static void test_too_many_addresses(void **state)
{
	struct timer ev = { { .type = 2 }, HEAP, CODE, -99999, 0x80 };
	struct grt_event_text *t = text_of();
	uint64_t word;

	(void)state;
	grt_warn_to(count_warning);
	for (uint64_t i = 0; i < MOST_ADDRESSES; i++) {
		word = HEAP + 8 * i;
		assert_int_equal(hide_address(t, &word), 0);
	}
	assert_int_equal(warnings, 0);
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x0 expires=-99999 flags=80");
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x0 expires=-99999 flags=80");
	assert_int_equal(warnings, 1);
	grt_warn_to(NULL);
	free_text(t);
}

struct arrays {
	struct common common;
	uint64_t args[2];
	uint32_t list, name;
	uint64_t words[2];
	char text[8];
};

static void test_arrays(void **state)
{
	struct arrays ev = {
		{ .type = 3 }, { HEAP, 5 }, 16 << 16 | 32, 8 << 16 | 48, { 7, CODE }, "\xff\xff\xff\xff\xff\xff\xff",
	};
	struct grt_event_text *t = text_of();

	(void)state;
	memcpy(ev.text, "plain", sizeof("plain"));
	expect(t, &ev, sizeof(ev), 1024, "mine:arrays args=1,5 list=7 2 name=plain");
	free_text(t);
}

/* The fields themselves, where libtraceevent does not know how the kernel prints them. */
static void test_unknown_words(void **state)
{
	struct { struct common common; uint64_t page; int32_t count; } __attribute__((packed)) ev = {
		{ .type = 4 }, HEAP, -3,
	};
	struct grt_event_text *t = text_of();

	(void)state;
	expect(t, &ev, sizeof(ev), 1024, "mine:unknown_words page=0x1 count=-3");
	free_text(t);
}

/* Places outside of a record, of which nothing is read, and numbers of events without a format. */
static void test_damaged(void **state)
{
	struct arrays ev = { { .type = 3 }, { HEAP, 5 }, 0xffffu << 16 | 32, 8 << 16 | 0xff00, { HEAP, CODE }, "" };
	struct timer timer = { { .type = 2 }, HEAP, CODE, 1, 1 };
	struct grt_event_text *t = text_of();
	const struct tep_record unknown = { .data = &(struct common){ .type = 99 }, .size = sizeof(struct common) };
	struct grt_piece got;

	(void)state;
	assert_int_equal(grt_event_text_print(t, &unknown, 1024, &got), -ENOENT);
	for (int size = sizeof(struct common); size < (int)sizeof(timer); size++) {
		struct tep_record record = { .data = &timer, .size = size };

		assert_int_equal(grt_event_text_print(t, &record, 1024, &got), 0);
	}
	expect(t, &ev, sizeof(ev), 1024, "mine:arrays args=1,5 list=3 1 name=");
	free_text(t);
}

/* Without memory it fails, and goes on when there is some again. */
static void test_no_memory(void **state)
{
	struct timer ev = { { .type = 2 }, HEAP, CODE, 7, 0 };
	const struct tep_record record = { .data = &ev, .size = sizeof(ev) };
	struct grt_event_text *t = text_of();
	struct grt_piece got;
	unsigned int refused = 0;

	(void)state;
	for (fail_at = 1; grt_event_text_print(t, &record, 1024, &got); fail_at = refused + 1) {
		refused++;
		assert_true(grt_was_out_of_memory());
	}
	/* The copy, two addresses and the text */
	assert_int_equal(refused, 4);
	fail_at = 0;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x2 expires=7 flags=0");
	free_text(t);
}

/* Where the kernel prints the name of a function; not for what only looks like one. */
static void test_names(void **state)
{
	struct timer ev = { { .type = 2 }, HEAP, CODE, 7, 0 };
	struct grt_event_text *t = text_of();
	int added = 0;

	(void)state;
	for (int id = 1; id <= 4; id++) {
		assert_int_equal(grt_event_text_add(t, tep_find_event(t->tep, id)), 0);
		added += prints_name(tep_find_event(t->tep, id)->print_fmt.format);
	}
	assert_int_equal(added, 1);
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=some_function expires=7 flags=0");
	ev.function = HEAP;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x1 expires=7 flags=0");
	ev.function = 99;
	expect(t, &ev, sizeof(ev), 1024, "timer:hrtimer_start hrtimer=0x1 function=0x63 expires=7 flags=0");
	free_text(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_too_many_addresses),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_unknown_words),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
