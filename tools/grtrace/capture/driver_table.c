// SPDX-License-Identifier: GPL-2.0
/*
 * The facts by driver.  Each was looked up in the source of Debian's kernels 6.1.192, 6.12.117 and
 * 7.2.13 ("all three"), files below drivers/gpu/drm/ unless a path begins with drivers/.
 */
#include "driver_facts.h"

#define ALL	"6.1, 6.12, 7.2"
#define NEW	"6.12, 7.2"

const struct grt_driver grt_drivers[] = {
	/* "select DRM_SCHED" of each driver's Kconfig, all three; amdgpu: Kconfig in 6.1 */
	{ "amdgpu", NULL, GRT_QUEUE_SCHED, ALL, "AMD" },
	{ "etnaviv", "etnaviv-gpu", GRT_QUEUE_SCHED, ALL, "Vivante" },
	{ "lima", NULL, GRT_QUEUE_SCHED, ALL, "Arm Mali-400, 450" },
	{ "msm", "adreno", GRT_QUEUE_SCHED, ALL, "Qualcomm Adreno" },
	{ "panfrost", NULL, GRT_QUEUE_SCHED, ALL, "Arm Mali Midgard, Bifrost" },
	{ "v3d", NULL, GRT_QUEUE_SCHED, ALL, "Broadcom VideoCore V, VI, VII" },
	/* nouveau_sched.c: not in 6.1 */
	{ "nouveau", NULL, GRT_QUEUE_SCHED, NEW, "NVIDIA, the kernel's own driver" },
	/* xe_guc_submit.c, panthor_sched.c, imagination/pvr_queue.c: the drivers are not in 6.1 */
	{ "panthor", NULL, GRT_QUEUE_SCHED, NEW, "Arm Mali with CSF firmware" },
	{ "powervr", NULL, GRT_QUEUE_SCHED, NEW, "Imagination PowerVR" },
	{ "xe", NULL, GRT_QUEUE_SCHED, NEW, "Intel, newer" },
	/* Kconfig of drivers/accel/amdxdna, ethosu and rocket, 7.2; not in 6.12 */
	{ "amdxdna", NULL, GRT_QUEUE_SCHED, "7.2", "AMD NPU" },
	{ "ethosu", NULL, GRT_QUEUE_SCHED, "7.2", "Arm Ethos-U NPU" },
	{ "rocket", NULL, GRT_QUEUE_SCHED, "7.2", "Rockchip NPU" },
	{ "grtrace_mock", NULL, GRT_QUEUE_SCHED, ALL, "grtrace's GPU without hardware, for tests" },
	/* i915_request.c and virtgpu_vq.c of all three: no call of drm_sched */
	{ "i915", NULL, GRT_QUEUE_OWN, ALL, "Intel" },
	{ "virtio_gpu", "virtio-pci", GRT_QUEUE_OWN, ALL, "virtual machine" },
	/* radeon_ib.c, vc4_gem.c, qxl_release.c, vmwgfx_execbuf.c of all three: the same */
	{ "radeon", NULL, GRT_QUEUE_OWN, ALL, "AMD, before amdgpu" },
	{ "qxl", NULL, GRT_QUEUE_OWN, ALL, "virtual machine (QXL)" },
	{ "vc4", "vc4-drm", GRT_QUEUE_OWN, ALL, "Broadcom VideoCore IV" },
	{ "vmwgfx", NULL, GRT_QUEUE_OWN, ALL, "virtual machine (VMware)" },
	/* drivers/accel/ivpu/ivpu_job.c, qaic, habanalabs of 6.12 and 7.2: the same */
	{ "habanalabs", NULL, GRT_QUEUE_OWN, NEW, "Habana accelerator" },
	{ "intel_vpu", NULL, GRT_QUEUE_OWN, NEW, "Intel NPU (ivpu)" },
	{ "qaic", NULL, GRT_QUEUE_OWN, NEW, "Qualcomm Cloud AI" },
	/* vgem_drv.c: memory and fences only; the others drive displays only */
	{ "ast", NULL, GRT_QUEUE_NONE, ALL, "display of a server" },
	{ "bochs", "bochs-drm", GRT_QUEUE_NONE, ALL, "display of a virtual machine" },
	{ "cirrus", "cirrus_qemu", GRT_QUEUE_NONE, ALL, "display of a virtual machine" },
	{ "hyperv_drm", NULL, GRT_QUEUE_NONE, ALL, "display of a virtual machine" },
	{ "mgag200", NULL, GRT_QUEUE_NONE, ALL, "display of a server" },
	{ "simpledrm", "simple-framebuffer", GRT_QUEUE_NONE, ALL, "the firmware's display" },
	{ "udl", NULL, GRT_QUEUE_NONE, ALL, "display on USB" },
	{ "vgem", NULL, GRT_QUEUE_NONE, ALL, "memory without a GPU" },
	{ "vkms", NULL, GRT_QUEUE_NONE, ALL, "display without hardware" },
	/* not in the kernel's source */
	{ "nvidia", NULL, GRT_QUEUE_SECRET, "its own", "NVIDIA's own driver" },
	{ NULL, NULL, GRT_QUEUE_UNKNOWN, NULL, NULL }
};

