/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace's kernel API: what a GPU driver, or an adapter that watches one,
 * calls to put the life of its jobs into the trace.
 *
 * Every grtrace_<event>() below: safe in any context but NMI, with interrupts
 * on or off; never sleeps, allocates or fails.  An event that cannot be kept is
 * counted under its fate.  A caller whose arguments cost something asks
 * grtrace_enabled() first.
 *
 * A job is named by (ctx, seqno): the fence context and sequence number of its
 * finished fence, unique per boot.  @ring is a row of the ring registry, 0 when
 * the caller cannot tell.  @flags are GRTRACE_F_* of the wire format.
 */
#ifndef _LINUX_GRTRACE_H
#define _LINUX_GRTRACE_H

#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct module;
struct tracepoint;

#define GRTRACE_NO_RING	0

/**
 * struct grtrace_job_info - what SUBMIT and COMMIT say of a job
 * @ctx:	 fence context of the job's finished fence
 * @seqno:	 its sequence number in that context
 * @client_id:	 DRM client, 0 = not known; SUBMIT only
 * @ring:	 row of the ring registry
 * @credits:	 credits the job takes on the ring
 * @hw_credits:	 credits in use on the ring; at COMMIT its own included
 * @queue_depth: jobs queued in the job's entity, itself not counted
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_job_info {
	u64 ctx;
	u64 seqno;
	u64 client_id;
	u32 ring;
	u32 credits;
	u32 hw_credits;
	u32 queue_depth;
	u16 flags;
};

/**
 * struct grtrace_ring_desc - how a ring introduces itself
 * @name:	  as the driver calls it, such as "gfx_0.0.0"
 * @device:	  dev_name() of the GPU
 * @driver:	  dev_driver_string() of the GPU
 * @hw_name:	  rings of one device with the same @hw_name share one hardware
 *		  ring; NULL = shares with nobody
 * @engine:	  engine class
 * @order:	  in which order it runs what was committed
 * @credit_limit: credits it takes, 0 = not known
 * @pci_id:	  PCI vendor << 16 | device of the GPU, 0 = none
 * @gpu_name:	  what its driver or firmware calls the GPU, NULL = nothing
 *
 * Strings are copied, and cut to the lengths of struct grtrace_ring.
 */
struct grtrace_ring_desc {
	const char *name;
	const char *device;
	const char *driver;
	const char *hw_name;
	enum grtrace_engine engine;
	enum grtrace_order order;
	u32 credit_limit;
	u32 pci_id;
	const char *gpu_name;
};

/**
 * struct grtrace_probe - one probe on one tracepoint, found by name
 * @module: module that defines the tracepoint, NULL = the kernel itself.  A
 *	    tracepoint of that name built into the kernel is taken too.
 * @names:  names it had in different kernels; the first that exists is taken
 * @fn:	    the probe, void (*)(void *data, <arguments of TP_PROTO>); @data is NULL
 * @tp:	    grtrace's: the tracepoint while it exists
 * @owner:  grtrace's: the module it lives in, NULL = the kernel
 * @is_attached: grtrace's
 */
struct grtrace_probe {
	const char *module;
	const char *names[3];
	void *fn;
	struct tracepoint *tp;
	struct module *owner;
	bool is_attached;
};

/**
 * struct grtrace_kprobe - a look at a function where no tracepoint is
 * @module:	module that has the function, or had it were it not built in
 * @kp:		its symbol_name and pre_handler, set by the adapter.  The handler may run
 *		in any context, with interrupts off, and a moment before the session begins:
 *		it asks grtrace_enabled() first
 * @features:	those of the adapter's that a stream has only if this is attached when the
 *		session starts
 * @is_attached: grtrace's
 *
 * Where the kernel refuses it the event is merely missing; metadata says so.
 */
struct grtrace_kprobe {
	const char *module;
	struct kprobe kp;
	u64 features;
	bool is_attached;
};

/**
 * struct grtrace_adapter - a module that turns a driver's tracepoints into events
 * @name:	 one word, shown in metadata
 * @owner:	 THIS_MODULE; held while a session runs
 * @probes:	 its probes, attached only while a session runs
 * @nr_probes:	 how many
 * @begin:	 before the probes are attached; may sleep; may be NULL
 * @end:	 after they are detached and none runs any more; may sleep; may be NULL
 * @kprobes:	 its kprobes, attached like its probes
 * @nr_kprobes: how many
 * @features:	 feature bits (1 << GRTRACE_FEATURE_*) that it adds to a stream
 * @target_gone: the module of one of its probes goes away: drop every pointer
 *		 into it; may sleep; may be NULL
 * @describe:	 lines "name=value" for metadata, returns their length; may be NULL
 * @link:	 grtrace's
 * @is_running:	 grtrace's: begun and not ended
 */
