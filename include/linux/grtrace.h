/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace's kernel API: GPU drivers, and adapters that watch drivers, call it to
 * write the events of jobs into the trace.
 *
 * Every grtrace_<event>() below is safe in any context but NMI, with interrupts
 * on or off; it never sleeps, allocates or fails.  An event that cannot be kept is
 * counted under its fate.  If computing the arguments is expensive, check
 * grtrace_enabled() first.
 *
 * (ctx, seqno) identifies a job: the fence context and sequence number of its
 * finished fence, unique per boot.  @ring is a row of the ring registry, 0 if the
 * caller does not know it.  @flags are GRTRACE_F_* of the wire format.
 */
#ifndef _LINUX_GRTRACE_H
#define _LINUX_GRTRACE_H

#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct device;
struct module;
struct tracepoint;

#define GRTRACE_NO_RING		0
#define GRTRACE_NO_OFFSET	0xffff

/**
 * struct grtrace_job_info - the data of SUBMIT and COMMIT
 * @ctx:	 fence context of the job's finished fence
 * @seqno:	 sequence number of that fence
 * @client_id:	 DRM client, 0 = not known; SUBMIT only
 * @ring:	 row of the ring registry
 * @credits:	 credits the job takes on the ring
 * @hw_credits:	 credits in use on the ring; COMMIT includes the job's own
 * @queue_depth: other jobs queued in the job's entity
 * @flags:	 GRTRACE_F_*
 * @is_endless:	 neither END nor COMPLETE will follow, so the job is not tracked: it would stay in
 *		 the table of jobs.  SUBMIT only
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
	bool is_endless;
};

/**
 * struct grtrace_irq_info - the data of IRQ; members that a driver lacks are 0
 * @ctx:	 fence context of the job that it is about, 0 = not known
 * @seqno:	 sequence number of that fence
 * @gpu_stamp:	 time stamp by the GPU, in ticks of its own clock
 * @ring:	 row of the ring registry
 * @irq:	 number of the interrupt; Linux's own with the flag HANDLER
 * @pci_address: see GRTRACE_PCI_ADDRESS
 * @ih:		 interrupt handler ring of amdgpu
 * @client:	 block of the GPU that raised it
 * @source:	 source within that block
 * @irq_ring:	 the driver's number of the ring
 * @vmid:	 GPU address space
 * @pasid:	 process address space id
 * @data:	 words that come with it
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_irq_info {
	u64 ctx;
	u64 seqno;
	u64 gpu_stamp;
	u32 ring;
	u32 irq;
	u32 pci_address;
	u32 ih;
	u32 client;
	u32 source;
	u32 irq_ring;
	u32 vmid;
	u32 pasid;
	u32 data[4];
	u16 flags;
};

/**
 * struct grtrace_memory_info - the data of MEMORY; members that a driver lacks are 0
 * @object:	 address of the object; the trace gets a number made of it, and never the address
 * @vm:		 address of the address space; likewise
 * @bytes:	 size of the object, or of what the operation is about
 * @offset_bytes: where in the object, or for BIND in the address space
 * @op:		 operation
 * @from_domain: the driver's domain that the object leaves
 * @to_domain:	 the driver's domain that it enters
 * @preferred_domains: CREATE: the driver's mask of domains that it should be in
 * @allowed_domains: CREATE: those that it may be in
 * @pci_address: see GRTRACE_PCI_ADDRESS
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_memory_info {
	const void *object;
	const void *vm;
	u64 bytes;
	u64 offset_bytes;
	enum grtrace_memory_op op;
	u32 from_domain;
	u32 to_domain;
	u32 preferred_domains;
	u32 allowed_domains;
	u32 pci_address;
	u16 flags;
};

/**
 * struct grtrace_vblank_info - the data of VBLANK; members that a driver lacks are 0
 * @client:	 address that stands for the client; the trace gets a number made of it
 * @vblank_ns:	 CLOCK_MONOTONIC at the start of the blank
 * @crtc:	 display pipe
 * @frame:	 the pipe's count of frames
 * @pci_address: see GRTRACE_PCI_ADDRESS
 * @flags:	 GRTRACE_F_*
 */