#define BRIDGE		"grtrace_drm_bridge"
#define QUEUE		"gpu_scheduler/drm_sched_job_queue|gpu_scheduler/drm_sched_job"
#define RUN		"gpu_scheduler/drm_sched_job_run|gpu_scheduler/drm_run_job"
#define DONE		"gpu_scheduler/drm_sched_job_done|gpu_scheduler/drm_sched_process_job"
#define DEPEND		"gpu_scheduler/drm_sched_job_add_dep|gpu_scheduler/drm_sched_job_wait_dep"
#define SIGNALED	"dma_fence/dma_fence_signaled"

#define NO_LOW_LEVEL	"the kernel was built without CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS"
/* Debian's linux-image-6.1.0-*-rt-amd64 */
#define NO_I915_TRACE	"this kernel's i915 has no such tracepoint (Linux 6.1 with PREEMPT_RT has none)"
#define PAIRED		"this kernel numbers no commands: answers are taken in their order"
#define FENCED		"exact for a command with a fence; the response ends the others"
#define SWITCHED	"where a request of another context begins on an engine"
/* gt/intel_execlists_submission.c, process_csb(), all three: a port holds the last request of a context */
#define COALESCED	"several requests of a context may end as one: then it is an upper bound for all but the last"
#define OF_USERS	"jobs of user space; the kernel's own jobs have no such event"
#define OF_KERNEL	"commands that the kernel's own threads queue (displays) are of no process"

/* A job of a driver with a queue of its own, for all sources. */
#define OWN(DRIVER, TOPIC, EVENT, CERTAINTY)						\
	.driver = DRIVER, .topic = GRT_TOPIC_##TOPIC, .adapter = "grtrace_" DRIVER,	\
	.has_bpf = true, .has_tracefs = true, .events = DRIVER "/" EVENT, .certainty = GRT_##CERTAINTY
/* What the driver's adapter adds. */
#define ADAPTER(DRIVER, TOPIC, EVENT, TEXT)						\
	{ .driver = DRIVER, .topic = GRT_TOPIC_##TOPIC, .adapter = "grtrace_" DRIVER,	\
	  .events = DRIVER "/" EVENT, .certainty = GRT_EXACT, .text = TEXT }
