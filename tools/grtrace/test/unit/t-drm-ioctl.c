// SPDX-License-Identifier: GPL-2.0
/* Names of ioctls, and lines that are read as they were written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu_line.h"
#include "drm_ioctl.h"
#include "../../lib/sink/timeline.h"	/* test/sim has another one */

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static const struct name_case {
	const char *driver;
	uint32_t cmd;
	const char *name;	/* NULL: none */
} names[] = {
	{ "amdgpu", 0xc0186444, "AMDGPU_CS" },
	{ "amdgpu", 0x40086409, "DRM_IOCTL_GEM_CLOSE" },
	{ "i915", 0x40406469, "I915_GEM_EXECBUFFER2" },
	{ "xe", 0x40386449, "XE_EXEC" },
	{ "virtio-pci", 0xc0406442, "VIRTGPU_EXECBUFFER" },
	{ "virtio_gpu", 0xc0406442, "VIRTGPU_EXECBUFFER" },
	{ "nouveau", 0xc0406481, "NOUVEAU_GEM_PUSHBUF" },
	{ "vmwgfx", 0x4028644c, "VMW_EXECBUF" },
	{ "panthor", 0xc0106440, "PANTHOR_DEV_QUERY" },
	{ "what", 0xc0406400, "DRM_IOCTL_VERSION" },
	{ "", 0xc0406400, "DRM_IOCTL_VERSION" },
	{ "amdgpu", 0xc01064b0, "DRM_IOCTL_MODE_PAGE_FLIP" },
	/* Not known, not of DRM, out of the tables. */
	{ "what", 0xc0186444, NULL },
	{ NULL, 0xc0406400, NULL },
	{ "amdgpu", 0x00005401, NULL },
	{ "amdgpu", 0x0000649f, NULL },
	{ "amdgpu", 0x000064ff, NULL },
	{ "amdgpu", 0x0000640f, NULL },
};

static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(names); i++) {
		const char *name = grt_drm_ioctl_name(names[i].driver, names[i].cmd);

		print_message("# %s 0x%x\n", names[i].driver ? names[i].driver : "no device",
			      names[i].cmd);
		if (names[i].name)
			assert_string_equal(name, names[i].name);
		else
			assert_null(name);
	}
}

/* No number of any driver leads outside of a table. */
static void test_all_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(names); i++)
		for (uint32_t number = 0; number < 256; number++)
			grt_drm_ioctl_name(names[i].driver, 'd' << 8 | number);
}

#define ENTER(...)	{ .type = GRT_IOCTL_ENTER, .pid = 8, .tid = 9, .cmd = 0xc0186444, \
			  .arg = 0x7ffc12345678, .has = GRT_CPU_HAS_CMD | GRT_CPU_HAS_ARG, __VA_ARGS__ }
#define EXIT(...)	{ .type = GRT_IOCTL_EXIT, .pid = 8, .tid = 9, __VA_ARGS__ }
#define RET		GRT_CPU_HAS_RET
#define LASTED		GRT_CPU_HAS_RET | GRT_CPU_HAS_DURATION

static const struct line_case {
	struct grt_cpu_event ev;
	const char *name, *line;
} lines[] = {
	{ ENTER(.comm = "glxgears"), "AMDGPU_CS",
	  "[5.000000123] IOCTL_ENTER pid=8 tid=9 comm=glxgears cmd=0xc0186444 arg=0x7ffc12345678 name=AMDGPU_CS\n" },
	{ ENTER(.comm = "Web Content"), NULL,
	  "[5.000000123] IOCTL_ENTER pid=8 tid=9 comm=Web Content cmd=0xc0186444 arg=0x7ffc12345678\n" },
	{ EXIT(.comm = "glxgears", .has = RET), NULL, "[5.000000123] IOCTL_EXIT pid=8 tid=9 comm=glxgears ret=0\n" },
	{ EXIT(.comm = "a", .ret = -25, .duration_ns = 333000, .has = LASTED), NULL,
	  "[5.000000123] IOCTL_EXIT pid=8 tid=9 comm=a ret=-25 duration_ns=333000\n" },
	/* Names that look like values, or like the name of an ioctl. */
	{ ENTER(.comm = "a cmd=1"), NULL, NULL },
	{ ENTER(.comm = "a name=B"), NULL, NULL },
	{ ENTER(.comm = "name=B"), "AMDGPU_CS", NULL },
	{ ENTER(.comm = "a arg=1 cmd=2"), "DRM_IOCTL_GEM_CLOSE", NULL },
	{ EXIT(.comm = "a ret=7", .duration_ns = 5, .has = LASTED), NULL, NULL },
	{ EXIT(.comm = "", .has = LASTED), NULL, NULL },
};

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(lines); i++) {
		struct grt_timeline_sink sink = { .has_ns = true };
		struct grt_cpu_event ev = lines[i].ev, again;
		char *text = NULL;
		size_t bytes = 0;

		ev.ts = 5000000123;
		ev.res_ns = 1;
		sink.out = open_memstream(&text, &bytes);
		assert_non_null(sink.out);
		assert_true(grt_timeline_print_ioctl(&sink, &ev, lines[i].name));
		fclose(sink.out);
		print_message("# %s", text);
		if (lines[i].line)
			assert_string_equal(text, lines[i].line);
		assert_int_equal(grt_cpu_line_parse(text, bytes - 1, &again), GRT_CPU_LINE_EVENT);
		assert_memory_equal(&again, &ev, sizeof(ev));
		free(text);
	}
}

static const struct lost_case {
	const char *line;
	uint64_t count;		/* 0: says nothing of losses */
} losses[] = {
	{ "# 34 events lost on CPU 1", 34 },
	{ "# 1 event lost on CPU 12", 1 },
	{ "# 3 events lost on CPU 0 or another: why", 3 },
	{ "# 34 events lost on CPU", 0 }, { "# 34 events lost on CPU x", 0 },
	{ "# events lost on CPU 1", 0 }, { "34 events lost on CPU 1", 0 }, { "#", 0 }, { "# ", 0 },
	{ "# end: seen=5 written=5 lost=0", 0 }, { "", 0 },
};

static void test_losses(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(losses); i++) {
		uint64_t count = 0;

		print_message("# %s\n", losses[i].line);
		assert_int_equal(grt_cpu_line_lost(losses[i].line, strlen(losses[i].line), &count),
				 losses[i].count != 0);
		if (losses[i].count)
			assert_int_equal(count, losses[i].count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names), cmocka_unit_test(test_all_numbers),
		cmocka_unit_test(test_lines), cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
