// SPDX-License-Identifier: GPL-2.0
/* How many streams a machine may send to grtrace listen: at once, and one after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmd/listen_hosts.c"

#define SECOND	1000000000ull

static struct listen_hosts hosts;

static int forget(void **state)
{
	(void)state;
	memset(&hosts, 0, sizeof(hosts));
	return 0;
}

/* How many of @count streams of @name begin at @ns; each ends at once if @is_short. */
static unsigned int begin(const char *name, bool is_near, unsigned int count, uint64_t ns, bool is_short)
{
	unsigned int begun = 0;

	for (unsigned int i = 0; i < count; i++) {
		struct listen_host *host;

		if (listen_hosts_begin(&hosts, name, is_near, ns, &host))
			continue;
		begun++;
		if (is_short)
			listen_hosts_end(&hosts, host);
	}
	return begun;
}

/* One after another: files do not fill the folder. */
static void test_files(void **state)
{
	const uint64_t ns = 5 * SECOND;

	(void)state;
	assert_int_equal(begin("tcp:10.0.0.1", false, 2000, ns, true), LISTEN_HOST_FILES);
	assert_int_equal(begin("tcp:10.0.0.1", false, 9, ns + SECOND - 1, true), 0);
	assert_int_equal(begin("tcp:10.0.0.1", false, 9, ns + 3 * SECOND, true), 3);
	/* Others may. */
	assert_int_equal(begin("tcp:10.0.0.2", false, 9, ns, true), 9);
	/* After a rest it is as at first. */
	assert_int_equal(begin("tcp:10.0.0.1", false, 2000, ns + 900 * SECOND, true), LISTEN_HOST_FILES);
}

/* At once: one machine does not take all places; but all that come through this one have the same address. */
static void test_streams(void **state)
{
	struct listen_host *host;

	(void)state;
	assert_int_equal(begin("tcp:10.0.0.1", false, 300, 0, false), LISTEN_HOST_STREAMS);
	assert_string_equal(listen_hosts_begin(&hosts, "tcp:10.0.0.1", false, 0, &host),
			    "there are too many streams of its address");
	assert_int_equal(begin("tcp:127.0.0.1", true, 300, 0, false), LISTEN_STREAMS - LISTEN_HOST_STREAMS);
	assert_string_equal(listen_hosts_begin(&hosts, "tcp:10.0.0.2", false, 0, &host), "there are too many streams");
	listen_hosts_end(&hosts, &hosts.hosts[0]);
	assert_null(listen_hosts_begin(&hosts, "tcp:10.0.0.2", false, 0, &host));
}

/* More machines than rows: those that send are not forgotten, nor is the one that began the most. */
static void test_many(void **state)
{
	char name[32];

	(void)state;
	assert_int_equal(begin("tcp:10.0.0.1", false, 1, 0, false), 1);
	assert_int_equal(begin("tcp:10.0.0.2", false, 300, 0, true), LISTEN_HOST_FILES);
	for (unsigned int i = 0; i < 5 * LISTEN_HOSTS; i++) {
		snprintf(name, sizeof(name), "tcp:10.1.%u.%u", i / 256, i % 256);
		assert_int_equal(begin(name, false, 1, 0, true), 1);
	}
	assert_int_equal(hosts.count, LISTEN_HOSTS);
	assert_int_equal(hosts.streams, 1);
	assert_int_equal(begin("tcp:10.0.0.1", false, 300, 0, false), LISTEN_HOST_STREAMS - 1);
	assert_int_equal(begin("tcp:10.0.0.2", false, 1, 0, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_files, forget),
		cmocka_unit_test_setup(test_streams, forget),
		cmocka_unit_test_setup(test_many, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
