// SPDX-License-Identifier: GPL-2.0
/* The progress of an import: when it is shown, and what a terminal shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <poll.h>

#include <cmocka.h>

/* Replaces the clock. */
#define grt_snapshot_now	now_as_told
#include "../../cmd/print.c"

#include "reading.h"
#include "source.h"
#include "vec.h"

static uint64_t now_ns;

uint64_t now_as_told(int clock)
{
	(void)clock;
	return now_ns;
}

#define S	1000000000ull
#define WIPE	"\r\033[K"

static const struct step {
	uint64_t at_ns;
	unsigned int permille;
	const char *shown;
} steps[] = {
	{ 5 * S, 0, "" },
	{ 6 * S - 1, 100, "" },
	{ 6 * S, 109, "\rreading:  10 %\033[K" },
	{ 6 * S + S / 5 - 1, 120, "" },
	{ 6 * S + S / 5, 999, "\rreading:  99 %\033[K" },
	{ 7 * S, 1000, WIPE },
	/* The next file wipes the line although it showed nothing: another file may have. */
	{ 9 * S, 200, "" },
	{ 9 * S + S / 2, 1000, WIPE },
	{ 10 * S + S / 4, 0, "" },
};

static int own_stderr;

static void lend_stderr(int fd)
{
	own_stderr = dup(STDERR_FILENO);
	assert_int_equal(dup2(fd, STDERR_FILENO), STDERR_FILENO);
}

static void return_stderr(void)
{
	dup2(own_stderr, STDERR_FILENO);
	close(own_stderr);
}

/* Compares the output since the last call.  A terminal may pass it on a little later. */
static void assert_shown(int fd, const char *text)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char shown[256];
	size_t have = 0;
	ssize_t got;

	do {
		got = read(fd, shown + have, sizeof(shown) - 1 - have);
		have += got < 0 ? 0 : got;
	} while (have < strlen(text) && poll(&wait, 1, 10000) == 1);
	shown[have] = '\0';
	assert_string_equal(shown, text);
}

static void test_terminal(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK), slave;

	(void)state;
	if (master < 0 || grantpt(master) || unlockpt(master))
		skip();
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	lend_stderr(slave);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		now_ns = steps[i].at_ns;
		grt_print_progress(steps[i].permille);
		assert_shown(master, steps[i].shown);
	}
	/* A warning begins on a clean line. */
	now_ns = 12 * S;
	grt_print_progress(500);
	grt_print_progress(510);
	grt_print_warning(NULL, "beware");
	grt_print_warning(NULL, "again");
	return_stderr();
	assert_shown(master, "\rreading:  50 %\033[K" WIPE
		     "grtrace: warning: beware\r\ngrtrace: warning: again\r\n");
	close(slave);
	close(master);
}

static void test_no_terminal(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	lend_stderr(ends[1]);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		now_ns = steps[i].at_ns;
		grt_print_progress(steps[i].permille);
	}
	return_stderr();
	assert_shown(ends[0], "");
	close(ends[0]);
	close(ends[1]);
}

static struct told {
	unsigned int count, latest;
	bool runs_back;
} told;

static void take_progress(unsigned int permille)
{
	told.count++;
	told.runs_back |= permille < told.latest;
	told.latest = permille;
}

/* A source of some megabytes, which is read in several steps. */
static void test_source(void **state)
{
	static const char job[] = " p-9 [000] %u.000000: drm_sched_job_queue: dev=a, fence=5:%u, "
				  "ring=gfx, job count:0, hw job count:0, client_id:3\n";
	struct grt_vec text = { 0 };
	struct reading r;
	char line[256];

	(void)state;
	for (unsigned int i = 0; i < 30000; i++)
		assert_int_equal(grt_vec_append(&text, line, snprintf(line, sizeof(line), job, i, i)), 0);
	grt_source_progress_to(take_progress);
	r = reading_bytes(text.data, text.bytes, NULL, NULL);
	grt_source_progress_to(NULL);
	grt_vec_free(&text);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.events, 30000);
	assert_true(told.count > 2 * 3);
	assert_int_equal(told.latest, 1000);
	assert_false(told.runs_back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test(test_source),
	};

	setenv("NO_COLOR", "1", 1);
	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
