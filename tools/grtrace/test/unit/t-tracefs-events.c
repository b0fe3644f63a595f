// SPDX-License-Identifier: GPL-2.0
/* The events and probes that a recording in tracefs uses, on kernels that have and take different ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "../../capture/tracefs_events.c"
#include "../../capture/tracefs_probe.c"

#define OLD_GPU	"gpu_scheduler/drm_sched_job", "gpu_scheduler/drm_run_job", \
		"gpu_scheduler/drm_sched_process_job", "gpu_scheduler/drm_sched_job_wait_dep"
#define NEW_GPU	"gpu_scheduler/drm_sched_job_queue", "gpu_scheduler/drm_sched_job_run", \
		"gpu_scheduler/drm_sched_job_done", "gpu_scheduler/drm_sched_job_add_dep", \
		"gpu_scheduler/drm_sched_job_unschedulable"
#define FENCES	"dma_fence/dma_fence_init", "dma_fence/dma_fence_signaled", \
		"dma_fence/dma_fence_wait_start", "dma_fence/dma_fence_wait_end"
#define TASKS	"task/task_newtask", "task/task_rename"

/* The kernel, as the functions below show it. */
static struct {
	const char *takes;		/* kinds of probes */
	bool has_types, copies_marks, is_unsafe;
	char lines[65536];		/* that were defined */
} kernel;

int grt_tracefs_open_file(const struct grt_tracefs_place *p, const char *file, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", p->dir, file);
	return open(path, flags);
}

int grt_tracefs_open_own(const struct grt_tracefs_place *p, const char *file, int flags)
{
	(void)p;
	(void)file;
	return kernel.copies_marks ? open("/dev/null", flags) : -1;
}

int grt_tracefs_write_own(const struct grt_tracefs_place *p, const char *file, const char *text)
{
	(void)p;
	(void)file;
	(void)text;
	return 0;
}

int grt_tracefs_define(const struct grt_tracefs_place *p, const char *line)
{
	size_t at = strlen(kernel.lines);

	(void)p;
	if (*line != '-' && !strchr(kernel.takes, *line))
		return -EINVAL;
	snprintf(kernel.lines + at, sizeof(kernel.lines) - at, "%s\n", line);
	return 0;
}

char *grt_tracefs_read(int fd, size_t *bytes)
{
	(void)fd;
	(void)bytes;
	return NULL;
}

/* Members that follow one another, so that a wrong sum is seen; those of kernels before 6.8. */
static const struct {
	const char *member;
	int offset;
} members[] = {
	{ "drm_sched_job.s_fence", 8 }, { "drm_sched_fence.finished", 64 }, { "drm_sched_fence.scheduled", 0 },
	{ "drm_sched_fence.finished.context", 96 }, { "drm_sched_fence.finished.seqno", 104 },
	{ "drm_sched_fence.finished.error", 124 }, { "drm_sched_fence.sched", 168 },
	{ "drm_sched_fence.parent", 160 }, { "drm_gpu_scheduler.name", 40 },
	{ "drm_gpu_scheduler.hw_rq_count", 300 }, { "drm_gpu_scheduler.hw_submission_limit", 304 },
	{ "dma_fence.context", 32 }, { "dma_fence.seqno", 40 }, { "dma_fence.error", 60 },
	{ "drm_sched_entity.priority", 20 },
};

int grt_types_offset(const struct grt_types *t, const char *member)
{
	(void)t;
	for (size_t i = 0; kernel.has_types && i < sizeof(members) / sizeof(members[0]); i++)
		if (!strcmp(members[i].member, member))
			return members[i].offset;
	return -ENOENT;
}

int grt_types_value(const struct grt_types *t, const char *name, int32_t *value)
{
	(void)t;
	(void)name;
	*value = 5;
	return kernel.has_types ? 0 : -ENOENT;
}

uint64_t grt_capture_symbol(const char *name, uint64_t *end)
{
	(void)name;
	if (end)
		*end = 0x2000;
	return 0x1000;
}

bool grt_capture_unschedulable_is_safe(void)
{
	return !kernel.is_unsafe;
}

static struct grt_tracefs_place place;

static void make_folder(const char *path)
{
	if (mkdir(path, 0700))
		assert_int_equal(errno, EEXIST);
}

