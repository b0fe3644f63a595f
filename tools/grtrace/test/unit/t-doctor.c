// SPDX-License-Identifier: GPL-2.0
/* What grtrace doctor says of GPUs, on folders that look like the sysfs and tracefs of machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "../../capture/driver_facts.c"
#include "../../capture/driver_table.c"
#include "../../capture/gauges.c"
#include "../../capture/gpus.c"
#include "../../capture/kernel_look.c"
#include "../../capture/machine.c"

#define EVENTS	"/sys/kernel/tracing/events/"
#define GPU_SCHED EVENTS "gpu_scheduler/"

static char root[64];
static struct grt_kernel_look look;
static struct grt_vec gpus;

static const char *full(const char *path)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s%s", root, path);
	return text;
}

static void make_dir(const char *path)
{
	char text[512];

	snprintf(text, sizeof(text), "%s", full(path));
	for (char *slash = text + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(text, 0755);
	}
	mkdir(text, 0755);
}

static void make_file(const char *path, const char *text)
{
	char dir[512];
	FILE *f;

	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = '\0';
	make_dir(dir);
	f = fopen(full(path), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void make_link(const char *path, const char *target)
{
	char dir[512];

	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = '\0';
	make_dir(dir);
	assert_int_equal(symlink(target, full(path)), 0);
}

/* A GPU with card0 and renderD128, whose driver is a module that is loaded. */
static void make_gpu(const char *device, const char *driver, const char *module)
{
	char path[256], target[256];

	snprintf(path, sizeof(path), "/sys/devices/%s", device);
	make_dir(path);
	snprintf(path, sizeof(path), "/sys/devices/%s/driver", device);
	snprintf(target, sizeof(target), "%s/sys/bus/x/drivers/%s", root, driver);
	make_link(path, target);
	snprintf(path, sizeof(path), "/sys/bus/x/drivers/%s/module", driver);
	snprintf(target, sizeof(target), "%s/sys/module/%s", root, module);
	make_link(path, target);
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	make_file(path, "live\n");
	snprintf(target, sizeof(target), "%s/sys/devices/%s", root, device);
	make_link("/sys/class/drm/card0/device", target);
	make_link("/sys/class/drm/renderD128/device", target);
	make_dir("/sys/class/drm/card0-HDMI-A-1");
	make_dir("/sys/class/drm/version");
}

/* What modprobe finds. */
static void install(const char *module)
{
	char path[128], line[128];
	struct utsname u;

	assert_int_equal(uname(&u), 0);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", u.release);
	snprintf(line, sizeof(line), "updates/grtrace.ko:\nupdates/%s.ko:\n", module);
	make_file(path, line);
}

/* The scheduler is loaded, with the events of new kernels or of old ones. */
static void make_sched(const char *user, bool is_new)
{
	static const char * const names[2][4] = {
		{ "drm_sched_job", "drm_run_job", "drm_sched_process_job", "drm_sched_job_wait_dep" },
		{ "drm_sched_job_queue", "drm_sched_job_run", "drm_sched_job_done", "drm_sched_job_add_dep" },
	};
	char path[256];

	make_dir("/sys/module/gpu_sched/holders");
	if (user) {
		snprintf(path, sizeof(path), "/sys/module/gpu_sched/holders/%s", user);
		make_dir(path);
	}
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), GPU_SCHED "%s", names[is_new][i]);
		make_dir(path);
	}
	make_dir(EVENTS "dma_fence/dma_fence_signaled");
	make_dir(EVENTS "dma_fence/dma_fence_wait_start");
}

/* Looks at the folder, which must have one GPU. */
static const struct grt_gpu *see(void)
{
	grt_kernel_look_init(&look, root);
	assert_int_equal(grt_gpus_find(&gpus, root), 0);
	assert_int_equal(grt_vec_count(&gpus, struct grt_gpu), 1);
	return grt_vec_at(&gpus, struct grt_gpu, 0);
}

static struct grt_fact fact;

/* How well @topic is known with @source. */
static enum grt_certainty ask(enum grt_facts_source source, enum grt_topic topic)
{
	grt_gpu_fact(&look, grt_vec_at(&gpus, struct grt_gpu, 0), source, topic, &fact);
	return fact.certainty;
}

