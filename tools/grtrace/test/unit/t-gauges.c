// SPDX-License-Identifier: GPL-2.0
/* Gauges of GPUs, on folders that look like those of sysfs. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "../../capture/gauges.c"

static uint64_t now_ns;

uint64_t grt_capture_now_ns(void)
{
	return now_ns;
}

#define MOST	8

struct file {
	const char *path, *text;
};

/* A reading. */
struct expected {
	uint32_t gauge;
	int64_t value;
};

#define CARD	"class/drm/card0/"
#define HW	CARD "device/hwmon/hwmon3/"
#define TOLD(g, v)	{ GRTRACE_GAUGE_##g, v }

static const struct gauge_case {
	const char *name;
	struct file files[16];
	int found;	/* GPUs */
	int readings;
	struct expected expected[MOST];
} cases[] = {
	{ "amdgpu: hwmon before the tables, edge before junction", {
		{ HW "freq1_input", "1500000000\n" }, { HW "freq1_label", "sclk\n" },
		{ HW "freq2_input", "875000000\n" }, { HW "freq2_label", "mclk\n" },
		{ CARD "device/pp_dpm_sclk", "0: 300Mhz *\n" },
		{ HW "power1_average", "35250000\n" },
		{ HW "temp1_input", "70000\n" }, { HW "temp1_label", "junction\n" },
		{ HW "temp2_input", "61000\n" }, { HW "temp2_label", "edge\n" },
	}, 1, 4, { TOLD(CORE, 1500000000), TOLD(MEMORY, 875000000), TOLD(POWER, 35250000),
		   TOLD(TEMPERATURE, 61000) } },
	{ "the label tells the clocks apart, not the number", {
		{ HW "freq1_input", "875000000\n" }, { HW "freq1_label", "mclk\n" },
		{ HW "freq2_input", "1500000000\n" }, { HW "freq2_label", "sclk\n" },
	}, 1, 2, { TOLD(CORE, 1500000000), TOLD(MEMORY, 875000000) } },
	{ "amdgpu without hwmon: the line with a star", {
		{ CARD "device/pp_dpm_sclk", "0: 500Mhz\n1: 875Mhz *\n2: 2100Mhz\n" },
		{ CARD "device/pp_dpm_mclk", "S: 96Mhz *\n1: 1000Mhz\n" },
	}, 1, 2, { TOLD(CORE, 875000000), TOLD(MEMORY, 96000000) } },
	{ "no star: not known", { { CARD "device/pp_dpm_sclk", "0: 500Mhz\n1: 875Mhz\n" } }, 1, 0, { { 0 } } },
	{ "a star without a number", { { CARD "device/pp_dpm_sclk", "*\n" } }, 1, 0, { { 0 } } },
	{ "i915 before gt0", { { CARD "gt_act_freq_mhz", "1300\n" } }, 1, 1, { TOLD(CORE, 1300000000) } },
	{ "i915: gt0 comes first, and a clock that is off is 0", {
		{ CARD "gt/gt0/rps_act_freq_mhz", "0\n" }, { CARD "gt_act_freq_mhz", "1300\n" },
	}, 1, 1, { TOLD(CORE, 0) } },
	{ "xe: the package's temperature", {
		{ CARD "device/tile0/gt0/freq0/act_freq", "2000\n" },
		{ HW "temp2_input", "48000\n" }, { HW "temp2_label", "pkg\n" },
		{ HW "temp3_input", "50000\n" }, { HW "temp3_label", "vram\n" },
	}, 1, 2, { TOLD(CORE, 2000000000), TOLD(TEMPERATURE, 48000) } },
	{ "nouveau: a temperature without a label, below zero", {
		{ HW "temp1_input", "-1500\n" }, { HW "power1_input", "12000000\n" },
	}, 1, 2, { TOLD(POWER, 12000000), TOLD(TEMPERATURE, -1500) } },
	{ "panfrost: devfreq, not on PCI", {
		{ CARD "device/devfreq/ffa30000.gpu/cur_freq", "600000000\n" },
	}, 1, 1, { TOLD(CORE, 600000000) } },
	{ "a file without a number: the next row", {
		{ HW "power1_average", "\n" }, { HW "power1_input", "7000000\n" },
	}, 1, 1, { TOLD(POWER, 7000000) } },
	{ "a clock below zero is none", { { CARD "gt_act_freq_mhz", "-1\n" } }, 1, 0, { { 0 } } },
	{ "a number that is too large", { { CARD "gt_act_freq_mhz", "9223372036854775807\n" } }, 1, 0, { { 0 } } },
	{ "asleep: not read", {
		{ CARD "gt_act_freq_mhz", "1300\n" }, { CARD "device/power/runtime_status", "suspended\n" },
	}, 1, 0, { { 0 } } },
	{ "about to sleep: not read", {
		{ CARD "gt_act_freq_mhz", "1300\n" }, { CARD "device/power/runtime_status", "suspending\n" },
	}, 1, 0, { { 0 } } },
	{ "awake", {
		{ CARD "gt_act_freq_mhz", "1300\n" }, { CARD "device/power/runtime_status", "active\n" },
	}, 1, 1, { TOLD(CORE, 1300000000) } },
	{ "without runtime power management", {
		{ CARD "gt_act_freq_mhz", "1300\n" }, { CARD "device/power/runtime_status", "unsupported\n" },
	}, 1, 1, { TOLD(CORE, 1300000000) } },
	{ "a plug and a render node are no cards", {
		{ "class/drm/card0-DP-1/gt_act_freq_mhz", "1\n" }, { "class/drm/renderD128/gt_act_freq_mhz", "1\n" },
		{ "class/drm/version", "drm 1.1.0\n" },
	}, 0, 0, { { 0 } } },
	{ "virtio-gpu has none", { { CARD "device/vendor", "0x1af4\n" } }, 0, 0, { { 0 } } },
	{ "two GPUs", {
		{ CARD "gt_act_freq_mhz", "1300\n" }, { "class/drm/card1/gt_act_freq_mhz", "700\n" },
	}, 2, 2, { TOLD(CORE, 1300000000), TOLD(CORE, 700000000) } },
	{ "no DRM at all", { { "class/net/lo", "" } }, 0, 0, { { 0 } } },
};

