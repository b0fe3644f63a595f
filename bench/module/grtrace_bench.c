// SPDX-License-Identifier: GPL-2.0
/*
 * Fires the DRM scheduler's tracepoints in a loop, on made-up objects, and counts clock ticks.
 * The attached tracers (grtrace, ftrace, a BPF program) do the same work as in real life; this
 * module attaches nothing.
 *
 * gpu_sched does not export its tracepoints, so their call sites cannot be compiled here.  Instead
 * this module has tracepoints with the same prototypes, and gives them the real ones' probes for
 * the time of a loop.  So a site here is what the kernel's own macros make of it on this kernel,
 * including the patched direct call of a single probe. dma_fence_signaled is exported and does not
 * need that.
 *
 * Reading /sys/kernel/debug/grtrace_bench/NAME runs one loop and prints "TICKS LOOPS".  "empty" is
 * an empty loop, to be subtracted; "nops" is 100 nop instructions, to calibrate a tick.  "many" is
 * SUBMIT only, from many processes to many rings: see run_many().  "paced" fires the events of
 * jobs at a rate, and prints "NS JOBS": see run_paced().
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <linux/virtio.h>
#include <linux/virtio_gpu.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>
#include <trace/events/dma_fence.h>

#define WARM_UP	100	/* the first event of a ring and process takes longer */

static unsigned int loops = 10000;
module_param(loops, uint, 0600);
MODULE_PARM_DESC(loops, "events per measurement");

static unsigned int rate = 10000;
module_param(rate, uint, 0600);
MODULE_PARM_DESC(rate, "jobs per second, for the file paced");

static unsigned int seconds = 1;
module_param(seconds, uint, 0600);
MODULE_PARM_DESC(seconds, "how long the file paced takes");

/* Offsets of members that the adapter of i915 reads, in this order. */
enum { RQ_ENGINE, ENGINE_NAME, NR_I915 };
static unsigned int i915_offsets[NR_I915];
module_param_array(i915_offsets, uint, NULL, 0400);
MODULE_PARM_DESC(i915_offsets, "of i915_request.engine and intel_engine_cs.name");

/* Those that the adapter of xe reads of an xe_vma, and that of its address space. */
enum { VMA_OBJECT, VMA_VM, VM_DEVICE, NR_XE };
static unsigned int xe_offsets[NR_XE];
module_param_array(xe_offsets, uint, NULL, 0400);
MODULE_PARM_DESC(xe_offsets, "of xe_vma.gpuva.gem.obj, xe_vma.gpuva.vm and xe_vm.gpuvm.drm");

