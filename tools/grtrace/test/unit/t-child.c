// SPDX-License-Identifier: GPL-2.0
/* The process that reads a trace.dat: its parent learns how it ended, in every case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Replaces the reader, and shortens the time limit. */
#define grt_import_here	read_as_told
#define SILENT_S	2
#include "../../lib/import/apart.c"
#include "../../lib/import/child.c"

#include <poll.h>
#include <time.h>

typedef int read_fn(const struct grt_import_options *options);

static read_fn *reader;
static int told;	/* end of a pipe */

int read_as_told(int fd, const char *name, int to,
		 const struct grt_import_options *options, struct grt_import_sums *sums)
{
	(void)fd;
	(void)name;
	(void)to;
	sums->events = 7;
	return reader(options);
}

static int succeed(const struct grt_import_options *options)
{
	(void)options;
	return 0;
}

static int refuse(const struct grt_import_options *options)
{
	(void)options;
	return grt_fail(EBADMSG, "try another file", "nothing in it");
}

static int refuse_without_hint(const struct grt_import_options *options)
{
	(void)options;
	return grt_fail(ENOSPC, NULL, "no room");
}

static int crash(const struct grt_import_options *options)
{
	(void)options;
	raise(SIGKILL);
	return 0;
}

static int leave(const struct grt_import_options *options)
{
	(void)options;
	_exit(0);
}

static int __attribute__((noreturn)) hang(const struct grt_import_options *options)
{
	(void)options;
	for (;;)
		pause();
}

static int begin_and_hang(const struct grt_import_options *options)
{
	options->progress(100);
	hang(options);
}

/* Takes longer than the time limit, but is never silent. */
static int crawl(const struct grt_import_options *options)
{
	for (int i = 0; i < 5; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
		options->progress(i);
	}
	return 0;
}

static int look_at_itself(const struct grt_import_options *options)
{
	(void)options;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && !prctl(PR_GET_DUMPABLE) ?
	       0 : grt_fail(EPERM, NULL, "it may do more than it must");
}

static const struct end_case {
	const char *name;
	read_fn *reader;
	int err;
	const char *cause, *hint;
} end_cases[] = {
	{ "it succeeds", succeed, 0, NULL, NULL },
	{ "it refuses", refuse, -EBADMSG, "nothing in it", "try another file" },
	{ "it refuses and knows no remedy", refuse_without_hint, -ENOSPC, "no room", NULL },
	{ "it crashes", crash, -EBADMSG, "'a.dat' is damaged: libtracecmd crashed on it",
	  "check if 'trace-cmd report' can read it" },
	{ "it leaves", leave, -EBADMSG, "'a.dat' is damaged: libtracecmd crashed on it",
	  "check if 'trace-cmd report' can read it" },
	{ "it hangs", hang, -EBADMSG, "'a.dat' is damaged: libtracecmd got stuck in it",
	  "check if 'trace-cmd report' can read it" },
	{ "it hangs later", begin_and_hang, -EBADMSG, "'a.dat' is damaged: libtracecmd got stuck in it",
	  "check if 'trace-cmd report' can read it" },
	{ "it is slow", crawl, 0, NULL, NULL },
	{ "it is confined", look_at_itself, 0, NULL, NULL },
};

static int import_dat(struct grt_import_sums *sums)
{
	const struct grt_import_options options = { .driver = NULL };
	int fd = memfd_create("a.dat", MFD_CLOEXEC), err;

	assert_int_equal(write(fd, "\x17\x08\x44tracing", 10), 10);
	err = grt_import_file(fd, "a.dat", -1, &options, sums);
	close(fd);
	return err;
}

static void test_end(void **state)
{
	const struct end_case *c = *state;
	struct grt_import_sums sums;

	reader = c->reader;
	assert_int_equal(import_dat(&sums), c->err);
	assert_int_equal(sums.events, 7);
	if (!c->err)
		return;
	assert_string_equal(grt_cause(), c->cause);
	assert_int_equal(!grt_hint(), !c->hint);
	if (c->hint)
		assert_string_equal(grt_hint(), c->hint);
}

/* The exit status of a child is unknown where SIGCHLD is ignored: that is no success. */
static void test_status_unknown(void **state)
{
	struct grt_import_sums sums;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	reader = crash;
	assert_int_equal(import_dat(&sums), -EBADMSG);
	reader = succeed;
	assert_int_equal(import_dat(&sums), 0);
	signal(SIGCHLD, SIG_DFL);
}

static int tell_and_hang(const struct grt_import_options *options)
{
	pid_t own = getpid();

	alarm(0);
	if (write(told, &own, sizeof(own)) != sizeof(own))
		_exit(1);
	hang(options);
}

/* A reader does not outlive its parent. */
static void test_parent_dies(void **state)
{
	struct grt_import_sums sums;
	struct pollfd end;
	pid_t parent, child;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	reader = tell_and_hang;
	told = ends[1];
	parent = fork();
	if (!parent)
		_exit(import_dat(&sums));
	close(ends[1]);
	assert_int_equal(read(ends[0], &child, sizeof(child)), sizeof(child));
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	/* Its end of the pipe closes with it. */
	end = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	if (poll(&end, 1, 10000) != 1)
		kill(child, SIGKILL);
	assert_int_equal(end.revents, POLLHUP);
	close(ends[0]);
}

#define NR_CASES (sizeof(end_cases) / sizeof(end_cases[0]))

int main(void)
{
	struct CMUnitTest tests[2 + NR_CASES] = {
		cmocka_unit_test(test_status_unknown),
		cmocka_unit_test(test_parent_dies),
	};

	for (size_t i = 0; i < NR_CASES; i++)
		tests[2 + i] = (struct CMUnitTest){
			end_cases[i].name, test_end, NULL, NULL, (void *)&end_cases[i],
		};
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
