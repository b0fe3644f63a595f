// SPDX-License-Identifier: GPL-2.0
/* Cgroups and machines of a trace, as its definitions tell of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot.h"
#include "names.h"

#define UID	"1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"
#define ID_A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define POD	"/kubepods/pod" UID "/"

/* A record with a text of any bytes behind @fixed. */
static void *make(uint16_t type, size_t fixed, const char *text, size_t len)
{
	size_t bytes = (fixed + len + 7) & ~7ull;
	struct grtrace_hdr *rec = calloc(1, bytes);

	assert_non_null(rec);
	rec->type = type;
	rec->size = bytes;
	memcpy((char *)rec + fixed, text, len);
	return rec;
}

static void define_bytes(struct grt_names *n, uint64_t id, const char *text, size_t len)
{
	struct grtrace_cgroup *rec = make(GRTRACE_CGROUP, sizeof(*rec), text, len);

	rec->cgroup_id = id;
	assert_int_equal(grt_cgroup_names_define(&n->cgroups, rec), 0);
	free(rec);
}

static void define(struct grt_names *n, uint64_t id, const char *text)
{
	define_bytes(n, id, text, strlen(text));
}

static const struct grt_cgroup *find(const struct grt_names *n, uint64_t id)
{
	return grt_cgroup_names_find(&n->cgroups, id);
}

static const char *text_of(const struct grt_names *n, uint64_t id, enum grt_cgroup_text which)
{
	return grt_cgroup_text(&n->cgroups, find(n, id), which);
}

static const char *owner_of(const struct grt_names *n, uint64_t id)
{
	static char name[GRT_OWNER_MAX];

	return grt_cgroup_owner(&n->cgroups, find(n, id), name);
}

static void test_pod(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	define(&n, 1, POD ID_A);
	assert_string_equal(owner_of(&n, 1), "pod " UID);
	/* The name that another container told is that of the pod, but not of this container. */
	define(&n, 2, POD ID_B "\npod=train-0\nnamespace=ml\ncontainer=main\n");
	assert_string_equal(owner_of(&n, 1), "ml/train-0");
	assert_string_equal(text_of(&n, 1, GRT_CGROUP_POD), "train-0");
	assert_string_equal(text_of(&n, 1, GRT_CGROUP_NAMESPACE), "ml");
	assert_string_equal(text_of(&n, 1, GRT_CGROUP_CONTAINER), ID_A);
	assert_string_equal(text_of(&n, 2, GRT_CGROUP_CONTAINER), "main");
	assert_string_equal(text_of(&n, 2, GRT_CGROUP_PATH), POD ID_B);
	assert_int_equal(find(&n, 2)->first, find(&n, 1)->first);
	for (uint64_t id = 1; id <= 2; id++) {
		assert_true(grt_cgroup_is_pod(&n.cgroups, find(&n, id), "train-0"));
		assert_true(grt_cgroup_is_pod(&n.cgroups, find(&n, id), "ml/train-0"));
		assert_true(grt_cgroup_is_pod(&n.cgroups, find(&n, id), UID));
		assert_false(grt_cgroup_is_pod(&n.cgroups, find(&n, id), "ml"));
		assert_false(grt_cgroup_is_pod(&n.cgroups, find(&n, id), "ml/"));
		assert_false(grt_cgroup_is_pod(&n.cgroups, find(&n, id), "train"));
		assert_false(grt_cgroup_is_pod(&n.cgroups, find(&n, id), ""));
	}
	grt_names_free(&n);
}

static void test_owners(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	define(&n, 1, "/system.slice/docker-" ID_A ".scope");
	assert_string_equal(owner_of(&n, 1), "docker aaaaaaaaaaaa");
	define(&n, 2, "/x/" ID_B);
	assert_string_equal(owner_of(&n, 2), "container bbbbbbbbbbbb");
	define(&n, 3, "/lxc/a-name-that-is-longer");
	assert_string_equal(owner_of(&n, 3), "lxc a-name-that-is-longer");
	define(&n, 4, "/slurm/uid_0/job_8/step_0");
	assert_string_equal(owner_of(&n, 4), "slurm job 8");
	define(&n, 5, "/system.slice/a.service/b");
	assert_string_equal(owner_of(&n, 5), "a.service");
	define(&n, 6, "/mine");
	assert_string_equal(owner_of(&n, 6), "/mine");
	/* A job of Slurm is one on all machines; a unit, and a path, is another one on each. */
	define(&n, GRT_BOOT_CGROUPS + 4, "/slurm/uid_0/job_8/step_1");
	assert_int_equal(find(&n, GRT_BOOT_CGROUPS + 4)->first, find(&n, 4)->first);
	define(&n, GRT_BOOT_CGROUPS + 5, "/system.slice/a.service/b");
	assert_int_not_equal(find(&n, GRT_BOOT_CGROUPS + 5)->first, find(&n, 5)->first);
	define(&n, GRT_BOOT_CGROUPS + 6, "/mine");
	assert_int_not_equal(find(&n, GRT_BOOT_CGROUPS + 6)->first, find(&n, 6)->first);
	define(&n, 7, "/system.slice/a.service/c");
	assert_int_equal(find(&n, 7)->first, find(&n, 5)->first);
	grt_names_free(&n);
}