/* Since 6.16 DECLARE_TRACE() changes the name. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_SITE	DECLARE_TRACE_EVENT
#else
#define DECLARE_SITE	DECLARE_TRACE
#endif

DECLARE_SITE(grt_bench_job,
	     TP_PROTO(struct drm_sched_job *job, struct drm_sched_entity *entity),
	     TP_ARGS(job, entity));
DECLARE_SITE(grt_bench_fence,
	     TP_PROTO(struct drm_sched_fence *fence), TP_ARGS(fence));
DECLARE_SITE(grt_bench_wait_dep,
	     TP_PROTO(struct drm_sched_job *job, struct dma_fence *fence),
	     TP_ARGS(job, fence));
DECLARE_SITE(grt_bench_request,
	     TP_PROTO(struct dma_fence *request), TP_ARGS(request));
DECLARE_SITE(grt_bench_fence_init,
	     TP_PROTO(struct dma_fence *fence), TP_ARGS(fence));
DECLARE_SITE(grt_bench_amdgpu,
	     TP_PROTO(struct drm_sched_job *job), TP_ARGS(job));
DECLARE_SITE(grt_bench_iv,
	     TP_PROTO(unsigned int ih, const void *iv), TP_ARGS(ih, iv));
DECLARE_SITE(grt_bench_command,
	     TP_PROTO(struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr, u32 seqno),
	     TP_ARGS(vq, hdr, seqno));
DECLARE_SITE(grt_bench_vblank,
	     TP_PROTO(int crtc, unsigned int seq, ktime_t time, bool is_high_precision),
	     TP_ARGS(crtc, seq, time, is_high_precision));
DECLARE_SITE(grt_bench_flip,
	     TP_PROTO(struct drm_file *file, int crtc, unsigned int seq),
	     TP_ARGS(file, crtc, seq));
DECLARE_SITE(grt_bench_handler,
	     TP_PROTO(int irq, struct irqaction *action), TP_ARGS(irq, action));
DECLARE_SITE(grt_bench_vma,
	     TP_PROTO(const void *vma), TP_ARGS(vma));
DECLARE_SITE(grt_bench_bo,
	     TP_PROTO(const void *bo, u32 to, u32 from, bool lacks_source),
	     TP_ARGS(bo, to, from, lacks_source));
DEFINE_TRACE(grt_bench_vma,
	     TP_PROTO(const void *vma), TP_ARGS(vma));
DEFINE_TRACE(grt_bench_bo,
	     TP_PROTO(const void *bo, u32 to, u32 from, bool lacks_source),
	     TP_ARGS(bo, to, from, lacks_source));
DEFINE_TRACE(grt_bench_command,
	     TP_PROTO(struct virtqueue *vq, struct virtio_gpu_ctrl_hdr *hdr, u32 seqno),
	     TP_ARGS(vq, hdr, seqno));
DEFINE_TRACE(grt_bench_vblank,
	     TP_PROTO(int crtc, unsigned int seq, ktime_t time, bool is_high_precision),
	     TP_ARGS(crtc, seq, time, is_high_precision));
DEFINE_TRACE(grt_bench_flip,
	     TP_PROTO(struct drm_file *file, int crtc, unsigned int seq),
	     TP_ARGS(file, crtc, seq));
DEFINE_TRACE(grt_bench_handler,
	     TP_PROTO(int irq, struct irqaction *action), TP_ARGS(irq, action));
DEFINE_TRACE(grt_bench_amdgpu,
	     TP_PROTO(struct drm_sched_job *job), TP_ARGS(job));
DEFINE_TRACE(grt_bench_iv,
	     TP_PROTO(unsigned int ih, const void *iv), TP_ARGS(ih, iv));
DEFINE_TRACE(grt_bench_request,
	     TP_PROTO(struct dma_fence *request), TP_ARGS(request));
DEFINE_TRACE(grt_bench_fence_init,
	     TP_PROTO(struct dma_fence *fence), TP_ARGS(fence));
DEFINE_TRACE(grt_bench_job,
	     TP_PROTO(struct drm_sched_job *job, struct drm_sched_entity *entity),
	     TP_ARGS(job, entity));
DEFINE_TRACE(grt_bench_fence,
	     TP_PROTO(struct drm_sched_fence *fence), TP_ARGS(fence));
DEFINE_TRACE(grt_bench_wait_dep,
	     TP_PROTO(struct drm_sched_job *job, struct dma_fence *fence),
	     TP_ARGS(job, fence));

/* One job on one ring; it never runs. */
static struct {
	struct device *dev;
	struct drm_gpu_scheduler sched;
	struct drm_sched_entity entity;
	union {
		struct drm_sched_job job;
		char amdgpu_job[4096];
	};
	u64 iv[16];			/* an amdgpu_iv_entry */
	struct drm_sched_fence fence;
	struct dma_fence hw;		/* the hardware's fence, behind the job's finished fence */
	struct dma_fence foreign;	/* belongs to no job, and no job depends on it */
	struct dma_fence awaited;
	union {
		struct dma_fence fence;
		char bytes[4096];
	} request;			/* an i915_request */
	char engine[4096];		/* an intel_engine_cs */
	char vma[4096] __aligned(512);	/* an xe_vma */
	char vm[4096];			/* an xe_vm */
	struct drm_gem_object bo;	/* an xe_bo begins with it */
	struct dma_fence nouveau, radeon, virtio;
	spinlock_t lock;		/* all fences share it */
	struct pci_dev *pci;		/* stands for a GPU; NULL = no PCI */
	struct virtio_device virtio_device;
	struct virtqueue virtqueue;
	struct virtio_gpu_ctrl_hdr fenced, unfenced;
	struct drm_device drm;
	struct drm_minor minor;
	struct drm_file client;
	struct irqaction handler, other_handler;
} gpu;

