// SPDX-License-Identifier: GPL-2.0
/* Lines of CPU events, good and hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "cpu_line.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define ENTER		"[1.5] IOCTL_ENTER "
#define EXIT		"[1.5] IOCTL_EXIT "
#define CMD		GRT_CPU_HAS_CMD
#define ARG		GRT_CPU_HAS_ARG
#define RET		GRT_CPU_HAS_RET
#define DURATION	GRT_CPU_HAS_DURATION

static const struct event_case {
	const char *line;
	struct grt_cpu_event ev;
} events[] = {
	{ "[1234567.123456] IOCTL_ENTER pid=5678 tid=5679 comm=glxgears cmd=0xc0106444 "
	  "arg=0x7ffc12345678",
	  { .ts = 1234567123456000, .res_ns = 1000, .type = GRT_IOCTL_ENTER, .pid = 5678,
	    .tid = 5679, .comm = "glxgears", .cmd = 0xc0106444, .arg = 0x7ffc12345678,
	    .has = CMD | ARG } },
	{ "[1234567.123789] IOCTL_EXIT pid=5678 tid=5679 comm=glxgears ret=0 duration_ns=333000",
	  { .ts = 1234567123789000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .pid = 5678,
	    .tid = 5679, .comm = "glxgears", .duration_ns = 333000, .has = RET | DURATION } },
	{ "[12.345678900] IOCTL_ENTER pid=1234 tid=1234 comm=glxgears",
	  { .ts = 12345678900, .res_ns = 1, .pid = 1234, .tid = 1234, .comm = "glxgears" } },
	{ "  [ 1.5]  IOCTL_ENTER pid=1 tid=2 comm=a \t",
	  { .ts = 1500000000, .res_ns = 1000, .pid = 1, .tid = 2, .comm = "a" } },
	{ ENTER "tid=9", { .ts = 1500000000, .res_ns = 1000, .tid = 9 } },
	{ ENTER "pid=9", { .ts = 1500000000, .res_ns = 1000, .pid = 9, .tid = 9 } },
	{ ENTER "tid=9 pid=8 arg=1 cmd=2",
	  { .ts = 1500000000, .res_ns = 1000, .pid = 8, .tid = 9, .cmd = 2, .arg = 1,
	    .has = CMD | ARG } },
	/* Names. */
	{ ENTER "tid=1 comm=Web Content cmd=0x1 arg=0x2",
	  { .ts = 1500000000, .res_ns = 1000, .tid = 1, .comm = "Web Content", .cmd = 1, .arg = 2,
	    .has = CMD | ARG } },
	{ ENTER "tid=1 comm=a=b cmd=0x1 arg=0x2",
	  { .ts = 1500000000, .res_ns = 1000, .tid = 1, .comm = "a=b", .cmd = 1, .arg = 2,
	    .has = CMD | ARG } },
	{ ENTER "tid=1 comm=a cmd=0x5 cmd=0x1 arg=0x2",
	  { .ts = 1500000000, .res_ns = 1000, .tid = 1, .comm = "a cmd=0x5", .cmd = 1, .arg = 2,
	    .has = CMD | ARG } },
	{ ENTER "tid=1 comm=a arg=x ret=0 cmd=0x1",
	  { .ts = 1500000000, .res_ns = 1000, .tid = 1, .comm = "a arg=x ret=0", .cmd = 1,
	    .has = CMD } },
	{ EXIT "tid=1 comm=a comm=b ret=-22",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1, .comm = "a comm=b",
	    .ret = -22, .has = RET } },
	{ EXIT "tid=1 comm= ret=1",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1, .ret = 1,
	    .has = RET } },
	{ EXIT "tid=1 comm=a name that is too long for a kernel ret=1",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1,
	    .comm = "a name that is ", .ret = 1, .has = RET } },
	{ EXIT "comm=x ret=1 tid=1",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1, .comm = "x",
	    .ret = 1, .has = RET } },
	/* The largest numbers. */
	{ ENTER "pid=4294967295 tid=1 cmd=4294967295 arg=18446744073709551615",
	  { .ts = 1500000000, .res_ns = 1000, .pid = UINT32_MAX, .tid = 1, .cmd = UINT32_MAX,
	    .arg = UINT64_MAX, .has = CMD | ARG } },
	{ EXIT "tid=1 ret=-9223372036854775808 duration_ns=0xffffffffffffffff",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1, .ret = INT64_MIN,
	    .duration_ns = UINT64_MAX, .has = RET | DURATION } },
	{ EXIT "tid=1 ret=0xffffffffffffffea",
	  { .ts = 1500000000, .res_ns = 1000, .type = GRT_IOCTL_EXIT, .tid = 1, .ret = -22,
	    .has = RET } },
};