struct grtrace_vblank_info {
	const void *client;
	u64 vblank_ns;
	u32 crtc;
	u32 frame;
	u32 pci_address;
	u16 flags;
};

/**
 * struct grtrace_ring_desc - the description of a ring
 * @name:	  the driver's name of the ring, such as "gfx_0.0.0"
 * @device:	  dev_name() of the GPU
 * @driver:	  dev_driver_string() of the GPU
 * @hw_name:	  rings of one device with the same @hw_name share one hardware
 *		  ring; NULL = the ring shares none
 * @engine:	  engine class
 * @order:	  the order in which the ring runs committed jobs
 * @credit_limit: most credits in use at a time, 0 = not known
 * @pci_id:	  PCI vendor << 16 | device of the GPU, 0 = none
 * @gpu_name:	  name of the GPU by its driver or firmware, NULL = none
 *
 * grtrace copies the strings and cuts them to the lengths in struct grtrace_ring.
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
 *	    tracepoint of that name in the kernel image is used, too.
 * @names:  the tracepoint's names in different kernels; the first that exists is used
 * @fn:	    the probe, void (*)(void *data, <arguments of TP_PROTO>); @data is NULL
 * @field:  a field of the tracepoint's event, if not all kernels have the last argument of @fn: the
 *	    kernel passes it if the event has the field.  Otherwise NULL
 * @fn_without: with @field: the probe for kernels without that argument
 * @features: the adapter's features that a stream has only if the tracepoint, or the kprobe in its
 *	    place, exists when the session starts
 * @tp:	    set by grtrace: the tracepoint while it exists
 * @owner:  set by grtrace: the module of @tp, NULL = the kernel
 * @attached: set by grtrace: the probe that is attached, NULL = none
 */
struct grtrace_probe {
	const char *module;
	const char *names[3];
	void *fn;
	const char *field;
	void *fn_without;
	u64 features;
	struct tracepoint *tp;
	struct module *owner;
	void *attached;
};

/**
 * struct grtrace_kprobe - a kprobe on a function that may have no tracepoint
 * @module:	module of the function, even if that module is built in; NULL = the kernel
 * @krp:	the adapter sets kp.symbol_name, and kp.pre_handler to see the calls of the
 *		function; or handler, entry_handler and the like to see its returns.  A handler
 *		may run in any context, with interrupts off, and also just before the session
 *		begins: it checks grtrace_enabled() before it writes an event
 * @features:	the adapter's features that a stream has only if this kprobe is attached
 *		when the session starts
 * @is_attached: set by grtrace
 *
 * It stands in for the tracepoint that has the function's name: it is not attached if one of the
 * adapter's probes has found that tracepoint.
 *
 * If the kernel refuses the kprobe, its events are missing, and metadata says so.
 */
struct grtrace_kprobe {
	const char *module;
	struct kretprobe krp;
	u64 features;
	bool is_attached;
};

/**
 * struct grtrace_field - a member of a driver's private struct
 * @name:   "struct.member", as in the driver's type information (BTF)
 * @bytes:  size of the member: 1, 2, 4 or 8
 * @offset: set by grtrace: offset of the member, GRTRACE_NO_OFFSET = not known
 *
 * No header tells where such a member is, so the command grtrace looks it up in the type
 * information of the loaded driver and writes it to the control file offsets.  Until then, and
 * without type information, the events lack what the member tells.  Read it with
 * grtrace_field_read().
 */
struct grtrace_field {
	const char *name;
	u16 bytes;
	u16 offset;
};

/* A row of a table of fields. */
#define GRTRACE_FIELD(NAME, BYTES) { .name = (NAME), .bytes = (BYTES), .offset = GRTRACE_NO_OFFSET }