static const char *driver_name(struct dma_fence *fence)
{
	return "grtrace_bench";
}

static const char *timeline_name(struct dma_fence *fence)
{
	return "bench";
}

static const char *name_of_nouveau(struct dma_fence *fence)
{
	return "nouveau";
}

static const char *name_of_client(struct dma_fence *fence)
{
	static const char name[32] = "glmark2[12345]";	/* as large as nouveau's */

	return name;
}

static const char *name_of_radeon(struct dma_fence *fence)
{
	return "radeon";
}

static const char *name_of_radeon_ring(struct dma_fence *fence)
{
	return "radeon.gfx";
}

static const char *name_of_virtio(struct dma_fence *fence)
{
	return "virtio_gpu";
}

/* Several, because fences are told apart by the address of their ops. */
static const struct dma_fence_ops fence_ops[7] = {
	[0 ... 3] = {
		.get_driver_name = driver_name,
		.get_timeline_name = timeline_name,
	},
	[4] = {
		.get_driver_name = name_of_nouveau,
		.get_timeline_name = name_of_client,
	},
	[5] = {
		.get_driver_name = name_of_radeon,
		.get_timeline_name = name_of_radeon_ring,
	},
	[6] = {
		.get_driver_name = name_of_virtio,
		.get_timeline_name = name_of_virtio,
	},
};

static irqreturn_t handle(int irq, void *data)
{
	return IRQ_NONE;
}

static void make_virtio(void)
{
	gpu.virtio_device.dev.init_name = "virtio0";
	gpu.virtqueue.vdev = &gpu.virtio_device;
	gpu.virtqueue.name = "control";
	gpu.fenced.type = cpu_to_le32(VIRTIO_GPU_CMD_SUBMIT_3D);
	gpu.fenced.flags = cpu_to_le32(VIRTIO_GPU_FLAG_FENCE);
	gpu.fenced.fence_id = cpu_to_le64(1);
	gpu.unfenced.type = cpu_to_le32(VIRTIO_GPU_CMD_RESOURCE_FLUSH);
}

static void make_display(void)
{
	gpu.pci = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, NULL);
	gpu.drm.dev = gpu.pci ? &gpu.pci->dev : gpu.dev;
	gpu.minor.dev = &gpu.drm;
	gpu.client.minor = &gpu.minor;
	gpu.handler = (struct irqaction){ .name = "i915", .handler = handle };
	gpu.other_handler = (struct irqaction){ .name = "nvme0q1", .handler = handle };
}

/* After make_display(), which finds the device. */
static void make_xe(void)
{
	void *vm = gpu.vm, *bo = &gpu.bo, *drm = &gpu.drm;

	gpu.bo.dev = &gpu.drm;
	gpu.bo.size = PAGE_SIZE;
	memcpy(gpu.vma + xe_offsets[VMA_VM], &vm, sizeof(vm));
	memcpy(gpu.vma + xe_offsets[VMA_OBJECT], &bo, sizeof(bo));
	memcpy(gpu.vm + xe_offsets[VM_DEVICE], &drm, sizeof(drm));
}

static void make_drivers(u64 ctx)
{
	void *engine = gpu.engine;

	memcpy(gpu.request.bytes + i915_offsets[RQ_ENGINE], &engine, sizeof(engine));
	strscpy(gpu.engine + i915_offsets[ENGINE_NAME], "rcs0", 8);
	dma_fence_init(&gpu.request.fence, &fence_ops[3], &gpu.lock, ctx, 1);
	dma_fence_init(&gpu.nouveau, &fence_ops[4], &gpu.lock, ctx + 1, 1);
	dma_fence_init(&gpu.radeon, &fence_ops[5], &gpu.lock, ctx + 2, 1);
	dma_fence_init(&gpu.virtio, &fence_ops[6], &gpu.lock, ctx + 3, 1);
	make_virtio();
	make_display();
	make_xe();
}

