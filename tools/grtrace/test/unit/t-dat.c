// SPDX-License-Identifier: GPL-2.0
/* The results of libtracecmd for a damaged trace.dat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/mman.h>

#include <cmocka.h>

#include "../../lib/import/dat.c"
#include "../../lib/import/dat_head.h"

struct seen {
	unsigned int events, progress;
};

static bool take_event(void *arg, const struct grt_foreign *ev)
{
	struct seen *s = arg;

	(void)ev;
	s->events++;
	return true;
}

static void take_progress(void *arg, uint64_t done, uint64_t all)
{
	struct seen *s = arg;

	(void)done;
	(void)all;
	s->progress++;
}

/*
 * After a record of negative length libtracecmd returns the records before it, for ever.
 * The watchdog must not take them for progress.
 */
static void test_running_back(void **state)
{
	struct seen s = { 0 };
	const struct grt_visitor visitor = {
		.arg = &s, .event = take_event, .progress = take_progress,
	};
	struct dat d = { .visitor = &visitor, .tep = tep_alloc(), .most = 1ull << 30 };
	uint32_t bytes[16] = { 0 };
	struct tep_record record = { .size = sizeof(bytes), .data = bytes };

	(void)state;
	assert_true(d.tep && !grt_binder_create(&d.binder, d.tep, d.visitor->kinds,
						    d.visitor->nr_kinds));
	for (int i = 0; i < PROGRESS_EVENTS; i++)
		assert_int_equal(on_record(NULL, &record, 0, &d), 0);
	assert_int_equal(s.progress, 1);
	record.size = -260;
	assert_int_not_equal(on_record(NULL, &record, 0, &d), 0);
	record.size = sizeof(bytes);
	for (int i = 0; i < 2 * PROGRESS_EVENTS; i++)
		assert_int_not_equal(on_record(NULL, &record, 0, &d), 0);
	assert_int_equal(s.progress, 1);
	assert_int_equal(s.events, 0);
	assert_true(d.is_damaged);
	grt_binder_free(&d.binder);
	tep_free(d.tep);
}

/* Whole records that are more than the file has room for are no progress either. */
static void test_running_on(void **state)
{
	struct seen s = { 0 };
	const struct grt_visitor visitor = {
		.arg = &s, .event = take_event, .progress = take_progress,
	};
	struct dat d = {
		.visitor = &visitor, .tep = tep_alloc(), .most = 1000 * 64,
	};
	uint32_t bytes[16] = { 0 };
	struct tep_record record = {
		.size = sizeof(bytes), .record_size = sizeof(bytes), .data = bytes,
	};

	(void)state;
	assert_true(d.tep && !grt_binder_create(&d.binder, d.tep, d.visitor->kinds,
						    d.visitor->nr_kinds));
	for (int i = 0; i < 1000; i++)
		assert_int_equal(on_record(NULL, &record, 0, &d), 0);
	assert_int_not_equal(on_record(NULL, &record, 0, &d), 0);
	assert_true(d.is_damaged);
	grt_binder_free(&d.binder);
	tep_free(d.tep);
}

static uint32_t page_bytes_of(const char *head, size_t bytes)
{
	int fd = memfd_create("head", 0);
	uint32_t found;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, head, bytes), bytes);
	found = grt_dat_page_bytes(fd);
	close(fd);
	return found;
}

#define page_bytes(head)	page_bytes_of(head, sizeof(head) - 1)

/* The machine that recorded the file may have other pages than this one. */
static void test_page_size(void **state)
{
	(void)state;
	assert_int_equal(page_bytes("\x17\x08\x44tracing6\0\0\x08\0\x10\0\0"), 4096);
	assert_int_equal(page_bytes("\x17\x08\x44tracing7\0\0\x08\0\0\1\0"), 65536);
	assert_int_equal(page_bytes("\x17\x08\x44tracing6\0\1\x08\0\0\x40\0"), 16384);
	assert_int_equal(page_bytes("\x17\x08\x44tracing6\0\0\x08\1\x10\0\0"), 0);
	assert_int_equal(page_bytes("\x17\x08\x44tracing6\0\0\x08\0"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_back),
		cmocka_unit_test(test_running_on),
		cmocka_unit_test(test_page_size),
	};

	return cmocka_run_group_tests_name("dat", tests, NULL, NULL);
}