/**
 * enum grtrace_jobs - the jobs that an adapter records
 * @GRTRACE_JOBS_OWN: jobs that no other adapter sees, or none at all
 * @GRTRACE_JOBS_OF_DRIVER: jobs of one driver, through that driver's own tracepoints
 * @GRTRACE_JOBS_OF_SCHEDULER: jobs of all drivers that use the DRM scheduler
 *
 * Each job has one owner.  While an adapter of the scheduler runs, those of drivers are
 * duplicates: see @is_duplicate of struct grtrace_adapter.
 */
enum grtrace_jobs {
	GRTRACE_JOBS_OWN,
	GRTRACE_JOBS_OF_DRIVER,
	GRTRACE_JOBS_OF_SCHEDULER,
};

/**
 * struct grtrace_adapter - a module that turns a driver's tracepoints into events
 * @name:	 one word, shown in metadata
 * @owner:	 THIS_MODULE; held while a session runs
 * @probes:	 its probes, attached only while a session runs
 * @nr_probes:	 number of @probes
 * @begin:	 called before the probes are attached; may sleep; may be NULL
 * @end:	 called when the probes are detached and none runs; may sleep; may be NULL
 * @kprobes:	 its kprobes, attached only while a session runs
 * @nr_kprobes:	 number of @kprobes
 * @features:	 feature bits (1 << GRTRACE_FEATURE_*) that it adds to a stream
 * @driver:	 module of the driver that it is for; its probes are attached only while that
 *		 driver is there.  NULL = no particular one
 * @fields:	 members of @driver's private structs
 * @nr_fields:	 number of @fields
 * @jobs:	 the jobs that it records
 * @notes_ibs:	 it calls grtrace_note_ibs()
 * @target_gone: @driver, or the module of one of its probes, is unloaded: drop every pointer
 *		 into it; may sleep; may be NULL; may be called twice
 * @describe:	 writes lines "name=value" for metadata, at most @room bytes, and returns
 *		 their length; may be NULL
 * @link:	 set by grtrace
 * @is_running:	 set by grtrace: between @begin and @end
 * @is_duplicate: set by grtrace before @begin, and constant while its probes are attached: another
 *		 adapter records the jobs of this one's driver.  Then this one calls
 *		 grtrace_count_duplicate() instead of writing an event of a job
 * @driver_changes: set by grtrace: how often @driver was loaded or unloaded
 * @has_driver:	 set by grtrace: @driver is loaded or built in
 */
struct grtrace_adapter {
	const char *name;
	struct module *owner;
	struct grtrace_probe *probes;
	unsigned int nr_probes;
	struct grtrace_kprobe *kprobes;
	unsigned int nr_kprobes;
	u64 features;
	const char *driver;
	struct grtrace_field *fields;
	unsigned int nr_fields;
	enum grtrace_jobs jobs;
	bool notes_ibs;
	void (*begin)(void);
	void (*end)(void);
	void (*target_gone)(struct module *target);
	size_t (*describe)(char *to, size_t room);
	struct list_head link;
	bool is_running;
	bool is_duplicate;
	bool has_driver;
	u64 driver_changes;
};

/* A built-in driver cannot call a module: then grtrace is off for that driver. */
#if IS_REACHABLE(CONFIG_GRTRACE) || defined(GRTRACE_OUT_OF_TREE)

DECLARE_STATIC_KEY_FALSE(grtrace_running);

/* Does a session run?  It costs one patched jump.  Any context. */
static inline bool grtrace_enabled(void)
{
	return static_branch_unlikely(&grtrace_running);
}

DECLARE_STATIC_KEY_FALSE(grtrace_masked);

/* Bit N: events of type N are refused.  Valid only while grtrace_masked is on. */
extern u32 grtrace_refused_types;
/* Counts an event for which grtrace_is_refused() is true. */
void __grtrace_refuse(u16 type, u16 size);

/*
 * Does the type mask refuse an event of TYPE, whose record is a struct st?  Then the event
 * is counted here, and the caller must not write it.  Call it before collecting the data of
 * an event.  It costs a patched jump while no mask is set.  Context as for the events.
 */