static void make_gpu(void)
{
	u64 ctx = dma_fence_context_alloc(9);

	spin_lock_init(&gpu.lock);
	dma_fence_init(&gpu.fence.scheduled, &fence_ops[0], &gpu.lock, ctx, 1);
	dma_fence_init(&gpu.fence.finished, &fence_ops[1], &gpu.lock, ctx + 1, 1);
	dma_fence_init(&gpu.hw, &fence_ops[2], &gpu.lock, ctx + 2, 1);
	dma_fence_init(&gpu.foreign, &fence_ops[2], &gpu.lock, ctx + 3, 1);
	dma_fence_init(&gpu.awaited, &fence_ops[2], &gpu.lock, ctx + 4, 1);
	/* With a timestamp, as when the scheduler's callback runs. */
	dma_fence_signal(&gpu.hw);

	make_drivers(ctx + 5);
	gpu.sched.name = "bench";
	gpu.sched.dev = gpu.dev;
	spsc_queue_init(&gpu.entity.job_queue);
	gpu.fence.sched = &gpu.sched;
	gpu.fence.parent = &gpu.hw;
	gpu.job.sched = &gpu.sched;
	gpu.job.entity = &gpu.entity;
	gpu.job.s_fence = &gpu.fence;
	/* Behind it are an amdgpu_job's own members, whatever they mean. */
	memset(gpu.amdgpu_job + sizeof(gpu.job), 1, sizeof(gpu.amdgpu_job) - sizeof(gpu.job));
}

/*
 * Arguments are in registers that the call preserves, as at a real site.  Each loop is a separate
 * function and differs only in its body.
 */
#define LOOP(name, declarations, body)					\
static noinline cycles_t loop_##name(unsigned int count)		\
{									\
	declarations							\
	cycles_t begin = get_cycles();					\
									\
	while (count--) {						\
		barrier();						\
		body;							\
	}								\
	return get_cycles() - begin;					\
}

#define JOB		struct drm_sched_job *job = &gpu.job
#define ENTITY		struct drm_sched_entity *entity = &gpu.entity
#define FENCE(which)	struct dma_fence *fence = &gpu.which
#define COMMAND(which)	struct virtqueue *vq = &gpu.virtqueue; \
			struct virtio_gpu_ctrl_hdr *hdr = &gpu.which

LOOP(empty, /* none */, /* nothing */)
LOOP(nops, /* none */, asm volatile(".rept 100\n\tnop\n\t.endr"))
LOOP(job, JOB; ENTITY;, trace_grt_bench_job(job, entity))
LOOP(end, struct drm_sched_fence *fence = &gpu.fence;, trace_grt_bench_fence(fence))
LOOP(wait_dep, JOB; FENCE(awaited);, trace_grt_bench_wait_dep(job, fence))
LOOP(complete, FENCE(fence.finished);, trace_dma_fence_signaled(fence))
LOOP(foreign, FENCE(foreign);, trace_dma_fence_signaled(fence))
LOOP(request, FENCE(request.fence);, trace_grt_bench_request(fence))
LOOP(request_end, FENCE(request.fence);, trace_dma_fence_signaled(fence))
LOOP(nouveau, FENCE(nouveau);, trace_grt_bench_fence_init(fence))
LOOP(nouveau_end, FENCE(nouveau);, trace_dma_fence_signaled(fence))
LOOP(amdgpu, JOB;, trace_grt_bench_amdgpu(job))
LOOP(iv, /* none */, trace_grt_bench_iv(0, gpu.iv))
LOOP(radeon, FENCE(radeon);, trace_grt_bench_fence_init(fence))
LOOP(radeon_end, FENCE(radeon);, trace_dma_fence_signaled(fence))
/* Its fence is emitted first. */
LOOP(virtio, COMMAND(fenced); FENCE(virtio);,
     ({ trace_dma_fence_emit(fence); trace_grt_bench_command(vq, hdr, 1); }))
LOOP(virtio_unfenced, COMMAND(unfenced);, trace_grt_bench_command(vq, hdr, 1))
LOOP(virtio_response, COMMAND(fenced);, trace_grt_bench_command(vq, hdr, 1))
LOOP(virtio_end, FENCE(virtio);, trace_dma_fence_signaled(fence))
LOOP(vblank, /* none */, trace_grt_bench_vblank(0, 1000, 1, true))
LOOP(flip, struct drm_file *file = &gpu.client;, trace_grt_bench_flip(file, 0, 1000))
LOOP(handler, struct irqaction *action = &gpu.handler;, trace_grt_bench_handler(16, action))
LOOP(other_handler, struct irqaction *action = &gpu.other_handler;,
     trace_grt_bench_handler(17, action))
