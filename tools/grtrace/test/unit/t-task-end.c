// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../capture/task_end.c"

static void test_numbers(void **state)
{
	(void)state;
	assert_false(grt_task_has_ended(getpid()));
	assert_false(grt_task_has_ended(getppid()));
	/* The kernel, and what no process can be. */
	assert_false(grt_task_has_ended(0));
	assert_false(grt_task_has_ended(UINT32_MAX));
}

static void test_end(void **state)
{
	int go[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(go), 0);
	pid = fork();
	if (!pid) {
		char byte;

		close(go[1]);
		_exit(read(go[0], &byte, 1) != 0);
	}
	assert_true(pid > 0);
	assert_false(grt_task_has_ended(pid));
	close(go[0]);
	close(go[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	/* In a container it is not known, so the answer is false. */
	assert_int_equal(grt_task_has_ended(pid), is_in_initial_namespace());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