#define grtrace_is_refused(TYPE, st)						\
	(static_branch_unlikely(&grtrace_masked) &&				\
	 unlikely(READ_ONCE(grtrace_refused_types) & 1u << (TYPE)) &&		\
	 (__grtrace_refuse(TYPE, sizeof(struct st)), true))

/*
 * Counts an event of a job that another adapter records, see @is_duplicate of struct
 * grtrace_adapter; it is not written.  @type: GRTRACE_SUBMIT or the like.  Context as for events.
 */
void grtrace_count_duplicate(u16 type);
/*
 * The adapter of the scheduler records an ERROR TIMEOUT of job (@ctx, @seqno), of which the job's
 * driver may tell, too.  Context as for events.
 */
void grtrace_note_timeout(u64 ctx, u64 seqno);
/* The driver tells of it.  True: it is recorded, so this is a duplicate.  Context as for events. */
bool grtrace_take_timeout(u64 ctx, u64 seqno);

/* User work enters the kernel's queue.  Call it in the context of the submitting thread. */
void grtrace_submit(const struct grtrace_job_info *job);
/*
 * The same, by a driver that knows more.  @num_ibs: indirect buffers (lists of commands) of the
 * job, @command: the driver's number of the command; 0 = not known.
 */
void grtrace_submit_detailed(const struct grtrace_job_info *job, u32 num_ibs, u32 command);
/*
 * Job (@ctx, @seqno), whose SUBMIT another adapter will write next in this thread, has @num_ibs
 * indirect buffers.  Context as for events.
 */
void grtrace_note_ibs(u64 ctx, u64 seqno, u32 num_ibs);
/* The kernel hands the job to a hardware ring. */
void grtrace_commit(const struct grtrace_job_info *job);
/* The hardware begins the job.  Only for drivers that know it; readers infer it otherwise. */
void grtrace_start(u32 ring, u64 ctx, u64 seqno, u16 flags);
/*
 * The hardware is done with the job.  @status: 0 or a negative errno.  @hw_done_ns:
 * CLOCK_MONOTONIC when the hardware fence was signalled, 0 = not known.
 */
void grtrace_end(u32 ring, u64 ctx, u64 seqno, s32 status, u64 hw_done_ns,
		 u16 flags);
/* Waiters can see the job's end and its final @status (0 or a negative errno). */
void grtrace_complete(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags);
/*
 * Job (@ctx, @seqno) of @ring depends on fence (@dep_ctx, @dep_seqno).  @flags: those
 * of DECLARED POPPED BLOCKED PIPELINED SELF SIGNALED FOREIGN that are known to apply.
 */
void grtrace_dependency(u32 ring, u64 ctx, u64 seqno, u64 dep_ctx,
			u64 dep_seqno, u16 flags);
/*
 * A fence is signalled that belongs to no job, and that a dependency named.
 * @signaled_ns: CLOCK_MONOTONIC if that was earlier, 0 = now.
 */
void grtrace_fence_signaled(u64 ctx, u64 seqno, s32 status, u64 signaled_ns, u16 flags);
/* @ring switches from context @from_ctx (0 = not known) to job (@ctx, @seqno). */
void grtrace_ctx_switch(u32 ring, u64 from_ctx, u64 ctx, u64 seqno, u32 vmid,
			u16 flags);
/* The GPU interrupts a CPU. */
void grtrace_irq(const struct grtrace_irq_info *irq);
/* A wait for fence (@ctx, @seqno) begins: current waits (CPU_WAIT), or the job (GPU_WAIT). */
void grtrace_sync_wait_enter(u32 ring, u64 ctx, u64 seqno, u16 flags);
/* That wait ends with @status: 0 or a negative errno. */
void grtrace_sync_wait_exit(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags);
/*
 * An error of job (@ctx, @seqno), or of the whole @ring if @ctx is 0.  @status as above.
 * @driver_code: the driver's or device's own number of it, 0 = none.
 */
void grtrace_error(u32 ring, u64 ctx, u64 seqno, enum grtrace_error_code code,
		   s32 status, u32 driver_code, u16 flags);