LOOP(vma, /* none */, trace_grt_bench_vma(gpu.vma))
LOOP(bo, /* none */, trace_grt_bench_bo(&gpu.bo, 2, 1, false))
LOOP(foreign_init, FENCE(foreign);, trace_grt_bench_fence_init(fence))
/* One job after another: SUBMIT and COMMIT are attached to the first site, see attach(). */
LOOP(life, JOB; ENTITY; FENCE(fence.finished);,
     ({ fence->seqno++; trace_grt_bench_job(job, entity);
	trace_grt_bench_fence(&gpu.fence); trace_dma_fence_signaled(fence); }))

/* With a dependency, and the two other fences that a job signals. */
LOOP(whole, JOB; ENTITY; FENCE(fence.finished);,
     ({ fence->seqno++; trace_grt_bench_job(job, entity);
	trace_grt_bench_wait_dep(job, &gpu.awaited); trace_grt_bench_fence(&gpu.fence);
	trace_dma_fence_signaled(fence); trace_dma_fence_signaled(&gpu.foreign);
	trace_dma_fence_signaled(&gpu.foreign); }))

/* Names of the real tracepoint: the name in newer kernels first. */
static struct bench {
	const char *name;
	cycles_t (*loop)(unsigned int count);
	struct tracepoint *site;
	const char *names[2];
	struct tracepoint *real;
	bool is_of_job;			/* of the DRM scheduler */
} benches[] = {
	{ "empty", loop_empty },
	{ "nops", loop_nops },
	{ "submit", loop_job, &__tracepoint_grt_bench_job,
	  { "drm_sched_job_queue", "drm_sched_job" }, .is_of_job = true },
	{ "commit", loop_job, &__tracepoint_grt_bench_job,
	  { "drm_sched_job_run", "drm_run_job" }, .is_of_job = true },
	{ "end", loop_end, &__tracepoint_grt_bench_fence,
	  { "drm_sched_job_done", "drm_sched_process_job" }, .is_of_job = true },
	{ "dependency", loop_wait_dep, &__tracepoint_grt_bench_wait_dep,
	  { "drm_sched_job_add_dep", "drm_sched_job_wait_dep" }, .is_of_job = true },
	{ "complete", loop_complete },
	{ "foreign", loop_foreign },
	{ "i915-submit", loop_request, &__tracepoint_grt_bench_request, { "i915_request_add" } },
	{ "i915-complete", loop_request_end },
	{ "nouveau-submit", loop_nouveau, &__tracepoint_grt_bench_fence_init, { "dma_fence_init" } },
	{ "nouveau-complete", loop_nouveau_end },
	{ "amdgpu-noted", loop_amdgpu, &__tracepoint_grt_bench_amdgpu, { "amdgpu_cs_ioctl" } },
	{ "amdgpu-irq", loop_iv, &__tracepoint_grt_bench_iv, { "amdgpu_iv" } },
	{ "amdgpu-submit", loop_amdgpu, &__tracepoint_grt_bench_amdgpu, { "amdgpu_cs_ioctl" } },
	{ "amdgpu-commit", loop_amdgpu, &__tracepoint_grt_bench_amdgpu,
	  { "amdgpu_sched_run_job" } },
	{ "amdgpu-complete", loop_complete },
	{ "radeon-submit", loop_radeon, &__tracepoint_grt_bench_fence_init, { "dma_fence_init" } },
	{ "radeon-complete", loop_radeon_end },
	{ "virtio-submit", loop_virtio, &__tracepoint_grt_bench_command, { "virtio_gpu_cmd_queue" } },
	{ "virtio-unfenced", loop_virtio_unfenced, &__tracepoint_grt_bench_command,
	  { "virtio_gpu_cmd_queue" } },
	{ "virtio-end", loop_virtio_response, &__tracepoint_grt_bench_command,
	  { "virtio_gpu_cmd_response" } },
	{ "virtio-complete", loop_virtio_end },
	{ "display-vblank", loop_vblank, &__tracepoint_grt_bench_vblank, { "drm_vblank_event" } },
	{ "display-delivered", loop_flip, &__tracepoint_grt_bench_flip,
	  { "drm_vblank_event_delivered" } },
	{ "irq-gpu", loop_handler, &__tracepoint_grt_bench_handler, { "irq_handler_entry" } },
	{ "irq-other", loop_other_handler, &__tracepoint_grt_bench_handler,
	  { "irq_handler_entry" } },
	{ "xe-bind", loop_vma, &__tracepoint_grt_bench_vma, { "xe_vma_bind" } },
	{ "xe-move", loop_bo, &__tracepoint_grt_bench_bo, { "xe_bo_move" } },
	{ "foreign-init", loop_foreign_init, &__tracepoint_grt_bench_fence_init, { "dma_fence_init" } },
	{ "life", loop_life },
	{ "whole", loop_whole },
};

