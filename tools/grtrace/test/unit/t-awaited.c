// SPDX-License-Identifier: GPL-2.0
/* Fences of no job that jobs wait for while events are recorded: the end of each is told, or a warning says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "error.h"
#include "import_private.h"

static struct grtrace_fence_signaled rec;
static unsigned int told, warned;

static void *add(void *arg, uint32_t cpu, uint64_t ts, unsigned int type, size_t bytes, unsigned int flags)
{
	(void)arg;
	(void)cpu;
	(void)ts;
	(void)flags;
	assert_int_equal(type, GRTRACE_FENCE_SIGNALED);
	assert_int_equal(bytes, sizeof(rec));
	told++;
	return &rec;
}

static void count_warning(const char *hint, const char *text)
{
	(void)hint;
	(void)text;
	warned++;
}

static void wait_for(struct grt_import *im, uint64_t seqno)
{
	struct grt_foreign ev = { .kind = NULL };

	grt_foreign_set(&ev, GRT_IN_DEP_CTX, 5);
	grt_foreign_set(&ev, GRT_IN_DEP_SEQNO, seqno);
	grt_await_foreign(im, &ev);
}

static void signal_of(struct grt_import *im, uint64_t seqno)
{
	struct grt_foreign ev = { .kind = NULL };

	grt_foreign_set(&ev, GRT_IN_CTX, 5);
	grt_foreign_set(&ev, GRT_IN_SEQNO, seqno);
	grt_foreign_ends(im, &ev, 0);
}

static void test_places(void **state)
{
	const struct grt_out_target target = { .add = add };
	struct grt_import *im = calloc(1, sizeof(*im));
	grt_warn_fn *before = grt_warn_to(count_warning);

	(void)state;
	assert_non_null(im);
	im->live = calloc(1, sizeof(*im->live));
	assert_non_null(im->live);
	im->out.target = &target;
	/* Each place has a fence. */
	for (uint64_t i = 1; i <= GRT_FOREIGN_TAGS; i++)
		wait_for(im, i);
	/* Another job waits for one of them. */
	wait_for(im, 1);
	for (uint64_t i = 1; i <= GRT_FOREIGN_TAGS; i++)
		signal_of(im, i);
	assert_int_equal(told, GRT_FOREIGN_TAGS);
	/* They are over: their places are free. */
	for (uint64_t i = 1; i <= GRT_FOREIGN_TAGS; i++)
		wait_for(im, GRT_FOREIGN_TAGS + i);
	assert_int_equal(warned, 0);
	/* These are not. */
	wait_for(im, 1);
	wait_for(im, 2);
	assert_int_equal(warned, 1);
	signal_of(im, GRT_FOREIGN_TAGS + 1);
	assert_int_equal(told, GRT_FOREIGN_TAGS);
	signal_of(im, 1);
	assert_int_equal(told, GRT_FOREIGN_TAGS + 1);
	grt_warn_to(before);
	free(im->live);
	free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_places) };

	return cmocka_run_group_tests_name("awaited", tests, NULL, NULL);
}