#define expect(source, topic, certainty) \
	assert_int_equal(ask(GRT_OF_##source, GRT_TOPIC_##topic), GRT_##certainty)
#define expect_text(part)	assert_non_null(strstr(fact.text, part))
#define expect_hint(line)	assert_string_equal(fact.hint, line)

static int begin(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/t-doctor-XXXXXX");
	gpus = (struct grt_vec){ 0 };
	return !mkdtemp(root);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	grt_vec_free(&gpus);
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void test_none(void **state)
{
	(void)state;
	grt_kernel_look_init(&look, root);
	assert_int_equal(grt_gpus_find(&gpus, root), 0);
	assert_int_equal(grt_vec_count(&gpus, struct grt_gpu), 0);
}

static void test_amdgpu(void **state)
{
	const struct grt_gpu *g;

	(void)state;
	make_gpu("pci0000:00/0000:0b:00.0", "amdgpu", "amdgpu");
	make_file("/sys/devices/pci0000:00/0000:0b:00.0/vendor", "0x1002\n");
	make_file("/sys/devices/pci0000:00/0000:0b:00.0/device", "0x744c\n");
	make_file("/sys/devices/pci0000:00/0000:0b:00.0/product_name", "Navi 31\n");
	make_sched("amdgpu", true);
	g = see();
	assert_string_equal(g->nodes, "card0 renderD128");
	assert_string_equal(g->address, "0000:0b:00.0");
	assert_string_equal(g->driver, "amdgpu");
	assert_string_equal(g->product, "Navi 31");
	assert_string_equal(g->pci_id, "1002:744c");
	assert_true(g->has_display);
	assert_int_equal(grt_gpu_queue(&look, g), GRT_QUEUE_SCHED);
	for (int source = GRT_OF_BPF; source < GRT_NR_FACTS_SOURCES; source++)
		for (int topic = GRT_TOPIC_SUBMIT; topic <= GRT_TOPIC_PROCESS; topic++)
			assert_int_equal(ask(source, topic), topic == GRT_TOPIC_START ? GRT_INFERRED : GRT_EXACT);
	expect(BPF, START, INFERRED);
	expect_text("amdgpu reports no start; max(commit, previous end)");
	/* record --gauges reads these files beside any source. */
	expect(BPF, POWER, UNSEEN);
	expect(BPF, FREQUENCY, UNSEEN);
	make_file("/sys/devices/pci0000:00/0000:0b:00.0/hwmon/hwmon3/power1_average", "9000000\n");
	expect(TRACEFS, POWER, SAMPLED);
	expect(BPF, FREQUENCY, UNSEEN);
	make_file("/sys/devices/pci0000:00/0000:0b:00.0/pp_dpm_sclk", "0: 500Mhz *\n");
	for (int source = 0; source < GRT_NR_FACTS_SOURCES; source++)
		assert_int_equal(ask(source, GRT_TOPIC_FREQUENCY), GRT_SAMPLED);

	/* The module takes one of ours for each thing. */
	expect(MODULE, SUBMIT, MISSING);
	expect_hint("sudo modprobe grtrace_drm_bridge");
	expect(MODULE, START, MISSING);
	make_dir("/sys/module/grtrace_drm_bridge");
	expect(MODULE, SUBMIT, EXACT);
	expect(MODULE, START, INFERRED);
	/* This kernel's amdgpu has no such event, then it has. */
	expect(MODULE, MEMORY, MISSING);
	expect_text("no event amdgpu/amdgpu_bo_create");
	make_dir(EVENTS "amdgpu/amdgpu_bo_create");
	install("grtrace_cpu");
	expect(MODULE, MEMORY, MISSING);
	expect_text("the source module does not record it");
	expect_hint("sudo grtrace record --source=bpf");
	install("grtrace_amdgpu");
	expect(MODULE, MEMORY, MISSING);
	expect_hint("sudo modprobe grtrace_amdgpu");
	/* Only a GPU with a display has vblanks. */
	expect(TRACEFS, VBLANK, MISSING);
	make_dir(EVENTS "drm/drm_vblank_event");
	expect(TRACEFS, VBLANK, EXACT);
	grt_vec_at(&gpus, struct grt_gpu, 0)->has_display = false;
	expect(TRACEFS, VBLANK, UNSEEN);
	expect(BPF, MEMORY, EXACT);
	make_dir("/sys/module/grtrace_amdgpu");
	expect(MODULE, MEMORY, EXACT);
	expect_text("bo_create, bo_move");
}

/* grtrace_amdgpu records the jobs where the bridge does not. */
static void test_amdgpu_alone(void **state)
{
	(void)state;
	make_gpu("pci0000:00/0000:0b:00.0", "amdgpu", "amdgpu");
	make_sched("amdgpu", true);
	make_dir(EVENTS "amdgpu/amdgpu_cs_ioctl");
	make_dir(EVENTS "amdgpu/amdgpu_sched_run_job");
	make_dir("/sys/module/grtrace_amdgpu");
	see();
	expect(MODULE, SUBMIT, PARTLY);
	expect_text("jobs of user space");
	expect(MODULE, PROCESS, PARTLY);
	expect(MODULE, COMMIT, EXACT);
	expect(MODULE, START, INFERRED);
	expect(MODULE, END, LATE);
	expect(MODULE, COMPLETE, EXACT);
	expect(MODULE, DEPENDENCY, MISSING);
	expect_hint("sudo modprobe grtrace_drm_bridge");
	make_dir("/sys/module/grtrace_drm_bridge");
	expect(MODULE, SUBMIT, EXACT);
	expect(MODULE, END, EXACT);
}

static void test_bypasses(void **state)
{
	const struct grt_bypass *user_queue = NULL, *pushbuf = NULL, *radeon = NULL;

	(void)state;
	grt_kernel_look_init(&look, root);
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++) {
		assert_true(b->parameter || grt_bypass_is_there(&look, b, GRT_OF_MODULE));
		if (b->parameter)
			user_queue = b;
		if (!strcmp(b->driver, "nouveau"))
			pushbuf = b;
		if (!strcmp(b->driver, "radeon"))
			radeon = b;
	}
	assert_non_null(pushbuf);
	make_dir("/sys/module/grtrace_nouveau");
	assert_false(grt_bypass_is_there(&look, pushbuf, GRT_OF_MODULE));
	assert_false(grt_bypass_is_there(&look, pushbuf, GRT_OF_TRACEFS));
	/* Only the module knows radeon's fences. */
	assert_non_null(radeon);
	assert_true(grt_bypass_is_there(&look, radeon, GRT_OF_BPF));
	make_dir("/sys/module/grtrace_radeon");
	assert_false(grt_bypass_is_there(&look, radeon, GRT_OF_MODULE));
	assert_non_null(user_queue);
	assert_false(grt_bypass_is_there(&look, user_queue, GRT_OF_BPF));
	make_file("/sys/module/amdgpu/parameters/user_queue", "0\n");
	assert_false(grt_bypass_is_there(&look, user_queue, GRT_OF_BPF));
	make_file("/sys/module/amdgpu/parameters/user_queue", "-1\n");
	assert_true(grt_bypass_is_there(&look, user_queue, GRT_OF_BPF));
}

static void make_i915(bool has_low_level)
{
	static const char * const low_level[] = { "execute", "in", "out" };
	char path[128];

	make_gpu("pci0000:00/0000:00:02.0", "i915", "i915");
	make_sched(NULL, false);
	make_dir(EVENTS "i915/i915_request_add");
	make_dir(EVENTS "i915/i915_request_retire");
	for (int i = 0; has_low_level && i < 3; i++) {
		snprintf(path, sizeof(path), EVENTS "i915/i915_request_%s", low_level[i]);
		make_dir(path);
	}
}

static void test_i915(void **state)
{
	(void)state;
	make_i915(false);
	assert_int_equal(grt_gpu_queue(&look, see()), GRT_QUEUE_OWN);
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, PROCESS, EXACT);
	expect(BPF, COMPLETE, LATE);
	expect(TRACEFS, COMMIT, MISSING);
	expect_text("CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS");
	expect(BPF, START, MISSING);
	expect_text("CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS");
	expect(BPF, END, MISSING);
	expect(BPF, CTX_SWITCH, MISSING);
	expect_text("CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS");
	/* Its requests are no jobs of the scheduler, so only its own events tell of waits. */
	expect(BPF, WAIT, MISSING);
	make_dir(EVENTS "i915/i915_request_wait_begin");
	for (int source = GRT_OF_BPF; source < GRT_NR_FACTS_SOURCES; source++)
		assert_int_equal(ask(source, GRT_TOPIC_WAIT), GRT_EXACT);
	expect(MODULE, WAIT, MISSING);
	expect_hint("sudo modprobe grtrace_i915");
	/* No source sees what its jobs waited for. */
	expect(BPF, DEPENDENCY, UNSEEN);
	expect(BPF, RECOVERY, UNSEEN);
	/* The bridge is not for it. */
	make_dir("/sys/module/grtrace_drm_bridge");
	expect(MODULE, SUBMIT, MISSING);
	expect_hint("sudo modprobe grtrace_i915");
	install("grtrace_drm_bridge");
	expect(MODULE, SUBMIT, MISSING);
	expect_hint("sudo grtrace record --source=bpf");
}

static void test_i915_low_level(void **state)
{
	(void)state;
	make_i915(true);
	see();
	/* Who schedules, only root may see. */
	expect(BPF, COMMIT, EXACT);
	expect(BPF, START, UNKNOWN);
	expect(BPF, END, UNKNOWN);
	make_file("/sys/kernel/debug/dri/0/i915_params/enable_guc", "2\n");	/* GuC for video only */
	expect(BPF, START, EXACT);
	expect(TRACEFS, END, EXACT);
	expect(TRACEFS, CTX_SWITCH, EXACT);
	make_file("/sys/kernel/debug/dri/0/i915_params/enable_guc", "3\n");
	expect(TRACEFS, CTX_SWITCH, UNSEEN);
	expect(BPF, START, UNSEEN);
	expect_text("the driver does not report the start");
	expect(BPF, END, UNSEEN);
	make_file("/sys/kernel/debug/dri/0/i915_params/enable_guc", "0\n");
	expect(BPF, START, EXACT);
	make_file("/sys/class/drm/card0/gt/gt0/slpc_ignore_eff_freq", "0\n");
	expect(BPF, START, UNSEEN);
	expect(BPF, COMMIT, EXACT);
}

static void test_xe(void **state)
{
	(void)state;
	make_gpu("pci0000:00/0000:00:02.0", "xe", "xe");
	make_sched("xe", false);
	assert_int_equal(grt_gpu_queue(&look, see()), GRT_QUEUE_SCHED);
	expect(TRACEFS, SUBMIT, EXACT);
	expect(TRACEFS, END, EXACT);
	expect(TRACEFS, START, UNSEEN);
	expect_text("firmware");
}

static void make_virtio(const char *fields)
{
	make_gpu("pci0000:00/0000:00:04.0", "virtio-pci", "virtio_pci");
	make_file("/sys/devices/pci0000:00/0000:00:04.0/vendor", "0x1af4\n");
	make_file("/sys/devices/pci0000:00/0000:00:04.0/device", "0x1050\n");
	make_dir("/sys/devices/pci0000:00/0000:00:04.0/virtio1");
	make_link("/sys/devices/pci0000:00/0000:00:04.0/virtio1/driver", "../../../../bus/virtio/drivers/virtio_gpu");
	make_file(EVENTS "virtio_gpu/virtio_gpu_cmd_queue/format", fields);
	make_file(EVENTS "virtio_gpu/virtio_gpu_cmd_response/format", fields);
}

static void test_virtio(void **state)
{
	const struct grt_gpu *g;

	(void)state;
	make_virtio("\tfield:u64 fence_id;\toffset:48;\n\tfield:u32 seqno;\toffset:64;\n");
	g = see();
	assert_string_equal(g->device, "virtio1");
	assert_string_equal(g->address, "0000:00:04.0");
	assert_string_equal(g->driver, "virtio_gpu");
	assert_string_equal(g->pci_id, "1af4:1050");
	assert_int_equal(grt_gpu_queue(&look, g), GRT_QUEUE_OWN);
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, COMMIT, EXACT);
	expect(BPF, END, EXACT);
	expect(BPF, COMPLETE, INFERRED);
	expect(BPF, START, UNSEEN);
	expect(BPF, DEPENDENCY, UNSEEN);
}