/* The kernel gets these events, up to NULL. */
static void add_events(const char *const *events)
{
	char path[256];
	int fd;

	for (; *events; events++) {
		snprintf(path, sizeof(path), "%s/events/%.*s", place.dir, (int)strcspn(*events, "/"), *events);
		make_folder(path);
		snprintf(path, sizeof(path), "%s/events/%s", place.dir, *events);
		make_folder(path);
		snprintf(path, sizeof(path), "%s/events/%s/format", place.dir, *events);
		fd = open(path, O_WRONLY | O_CREAT, 0600);
		assert_true(fd >= 0);
		close(fd);
	}
}

static int begin(void **state)
{
	char path[128];

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	memset(&place, 0, sizeof(place));
	snprintf(place.dir, sizeof(place.dir), "/tmp/grt-tracefs-XXXXXX");
	snprintf(place.group, sizeof(place.group), "grtrace_1_2");
	assert_non_null(mkdtemp(place.dir));
	snprintf(path, sizeof(path), "%s/events", place.dir);
	make_folder(path);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", place.dir);
	return system(command);
}

static struct grt_tracefs_events define(const char *takes)
{
	static struct grt_types types;
	struct grt_tracefs_events e = { 0 };

	kernel.takes = takes;
	types.kernel = kernel.has_types ? (void *)&types : NULL;
	assert_int_equal(grt_tracefs_events_define(&e, &place, &types), 0);
	return e;
}

static bool is_enabled(const struct grt_tracefs_events *e, const char *name)
{
	for (size_t i = 0; i < count_events(e); i++)
		if (!strcmp(event_at(e, i)->name, name))
			return true;
	return false;
}

static void expect_line(const char *line)
{
	if (!strstr(kernel.lines, line))
		fail_msg("there is no '%s' in:\n%s", line, kernel.lines);
}

/* Linux 6.1: probes of events, and kprobes. */
static void test_event_probes(void **state)
{
	static const char *const events[] = { OLD_GPU, FENCES, TASKS, NULL };
	struct grt_tracefs_events e;

	(void)state;
	kernel.has_types = true;
	add_events(events);
	e = define("ep");
	assert_true(e.has_sched && e.has_keys && e.has_dependencies && e.has_exact_deps && e.has_errors);
	assert_true(e.has_recovery);
	assert_true(e.has_mark_probe);
	expect_line("e:grtrace_1_2/submit gpu_scheduler.drm_sched_job ctx=+32($fence):u64 seqno=+40($fence):u64 "
		    "ring=$name:string sched=+104($fence):u64 ");
	/* Before credits, the number of jobs. */
	expect_line(" hw_credits=+300(+104($fence)):u32 ");
	expect_line(" limit=+304(+104($fence)):u32 id=$id:u64 queued=$job_count:u32 priority=+20($entity):u32\n");
	expect_line("e:grtrace_1_2/end gpu_scheduler.drm_sched_process_job ctx=+32($fence):u64 seqno=+40($fence):u64 "
		    "status=+60($fence):s32 sched=+104($fence):u64 parent=+96($fence):u64 "
		    "parent_err=+60(+96($fence)):s32");
	expect_line("p:grtrace_1_2/user_mark copy_from_user_nofault mark=+0($arg2):ustring bytes=$arg3:u64 from=$stack0:u64\n");
	/* No argument without an offset, and nothing left in braces */
	assert_null(strpbrk(kernel.lines, "{}"));
	assert_null(strstr(kernel.lines, "client="));
	assert_true(is_enabled(&e, "dma_fence_signaled") && is_enabled(&e, "fence_error"));
	assert_false(is_enabled(&e, "dma_fence_init"));		/* only without keys */
	assert_false(is_enabled(&e, "drm_sched_job"));		/* its probe is */
	grt_tracefs_events_free(&e);
}

/* Linux 6.12 and later: probes of tracepoints. */
static void test_tracepoint_probes(void **state)
{
	static const char *const events[] = { NEW_GPU, FENCES, NULL };
	struct grt_tracefs_events e;

	(void)state;
	kernel.has_types = kernel.copies_marks = true;
	add_events(events);
	e = define("tep");
	assert_true(e.has_keys && e.has_exact_deps && e.has_marks);
	assert_false(e.has_errors || e.has_mark_probe);
	expect_line("t:grtrace_1_2/submit drm_sched_job_queue ctx=+96(+8($arg1)):u64 seqno=+104(+8($arg1)):u64 "
		    "ring=+0(+40(+168(+8($arg1)))):string ");
	expect_line("t:grtrace_1_2/job_declare drm_sched_job_add_dep ");
	expect_line("t:grtrace_1_2/fence_end dma_fence_signaled ctx=+32($arg1):u64 seqno=+40($arg1):u64 status=+60($arg1):s32");
	assert_null(strstr(kernel.lines, "user_mark"));
	grt_tracefs_events_free(&e);
}