static DEFINE_MUTEX(bench_lock);
static struct dentry *dir;

/* Modules with tracepoints above; those that are there are held.  The first one must be. */
static struct {
	const char *name;
	struct module *held;
} modules[] = {
	{ "gpu_sched" }, { "i915" }, { "amdgpu" }, { "radeon" }, { "virtio_gpu" }, { "drm" },
	{ "xe" },
};

static void drop_probes(struct tracepoint *site)
{
	while (site->funcs)
		tracepoint_probe_unregister(site, site->funcs->func, site->funcs->data);
	tracepoint_synchronize_unregister();
}

/* Nobody attaches or detaches now: a bench has the machine to itself. */
static int copy_probes(struct tracepoint *site, const struct tracepoint *real)
{
	const struct tracepoint_func *f;
	int err;

	for (f = real->funcs; f && f->func; f++) {
		err = tracepoint_probe_register_prio(site, f->func, f->data, f->prio);
		if (err)
			return err;
	}
	return 0;
}

static void detach(void)
{
	struct bench *b;

	for (b = benches; b < benches + ARRAY_SIZE(benches); b++)
		if (b->site)
			drop_probes(b->site);
}

/*
 * The events of the loop of @b: its own event, or all events of a job, with or without its
 * dependencies.
 */
static int attach(const struct bench *b)
{
	const struct bench *part;
	int err = 0;

	for (part = benches; part < benches + ARRAY_SIZE(benches) && !err; part++) {
		if (!part->site || !part->real)
			continue;
		if (part == b || (part->is_of_job && (b->loop == loop_whole ||
		    (b->loop == loop_life && part->loop != loop_wait_dep))))
			err = copy_probes(part->site, part->real);
	}
	if (err)
		detach();
	return err;
}

static cycles_t run_loop(const struct bench *b)
{
	unsigned long flags;
	cycles_t ticks;

	/* No interrupt may come in between, and no other CPU may be counted. */
	local_irq_save(flags);
	b->loop(WARM_UP);
	ticks = b->loop(loops);
	local_irq_restore(flags);
	return ticks;
}