static void test_old_virtio(void **state)
{
	(void)state;
	make_virtio("\tfield:u64 fence_id;\toffset:48;\n");
	see();
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, END, INFERRED);
	expect_text("answers are taken in their order");
	expect(TRACEFS, END, INFERRED);
	expect(MODULE, SUBMIT, MISSING);
	expect_hint("sudo modprobe grtrace_virtio_gpu");
}

static void test_nouveau(void **state)
{
	(void)state;
	make_gpu("pci0000:00/0000:01:00.0", "nouveau", "nouveau");
	make_sched(NULL, false);
	/* Linux 6.1: another driver holds the scheduler, this one does not. */
	assert_int_equal(grt_gpu_queue(&look, see()), GRT_QUEUE_OWN);
	expect(BPF, COMMIT, UNSEEN);
	expect(BPF, END, UNSEEN);
	make_dir(EVENTS "dma_fence/dma_fence_init");
	expect(BPF, SUBMIT, LATE);
	expect_text("when the hardware has got the job");
	make_dir("/sys/module/grtrace_nouveau");
	expect(MODULE, SUBMIT, LATE);
	expect(MODULE, COMPLETE, LATE);
	make_dir("/sys/module/gpu_sched/holders/nouveau");
	assert_int_equal(grt_gpu_queue(&look, grt_vec_at(&gpus, struct grt_gpu, 0)), GRT_QUEUE_SCHED);
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, START, UNSEEN);
}