/* GPU memory is created, moved, bound or the like, because of current. */
void grtrace_memory(const struct grtrace_memory_info *memory);
/* A display begins a vertical blank.  QUEUED: current asks to be told.  DELIVERED: it is told. */
void grtrace_vblank(const struct grtrace_vblank_info *vblank);
/*
 * The clock of the engines or memory is @value Hz from now on, or @gauge shows @value: microwatts,
 * or thousandths of a degree Celsius.  @ring: GRTRACE_NO_RING for the whole GPU.
 */
void grtrace_frequency(enum grtrace_gauge gauge, s64 value, u32 ring, u32 pci_address, u16 flags);
/*
 * This CPU switches from thread @prev_tid, whose state is @prev_state (0 = runnable), to thread
 * @next_tid.  @flags: PREV_FOLLOWED, NEXT_FOLLOWED.  This and grtrace_cpu_wake() may be called
 * under locks of the CPU scheduler.
 */
void grtrace_cpu_switch(u32 prev_tid, u32 next_tid, u32 prev_state, u16 flags);
/* Thread @tid becomes runnable, and has joined the run queue of @target_cpu. */
void grtrace_cpu_wake(u32 tid, u32 target_cpu, u16 flags);
/* A thread, current, marks this moment with a text of @bytes, at most GRTRACE_MARK_MAX. */
void grtrace_mark(const char *text, u16 bytes);

/*
 * Registers a ring for as long as its driver wants.  Returns its row, or GRTRACE_NO_RING
 * if the registry is full.  grtrace copies @desc.  Any context but NMI.
 */
u32 grtrace_ring_register(const struct grtrace_ring_desc *desc);
/* Ends that; readers still find the row until the next session starts.  Any context but NMI. */
void grtrace_ring_unregister(u32 ring);

/*
 * Rings that an adapter finds through their jobs.  @owner is an address that stands for the
 * ring, such as that of a scheduler; grtrace never dereferences it.  @ctx is the fence context
 * of a job.  All u32 functions return the ring's number in this session, or GRTRACE_NO_RING.
 * Any context but NMI.
 *
 * At SUBMIT, call grtrace_ring_cached().  If it returns GRTRACE_NO_RING, (owner, ctx) is new.
 * Then try grtrace_ring_match_name(), but only if the adapter calls grtrace_ring_gone() for
 * every owner that goes away; then grtrace_ring_match_desc(); then grtrace_ring_learn(), unless
 * grtrace_ring_is_lost().
 */

/* The ring of a known (@owner, @ctx).  Lockless. */
u32 grtrace_ring_cached(const void *owner, u64 ctx);
/* The same for events after SUBMIT; falls back to grtrace_ring_of_owner().  Lockless. */
u32 grtrace_ring_find(const void *owner, u64 ctx);
/* The ring of @owner.  Slower, for rare events.  Lockless. */
u32 grtrace_ring_of_owner(const void *owner);
/* Adds @ctx to the ring of @owner, if that ring is named @name and is not gone.  Lockless. */
u32 grtrace_ring_match_name(const void *owner, u64 ctx, const char *name);
/* Adds @ctx to the ring of @owner, if its name and device are @desc's.  Takes a raw spinlock. */
u32 grtrace_ring_match_desc(const void *owner, u64 ctx, const struct grtrace_ring_desc *desc);
/* The same; else adds a new ring.  All members of @desc must be set, it is copied. */
u32 grtrace_ring_learn(const void *owner, u64 ctx,
		       const struct grtrace_ring_desc *desc);
/* True: the table is full and has no row of @owner.  The ring is counted as lost. */
bool grtrace_ring_is_lost(const void *owner);
/* The ring of @owner is about to be freed. */
void grtrace_ring_gone(const void *owner);
/* Fills engine, order and hw_name of @desc from its driver and name: see grtrace_rings.h. */
void grtrace_ring_classify(struct grtrace_ring_desc *desc);

/* As struct grtrace_ring has them. */
struct grtrace_gpu_names {
	char device[sizeof_field(struct grtrace_ring, device)];
	char driver[sizeof_field(struct grtrace_ring, driver)];
};

