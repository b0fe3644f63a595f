/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files of import. */
#ifndef GRT_IMPORT_PRIVATE_H
#define GRT_IMPORT_PRIVATE_H

#include <linux/grtrace_i915.h>

#include "advice.h"
#include "ctxs.h"
#include "foreign.h"
#include "globals.h"
#include "join.h"
#include "kinds.h"
#include "merged.h"
#include "out.h"
#include "out_procs.h"
#include "out_rings.h"
#include "reader.h"
#include "keyrows.h"

/* What events are evidence of: X(NAME).  Counted in the first pass, used in the second. */
#define GRT_FACTS(X)	\
	X(SCHED)	/* jobs, from the scheduler */ \
	X(SUBMIT) \
	X(DRIVER)	/* jobs, from drivers; maybe the same jobs */ \
	X(END)		\
	X(COMPLETE)	\
	X(OVER)		/* the end of jobs or fences, from any event */ \
	X(DEPENDENCY)	\
	X(ADD)		/* i915: requests are added */ \
	X(MSM_SUBMIT)	\
	X(GUC)		/* i915: GuC gets requests, so they do not start when they come in */ \
	X(I915_WAIT)	/* i915: waits for requests */ \
	X(I915_THERE)	/* i915: requests come to the hardware */ \
	X(I915_OUT)	/* i915: requests leave the hardware */ \
	X(I915_NOTIFY)	/* i915: engines tell how far they have come */ \
	X(VIRTIO_FENCE)	/* fences of commands are signalled */ \
	X(TIMEOUT)	/* timeouts, from the scheduler */ \
	X(EMIT)		/* GPU fences are passed to the hardware */

enum grt_fact {
#define GRT_X(NAME) GRT_FACT_##NAME,
	GRT_FACTS(GRT_X)
#undef GRT_X
	GRT_NR_FACTS
};

/* Fences that jobs wait for and that belong to no job; a later one may take a place, which a warning says. */
#define GRT_FOREIGN_TAGS	1024

/* What only a translation of events that are being recorded knows. */
struct grt_live_facts {
	bool has_exact_deps;		/* dependencies tell the state of their fence */
	bool has_errors;		/* errors of fences come as events before their end */
	bool errors_pipeline;		/* even failed jobs let jobs of their ring go on */
	uint64_t kernel_priority;	/* of entities of the kernel; UINT64_MAX: not known */
	uint32_t credits;		/* of a job whose event has none */
	uint64_t finished_ops, scheduled_ops;	/* addresses, 0: not seen yet */
	uint64_t foreign_tags[GRT_FOREIGN_TAGS];
	bool foreign_over[GRT_FOREIGN_TAGS];	/* that fence is signalled */
};

/* Commands of virtio-gpu.  A later one may take a place. */
#define GRT_VIRTIO_FENCES	1024

/* QEMU's virtio GPU: the command that it handles, whose fence comes behind it. */
struct grt_qemu {
	uint64_t began_ns;	/* 0: no command, or its fence came */
	uint64_t client;	/* the guest's context of the command, 0: none */
	uint64_t last_id;	/* of a fence; a lower one: the guest or its device began anew */
	uint64_t resets;
};

/* A job's key, and where it comes from. */
struct grt_key {
	uint64_t ctx, seqno;
	uint32_t ring;		/* 0: not known */
	bool is_inferred;	/* inferred from addresses and the order of jobs */
	bool is_minted;		/* made up: no fence has this context */
	bool is_kernel;		/* the kernel's own job */
	bool is_late;		/* its SUBMIT was earlier than the event */
	bool ends_late;		/* the driver may notice late that it is over */
	bool may_lack_submit;	/* its source tells no SUBMIT of the kernel's jobs */
};

/* Commands without a number. */
struct grt_virtio_queue {
	uint64_t queued, answered;
};