static void test_unknown_driver(void **state)
{
	(void)state;
	make_gpu("platform/gpu.0", "newgpu", "newgpu");
	assert_int_equal(grt_gpu_queue(&look, see()), GRT_QUEUE_UNKNOWN);
	expect(BPF, SUBMIT, UNSEEN);
	make_sched(NULL, true);
	grt_kernel_look_init(&look, root);
	assert_int_equal(grt_gpu_queue(&look, grt_vec_at(&gpus, struct grt_gpu, 0)), GRT_QUEUE_OWN);
	expect(BPF, SUBMIT, UNSEEN);
	make_dir("/sys/module/gpu_sched/holders/newgpu");
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, START, UNSEEN);
}

static void test_nothing_to_drive(void **state)
{
	(void)state;
	make_dir("/sys/devices/faux/vgem");
	make_link("/sys/class/drm/card0/device", "../../../devices/faux/vgem");
	assert_int_equal(grt_gpu_queue(&look, see()), GRT_QUEUE_NONE);
}

/* Where tracefs is not for this user, the types tell of tracepoints. */
static void test_types(void **state)
{
	(void)state;
	make_gpu("pci0000:00/0000:00:02.0", "i915", "i915");
	see();
	expect(BPF, SUBMIT, UNKNOWN);
	make_file("/sys/kernel/btf/i915", "");
	expect(BPF, SUBMIT, MISSING);
	make_file("/sys/kernel/btf/i915", "btf_trace_i915_request_added");
	expect(BPF, SUBMIT, MISSING);
	/* One that is built in. */
	unlink(full("/sys/kernel/btf/i915"));
	make_file("/sys/kernel/btf/vmlinux", "btf_trace_i915_request_ad");
	expect(BPF, SUBMIT, MISSING);
	make_file("/sys/kernel/btf/vmlinux", "btf_trace_i915_request_add");
	assert_int_equal(truncate(full("/sys/kernel/btf/vmlinux"), sizeof("btf_trace_i915_request_add")), 0);
	expect(BPF, SUBMIT, EXACT);
	expect(BPF, START, MISSING);
}