/* --- a folder --- */

static char root[] = "/tmp/t-gauges.XXXXXX";
static char dir[64];

static void write_file(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *slash = full + strlen(dir); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_folder(void **state)
{
	(void)state;
	memset(root + strlen(root) - 6, 'X', 6);
	if (!mkdtemp(root))
		return -1;
	snprintf(dir, sizeof(dir), "%s/sys", root);
	now_ns = 5000000000ull;
	return mkdir(dir, 0755);
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
}

/* --- tests --- */

struct seen {
	struct grt_gauge_reading readings[MOST];
	int count;
};

static void note(void *arg, const struct grt_gauge_reading *reading)
{
	struct seen *seen = arg;

	assert_true(seen->count < MOST);
	seen->readings[seen->count++] = *reading;
}

static void check(struct grt_gauges *g, int count, const struct expected *expected)
{
	struct seen seen = { .count = 0 };

	grt_gauges_read(g, note, &seen);
	assert_int_equal(seen.count, count);
	for (int i = 0; i < count; i++) {
		assert_int_equal(seen.readings[i].gauge, expected[i].gauge);
		assert_int_equal(seen.readings[i].value, expected[i].value);
		assert_true(seen.readings[i].nr < grt_gauges_most(g));
	}
}

static void test_case(void **state)
{
	const struct gauge_case *c = *state;
	struct grt_gauges g = { 0 };

	assert_int_equal(make_folder(NULL), 0);
	for (const struct file *f = c->files; f->path; f++)
		write_file(f->path, f->text);
	assert_int_equal(grt_gauges_find(&g, dir), 0);
	assert_int_equal(count_gpus(&g), c->found);
	check(&g, c->readings, c->expected);
	/* And once more, from the open files. */
	check(&g, c->readings, c->expected);
	grt_gauges_free(&g);
	assert_int_equal(remove_folder(NULL), 0);
}

static void test_energy(void **state)
{
	struct grt_gauges g = { 0 };

	(void)state;
	write_file(HW "energy1_input", "1000000\n");
	write_file(CARD "device/power/runtime_status", "active\n");
	assert_int_equal(grt_gauges_find(&g, dir), 0);
	/* A first number says nothing. */
	check(&g, 0, NULL);
	/* 2 J in half a second: 4 W. */
	now_ns += 500000000;
	write_file(HW "energy1_input", "3000000\n");
	check(&g, 1, (struct expected[]){ TOLD(POWER, 4000000) });
	/* The same moment, and a counter that began anew. */
	check(&g, 0, NULL);
	now_ns += 1000000000;
	write_file(HW "energy1_input", "1000\n");
	check(&g, 0, NULL);
	now_ns += 1000000000;
	write_file(HW "energy1_input", "2001000\n");
	check(&g, 1, (struct expected[]){ TOLD(POWER, 2000000) });
	/* It slept: the sum of that time is of no moment. */
	write_file(CARD "device/power/runtime_status", "suspended\n");
	now_ns += 1000000000;
	check(&g, 0, NULL);
	write_file(CARD "device/power/runtime_status", "active\n");
	write_file(HW "energy1_input", "9001000\n");
	check(&g, 0, NULL);
	now_ns += 1000000000;
	write_file(HW "energy1_input", "12001000\n");
	check(&g, 1, (struct expected[]){ TOLD(POWER, 3000000) });
	grt_gauges_free(&g);
}

static void test_changes(void **state)
{
	struct grt_gauges g = { 0 };

	(void)state;
	write_file(CARD "gt_act_freq_mhz", "1300\n");
	write_file(CARD "device/power/runtime_status", "suspended\n");
	assert_int_equal(grt_gauges_find(&g, dir), 0);
	check(&g, 0, NULL);
	write_file(CARD "device/power/runtime_status", "active\n");
	check(&g, 1, (struct expected[]){ TOLD(CORE, 1300000000) });
	write_file(CARD "gt_act_freq_mhz", "500\n");
	check(&g, 1, (struct expected[]){ TOLD(CORE, 500000000) });
	/* As when the driver goes: no number, and no other file. */
	write_file(CARD "gt_act_freq_mhz", "");
	check(&g, 0, NULL);
	write_file(CARD "gt_act_freq_mhz", "600\n");
	check(&g, 1, (struct expected[]){ TOLD(CORE, 600000000) });
	grt_gauges_free(&g);
}

/* Nothing has a value yet: not every read looks for files again. */
static void test_search(void **state)
{
	struct grt_gauges g = { 0 };

	(void)state;
	write_file(CARD "gt_act_freq_mhz", "");
	assert_int_equal(grt_gauges_find(&g, dir), 0);
	check(&g, 0, NULL);
	write_file(CARD "gt_act_freq_mhz", "1300\n");
	now_ns += FIND_NS - 1;
	check(&g, 0, NULL);
	now_ns += 1;
	check(&g, 1, (struct expected[]){ TOLD(CORE, 1300000000) });
	grt_gauges_free(&g);
}

static void link_device(const char *card, const char *device)
{
	char from[256], to[256];

	snprintf(to, sizeof(to), "devices/%s/power/runtime_status", device);
	write_file(to, "active\n");
	snprintf(from, sizeof(from), "%s/class/drm/%s/device", dir, card);
	snprintf(to, sizeof(to), "../../../devices/%s", device);
	assert_int_equal(symlink(to, from), 0);
}

static void test_addresses(void **state)
{
	struct seen seen = { .count = 0 };
	struct grt_gauges g = { 0 };

	(void)state;
	write_file("class/drm/card0/gt_act_freq_mhz", "1\n");
	write_file("class/drm/card1/gt_act_freq_mhz", "2\n");
	write_file("class/drm/card2/gt_act_freq_mhz", "3\n");
	write_file("class/drm/card3/gt_act_freq_mhz", "4\n");
	link_device("card0", "0000:03:00.0");
	link_device("card1", "0001:c4:1f.7");
	link_device("card2", "ffa30000.gpu");
	link_device("card3", "0000:03:00.0");	/* another node of the first one */
	assert_int_equal(grt_gauges_find(&g, dir), 0);
	grt_gauges_read(&g, note, &seen);
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.readings[0].pci_address, 0x0300 + 1);
	assert_int_equal(seen.readings[1].pci_address, 0x1c4ff + 1);
	assert_int_equal(seen.readings[2].pci_address, 0);
	assert_int_not_equal(seen.readings[0].nr, seen.readings[1].nr);
	grt_gauges_free(&g);
}

int main(void)
{
	const struct CMUnitTest rest[] = {
		cmocka_unit_test_setup_teardown(test_energy, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_changes, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_search, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_addresses, make_folder, remove_folder),
	};
	enum { NR_CASES = sizeof(cases) / sizeof(*cases), NR_REST = sizeof(rest) / sizeof(*rest) };
	struct CMUnitTest tests[NR_CASES + NR_REST];

	for (int i = 0; i < NR_CASES; i++)
		tests[i] = (struct CMUnitTest){ cases[i].name, test_case, NULL, NULL, (void *)&cases[i] };
	memcpy(tests + NR_CASES, rest, sizeof(rest));
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