struct grt_virtio {
	uint32_t device;	/* number of the first one + 1 */
	bool has_more_devices;
	struct grt_virtio_fence {
		uint64_t ctx;	/* 0: not known, because the trace shows no emitted fences */
		uint64_t id;
		bool is_signaled;
		struct grt_key command;
	} fences[GRT_VIRTIO_FENCES];
	struct grt_keyrows queues;	/* struct grt_virtio_queue */
};

struct grt_amdgpu_ring {
	uint32_t vmid;
	uint64_t ctx;			/* of the job before */
	bool is_grabbed;		/* the next job has got an address space */
};

struct grt_sched_ring {
	uint32_t tid, cpu;		/* the thread that handed over its latest job */
	bool ends_elsewhere;		/* a job ended in another thread than that */
};

struct grt_import {
	struct grt_live_facts *live;	/* not owned; NULL: a file, read in two passes */
	struct grt_out out;
	struct grt_ctxs ctxs;
	struct grt_join join;
	struct grt_merged merged;	/* of a timeline */
	struct grt_out_rings rings;
	struct grt_out_procs procs;
	struct grt_map objects;		/* address of an object of the kernel -> its number */
	struct grt_keyrows engines;	/* struct grtrace_i915_engine */
	struct grt_globals globals;	/* of i915's requests */
	struct grt_virtio virtio;
	struct grt_qemu qemu;
	struct grt_keyrows amdgpu_rings;	/* struct grt_amdgpu_ring */
	struct grt_keyrows sched_rings;	/* struct grt_sched_ring */
	struct grt_keymap ibs;		/* lower half of ctx, and seqno, of a job -> its indirect buffers, until its SUBMIT */
	struct grt_keymap timeouts;	/* (ctx, seqno) of jobs whose timeout the scheduler told of */
	struct grt_map handlers;	/* thread -> the scheduler whose timeout it handles now, 0: none */
	uint32_t page_bytes;		/* of the machine; 0: not known */
	bool is_learning;		/* the first pass, which writes nothing */
	bool keeps_marks;
	uint64_t facts[GRT_NR_FACTS];	/* counted in the first pass */
	uint64_t fits[GRT_MAX_KINDS];	/* events of text by kind, from the first pass */
	uint64_t unfit[GRT_MAX_KINDS];	/* the same: those whose text has another form */
	struct grt_advice advice;	/* from the first pass */
	uint32_t kind_types[GRT_MAX_KINDS];	/* types of records by kind of event, likewise */
	uint32_t module_types;		/* those that events of grtrace's module become, likewise */
	uint64_t told_by_module;	/* events left out, because the module's tell the same */
	uint64_t seen;			/* events read */
	uint64_t foreign;		/* of these, those of no known kind */
	uint64_t kept;			/* of these, those that gave a record */
	uint64_t gpu;			/* of these, those of GPUs */
	uint64_t late;			/* out of order on their CPU */
	uint64_t unjoined;		/* lack a key, and none was found */
	uint64_t unused;		/* not about a job, or only names and keys */
	uint64_t unreadable;		/* lines, or records with an impossible CPU */
	uint64_t inferred_keys;		/* jobs with keys from addresses */
};

/* While events are recorded, there is no pass that learns. */
static inline bool grt_learns(const struct grt_import *im)
{
	return im->is_learning || im->live;
}

static inline void grt_note(struct grt_import *im, enum grt_fact fact)
{
	if (im->is_learning)
		im->facts[fact]++;
}

/* Most events of other tracers say that something is over, but not how it ended. */
#define GRT_NO_STATUS	INT32_MIN

static inline int32_t grt_status_of(const struct grt_foreign *ev)
{
	return grt_foreign_has(ev, GRT_IN_STATUS) ? (int32_t)ev->number[GRT_IN_STATUS] : GRT_NO_STATUS;
}

/* events.c: makes records of interpreted events */
void grt_import_free_tables(struct grt_import *im);
void grt_put_submit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key);
void grt_put_commit(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key);
void grt_put_start(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		   uint64_t ts, unsigned int flags);
void grt_put_end(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		 int32_t status, unsigned int flags);
void grt_put_complete(struct grt_import *im, const struct grt_foreign *ev,
		      const struct grt_key *key, int32_t status, unsigned int flags);
