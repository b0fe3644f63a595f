/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Properties of rings by driver and ring name, for every source: the module, BPF
 * programs and importers.  They come from the drivers of Linux 6.1 to 7.2 under
 * drivers/gpu/drm.
 */
#ifndef _UAPI_LINUX_GRTRACE_RINGS_H
#define _UAPI_LINUX_GRTRACE_RINGS_H

/*
 * The order in which a driver's rings run jobs: X(driver, ORDER).  FIFO only if a ring
 * runs one job at a time in the order of commit, because readers then infer START.  A
 * driver that is not listed is UNKNOWN: a metric is missing then, but none is wrong.
 */
#define GRTRACE_DRIVER_ORDERS(X)					\
	X("amdgpu",	  FIFO)		/* amdgpu_ring.c: kernel rings */ \
	X("v3d",	  FIFO)		/* v3d_sched.c: one job per queue */ \
	X("lima",	  FIFO)		/* lima_sched.c: one task per pipe */ \
	X("etnaviv",	  FIFO)		/* etnaviv_sched.c */		\
	X("etnaviv-gpu",  FIFO)						\
	X("grtrace_mock", FIFO)		/* mock/ring.c */		\
	X("xe",		  FIRMWARE)	/* xe_guc_submit.c: GuC decides */ \
	X("panthor",	  FIRMWARE)	/* panthor_sched.c: CSF firmware */

/* Engine class by the start of a ring's name: X(prefix, ENGINE); the first match wins. */
#define GRTRACE_NAME_ENGINES(X)		\
	X("gfx",	 GRAPHICS)	\
	X("rcs",	 GRAPHICS)	\
	X("v3d_bin",	 GRAPHICS)	\
	X("v3d_render",	 GRAPHICS)	\
	X("gp",		 GRAPHICS)	\
	X("pp",		 GRAPHICS)	\
	X("comp",	 COMPUTE)	\
	X("ccs",	 COMPUTE)	\
	X("v3d_csd",	 COMPUTE)	\
	X("sdma",	 COPY)		\
	X("copy",	 COPY)		\
	X("bcs",	 COPY)		\
	X("uvd_enc",	 VIDEO_ENCODE)	\
	X("vce",	 VIDEO_ENCODE)	\
	X("vcn_enc",	 VIDEO_ENCODE)	\
	X("uvd",	 VIDEO_DECODE)	\
	X("vcn_dec",	 VIDEO_DECODE)	\
	X("vcn_unified", VIDEO_DECODE)	\
	X("jpeg_dec",	 VIDEO_DECODE)	\
	X("vcs",	 VIDEO_DECODE)

/* Rings that are priorities of one hardware ring: X(driver, name, name of the hardware ring). */
#define GRTRACE_SHARED_RINGS(X)					\
	X("amdgpu", "gfx_low",	"gfx")	/* amdgpu_ring_mux.c */	\
	X("amdgpu", "gfx_high", "gfx")

/*
 * Drivers whose fences stand for work on a GPU, by the driver name of these fences: X(driver).
 * Fences of displays, of user space and of the scheduler do not.
 */
#define GRTRACE_FENCE_DRIVERS(X)	\
	X("amdgpu")			\
	X("etnaviv")			\
	X("i915")			\
	X("lima")			\
	X("msm")			\
	X("nouveau")			\
	X("panfrost")			\
	X("qxl")			\
	X("radeon")			\
	X("v3d")			\
	X("vc4")			\
	X("virtio_gpu")			\
	X("vmwgfx")			\
	X("xe")

/*
 * Drivers that queue their jobs themselves, without the DRM scheduler: X(driver).  So no source sees
 * what such a job waited for.  (i915_request.c, radeon_cs.c and virtgpu_vq.c use no drm_sched_entity.)
 */
#define GRTRACE_OWN_QUEUE_DRIVERS(X)	\
	X("i915")			\
	X("radeon")			\
	X("virtio_gpu")

/*
 * Drivers that pass several jobs of a context to the hardware at once, and report the END of the last one
 * only: X(driver).  A context runs its jobs in order, so the others were over by then.  (i915: process_csb()
 * calls execlists_schedule_out() for the request in a port, the last of its context, 6.1 to 7.2; before 5.4,
 * each of them comes in, and only the last goes out.)
 */
#define GRTRACE_COALESCING_DRIVERS(X)	\
	X("i915")

/*
 * Drivers whose run_job() gives the scheduler no fence for jobs that do run: X(driver).  So such a job looks over
 * at once, and nobody tells when it is.  (xe_guc_submit.c, 6.8 to 6.12: guc_exec_queue_run_job() returns NULL for
 * the jobs of a long-running VM.)
 */
#define GRTRACE_FENCELESS_DRIVERS(X)	\
	X("xe")

/*
 * How the DRM scheduler's rings of a driver are named, where no other driver names its rings so: X(start,
 * driver).  A number follows.  (xe_hw_engine.c: xe_hw_engine_class_to_str().)
 */
#define GRTRACE_SCHED_NAMES(X)		\
	X("rcs",  "xe")			\
	X("ccs",  "xe")			\
	X("bcs",  "xe")			\
	X("vcs",  "xe")			\
	X("vecs", "xe")

/*
 * How names of interrupt handlers of GPUs begin, Linux 6.1 to 7.2: X(start).  amdgpu_irq.c,
 * radeon_irq_kms.c, i915_irq.c and xe_irq.c pass the driver's name; nvkm/subdev/pci/base.c;
 * panfrost_{job,mmu,gpu}.c; panthor_device.h; v3d_irq.c.  The queues of a virtio GPU are named as those
 * of other devices are, and lima's units have common names: they are not here.
 */
#define GRTRACE_IRQ_NAMES(X)		\
	X("amdgpu")			\
	X("i915")			\
	X("nvkm")			\
	X("panfrost-")			\
	X("panthor-")			\
	X("radeon")			\
	X("v3d_")			\
	X("xe")

#endif /* _UAPI_LINUX_GRTRACE_RINGS_H */