static int bench_show(struct seq_file *m, void *unused)
{
	const struct bench *b = m->private;
	cycles_t ticks;
	int err;

	mutex_lock(&bench_lock);
	err = attach(b);
	if (!err) {
		ticks = run_loop(b);
		seq_printf(m, "%llu %u\n", (u64)ticks, loops);
	}
	detach();
	mutex_unlock(&bench_lock);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(bench);

#define PACED_STEP	100	/* jobs between two looks at the clock */

/*
 * Like a busy GPU: SUBMIT, COMMIT, END and COMPLETE of so many jobs per second, with interrupts on.
 * If it falls behind, it fires without a pause, and takes longer until all jobs are fired.
 */
static int run_paced(struct seq_file *m)
{
	u64 begin = ktime_get_ns(), jobs = (u64)rate * seconds, fired = 0, due;

	while (fired < jobs) {
		due = min(jobs, div_u64((ktime_get_ns() - begin) * rate, NSEC_PER_SEC));
		if (due == fired) {
			usleep_range(200, 500);
			continue;
		}
		due = min(due - fired, (u64)PACED_STEP);
		loop_life(due);
		fired += due;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	seq_printf(m, "%llu %llu\n", ktime_get_ns() - begin, jobs);
	return 0;
}

static int paced_show(struct seq_file *m, void *unused)
{
	struct bench *b;
	int err = -ENOENT;

	mutex_lock(&bench_lock);
	for (b = benches; b < benches + ARRAY_SIZE(benches); b++)
		if (b->loop == loop_life)
			err = attach(b);
	if (!err)
		err = run_paced(m);
	detach();
	mutex_unlock(&bench_lock);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(paced);

#define MANY_RINGS	1000
#define MANY_PROCESSES	5000
#define MANY_EACH	2	/* rings that a process submits to */

/* A process with a context that several rings serve. */
struct submitter {
	struct task_struct *task;
	struct completion go, done;
	struct drm_sched_fence fence;
	u64 ticks[MANY_EACH];
	unsigned int nr;
	bool is_last;
};

static struct drm_gpu_scheduler *many_scheds;

static void submit_to_each(struct submitter *s)
{
	struct drm_sched_entity *entity = &gpu.entity;
	struct drm_sched_job job = { .entity = entity, .s_fence = &s->fence };
	unsigned long flags;
	unsigned int i;
	u64 begin;

	for (i = 0; i < MANY_EACH; i++) {
		job.sched = &many_scheds[(s->nr * MANY_EACH + i) % MANY_RINGS];
		s->fence.finished.seqno++;
		local_irq_save(flags);
		begin = get_cycles();
		trace_grt_bench_job(&job, entity);
		s->ticks[i] = get_cycles() - begin;
		local_irq_restore(flags);
	}
}

static int submitter_fn(void *arg)
{
	struct submitter *s = arg;
	bool is_last;

	do {
		wait_for_completion(&s->go);
		is_last = s->is_last;
		submit_to_each(s);
		complete(&s->done);
	} while (!is_last);
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* What a SUBMIT is the first of.  The last row is for SUBMITs that are the first of nothing. */
enum first_of { FIRST_OF_RING, FIRST_OF_PROCESS, FIRST_OF_CTX_ON_RING, FIRST_OF_NONE, FIRSTS };

static const char *const first_names[] = { "ring", "process", "context", "again" };

static enum first_of first_of(const struct submitter *s, unsigned int i)
{
	if (s->nr * MANY_EACH + i < MANY_RINGS)
		return FIRST_OF_RING;
	return i ? FIRST_OF_CTX_ON_RING : FIRST_OF_PROCESS;
}

static void submit_round(struct submitter *all, bool is_first, bool is_last, struct seq_file *m)
{
	struct { u64 sum, most, nr; } rows[FIRSTS] = { }, *row;
	unsigned int i, j;

	for (i = 0; i < MANY_PROCESSES; i++) {
		all[i].is_last = is_last;
		complete(&all[i].go);
		wait_for_completion(&all[i].done);
		for (j = 0; j < MANY_EACH; j++) {
			row = &rows[is_first ? first_of(&all[i], j) : FIRST_OF_NONE];
			row->sum += all[i].ticks[j];
			row->most = max(row->most, all[i].ticks[j]);
			row->nr++;
		}
	}
	for (i = 0; i < FIRSTS; i++)
		if (rows[i].nr)
			seq_printf(m, "%s %llu %llu %llu\n", first_names[i], rows[i].sum, rows[i].nr,
				   rows[i].most);
}

/*
 * All submit to their rings for the first time, then twice more.  Prints "OF TICKS SUBMITS MOST",
 * by what a SUBMIT was the first of.
 */
static int run_many(struct submitter *all, struct seq_file *m)
{
	u64 ctx = dma_fence_context_alloc(2 * MANY_PROCESSES);
	unsigned int i;
	int err = 0;

	for (i = 0; i < MANY_PROCESSES && !err; i++) {
		struct submitter *s = &all[i];

		s->nr = i;
		init_completion(&s->go);
		init_completion(&s->done);
		dma_fence_init(&s->fence.scheduled, &fence_ops[0], &gpu.lock, ctx + 2 * i, 1);
		dma_fence_init(&s->fence.finished, &fence_ops[1], &gpu.lock, ctx + 2 * i + 1, 1);
		s->task = kthread_run(submitter_fn, s, "many%u", i);
		err = PTR_ERR_OR_ZERO(s->task);
	}
	if (err)
		return err;
	submit_round(all, true, false, m);
	submit_round(all, false, false, m);
	submit_round(all, false, true, m);
	for (i = 0; i < MANY_PROCESSES; i++)
		kthread_stop(all[i].task);
	return 0;
}

static int many_show(struct seq_file *m, void *unused)
{
	struct submitter *all = kvcalloc(MANY_PROCESSES, sizeof(*all), GFP_KERNEL);
	char (*names)[16] = kvcalloc(MANY_RINGS, sizeof(*names), GFP_KERNEL);
	unsigned int i;
	int err = -ENOMEM;

	mutex_lock(&bench_lock);
	many_scheds = kvcalloc(MANY_RINGS, sizeof(*many_scheds), GFP_KERNEL);
	if (!all || !names || !many_scheds)
		goto unlock;
	for (i = 0; i < MANY_RINGS; i++) {
		snprintf(names[i], sizeof(names[i]), "rcs%u", i);
		many_scheds[i].name = names[i];
		many_scheds[i].dev = gpu.dev;
	}
	err = attach(&benches[2]);	/* submit */
	if (!err)
		err = run_many(all, m);
	detach();
unlock:
	mutex_unlock(&bench_lock);
	kvfree(many_scheds);
	kvfree(names);
	kvfree(all);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(many);

static void find_tracepoint(struct tracepoint *tp)
{
	struct bench *b;
	int i;

	for (b = benches; b < benches + ARRAY_SIZE(benches); b++)
		for (i = 0; i < ARRAY_SIZE(b->names) && b->names[i]; i++)
			if (!strcmp(b->names[i], tp->name))
				b->real = tp;
}

static void find_builtin(struct tracepoint *tp, void *unused)
{
	find_tracepoint(tp);
}

static struct module **held_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modules); i++)
		if (!strcmp(name, modules[i].name))
			return &modules[i].held;
	return NULL;
}

/* Called for modules that are already loaded, too. */
static int module_seen(struct notifier_block *nb, unsigned long action, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod, **held = held_of(mod->name);
	unsigned int i;

	if (action != MODULE_STATE_COMING || !held || *held || !try_module_get(mod))
		return NOTIFY_OK;
	*held = mod;
	for (i = 0; i < mod->num_tracepoints; i++)
		find_tracepoint(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]));
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = module_seen };

