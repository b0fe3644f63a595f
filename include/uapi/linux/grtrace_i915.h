/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What every source must know of i915: the module, BPF programs and importers.  From Linux 6.1 to
 * 7.2, drivers/gpu/drm/i915.
 */
#ifndef _UAPI_LINUX_GRTRACE_I915_H
#define _UAPI_LINUX_GRTRACE_I915_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif
#include <linux/grtrace.h>

/* Flag of i915_vma_bind and i915_gem_evict (i915_gem_gtt.h). */
#define GRTRACE_I915_PIN_MAPPABLE	(1u << 3)

/* Domains that a FAULT names (include/uapi/drm/i915_drm.h). */
#define GRTRACE_I915_DOMAIN_CPU		0x1
#define GRTRACE_I915_DOMAIN_GTT		0x40

/* Engines by I915_ENGINE_CLASS_* of i915_drm.h: X(number, start of the engine's name, ENGINE). */
#define GRTRACE_I915_CLASSES(X)		\
	X(0, "rcs",  GRAPHICS)		\
	X(1, "bcs",  COPY)		\
	X(2, "vcs",  VIDEO_DECODE)	\
	X(3, "vecs", OTHER)		\
	X(4, "ccs",  COMPUTE)

/*
 * The contexts on an engine with execlists (gt/intel_execlists_submission.c).  The engine runs
 * the request in port 0, and then the one in port 1.  A preempting request comes in before the
 * preempted one is out.  0 = none, or not known.  With GuC, no request is ever out, so no
 * switch is found.
 */
struct grtrace_i915_engine {
	__u64 left;			/* the context that was active before */
	__u64 active;
	__u64 waiting, waiting_seqno;	/* in port 0 next */
	__u64 second, second_seqno;	/* in port 1 */
	__u64 was_preempted;		/* left was not complete */
};

struct grtrace_i915_switch {
	__u64 from_ctx, ctx, seqno;
	__u16 flags;
};

static inline int grtrace_i915_turn(struct grtrace_i915_engine *e, __u64 ctx, __u64 seqno,
				    struct grtrace_i915_switch *to)
{
	int is_switch = ctx && e->left && ctx != e->left;

	e->active = ctx;
	to->from_ctx = e->left;
	to->ctx = ctx;
	to->seqno = seqno;
	to->flags = e->was_preempted ? GRTRACE_F_PREEMPTED : 0;
	return is_switch;
}

/* Request (@ctx, @seqno) comes in.  True: the engine switches to it, as @to says. */
static inline int grtrace_i915_in(struct grtrace_i915_engine *e, __u64 ctx, __u64 seqno, __u32 port,
				  struct grtrace_i915_switch *to)
{
	if (!e->active)
		return grtrace_i915_turn(e, ctx, seqno, to);
	if (port) {
		e->second = ctx;
		e->second_seqno = seqno;
	} else {
		e->waiting = ctx;
		e->waiting_seqno = seqno;
		e->second = 0;
	}
	return 0;
}

/* A request of @ctx goes out.  True: the engine switches to another context, as @to says. */
static inline int grtrace_i915_out(struct grtrace_i915_engine *e, __u64 ctx, int is_completed,
				   struct grtrace_i915_switch *to)
{
	__u64 next, seqno;

	if (ctx != e->active) {
		if (ctx == e->waiting)
			e->waiting = 0;
		else if (ctx == e->second)
			e->second = 0;
		return 0;
	}
	e->left = ctx;
	e->was_preempted = !is_completed;
	if (e->waiting) {
		next = e->waiting;
		seqno = e->waiting_seqno;
		e->waiting = 0;
	} else {
		next = e->second;
		seqno = e->second_seqno;
		e->second = 0;
	}
	return grtrace_i915_turn(e, next, seqno, to);
}

#endif /* _UAPI_LINUX_GRTRACE_I915_H */