/*
 * About a GPU, whose device may be NULL, or any address that was read from memory: what cannot be
 * read is left out.  Any context but NMI.
 */

/* The names of the device and of its driver; "unknown" where there is none. */
void grtrace_gpu_describe(struct device *dev, struct grtrace_gpu_names *names);
/* The pci_id of a ring; 0 if the device is not on PCI. */
u32 grtrace_gpu_pci_id(struct device *dev);
/* See GRTRACE_PCI_ADDRESS; 0 if the device is not on PCI. */
u32 grtrace_gpu_pci_address(struct device *dev);
/* The same, faster, for a device that is surely there, such as that of a tracepoint's argument. */
u32 grtrace_device_pci_address(struct device *dev);

/*
 * Reads member @field of @object into @to, which has room for @field->bytes.  False: its offset is
 * not known, or no memory is there.  Any context.
 */
bool grtrace_field_read(const struct grtrace_field *field, const void *object, void *to);
/*
 * The number in member @field of @object, a u32; 0 if it is not known.  Faster; @object is an
 * argument of a tracepoint, not an address that was read somewhere.
 */
u32 grtrace_field_u32(const struct grtrace_field *field, const void *object);
/*
 * The number in member @field of @object, a u64; 0 if it is not known.  @object may be any address.
 */
u64 grtrace_field_u64(const struct grtrace_field *field, const void *object);
/*
 * The same, faster: @object is an argument of a tracepoint.  Its page can be read, even if the
 * offset is wrong.  Only a member on another page has to be read as from any address.
 */
static __always_inline u64 grtrace_field_near(const struct grtrace_field *field, const void *object)
{
	const void *at = object + READ_ONCE(field->offset);

	if (likely(((unsigned long)at ^ (unsigned long)object) < PAGE_SIZE))
		return *(const u64 *)at;
	return grtrace_field_u64(field, object);
}

/* The pointer in member @field of @object, which may be any address; NULL if it is not known. */
static inline void *grtrace_field_pointer(const struct grtrace_field *field, const void *object)
{
	return (void *)(unsigned long)grtrace_field_u64(field, object);
}

/*
 * Registers an adapter, which joins a running session.  An adapter of the scheduler joins only the
 * next one, if that of a driver records jobs in this one.  @adapter must live until it is
 * unregistered.  Sleeps.  Returns 0 or a negative errno.
 */
int grtrace_adapter_register(struct grtrace_adapter *adapter);
/*
 * Call it in the exit of the adapter's module.  No session runs then, because a session holds
 * a reference on the module.  Sleeps.
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
static inline void grtrace_irq(const struct grtrace_irq_info *irq) { }
static inline void grtrace_sync_wait_enter(u32 ring, u64 ctx, u64 seqno,
					   u16 flags) { }
static inline void grtrace_sync_wait_exit(u32 ring, u64 ctx, u64 seqno, s32 status,
					  u16 flags) { }
static inline void grtrace_error(u32 ring, u64 ctx, u64 seqno,
				 enum grtrace_error_code code, s32 status,
				 u32 driver_code, u16 flags) { }
static inline void grtrace_memory(const struct grtrace_memory_info *memory) { }
static inline void grtrace_vblank(const struct grtrace_vblank_info *vblank) { }
static inline void grtrace_frequency(enum grtrace_gauge gauge, s64 value, u32 ring,
				     u32 pci_address, u16 flags) { }
static inline void grtrace_cpu_switch(u32 prev_tid, u32 next_tid, u32 prev_state,
				      u16 flags) { }
static inline void grtrace_cpu_wake(u32 tid, u32 target_cpu, u16 flags) { }
static inline void grtrace_mark(const char *text, u16 bytes) { }
static inline u32 grtrace_ring_register(const struct grtrace_ring_desc *desc)
{
	return GRTRACE_NO_RING;
}

static inline void grtrace_ring_unregister(u32 ring) { }

#endif
#endif /* _LINUX_GRTRACE_H */