/* Without type information the usual offsets of keys are taken, and nothing else. */
static void test_no_types(void **state)
{
	static const char *const events[] = { OLD_GPU, FENCES, NULL };
	struct grt_tracefs_events e;

	(void)state;
	add_events(events);
	e = define("ep");
	assert_true(e.has_keys);
	assert_false(e.has_exact_deps);
	expect_line("e:grtrace_1_2/submit gpu_scheduler.drm_sched_job ctx=+32($fence):u64 seqno=+40($fence):u64 "
		    "ring=$name:string id=$id:u64 queued=$job_count:u32\n");
	grt_tracefs_events_free(&e);
}

/* Kernels that refuse probes: the events alone, and those that show the keys of jobs. */
static void test_no_probes(void **state)
{
	static const char *const events[] = { OLD_GPU, FENCES, NULL };
	struct grt_tracefs_events e;

	(void)state;
	kernel.has_types = true;
	add_events(events);
	e = define("");
	assert_true(e.has_sched && e.has_dependencies);
	assert_false(e.has_keys || e.has_recovery || e.can_probe || e.has_mark_probe);
	assert_string_equal(kernel.lines, "");
	assert_true(is_enabled(&e, "drm_sched_job") && is_enabled(&e, "dma_fence_init"));
	grt_tracefs_events_free(&e);
}

/* One kernel crashes when this event is enabled. */
static void test_unsafe(void **state)
{
	static const char *const events[] = { NEW_GPU, FENCES, NULL };
	static const struct grt_tracefs_event event = { "gpu_scheduler", "drm_sched_job_unschedulable" };
	struct grt_tracefs_events e;

	(void)state;
	kernel.is_unsafe = kernel.has_types = true;
	add_events(events);
	e = define("tep");
	assert_null(strstr(kernel.lines, "unschedulable"));
	assert_false(is_enabled(&e, event.name));
	assert_true(grt_tracefs_events_use(&e, &event));
	grt_tracefs_events_free(&e);
}

/* The scheduler comes later; what there was is not defined again. */
static void test_later(void **state)
{
	static const char *const first[] = { FENCES, TASKS, NULL }, *const later[] = { OLD_GPU, NULL };
	static const struct grt_tracefs_event submit = { "gpu_scheduler", "drm_sched_job" };
	static const struct grt_tracefs_event init = { "dma_fence", "dma_fence_init" };
	static const struct grt_tracefs_event thread = { "task", "task_rename" };
	struct grt_types types = { .kernel = (void *)&types };
	struct grt_tracefs_events e;
	size_t count;

	(void)state;
	kernel.has_types = true;
	add_events(first);
	e = define("ep");
	assert_true(e.can_probe);
	assert_false(e.has_sched || e.has_keys || e.has_others);
	assert_false(grt_tracefs_events_are_more(&e, &place));
	assert_false(grt_tracefs_events_use(&e, &submit));
	count = count_events(&e);
	e.ready = count;

	add_events(later);
	assert_true(grt_tracefs_events_are_more(&e, &place));
	memset(kernel.lines, 0, sizeof(kernel.lines));
	assert_int_equal(grt_tracefs_events_define(&e, &place, &types), 0);
	assert_false(grt_tracefs_events_are_more(&e, &place));
	assert_true(e.has_sched && e.has_keys && e.has_dependencies);
	expect_line("e:grtrace_1_2/submit gpu_scheduler.drm_sched_job ");
	assert_null(strstr(kernel.lines, "fence_error"));
	assert_true(count_events(&e) > count);
	for (size_t i = count; i < count_events(&e); i++)
		assert_string_not_equal(event_at(&e, i)->name, "dma_fence_signaled");
	/* What -e asks for and is a job's already; names of threads are no record. */
	assert_true(grt_tracefs_events_use(&e, &submit));
	assert_false(grt_tracefs_events_use(&e, &init) || grt_tracefs_events_use(&e, &thread));
	grt_tracefs_events_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_event_probes, begin, end),
		cmocka_unit_test_setup_teardown(test_tracepoint_probes, begin, end),
		cmocka_unit_test_setup_teardown(test_no_types, begin, end),
		cmocka_unit_test_setup_teardown(test_no_probes, begin, end),
		cmocka_unit_test_setup_teardown(test_unsafe, begin, end),
		cmocka_unit_test_setup_teardown(test_later, begin, end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
