// SPDX-License-Identifier: GPL-2.0
/* The names of pods in /var/log, and the mounts of cgroups. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../capture/cgroup_mount.c"
#include "../../capture/pod_names.c"

#define ID	"4b1f03de7f6cbf41b57dfe0f1e1dd2f6c3e4b1f03de7f6cbf41b57dfe0f1e1dd"
#define UID	"1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"

static const struct link_case {
	const char *name;
	bool is_it;
	const char *pod, *pod_namespace, *container;
} links[] = {
	{ "train-0_ml_main-" ID ".log", true, "train-0", "ml", "main" },
	{ "a.b-c_kube-system_side-car-" ID ".log", true, "a.b-c", "kube-system", "side-car" },
	{ "train-0_ml_main-" ID ".log.1", false, "", "", "" },
	{ "train-0_ml_main-0" ID ".log", false, "", "", "" },
	{ "train-0_ml_main" ID ".log", false, "", "", "" },
	{ "train-0_ml-" ID ".log", false, "", "", "" },
	{ "train-0_ml_-" ID ".log", false, "", "", "" },
	{ "tra\nin_ml_main-" ID ".log", false, "", "", "" },
	{ "pod=x_ml_main-" ID ".log", false, "", "", "" },
	{ "-" ID ".log", false, "", "", "" },
	{ ID ".log", false, "", "", "" },
	{ "", false, "", "", "" },
};

static void test_links(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		struct grt_pod_names n;

		print_message("%s\n", links[i].name);
		assert_int_equal(grt_pod_names_of_link(&n, links[i].name, ID), links[i].is_it);
		if (!links[i].is_it)
			continue;
		assert_string_equal(n.pod, links[i].pod);
		assert_string_equal(n.pod_namespace, links[i].pod_namespace);
		assert_string_equal(n.container, links[i].container);
	}
}

static void make(const char *root, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void drop(const char *root, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(rmdir(path), 0);
}

static void test_find(void **state)
{
	static const char *const folders[] = {
		"containers", "containers/x_y_z-" ID ".log", "pods", "pods/ml_train-0_" UID, "pods/ml_other_" UID "0",
	};
	char root[] = "/tmp/t-pod-names-XXXXXX";
	struct grt_pod_names n;

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_false(grt_pod_names_find(&n, root, ID, UID));
	assert_string_equal(n.pod, "");
	for (size_t i = 0; i < 5; i++)
		make(root, folders[i]);
	assert_true(grt_pod_names_find(&n, root, ID, UID));
	assert_string_equal(n.container, "z");
	assert_true(grt_pod_names_find(&n, root, "", UID));
	assert_string_equal(n.pod, "train-0");
	assert_string_equal(n.pod_namespace, "ml");
	assert_string_equal(n.container, "");
	assert_false(grt_pod_names_find(&n, root, "", ""));
	assert_false(grt_pod_names_find(&n, root, "", "1a2b3c4d"));
	for (size_t i = 5; i--; )
		drop(root, folders[i]);
	assert_int_equal(rmdir(root), 0);
}

static void test_mounts(void **state)
{
	static const struct {
		const char *line, *path, *root;
	} mounts[] = {
		{ "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n", "/sys/fs/cgroup", "" },
		{ "30 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", "/sys/fs/cgroup/unified", "" },
		{ "30 24 0:26 /docker/a /mnt/a\\040b rw shared:1 master:2 - cgroup2 none rw\n", "/mnt/a b", "/docker/a" },
		{ "30 24 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "/sys/fs/cgroup", "" },
		{ "31 24 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", NULL, NULL },
		{ "31 24 0:27 / / rw - ext4 /dev/vda rw\n", NULL, NULL },
		{ "31 24 - cgroup2 x y\n", NULL, NULL },
		{ " - cgroup2 ", NULL, NULL },
		{ "", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		struct grt_cgroup_mount m;

		print_message("%s\n", mounts[i].line);
		assert_int_equal(grt_cgroup_mount_parse(&m, mounts[i].line), mounts[i].path != NULL);
		if (!mounts[i].path)
			continue;
		assert_string_equal(m.path, mounts[i].path);
		assert_string_equal(m.root, mounts[i].root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_mounts),
	};

	return cmocka_run_group_tests_name("pod-names", tests, NULL, NULL);
}