static const char *const others[] = { "", "  \t ", "# tid=1", " # [1.5] IOCTL_ENTER pid=1" };

static const char *const unreadable[] = {
	"oops", "[", "[]", "[1]", "[1.]", "[.5]", "[1.5", "[a.5]", "[1.5x]", "[-1.5]",
	"[1.1234567890] IOCTL_ENTER tid=1",	/* ten digits */
	"[99999999999999999999.5] IOCTL_ENTER tid=1",
	"[18446744073.5] IOCTL_ENTER tid=1",	/* more than 64 bits of ns */
	"1.5 IOCTL_ENTER tid=1", "[1.5]", "[1.5] IOCTL_ENTER", "[1.5] IOCTL_EXIT",
	"[1.5] IOCTL_ENTERtid=1", "[1.5] ioctl_enter tid=1", "[1.5] IOCTL tid=1",
	ENTER, ENTER "comm=a cmd=1", ENTER "tid", ENTER "tid=", ENTER "tid=x", ENTER "tid=-1",
	ENTER "tid=1x", ENTER "tid=0x", ENTER "tid=4294967296", ENTER "tid=1 tid=2",
	ENTER "tid=1 cmd=0x100000000", ENTER "tid=1 arg=18446744073709551616",
	ENTER "tid=1 what=3", ENTER "tid=1 ret=0",
	EXIT "tid=1 ret=--1", EXIT "tid=1 ret=9223372036854775808",
	EXIT "tid=1 ret=-9223372036854775809", EXIT "tid=1 cmd=1",
	EXIT "tid=1 duration_ns=-1",
};

static enum grt_cpu_line parse(const char *line, struct grt_cpu_event *ev)
{
	/* In memory of its own, so that reading too far is found. */
	size_t len = strlen(line);
	char *copy = malloc(len + !len);
	enum grt_cpu_line kind;

	assert_non_null(copy);
	memcpy(copy, line, len);
	kind = grt_cpu_line_parse(copy, len, ev);
	free(copy);
	return kind;
}

static void test_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(events); i++) {
		struct grt_cpu_event ev;

		print_message("# %s\n", events[i].line);
		assert_int_equal(parse(events[i].line, &ev), GRT_CPU_LINE_EVENT);
		assert_memory_equal(&ev, &events[i].ev, sizeof(ev));
	}
}

static void test_others(void **state)
{
	struct grt_cpu_event ev;

	(void)state;
	for (size_t i = 0; i < NR(others); i++)
		assert_int_equal(parse(others[i], &ev), GRT_CPU_LINE_OTHER);
}

static void test_unreadable(void **state)
{
	struct grt_cpu_event ev;

	(void)state;
	for (size_t i = 0; i < NR(unreadable); i++) {
		print_message("# %s\n", unreadable[i]);
		assert_int_equal(parse(unreadable[i], &ev), GRT_CPU_LINE_UNREADABLE);
	}
}

/* Every beginning of a good line is read without harm. */
static void test_cut(void **state)
{
	struct grt_cpu_event ev;

	(void)state;
	for (size_t i = 0; i < NR(events); i++)
		for (size_t len = 0; len < strlen(events[i].line); len++) {
			char *cut = strndup(events[i].line, len);

			assert_non_null(cut);
			parse(cut, &ev);
			free(cut);
		}
}

/* Lines of 1 MB whose every part could be the end of the name. */
static void test_long(void **state)
{
	static const char *const parts[] = { " ", " cmd=1", " cmd=1 arg=2", "x", " comm=" };
	size_t room = 1 << 20;
	char *line = malloc(room);
	struct grt_cpu_event ev;
	clock_t begin = clock();

	(void)state;
	assert_non_null(line);
	for (size_t i = 0; i < NR(parts); i++) {
		size_t at = snprintf(line, room, ENTER "tid=1 comm=a"), len = strlen(parts[i]);

		for (; at + len < room - 1; at += len)
			memcpy(line + at, parts[i], len);
		line[at++] = 'x';
		assert_int_equal(grt_cpu_line_parse(line, at, &ev), GRT_CPU_LINE_UNREADABLE);
	}
	free(line);
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events), cmocka_unit_test(test_others),
		cmocka_unit_test(test_unreadable), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
