// SPDX-License-Identifier: GPL-2.0
/* What the BPF programs had no room for is told, table by table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../capture/bpf_lacks.c"

static char told[2048];

static void take(const char *hint, const char *text)
{
	assert_null(hint);
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s\n", text);
}

static void test_warnings(void **state)
{
	static const char *const texts[GRT_BPF_NR_LACKS] = {
		[GRT_BPF_LACKS_RINGS] = "the ring of some jobs is not known: there is room for 1024 rings\n",
		[GRT_BPF_LACKS_THREADS] =
			"there is room for 512 threads at a time: what further ones did on CPUs is missing\n",
		[GRT_BPF_LACKS_CHOSEN] = "some of the chosen jobs are missing: there is room for 65536 at a time\n",
		[GRT_BPF_LACKS_ANCESTORS] =
			"jobs may be missing: of a process, only 64 ancestors are compared with the chosen one\n",
		[GRT_BPF_LACKS_FAMILY] = "jobs may be missing: there is room for 4096 descendants of the chosen process at most\n",
		[GRT_BPF_LACKS_LEVELS] =
			"jobs may be missing: of a cgroup, only 32 levels above it are compared with the chosen one\n",
	};
	uint64_t lacks[GRT_BPF_NR_LACKS] = { 0 };

	(void)state;
	grt_warn_to(take);
	grt_bpf_lacks_warn(lacks);
	assert_string_equal(told, "");
	for (int i = 0; i < GRT_BPF_NR_LACKS; i++) {
		*told = '\0';
		memset(lacks, 0, sizeof(lacks));
		lacks[i] = 3;
		grt_bpf_lacks_warn(lacks);
		assert_string_equal(told, texts[i]);
	}
}

static void test_stats(void **state)
{
	static const uint64_t lacks[GRT_BPF_NR_LACKS] = { 1, 2, 3, 4, 5, UINT64_MAX };
	static const char all[] = "rings_lost=1\nthreads_lost=2\nchosen_lost=3\nancestors_lost=4\ndescendants_lost=5\n"
				  "cgroups_lost=18446744073709551615\n";
	char text[256];

	(void)state;
	assert_int_equal(grt_bpf_lacks_stats(lacks, text, sizeof(text)), strlen(all));
	assert_string_equal(text, all);
	/* No line is cut. */
	assert_int_equal(grt_bpf_lacks_stats(lacks, text, strlen(all)), strlen("rings_lost=1\nthreads_lost=2\n"
			 "chosen_lost=3\nancestors_lost=4\ndescendants_lost=5\n"));
	assert_int_equal(grt_bpf_lacks_stats(lacks, text, 1), 0);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_warnings), cmocka_unit_test(test_stats) };

	return cmocka_run_group_tests_name("bpf-lacks", tests, NULL, NULL);
}