struct grtrace_adapter {
	const char *name;
	struct module *owner;
	struct grtrace_probe *probes;
	unsigned int nr_probes;
	struct grtrace_kprobe *kprobes;
	unsigned int nr_kprobes;
	u64 features;
	void (*begin)(void);
	void (*end)(void);
	void (*target_gone)(struct module *target);
	size_t (*describe)(char *to, size_t room);
	struct list_head link;
	bool is_running;
};

/* A driver that is built in cannot call a module: for it grtrace is off then. */
#if IS_REACHABLE(CONFIG_GRTRACE) || defined(GRTRACE_OUT_OF_TREE)

DECLARE_STATIC_KEY_FALSE(grtrace_running);

/* True while a session runs; a patched-out jump otherwise. */
static inline bool grtrace_enabled(void)
{
	return static_branch_unlikely(&grtrace_running);
}

DECLARE_STATIC_KEY_FALSE(grtrace_masked);

/* Bit N: no event of type N is wanted.  Look at it behind grtrace_masked. */
extern u32 grtrace_refused_types;
/* Counts an event that grtrace_is_refused(). */
void __grtrace_refuse(u16 type, u16 size);

/*
 * Is an event of TYPE, which would be a struct st, refused by the type mask?  Then it
 * is counted and over; asked first, an adapter need not find out what nobody wants to
 * know.  A patched-out jump while no mask is set.  Context as for the events.
 */
#define grtrace_is_refused(TYPE, st)						\
	(static_branch_unlikely(&grtrace_masked) &&				\
	 unlikely(READ_ONCE(grtrace_refused_types) & 1u << (TYPE)) &&		\
	 (__grtrace_refuse(TYPE, sizeof(struct st)), true))

/* User work enters the kernel's queue.  Call it in the submitter's context. */
void grtrace_submit(const struct grtrace_job_info *job);
/* The kernel hands the job to a hardware ring. */
void grtrace_commit(const struct grtrace_job_info *job);
/* The hardware begins the job.  Only where the driver knows; never inferred. */
void grtrace_start(u32 ring, u64 ctx, u64 seqno, u16 flags);
/*
 * The hardware is done.  @status: 0 or a negative errno.  @hw_done_ns: monotonic
 * time at which the hardware fence was signalled, 0 = not known.
 */
void grtrace_end(u32 ring, u64 ctx, u64 seqno, s32 status, u64 hw_done_ns,
		 u16 flags);
/* Waiters can see the job's end and its final @status (0 or a negative errno). */
void grtrace_complete(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags);
/*
 * Job (@ctx, @seqno) of @ring depends on fence (@dep_ctx, @dep_seqno).  @flags:
 * which of DECLARED POPPED BLOCKED PIPELINED SELF SIGNALED FOREIGN is known.
 */
void grtrace_dependency(u32 ring, u64 ctx, u64 seqno, u64 dep_ctx,
			u64 dep_seqno, u16 flags);
/*
 * A fence that a dependency named, and that is no job, is signalled.  @signaled_ns:
 * monotonic time of it where it is over already, 0 = now.
 */
void grtrace_fence_signaled(u64 ctx, u64 seqno, s32 status, u64 signaled_ns, u16 flags);
/* @ring turns from context @from_ctx (0 = not known) to job (@ctx, @seqno). */
void grtrace_ctx_switch(u32 ring, u64 from_ctx, u64 ctx, u64 seqno, u32 vmid,
			u16 flags);
/* The GPU interrupts; @irq is the driver's number of the source. */
void grtrace_irq(u32 ring, u64 ctx, u64 seqno, u32 irq, u16 flags);
/* current (CPU_WAIT) or the job itself (GPU_WAIT) begins to wait for a fence. */
void grtrace_sync_wait_enter(u32 ring, u64 ctx, u64 seqno, u16 flags);
/* That wait ends with @status: 0 or a negative errno. */
void grtrace_sync_wait_exit(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags);
/* Something went wrong with a job, or with the whole @ring when @ctx is 0. */
void grtrace_error(u32 ring, u64 ctx, u64 seqno, enum grtrace_error_code code,
		   s32 status, u16 flags);
/*
 * This CPU turns from thread @prev_tid, which leaves in @prev_state (0: it could run on),
 * to @next_tid.  @flags: of which thread all switches are told.  Also under locks of the
 * CPU scheduler, as is the next.
 */
void grtrace_cpu_switch(u32 prev_tid, u32 next_tid, u32 prev_state, u16 flags);
/* A thread may run again, and joined the queue of @target_cpu. */
void grtrace_cpu_wake(u32 tid, u32 target_cpu, u16 flags);