/* A job, where its adapter records it and no other source does. */
#define JOB(DRIVER, TOPIC, EVENTS, CERTAINTY, TEXT)					\
	{ .driver = DRIVER, .topic = GRT_TOPIC_##TOPIC, .adapter = "grtrace_" DRIVER,	\
	  .events = EVENTS, .certainty = GRT_##CERTAINTY, .text = TEXT }
#define SCHED(TOPIC, EVENTS)								\
	{ .topic = GRT_TOPIC_##TOPIC, .adapter = BRIDGE, .has_bpf = true, .has_tracefs = true, \
	  .events = EVENTS, .certainty = GRT_EXACT }

const struct grt_way grt_ways[] = {
	/*
	 * The DRM scheduler: scheduler/gpu_scheduler_trace.h, names from 6.17 on and before.  Drivers
	 * call drm_sched_entity_push_job() in their ioctl, so the process is the one that runs then.
	 */
	SCHED(SUBMIT, QUEUE),
	SCHED(DEPENDENCY, DEPEND),
	SCHED(COMMIT, RUN),
	SCHED(END, DONE),
	SCHED(COMPLETE, SIGNALED),
	SCHED(PROCESS, QUEUE),
	/* No tracepoint tells of it: kprobes at drm_sched_job_timedout(), _stop(), _start(), all three. */
	{ .topic = GRT_TOPIC_RECOVERY, .adapter = BRIDGE, .has_bpf = true, .has_tracefs = true,
	  .certainty = GRT_EXACT, .text = "timeouts and resets, by kprobes" },

	/* i915_trace.h, all three; i915_request_execute, _in, _out only with the low-level tracepoints */
	{ OWN("i915", SUBMIT, "i915_request_add", EXACT), .lack = NO_I915_TRACE },
	{ OWN("i915", COMMIT, "i915_request_execute", EXACT), .lack = NO_LOW_LEVEL },
	/* gt/uc/intel_guc_submission.c, request_in at the hand-over: 6.1 :941, 6.12 :965, 7.2 :965 */
	{ OWN("i915", START, "i915_request_in", EXACT), .guc = GRT_NO, .lack = NO_LOW_LEVEL },
	{ OWN("i915", START, "i915_request_in", UNSEEN), .guc = GRT_YES, .lack = NO_LOW_LEVEL,
	  .text = "its firmware (GuC) schedules: the driver does not report the start" },
	/* request_out only in gt/intel_execlists_submission.c: 6.1 :654, 6.12 :655, 7.2 :652 */
	{ OWN("i915", END, "i915_request_out", EXACT), .guc = GRT_NO, .lack = NO_LOW_LEVEL, .text = COALESCED },
	{ OWN("i915", END, "i915_request_out", UNSEEN), .guc = GRT_YES, .lack = NO_LOW_LEVEL,
	  .text = "its firmware (GuC) schedules: the driver does not report the end" },
	/* gt/intel_breadcrumbs.c signals at the interrupt if somebody waits, else i915_request_retire() */
	{ OWN("i915", COMPLETE, "i915_request_retire", LATE),
	  .text = "the driver signals a request when somebody waits for it, or when it cleans up" },
	{ OWN("i915", PROCESS, "i915_request_add", EXACT), .lack = NO_I915_TRACE },
	{ OWN("i915", CTX_SWITCH, "i915_request_out", EXACT), .guc = GRT_NO, .lack = NO_LOW_LEVEL,
	  .text = SWITCHED },
	{ OWN("i915", CTX_SWITCH, "i915_request_out", UNSEEN), .guc = GRT_YES, .lack = NO_LOW_LEVEL,
	  .text = "its firmware (GuC) schedules: the driver does not report the end" },
	{ OWN("i915", WAIT, "i915_request_wait_begin", EXACT), .lack = NO_I915_TRACE, .text = "waits for requests" },
	{ OWN("i915", MEMORY, "i915_gem_object_create", EXACT), .lack = NO_I915_TRACE,
	  .text = "objects, binds, faults, shrinking" },

	/* virtio/virtgpu_trace.h: the number "seqno" is in 6.12 and 7.2, not in 6.1 */
	{ OWN("virtio_gpu", SUBMIT, "virtio_gpu_cmd_queue", EXACT) },
	{ OWN("virtio_gpu", COMMIT, "virtio_gpu_cmd_queue", EXACT) },
	{ OWN("virtio_gpu", END, "virtio_gpu_cmd_response", EXACT), .field = "seqno" },
	{ OWN("virtio_gpu", END, "virtio_gpu_cmd_response", INFERRED), .text = PAIRED },
	{ OWN("virtio_gpu", COMPLETE, "virtio_gpu_cmd_response", INFERRED), .text = FENCED },
	/* drm_atomic_helper.c, commit_work(): a worker flips pages where the caller need not wait */
	{ OWN("virtio_gpu", PROCESS, "virtio_gpu_cmd_queue", PARTLY), .text = OF_KERNEL },

	/*
	 * nouveau_fence.c: nouveau_fence_emit() calls dma_fence_init() for a pushbuf, and nobody but a
	 * waiter, or the next look at the channel, notices the end.  Jobs of EXEC come first, above.
	 */
	{ .driver = "nouveau", .topic = GRT_TOPIC_SUBMIT, .adapter = "grtrace_nouveau", .has_bpf = true,
	  .has_tracefs = true, .events = "dma_fence/dma_fence_init", .certainty = GRT_LATE,
	  .text = "seen when the hardware has got the job" },
	{ .driver = "nouveau", .topic = GRT_TOPIC_COMPLETE, .adapter = "grtrace_nouveau", .has_bpf = true,
	  .has_tracefs = true, .events = SIGNALED, .certainty = GRT_LATE,
	  .text = "the driver signals a fence when somebody waits for it, or when it looks again" },
	{ .driver = "nouveau", .topic = GRT_TOPIC_PROCESS, .adapter = "grtrace_nouveau", .has_bpf = true,
	  .has_tracefs = true, .events = "dma_fence/dma_fence_init", .certainty = GRT_EXACT },

	/* radeon_fence.c, radeon_fence_emit(); radeon_object.c, radeon_bo_create(); all three */
	{ .driver = "radeon", .topic = GRT_TOPIC_SUBMIT, .adapter = "grtrace_radeon",
	  .events = "dma_fence/dma_fence_init", .certainty = GRT_EXACT },
	{ .driver = "radeon", .topic = GRT_TOPIC_COMMIT, .adapter = "grtrace_radeon",
	  .events = "dma_fence/dma_fence_init", .certainty = GRT_EXACT },
	{ .driver = "radeon", .topic = GRT_TOPIC_COMPLETE, .adapter = "grtrace_radeon",
	  .events = SIGNALED, .certainty = GRT_LATE,
	  .text = "the driver signals a fence when somebody waits for it, or when it looks again" },
	{ .driver = "radeon", .topic = GRT_TOPIC_PROCESS, .adapter = "grtrace_radeon",
	  .events = "dma_fence/dma_fence_init", .certainty = GRT_EXACT },
	ADAPTER("radeon", MEMORY, "radeon_bo_create", "bo_create (layout from BTF)"),

	/*
	 * amd/amdgpu/amdgpu_cs.c, amdgpu_job.c, all three: where the bridge is not loaded, the adapter records
	 * the jobs, too.  The kernel's own jobs do not go through amdgpu_cs_submit().
	 */
	JOB("amdgpu", SUBMIT, "amdgpu/amdgpu_cs_ioctl", PARTLY, OF_USERS),
	JOB("amdgpu", COMMIT, "amdgpu/amdgpu_sched_run_job", EXACT, NULL),
	JOB("amdgpu", END, SIGNALED, LATE, "seen with COMPLETE; the time of the hardware's fence is exact"),
	JOB("amdgpu", COMPLETE, SIGNALED, EXACT, NULL),
	JOB("amdgpu", PROCESS, "amdgpu/amdgpu_cs_ioctl", PARTLY, OF_USERS),
	/* amd/amdgpu/amdgpu_trace.h, all three */
	{ OWN("amdgpu", MEMORY, "amdgpu_bo_create", EXACT), .text = "bo_create, bo_move (layout from BTF)" },
	{ .driver = "amdgpu", .topic = GRT_TOPIC_CTX_SWITCH, .adapter = "grtrace_amdgpu", .has_bpf = true,
	  .events = "amdgpu/amdgpu_vm_grab_id", .certainty = GRT_EXACT,
	  .text = "a job of another context gets its address space on the ring" },
	{ .driver = "amdgpu", .topic = GRT_TOPIC_CTX_SWITCH, .has_tracefs = true,
	  .events = "amdgpu/amdgpu_vm_grab_id", .certainty = GRT_LATE,
	  .text = "the event names no job, so the switch has the time of its job's run" },
	{ OWN("amdgpu", IRQ, "amdgpu_iv", EXACT), .text = "amdgpu_iv" },

	/*
	 * xe/xe_trace.h and xe_trace_bo.h, 6.12 and 7.2: jobs are the scheduler's.  drm_sched_job_timedout() calls
	 * guc_exec_queue_timedout_job(), which tells of it, too, where no kprobe does.
	 */
	{ OWN("xe", RECOVERY, "xe_sched_job_timedout", PARTLY),
	  .text = "timeouts; hangs and faults of queues; not that a ring runs again" },
	{ OWN("xe", CTX_SWITCH, "xe_exec_queue_scheduling_enable", EXACT),
	  .text = "what its firmware (GuC) may run; what it runs, nobody tells" },
	{ OWN("xe", MEMORY, "xe_bo_move", EXACT), .text = "objects, moves, binds (layout from BTF), faults" },

	/*
	 * msm/msm_gpu_devfreq.c:34, all three.  i915_trace.h declares intel_gpu_freq_change, but no
	 * code of 6.1 and later calls it.
	 */
	{ .driver = "msm", .topic = GRT_TOPIC_FREQUENCY, .has_tracefs = true,
	  .events = "drm_msm_gpu/msm_gpu_freq_change", .certainty = GRT_EXACT, .text = "msm_gpu_freq_change" },

	/* Files of sysfs: see capture/gauges.c. */
	{ .driver = "", .topic = GRT_TOPIC_FREQUENCY, .is_sampled = true, .certainty = GRT_SAMPLED,
	  .text = "clocks, from sysfs" },
	{ .driver = "", .topic = GRT_TOPIC_POWER, .is_sampled = true, .certainty = GRT_SAMPLED,
	  .text = "power, from sysfs" },

	/*
	 * drivers/dma-buf/dma-fence.c, all three; drm_syncobj and poll() wait elsewhere.  The adapter and
	 * the programs know fences of the scheduler only.
	 */
	{ .topic = GRT_TOPIC_WAIT, .adapter = "grtrace_cpu", .has_bpf = true,
	  .events = "dma_fence/dma_fence_wait_start", .certainty = GRT_EXACT,
	  .text = "waits for fences, with record --cpu" },
	{ .driver = "", .topic = GRT_TOPIC_WAIT, .has_tracefs = true,
	  .events = "dma_fence/dma_fence_wait_start", .certainty = GRT_EXACT, .text = "waits for fences" },
	/* drm_vblank.c, all three: drivers whose displays have it */
	{ .driver = "", .topic = GRT_TOPIC_VBLANK, .adapter = "grtrace_display", .has_bpf = true,
	  .has_tracefs = true, .events = "drm/drm_vblank_event", .certainty = GRT_EXACT,
	  .text = "where a display of this driver has vblanks" },
	/* kernel/irq/handle.c, all three */
	{ .driver = "", .topic = GRT_TOPIC_IRQ, .adapter = "grtrace_irq", .events = "irq/irq_handler_entry",
	  .certainty = GRT_EXACT, .text = "handlers named after a driver" },
};

const size_t grt_nr_ways = sizeof(grt_ways) / sizeof(*grt_ways);

const struct grt_bypass grt_bypasses[] = {
	/* amd/amdkfd: no call of drm_sched, all three */
	{ "amdgpu", NULL, NULL,
	  "ROCm's user queues (amdkfd) bypass the kernel's scheduler: their jobs never appear here" },
	/* amd/amdgpu/amdgpu_userq.c and amdgpu_drv.c:1103 of 7.2; neither is in 6.12 */
	{ "amdgpu", "/sys/module/amdgpu/parameters/user_queue", NULL,
	  "user queues of Mesa (user_queue) bypass the kernel's scheduler: their jobs never appear here" },
	/* nouveau_gem.c: 6.1 :900, 6.12 :932, 7.2 :934: a fence of its own, no job of the scheduler */
	{ "nouveau", NULL, "grtrace_nouveau",
	  "jobs of GEM_PUSHBUF (the old OpenGL driver) bypass the scheduler: the module does not record them" },
	/* 6.12 xe_guc_submit.c:766: run_job returns no fence; 7.2 xe_exec.c: no fence for the caller */
	{ "xe", NULL, NULL, "jobs of long-running VMs (compute), Linux 6.8 to 6.12: no fence tells when they end, so their rings are not seen" },
	/* radeon_ib.c: 6.1 :168, 7.2 :170: radeon_fence_emit() */
	{ "radeon", NULL, "grtrace_radeon",
	  "its jobs go to the ring in the ioctl, without the scheduler, and do not appear" },
	{ "vc4", NULL, NULL, "its jobs have a queue of the driver's own: none appears" },
	{ "qxl", NULL, NULL, "its commands have a queue of the driver's own: none appears" },
	{ "vmwgfx", NULL, NULL, "its commands have a queue of the driver's own: none appears" },
	{ "intel_vpu", NULL, NULL, "its jobs have a queue of the driver's own: none appears" },
	{ "qaic", NULL, NULL, "its requests have a queue of the driver's own: none appears" },
	{ "habanalabs", NULL, NULL, "its jobs have a queue of the driver's own: none appears" },
	{ "nvidia", NULL, NULL, "NVIDIA's driver tells the kernel nothing of its jobs: none appears" },
	{ NULL, NULL, NULL, NULL }
};