/* The table names drivers that exist, and says something of each. */
static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < grt_nr_ways; i++) {
		const struct grt_way *w = &grt_ways[i];
		const struct grt_driver *d = grt_drivers;

		assert_true(w->adapter || w->has_bpf || w->has_tracefs || w->is_sampled);
		assert_true(w->events || w->text);
		assert_true(!w->field || (w->events && !strchr(w->events, '|')));
		while (w->driver && *w->driver && d->name && strcmp(d->name, w->driver))
			d++;
		assert_non_null(d->name);
	}
	for (const struct grt_bypass *b = grt_bypasses; b->driver; b++) {
		const struct grt_driver *d = grt_drivers;

		while (d->name && strcmp(d->name, b->driver))
			d++;
		assert_non_null(d->name);
	}
	/* The library's own lists agree. */
	for (const struct grt_driver *d = grt_drivers; d->name; d++)
		if (grt_driver_has_own_queue(d->name))
			assert_int_equal(d->queue, GRT_QUEUE_OWN);
	assert_int_equal(grt_driver_order("amdgpu"), GRTRACE_ORDER_FIFO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_none), TEST(test_amdgpu), TEST(test_amdgpu_alone), TEST(test_bypasses), TEST(test_i915),
		TEST(test_i915_low_level), TEST(test_xe), TEST(test_virtio), TEST(test_old_virtio),
		TEST(test_nouveau), TEST(test_unknown_driver), TEST(test_nothing_to_drive), TEST(test_types),
		TEST(test_table),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