static void test_paths(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	define(&n, 9, "/a/b");
	assert_true(grt_cgroup_is(find(&n, 9), "/a/b"));
	assert_true(grt_cgroup_is(find(&n, 9), "/a/b/"));
	assert_true(grt_cgroup_is(find(&n, 9), "/a"));
	assert_true(grt_cgroup_is(find(&n, 9), "/"));
	assert_true(grt_cgroup_is(find(&n, 9), "9"));
	assert_false(grt_cgroup_is(find(&n, 9), "/a/b/c"));
	assert_false(grt_cgroup_is(find(&n, 9), "/a/"  "bb"));
	assert_false(grt_cgroup_is(find(&n, 9), "/b"));
	assert_false(grt_cgroup_is(find(&n, 9), "99"));
	assert_false(grt_cgroup_is(find(&n, 9), ""));
	assert_false(grt_cgroup_is(find(&n, 9), "a/b"));
	grt_names_free(&n);
}

/* Only a process names it. */
static void test_unknown(void **state)
{
	struct grtrace_process p = {
		.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(p) }, .tgid = 7, .cgroup_id = 5, .pidns = 3,
	};
	struct grt_names n = { .rings = { 0 } };
	uint32_t row;

	(void)state;
	assert_int_equal(grt_names_process(&n, &p), 0);
	row = grt_names_process_row(&n, 7, 0);
	assert_non_null(grt_names_cgroup_of(&n, row));
	assert_null(grt_names_cgroup_of(&n, row)->text);
	assert_string_equal(owner_of(&n, 5), "");
	assert_int_equal(grt_names_process_at(&n, row)->pidns, 3);
	assert_null(grt_names_cgroup_of(&n, grt_names_process_row(&n, 8, 0)));
	assert_null(grt_names_cgroup_of(&n, GRT_NONE));
	assert_false(grt_cgroup_is(find(&n, 5), "/"));
	assert_true(grt_cgroup_is(find(&n, 5), "5"));
	assert_false(grt_cgroup_is_pod(&n.cgroups, find(&n, 5), ""));
	/* The definition may come later; the first path counts. */
	define(&n, 5, "/late");
	define(&n, 5, "/later");
	assert_string_equal(grt_names_cgroup_of(&n, row)->path, "/late");
	grt_names_free(&n);
}

/* Any bytes, up to the longest record. */
static void test_odd(void **state)
{
	struct grt_names n = { .rings = { 0 } };
	static char text[65000];

	(void)state;
	define(&n, 1, "");
	define(&n, 1, "\n");
	define(&n, 1, "\npod=x");
	assert_null(find(&n, 1));
	define(&n, 0, "/zero");
	assert_null(find(&n, 0));
	define(&n, 2, "no/slash\npod\n=\npod=\nnamespace=\n\n");
	assert_string_equal(text_of(&n, 2, GRT_CGROUP_PATH), "no/slash");
	define_bytes(&n, 3, "/a\0/b\npod=x", 11);
	assert_string_equal(text_of(&n, 3, GRT_CGROUP_PATH), "/a");
	define(&n, 4, "/x\npod=of no pod");
	assert_string_equal(text_of(&n, 4, GRT_CGROUP_POD), "");
	memset(text, '\n', sizeof(text));
	memset(text, '/', 5000);
	define_bytes(&n, 5, text, sizeof(text));
	assert_int_equal(strlen(text_of(&n, 5, GRT_CGROUP_PATH)), 5000);
	memset(text, 'x', sizeof(text));
	define_bytes(&n, 6, text, sizeof(text));
	assert_int_equal(strlen(owner_of(&n, 6)), sizeof(text));
	grt_names_free(&n);
}