void grt_put_dependency(struct grt_import *im, const struct grt_foreign *ev,
			const struct grt_key *key, unsigned int flags);
/* A thread begins to wait for a job, or ends that; its status is not known unless @flags tell. */
void grt_put_wait(struct grt_import *im, const struct grt_foreign *ev, const struct grt_key *key,
		  unsigned int type, unsigned int flags);
void grt_put_mark(struct grt_import *im, const struct grt_foreign *ev, struct grt_piece text);

/* A dependency whose flags are known. */
void grt_put_dependency_as(struct grt_import *im, const struct grt_foreign *ev,
			   const struct grt_key *key, uint64_t dep_ctx, unsigned int flags);

/* The job of a dependency that is named by ring and number; NULL, and counted, if unknown. */
const struct grt_joined *grt_job_of_id(struct grt_import *im, const struct grt_foreign *ev);
struct grt_key grt_key_of_job(const struct grt_joined *job);

/* Puts FENCE_SIGNALED if a dependency told the state of this fence, and was not signalled. */
void grt_foreign_ends(struct grt_import *im, const struct grt_foreign *ev, int32_t status);

/* Notes that a job waits for this fence; puts FENCE_SIGNALED if it is signalled already. */
void grt_await_foreign(struct grt_import *im, const struct grt_foreign *ev);

/*
 * The functions of a fence say whose it is: learns those of the scheduler's fences from an event of
 * a job.
 */
void grt_learn_ops(struct grt_import *im, const struct grt_foreign *ev);

/* Puts COMPLETE if this fence is that of a command of virtio-gpu; else returns false. */
bool grt_virtio_signaled(struct grt_import *im, const struct grt_foreign *ev, int32_t status);

/* Whether the scheduler's own events describe the same jobs as a driver's, and better. */
static inline bool grt_has_scheduler(const struct grt_import *im)
{
	return im->facts[GRT_FACT_SCHED];
}

/* The SUBMIT of this job is still to come, and lacks the number of indirect buffers. */
void grt_note_ibs(struct grt_import *im, const struct grt_key *key, uint32_t num_ibs);

/* An event of memory, from the slots that it fills; NULL: it is not kept. */
struct grtrace_memory *grt_put_memory(struct grt_import *im, const struct grt_foreign *ev,
				      enum grtrace_memory_op op, unsigned int flags);

/* An event in a record has the field @slot, and one in a text has the @word. */
bool grt_foreign_says(const struct grt_foreign *ev, enum grt_slot_nr slot, uint64_t mask, const char *word);

/* An error of the job in @ev, or of a whole ring.  @sched: of the ring, 0 = not known. */
void grt_put_error(struct grt_import *im, const struct grt_foreign *ev, uint64_t sched, bool has_job,
		   uint32_t code, int32_t status);

/* Notes that the timeout of this job is recorded: its driver may tell of it, too. */
void grt_note_timeout(struct grt_import *im, const struct grt_foreign *ev);
/*
 * Whether the scheduler's event of this timeout is in the trace, too.  One that names no job is left out if
 * there are such events at all.
 */
bool grt_is_timeout_known(struct grt_import *im, const struct grt_foreign *ev);

/* Notes that the driver of @sched handles a timeout now, in the thread of @ev. */
void grt_note_handler(struct grt_import *im, const struct grt_foreign *ev, uint64_t sched);
/* @sched is stopped or started: such an event tells how the timeout was handled. */
void grt_forget_handler(struct grt_import *im, uint64_t sched);
/* The scheduler whose timeout the thread of @ev has handled; 0: none, or an event told that already. */
uint64_t grt_take_handler(struct grt_import *im, const struct grt_foreign *ev);

/* Notes that the fences of a context belong to jobs. */
void grt_note_job(struct grt_import *im, uint64_t ctx);

/* Notes that a fence, and so every earlier one of its context, is signalled. */
void grt_note_signaled(struct grt_ctx_row *row, uint64_t seqno);