/* Makes files only for tracepoints of this kernel. */
static void make_files(void)
{
	struct bench *b;

	dir = debugfs_create_dir("grtrace_bench", NULL);
	for (b = benches; b < benches + ARRAY_SIZE(benches); b++)
		if (!b->site || b->real)
			debugfs_create_file(b->name, 0400, dir, b, &bench_fops);
	debugfs_create_file("many", 0400, dir, NULL, &many_fops);
	debugfs_create_file("paced", 0400, dir, NULL, &paced_fops);
	debugfs_create_u64("ctx", 0400, dir, &gpu.fence.finished.context);	/* of all its jobs */
}

static void put_modules(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modules); i++)
		module_put(modules[i].held);
}

static int __init bench_init(void)
{
	unsigned int i;
	int err;

	err = register_tracepoint_module_notifier(&module_notifier);
	if (err)
		return err;
	unregister_tracepoint_module_notifier(&module_notifier);
	for_each_kernel_tracepoint(find_builtin, NULL);
	for (i = 0; i < NR_I915; i++)
		err = i915_offsets[i] + sizeof(void *) > sizeof(gpu.engine) ? -EINVAL : err;
	if (!modules[0].held) {
		pr_err("grtrace_bench: gpu_sched is not loaded\n");
		err = -ENODEV;
	}
	if (err) {
		put_modules();
		return err;
	}
	gpu.dev = root_device_register("grtrace_bench");
	if (IS_ERR(gpu.dev)) {
		put_modules();
		return PTR_ERR(gpu.dev);
	}
	make_gpu();
	make_files();
	return 0;
}

static void __exit bench_exit(void)
{
	debugfs_remove_recursive(dir);
	pci_dev_put(gpu.pci);
	root_device_unregister(gpu.dev);
	put_modules();
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("grtrace: what an event costs");
MODULE_LICENSE("GPL");
