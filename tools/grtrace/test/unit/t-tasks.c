// SPDX-License-Identifier: GPL-2.0
/* Threads that have ended are forgotten, but not at once, and not if others descend from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../capture/task_end.c"
#include "../../capture/tracefs_tasks.c"

/* Larger than any thread's number: PID_MAX_LIMIT is 4194304. */
#define GONE	5000001
#define PARENT	5000002
#define KNOWN	7	/* marks a row that was not made anew */

static struct grt_task *task_of(struct grt_tasks *t, uint32_t tid)
{
	return (struct grt_task *)grt_tasks_find(t, tid);
}

static void note(struct grt_tasks *t, uint32_t tid)
{
	struct grt_task *row = task_of(t, tid);

	assert_non_null(row);
	row->start_ns = KNOWN;
}

static void test_forget(void **state)
{
	struct grt_tasks t = { .newtask.id = 12 };
	uint32_t own = getpid();

	(void)state;
	note(&t, GONE);
	note(&t, PARENT);
	note(&t, own);
	task_of(&t, own)->parent = PARENT;
	assert_int_equal(grt_tasks_forget(&t), 1);
	assert_int_equal(task_of(&t, GONE)->start_ns, KNOWN);
	assert_int_equal(grt_tasks_forget(&t), 1);
	assert_int_equal(grt_vec_count(&t.rows, struct grt_task), 2);
	assert_int_equal(task_of(&t, GONE)->start_ns, 0);
	assert_int_equal(task_of(&t, PARENT)->start_ns, KNOWN);
	assert_int_equal(task_of(&t, own)->start_ns, KNOWN);
	assert_true(grt_tasks_descends(&t, own, PARENT));
	assert_int_equal(t.newtask.id, 12);
	grt_tasks_free(&t);
}

/* However many ancestors a process has, also if their numbers make a circle. */
static void test_ancestors(void **state)
{
	const uint32_t first = 5000010, count = 300;
	struct grt_tasks t = { .newtask.id = 12 };
	uint32_t own = getpid();

	(void)state;
	for (uint32_t i = 0; i < count; i++) {
		note(&t, first + i);
		task_of(&t, first + i)->parent = first + i + 1;
	}
	note(&t, own);
	task_of(&t, own)->parent = first;
	assert_true(grt_tasks_descends(&t, own, first + count));
	assert_int_equal(grt_tasks_forget(&t), 1);
	assert_int_equal(grt_tasks_forget(&t), 1);
	assert_int_equal(task_of(&t, first + count - 1)->start_ns, KNOWN);
	assert_true(grt_tasks_descends(&t, own, first + count));
	task_of(&t, first + count - 1)->parent = first;
	assert_false(grt_tasks_descends(&t, own, first + count));
	assert_int_equal(grt_tasks_forget(&t), 1);
	assert_int_equal(task_of(&t, first + 1)->start_ns, KNOWN);
	grt_tasks_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_forget), cmocka_unit_test(test_ancestors) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