/* Whether an interrupt told before that this request of i915 is over. */
bool grt_is_notified(const struct grt_import *im, const struct grt_ctx_row *row, uint64_t seqno);

/* Whether a thread of the kernel was current. */
bool grt_is_kernel_thread(const struct grt_foreign *ev);

/* The ring in the slots of @ev, 0 if there is none. */
uint32_t grt_ring_of(struct grt_import *im, const struct grt_foreign *ev);

/* The key in the slots of @ev. */
struct grt_key grt_key_of(struct grt_import *im, const struct grt_foreign *ev);

/* events_driver.c */

/* The ring that the driver of the card in @ev calls @name. */
uint32_t grt_card_ring(struct grt_import *im, const struct grt_foreign *ev, const char *driver,
		       const char *name);

/* A key for jobs that have a number within their ring, but no context. */
struct grt_key grt_ring_key(struct grt_import *im, uint32_t ring, uint64_t seqno);

/* events_*.c: one function per kind of event, used by kinds.c */
grt_event_fn grt_on_sched_submit, grt_on_sched_commit, grt_on_sched_end;
grt_event_fn grt_on_wait_dep, grt_on_add_dep, grt_on_unschedulable;
grt_event_fn grt_on_fence_init, grt_on_fence_emit, grt_on_fence_signaled;
grt_event_fn grt_on_fence_wait_start, grt_on_fence_wait_end;
grt_event_fn grt_on_amdgpu_cs, grt_on_amdgpu_run, grt_on_amdgpu_grab_id;
grt_event_fn grt_on_amdgpu_iv, grt_on_amdgpu_bo_create, grt_on_amdgpu_bo_move;
grt_event_fn grt_on_i915_add, grt_on_i915_queue, grt_on_i915_execute;
grt_event_fn grt_on_i915_in, grt_on_i915_out, grt_on_i915_retire, grt_on_i915_guc_submit;
grt_event_fn grt_on_i915_wait_begin, grt_on_i915_wait_end, grt_on_i915_notify;
grt_event_fn grt_on_i915_create, grt_on_i915_destroy, grt_on_i915_pwrite, grt_on_i915_pread;
grt_event_fn grt_on_i915_fault, grt_on_i915_bind, grt_on_i915_unbind, grt_on_i915_shrink;
grt_event_fn grt_on_i915_evict;
grt_event_fn grt_on_xe_timeout, grt_on_xe_ban, grt_on_xe_enable, grt_on_xe_disable;
grt_event_fn grt_on_xe_reset, grt_on_xe_cat_error, grt_on_xe_create, grt_on_xe_move;
grt_event_fn grt_on_xe_fault, grt_on_xe_bind, grt_on_xe_unbind;
grt_event_fn grt_on_virtio_queue, grt_on_virtio_response;
grt_event_fn grt_on_qemu_command, grt_on_qemu_fence, grt_on_qemu_done;
grt_event_fn grt_on_msm_submit, grt_on_msm_flush, grt_on_msm_retired;
grt_event_fn grt_on_v3d_submit, grt_on_v3d_irq;
grt_event_fn grt_on_switch, grt_on_wakeup, grt_on_vblank, grt_on_frequency;
grt_event_fn grt_on_vblank_queued, grt_on_vblank_delivered, grt_on_irq_handler;
grt_event_fn grt_on_print;
grt_event_fn grt_on_user_mark;
grt_event_fn grt_on_module, grt_on_clock_sync;

/* Whether it is an event of grtrace's own module; others may have its name. */
static inline bool grt_is_module_kind(const struct grt_event_kind *kind)
{
	return kind->handle == grt_on_module || kind->handle == grt_on_clock_sync;
}
grt_event_fn grt_on_job_depend, grt_on_job_declare, grt_on_job_block;
grt_event_fn grt_on_fence_end, grt_on_fence_error;
grt_event_fn grt_on_ring_timeout, grt_on_ring_reset, grt_on_ring_recovered, grt_on_ring_handled;

#endif /* GRT_IMPORT_PRIVATE_H */