/*
 * A ring that lives as long as its driver says.  Returns its row, or
 * GRTRACE_NO_RING when the registry is full.  Any context but NMI.
 */
u32 grtrace_ring_register(const struct grtrace_ring_desc *desc);
/* It goes; its row stays readable until the next session starts.  Any context but NMI. */
void grtrace_ring_unregister(u32 ring);

/*
 * Rings that an adapter meets with their work.  @owner stands for the ring: an address that
 * is never followed, such as that of a scheduler.  @ctx is the fence context of the work.
 * All return the ring's number in this session, or GRTRACE_NO_RING.  Any context but NMI.
 *
 * grtrace_ring_met() is for a SUBMIT.  Where it knows no ring, (owner, ctx) may be new, and the
 * adapter goes on: grtrace_ring_still() if it tells grtrace_ring_gone() of each owner that
 * goes, else grtrace_ring_again(); then grtrace_ring_learn(), unless grtrace_ring_is_lost().
 */
u32 grtrace_ring_met(const void *owner, u64 ctx);
/* The ring of work that was submitted before.  Lockless, as met and of. */
u32 grtrace_ring_find(const void *owner, u64 ctx);
/* The ring of @owner, for whatever context: slower, for what is rare. */
u32 grtrace_ring_of(const void *owner);
/* @ctx is new.  The ring of @owner, if that has one, called @name, that is not gone.  Lockless. */
u32 grtrace_ring_still(const void *owner, u64 ctx, const char *name);
/* @ctx is new.  The ring of @owner, if that has @desc's name and device.  A raw spinlock. */
u32 grtrace_ring_again(const void *owner, u64 ctx, const struct grtrace_ring_desc *desc);
/* Likewise, and if @owner has no such ring, this is a new one.  @desc is whole. */
u32 grtrace_ring_learn(const void *owner, u64 ctx,
		       const struct grtrace_ring_desc *desc);
/* Would grtrace_ring_learn() be in vain, because the table is full? */
bool grtrace_ring_is_lost(const void *owner);
/* The ring of @owner is about to go. */
void grtrace_ring_gone(const void *owner);

/*
 * An adapter comes, and joins a session that runs.  It must live until it is
 * unregistered.  Sleeps.  0 or a negative errno.
 */
int grtrace_adapter_register(struct grtrace_adapter *adapter);
/*
 * It goes, in its module's exit: a session holds a reference on the module, so none
 * runs then.  Sleeps.
 */
void grtrace_adapter_unregister(struct grtrace_adapter *adapter);

#else /* grtrace is off: calls compile to nothing */

static inline bool grtrace_enabled(void) { return false; }
#define grtrace_is_refused(TYPE, st) false
static inline void grtrace_submit(const struct grtrace_job_info *job) { }
static inline void grtrace_commit(const struct grtrace_job_info *job) { }
static inline void grtrace_start(u32 ring, u64 ctx, u64 seqno, u16 flags) { }
static inline void grtrace_end(u32 ring, u64 ctx, u64 seqno, s32 status,
			       u64 hw_done_ns, u16 flags) { }
static inline void grtrace_complete(u32 ring, u64 ctx, u64 seqno, s32 status,
				    u16 flags) { }
static inline void grtrace_dependency(u32 ring, u64 ctx, u64 seqno, u64 dep_ctx,
				      u64 dep_seqno, u16 flags) { }
static inline void grtrace_fence_signaled(u64 ctx, u64 seqno, s32 status,
					  u64 signaled_ns, u16 flags) { }
static inline void grtrace_ctx_switch(u32 ring, u64 from_ctx, u64 ctx, u64 seqno,
				      u32 vmid, u16 flags) { }
static inline void grtrace_irq(u32 ring, u64 ctx, u64 seqno, u32 irq, u16 flags) { }
static inline void grtrace_sync_wait_enter(u32 ring, u64 ctx, u64 seqno,
					   u16 flags) { }
static inline void grtrace_sync_wait_exit(u32 ring, u64 ctx, u64 seqno, s32 status,
					  u16 flags) { }
static inline void grtrace_error(u32 ring, u64 ctx, u64 seqno,
				 enum grtrace_error_code code, s32 status,
				 u16 flags) { }
static inline void grtrace_cpu_switch(u32 prev_tid, u32 next_tid, u32 prev_state,
				      u16 flags) { }
static inline void grtrace_cpu_wake(u32 tid, u32 target_cpu, u16 flags) { }
static inline u32 grtrace_ring_register(const struct grtrace_ring_desc *desc)
{
	return GRTRACE_NO_RING;
}

static inline void grtrace_ring_unregister(u32 ring) { }

#endif
#endif /* _LINUX_GRTRACE_H */