static void machine(struct grt_names *n, uint32_t boot, const char *text)
{
	struct grtrace_machine *rec = make(GRTRACE_MACHINE, sizeof(*rec), text, strlen(text));

	rec->boot = boot;
	assert_int_equal(grt_machine_names_define(&n->machines, rec), 0);
	free(rec);
}

static void test_machines(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "");
	machine(&n, 1, "host=b\nboot_id=" UID);
	machine(&n, UINT32_MAX, "host=c");
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "");
	assert_string_equal(grt_machine_names_of(&n.machines, 1)->host, "b");
	assert_string_equal(grt_machine_names_of(&n.machines, 1)->boot_id, UID);
	assert_string_equal(grt_machine_names_of(&n.machines, UINT32_MAX)->host, "");
	assert_string_equal(grt_machine_names_of_ctx(&n.machines, GRT_BOOT_CTXS + 5)->host, "b");
	assert_string_equal(grt_machine_names_of_ctx(&n.machines, 5)->host, "");
	machine(&n, 0, "host=a-name-that-is-much-longer-than-any-name-of-a-machine-may-be-in-linux-today");
	assert_int_equal(strlen(grt_machine_names_of(&n.machines, 0)->host), 64);
	machine(&n, 0, "");
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "");
	grt_names_free(&n);
}

static void metadata(struct grt_names *n, const char *text)
{
	struct grtrace_metadata *rec = make(GRTRACE_METADATA, sizeof(*rec), text, strlen(text));

	assert_int_equal(grt_names_metadata(n, rec), 0);
	free(rec);
}

/* The head of a file names what no definition does. */
static void test_head(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	grt_machine_names_begin(&n.machines, "head");
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "head");
	assert_string_equal(grt_machine_names_of(&n.machines, 5)->host, "head");
	machine(&n, 0, "boot_id=" UID);
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "head");
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->boot_id, UID);
	machine(&n, 0, "host=own");
	assert_string_equal(grt_machine_names_of(&n.machines, 0)->host, "own");
	grt_names_free(&n);
}

/* In a trace that is not merged, a high number is of its only machine. */
static void test_boots(void **state)
{
	static const char *const none[] = { "kernel=6.1.0", "merge_boots=0", "merge_boots=1", "merge_boots=65" };
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	machine(&n, 0, "host=a");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		metadata(&n, none[i]);
		assert_string_equal(grt_machine_names_of_ctx(&n.machines, 1ull << 63)->host, "a");
		assert_string_equal(grt_machine_names_of_cgroup(&n.machines, 1ull << 63)->host, "a");
		assert_int_equal(grt_machine_names_boot(&n.machines, 5000, GRT_BOOT_CPUS), 0);
	}
	metadata(&n, "merge_boots=2");
	assert_string_equal(grt_machine_names_of_ctx(&n.machines, 5)->host, "a");
	assert_string_equal(grt_machine_names_of_ctx(&n.machines, 1ull << 63)->host, "");
	assert_int_equal(grt_machine_names_boot(&n.machines, 5000, GRT_BOOT_CPUS), 4);
	grt_names_free(&n);
}

static void test_common(void **state)
{
	struct grt_names n = { .rings = { 0 } };

	(void)state;
	machine(&n, 0, "host=a\nboot_id=" UID);
	assert_string_equal(grt_machine_names_common(&n.machines).host, "a");
	assert_string_equal(grt_machine_names_common(&n.machines).boot_id, UID);
	machine(&n, 1, "host=a\nboot_id=other");
	assert_string_equal(grt_machine_names_common(&n.machines).host, "a");
	assert_string_equal(grt_machine_names_common(&n.machines).boot_id, "");
	/* A third machine, which nothing names. */
	metadata(&n, "merge_boots=3");
	assert_string_equal(grt_machine_names_common(&n.machines).host, "");
	grt_names_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pod), cmocka_unit_test(test_owners), cmocka_unit_test(test_paths),
		cmocka_unit_test(test_unknown), cmocka_unit_test(test_odd), cmocka_unit_test(test_machines),
		cmocka_unit_test(test_head), cmocka_unit_test(test_boots), cmocka_unit_test(test_common),
	};

	return cmocka_run_group_tests_name("cgroup-names", tests, NULL, NULL);
}
