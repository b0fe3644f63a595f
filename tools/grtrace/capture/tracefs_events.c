// SPDX-License-Identifier: GPL-2.0
#include "tracefs_events.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>

#include "error.h"
#include "machine.h"
#include "symbols.h"
#include "tracefs_place.h"
#include "tracefs_probe.h"
#include "translate.h"
#include "types.h"

#define MOST_ARGS	2048

/* What events are for.  Of several rows with one purpose, the first that works is used. */
enum purpose {
	SUBMIT, COMMIT, END, POPPED, DECLARED, BLOCKED, COMPLETE, FENCE_ERROR,
	TIMEOUT, HANDLED, RESET, RECOVERED, MARK,
	XE_TIMEOUT, XE_BAN, XE_ENABLE, XE_DISABLE, XE_RESET, XE_CAT_ERROR, XE_CREATE, XE_MOVE, XE_FAULT,
	XE_BIND, XE_UNBIND, NR_EXCLUSIVE, OTHER,
};

/*
 * How an event comes to us:
 *	EVENT	as the kernel has it
 *	TPROBE	a probe of the tracepoint with its arguments (6.12 or newer)
 *	EPROBE	a probe of the event with its fields (5.15 or newer)
 *	KPROBE	a probe of a function
 *	RETURN	a probe of a function's return
 */
enum form { EVENT, TPROBE, EPROBE, KPROBE, RETURN };

struct row {
	enum purpose purpose;
	enum form form;
	const char *system, *event;	/* of the kernel; KPROBE, RETURN: no system, and a function */
	const char *name;		/* of the probe: one that lib/import/kinds.c has */
	const char *args;		/* see tracefs_probe.h */
};

/*
 * Members of the scheduler's fence of a job: from the job, from that fence itself, and from the
 * part of it that events name.
 */
#define OF_JOB(member)	"{drm_sched_fence." member "}({drm_sched_job.s_fence}($arg1))"
#define OF_SELF(member)	"{drm_sched_fence." member "}($arg1)"
#define OF_PART(member)	"{drm_sched_fence." member "-drm_sched_fence.finished}($fence)"

#define KEY(of)		"ctx=" of("finished.context") ":u64 seqno=" of("finished.seqno") ":u64 "
/* Needs no types of the scheduler. */
#define PART_KEY	"ctx={dma_fence.context}($fence):u64 seqno={dma_fence.seqno}($fence):u64 "

#define DEVICE(sched)	"{drm_gpu_scheduler.dev}(" sched ")"
#define NAMES(sched)	"device=+0({device.kobj.name}(" DEVICE(sched) ")):string " \
			"driver=+0({device_driver.name}({device.driver}(" DEVICE(sched) "))):string "
#define RING(sched)	"ring=+0({drm_gpu_scheduler.name}(" sched ")):string "
#define SCHED(of)	"sched=" of("sched") ":u64 "
#define LOAD(of)	"hw_credits={drm_gpu_scheduler.credit_count|drm_gpu_scheduler.hw_rq_count}(" \
			of("sched") "):u32 "
#define OPS(of)		"ops=" of("finished.ops") ":u64 sched_ops=" of("scheduled.ops") ":u64 "
#define SUBMIT_ARGS(of)	SCHED(of) NAMES(of("sched")) LOAD(of) OPS(of) \
			"limit={drm_gpu_scheduler.credit_limit|" \
			"drm_gpu_scheduler.hw_submission_limit}(" of("sched") "):u32 " \
			"client=" of("drm_client_id") ":u64 "
#define COMMIT_ARGS(of)	SCHED(of) LOAD(of) OPS(of)
/* The hardware's fence; what is read through an address that is none is any number. */
#define END_ARGS(of)	SCHED(of) "parent=" of("parent") ":u64 " \
			"parent_err={dma_fence.error}(" of("parent") "):s32 " \
			"stamped={dma_fence.flags}(" of("parent") "):" BIT("TIMESTAMP_BIT") " " \
			"stamp={dma_fence.timestamp}(" of("parent") "):s64"
#define JOB_ARGS	"credits={drm_sched_job.credits}($arg1):u32 " \
			"queued={drm_sched_entity.job_queue.job_count}($arg2):u32 " \
			"priority={drm_sched_entity.priority}($arg2):u32"
#define EVENT_ARGS	"id=$id:u64 queued=$job_count:u32 " \
			"priority={drm_sched_entity.priority}($entity):u32"

#define BIT(name)	"b1@{=dma_fence_flag_bits.DMA_FENCE_FLAG_" name "}/64"

/* The fence of a dependency, by its address. */
#define DEP_KEY(fence)	"dep_ctx={dma_fence.context}(" fence "):u64 " \
			"dep_seqno={dma_fence.seqno}(" fence "):u64 "
#define DEP_STATE(fence) "dep_err={dma_fence.error}(" fence "):s32 dep_ops={dma_fence.ops}(" fence "):u64 " \
			"dep_done={dma_fence.flags}(" fence "):" BIT("SIGNALED_BIT") " " \
			"stamped={dma_fence.flags}(" fence "):" BIT("TIMESTAMP_BIT") " " \
			"stamp={dma_fence.timestamp}(" fence "):s64 " \
			"dep_alone={dma_fence.flags}(" fence "):" BIT("USER_BITS") " " \
			"dep_done2={drm_sched_fence.scheduled.flags-drm_sched_fence.finished}(" \
			fence "):" BIT("SIGNALED_BIT") " " \
			"dep_sched={drm_sched_fence.sched-drm_sched_fence.finished}(" fence "):u64 " \
			"dep_sched2={drm_sched_fence.sched-drm_sched_fence.scheduled}(" fence "):u64"
#define DEPEND_ARGS	KEY(OF_JOB) DEP_KEY("$arg2") \
			"sched={drm_sched_job.sched}($arg1):u64 " OPS(OF_JOB) DEP_STATE("$arg2")

#define FENCE_ARGS	"ctx={dma_fence.context}($arg1):u64 seqno={dma_fence.seqno}($arg1):u64 " \
			"status={dma_fence.error}($arg1):s32 ops={dma_fence.ops}($arg1):u64"

/* The return address, where a function begins. */
#ifdef __aarch64__
#define CALLER		"%x30"
#else
#define CALLER		"$stack0"
#endif

/* The first job that is pending, from the timer of the scheduler. */
#define TIMED_OUT	"{drm_gpu_scheduler.pending_list-drm_gpu_scheduler.work_tdr}($arg1)"
#define FROM_LIST(member) "{drm_sched_job." member "-drm_sched_job.list}(" TIMED_OUT ")"
/* A job that may be none: then its members are any numbers. */
#define GUILTY(member)	"{drm_sched_fence.finished." member "}({drm_sched_job.s_fence}($arg2)):u64 "

/*
 * Events of xe name no context and, but for xe_bo_move, no object.  A queue's scheduler and entity are in
 * GuC's half of it.
 */
#define XE_GUC		"{xe_exec_queue.guc}($arg1)"
#define XE_QUEUE_ARGS	"ctx={xe_guc_exec_queue.entity.fence_context}(" XE_GUC "):u64 guc=" XE_GUC ":u64 " \
			"sched_at=\\{xe_guc_exec_queue.sched.base}:u64"
#define XE_JOB_ARGS	KEY(OF_JOB) "sched={drm_sched_job.sched}($arg1):u64"
#define XE_BO_ARGS	"object=$arg1:u64 bytes={xe_bo.ttm.base.size}($arg1):u64 "
#define XE_VMA_ARGS	"offset={xe_vma.gpuva.va.addr}($arg1):u64 bytes={xe_vma.gpuva.va.range}($arg1):u64 " \
			"object={xe_vma.gpuva.gem.obj}($arg1):u64 vm={xe_vma.gpuva.vm}($arg1):u64"

#define GPU		"gpu_scheduler"
#define MARKER		"tracing_mark_write"	/* the function behind trace_marker */

#define KERNEL(purpose, system, event)	{ purpose, EVENT, system, event, NULL, NULL }
#define PROBE(purpose, form, system, event, name, args) \
	{ purpose, form, system, event, name, args }

static const struct row rows[] = {
	PROBE(SUBMIT, TPROBE, GPU, "drm_sched_job_queue", "submit",
	  KEY(OF_JOB) RING(OF_JOB("sched")) SUBMIT_ARGS(OF_JOB) JOB_ARGS),
	PROBE(SUBMIT, TPROBE, GPU, "drm_sched_job", "submit",
	  KEY(OF_JOB) RING(OF_JOB("sched")) SUBMIT_ARGS(OF_JOB) JOB_ARGS),
	PROBE(SUBMIT, EPROBE, GPU, "drm_sched_job", "submit",
	  PART_KEY "ring=$name:string " SUBMIT_ARGS(OF_PART) EVENT_ARGS),
	KERNEL(SUBMIT, GPU, "drm_sched_job_queue"),
	KERNEL(SUBMIT, GPU, "drm_sched_job"),

	PROBE(COMMIT, TPROBE, GPU, "drm_sched_job_run", "commit",
	  KEY(OF_JOB) COMMIT_ARGS(OF_JOB) JOB_ARGS),
	PROBE(COMMIT, TPROBE, GPU, "drm_run_job", "commit",
	  KEY(OF_JOB) COMMIT_ARGS(OF_JOB) JOB_ARGS),
	PROBE(COMMIT, EPROBE, GPU, "drm_run_job", "commit",
	  PART_KEY COMMIT_ARGS(OF_PART) EVENT_ARGS),
	KERNEL(COMMIT, GPU, "drm_sched_job_run"),
	KERNEL(COMMIT, GPU, "drm_run_job"),

	PROBE(END, TPROBE, GPU, "drm_sched_job_done", "end",
	  KEY(OF_SELF) "status=" OF_SELF("finished.error") ":s32 " END_ARGS(OF_SELF)),
	PROBE(END, TPROBE, GPU, "drm_sched_process_job", "end",
	  KEY(OF_SELF) "status=" OF_SELF("finished.error") ":s32 " END_ARGS(OF_SELF)),
	PROBE(END, EPROBE, GPU, "drm_sched_process_job", "end",
	  PART_KEY "status={dma_fence.error}($fence):s32 " END_ARGS(OF_PART)),
	KERNEL(END, GPU, "drm_sched_job_done"),
	KERNEL(END, GPU, "drm_sched_process_job"),

	PROBE(POPPED, TPROBE, GPU, "drm_sched_job_wait_dep", "job_depend", DEPEND_ARGS),
	PROBE(POPPED, EPROBE, GPU, "drm_sched_job_wait_dep", "job_depend",
	  "ring=$name:string id=$id:u64 " DEP_KEY("$fence") DEP_STATE("$fence")),
	KERNEL(POPPED, GPU, "drm_sched_job_wait_dep"),
	PROBE(DECLARED, TPROBE, GPU, "drm_sched_job_add_dep", "job_declare", DEPEND_ARGS),
	KERNEL(DECLARED, GPU, "drm_sched_job_add_dep"),
	PROBE(BLOCKED, TPROBE, GPU, "drm_sched_job_unschedulable", "job_block", DEPEND_ARGS),
	KERNEL(BLOCKED, GPU, "drm_sched_job_unschedulable"),

	PROBE(COMPLETE, TPROBE, "dma_fence", "dma_fence_signaled", "fence_end", FENCE_ARGS),
	KERNEL(COMPLETE, "dma_fence", "dma_fence_signaled"),
	/* Only used with the event, which tells no error. */
	PROBE(FENCE_ERROR, KPROBE, NULL, "dma_fence_signal_timestamp_locked", "fence_error",
	  FENCE_ARGS),

	PROBE(TIMEOUT, KPROBE, NULL, "drm_sched_job_timedout", "ring_timeout",
	  "work=$arg1:u64 work_at=\\{drm_gpu_scheduler.work_tdr}:u64 "
	  "ctx={drm_sched_fence.finished.context}(" FROM_LIST("s_fence") "):u64 "
	  "seqno={drm_sched_fence.finished.seqno}(" FROM_LIST("s_fence") "):u64 "
	  "sched=" FROM_LIST("sched") ":u64"),
	PROBE(HANDLED, RETURN, NULL, "drm_sched_job_timedout", "ring_handled", ""),
	PROBE(RESET, KPROBE, NULL, "drm_sched_stop", "ring_reset",
	  "sched=$arg1:u64 job=$arg2:u64 ctx=" GUILTY("context") "seqno=" GUILTY("seqno")),
	PROBE(RECOVERED, KPROBE, NULL, "drm_sched_start", "ring_recovered", "sched=$arg1:u64"),

	/* How tracing_mark_write() reads a text; it cannot be probed itself. */
	PROBE(MARK, KPROBE, NULL, "copy_from_user_nofault", "user_mark",
	  "mark=+0($arg2):ustring bytes=$arg3:u64 from=" CALLER ":u64"),

	PROBE(XE_TIMEOUT, TPROBE, "xe", "xe_sched_job_timedout", "xe_timeout", XE_JOB_ARGS),
	KERNEL(XE_TIMEOUT, "xe", "xe_sched_job_timedout"),
	PROBE(XE_BAN, TPROBE, "xe", "xe_sched_job_ban", "xe_ban", XE_JOB_ARGS),
	KERNEL(XE_BAN, "xe", "xe_sched_job_ban"),
	PROBE(XE_ENABLE, TPROBE, "xe", "xe_exec_queue_scheduling_enable", "xe_enable", XE_QUEUE_ARGS),
	PROBE(XE_DISABLE, TPROBE, "xe", "xe_exec_queue_scheduling_disable", "xe_disable", XE_QUEUE_ARGS),
	PROBE(XE_RESET, TPROBE, "xe", "xe_exec_queue_reset", "xe_reset", XE_QUEUE_ARGS),
	KERNEL(XE_RESET, "xe", "xe_exec_queue_reset"),
	PROBE(XE_CAT_ERROR, TPROBE, "xe", "xe_exec_queue_memory_cat_error", "xe_cat_error", XE_QUEUE_ARGS),
	KERNEL(XE_CAT_ERROR, "xe", "xe_exec_queue_memory_cat_error"),
	PROBE(XE_CREATE, TPROBE, "xe", "xe_bo_create", "xe_create", XE_BO_ARGS),
	KERNEL(XE_CREATE, "xe", "xe_bo_create"),
	PROBE(XE_MOVE, TPROBE, "xe", "xe_bo_move", "xe_move", XE_BO_ARGS "to=$arg2:u32 from=$arg3:u32 lacks=$arg4:u8"),
	KERNEL(XE_MOVE, "xe", "xe_bo_move"),
	PROBE(XE_FAULT, TPROBE, "xe", "xe_bo_cpu_fault", "xe_fault", XE_BO_ARGS),
	KERNEL(XE_FAULT, "xe", "xe_bo_cpu_fault"),
	PROBE(XE_BIND, TPROBE, "xe", "xe_vma_bind", "xe_bind", XE_VMA_ARGS),
	KERNEL(XE_BIND, "xe", "xe_vma_bind"),
	PROBE(XE_UNBIND, TPROBE, "xe", "xe_vma_unbind", "xe_unbind", XE_VMA_ARGS),
	KERNEL(XE_UNBIND, "xe", "xe_vma_unbind"),

	/* Without keys: the fences of a job are created just before its event. */
	KERNEL(OTHER, "dma_fence", "dma_fence_init"),
	KERNEL(OTHER, "dma_fence", "dma_fence_wait_start"),
	KERNEL(OTHER, "dma_fence", "dma_fence_wait_end"),
	KERNEL(OTHER, "amdgpu", "amdgpu_cs_ioctl"),
	KERNEL(OTHER, "amdgpu", "amdgpu_sched_run_job"),
	KERNEL(OTHER, "amdgpu", "amdgpu_vm_grab_id"),
	KERNEL(OTHER, "amdgpu", "amdgpu_iv"),
	KERNEL(OTHER, "amdgpu", "amdgpu_bo_create"),
	KERNEL(OTHER, "amdgpu", "amdgpu_bo_move"),
	KERNEL(OTHER, "i915", "i915_request_queue"),
	KERNEL(OTHER, "i915", "i915_request_add"),
	KERNEL(OTHER, "i915", "i915_request_execute"),
	KERNEL(OTHER, "i915", "i915_request_in"),
	KERNEL(OTHER, "i915", "i915_request_out"),
	KERNEL(OTHER, "i915", "i915_request_retire"),
	KERNEL(OTHER, "i915", "i915_request_guc_submit"),
	KERNEL(OTHER, "i915", "i915_request_wait_begin"),
	KERNEL(OTHER, "i915", "i915_request_wait_end"),
	KERNEL(OTHER, "i915", "i915_gem_object_create"),
	KERNEL(OTHER, "i915", "i915_gem_object_destroy"),
	KERNEL(OTHER, "i915", "i915_gem_object_pwrite"),
	KERNEL(OTHER, "i915", "i915_gem_object_pread"),
	KERNEL(OTHER, "i915", "i915_gem_object_fault"),
	KERNEL(OTHER, "i915", "i915_vma_bind"),
	KERNEL(OTHER, "i915", "i915_vma_unbind"),
	KERNEL(OTHER, "i915", "i915_gem_shrink"),
	KERNEL(OTHER, "i915", "i915_gem_evict"),
	KERNEL(OTHER, "i915", "intel_gpu_freq_change"),
	KERNEL(OTHER, "virtio_gpu", "virtio_gpu_cmd_queue"),
	/* The fence of a command, just before it is queued. */
	KERNEL(OTHER, "dma_fence", "dma_fence_emit"),
	KERNEL(OTHER, "virtio_gpu", "virtio_gpu_cmd_response"),
	KERNEL(OTHER, "drm_msm_gpu", "msm_gpu_freq_change"),
	KERNEL(OTHER, "drm", "drm_vblank_event"),
	KERNEL(OTHER, "drm", "drm_vblank_event_queued"),
	KERNEL(OTHER, "drm", "drm_vblank_event_delivered"),
	KERNEL(OTHER, "task", "task_newtask"),
	KERNEL(OTHER, "task", "task_rename"),
};

#define NR_ROWS	(sizeof(rows) / sizeof(*rows))

_Static_assert(NR_ROWS <= 128, "a bit of used per row");

static bool is_fence_init(const char *event)
{
	return !strcmp(event, "dma_fence_init");
}

/* nouveau has no events; its fences are jobs. */
static bool has_nouveau(void)
{
	return !access("/sys/module/nouveau", F_OK);
}

/* Events that show the keys of jobs where the scheduler's do not. */
static bool is_for_joining(const struct row *row)
{
	return row->purpose == OTHER && is_fence_init(row->event);
}

/* Only commands of virtio-gpu need to know which fence was emitted. */
static bool is_for_commands(const struct row *row)
{
	return row->purpose == OTHER && !strcmp(row->event, "dma_fence_emit");
}

/* Events that are jobs of drivers without a scheduler. */
static bool has_jobs(const struct row *row)
{
	return row->purpose == OTHER && (!strcmp(row->system, "i915") ||
					 !strcmp(row->system, "virtio_gpu") ||
					 (is_fence_init(row->event) && has_nouveau()));
}

static bool exists(const struct grt_tracefs_place *p, const char *system, const char *event)
{
	char file[160];
	int fd;

	snprintf(file, sizeof(file), "events/%s/%s/format", system, event);
	fd = grt_tracefs_open_file(p, file, O_RDONLY);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool define_probe(const struct grt_tracefs_place *p, const struct grt_types *types,
			 const struct row *row)
{
	static const char form_letter[] = { [TPROBE] = 't', [KPROBE] = 'p', [RETURN] = 'r' };
	char args[MOST_ARGS], line[MOST_ARGS + 256];
	int err;

	if (!grt_tracefs_probe_args(types, row->args, args, sizeof(args)))
		return false;
	if (row->form == EPROBE)
		snprintf(line, sizeof(line), "e:%s/%s %s.%s%s", p->group, row->name, row->system,
			 row->event, args);
	else
		snprintf(line, sizeof(line), "%c:%s/%s %s%s", form_letter[row->form],
			 p->group, row->name, row->event, args);
	err = grt_tracefs_define(p, line);
	if (err && getenv("GRTRACE_DEBUG"))
		fprintf(stderr, "refused (%s): %s\n", strerror(-err), line);
	return !err;
}

static int add_event(struct grt_tracefs_events *e, const char *system, const char *name)
{
	struct grt_tracefs_event event;

	snprintf(event.system, sizeof(event.system), "%s", system);
	snprintf(event.name, sizeof(event.name), "%s", name);
	return grt_vec_append(&e->enabled, &event, sizeof(event)) ? grt_fail_memory() : 0;
}

/* What is known with this event. */
static void note(struct grt_tracefs_events *e, const struct row *row, bool has_types)
{
	bool is_probe = row->form != EVENT;

	e->has_sched |= row->purpose == SUBMIT;
	e->has_keys |= row->purpose == SUBMIT && (is_probe || !strcmp(row->event, "drm_sched_job_queue"));
	e->has_dependencies |= row->purpose == POPPED || row->purpose == DECLARED;
	e->has_exact_deps |= is_probe && has_types && (row->purpose == POPPED || row->purpose == DECLARED);
	e->has_errors |= row->purpose == FENCE_ERROR;
	e->has_mark_probe |= row->purpose == MARK;
}

/* Whether the event of a row is of use with those that were chosen before. */
static bool is_wanted(const struct grt_tracefs_events *e, const struct row *row, uint32_t done)
{
	if (row->purpose < NR_EXCLUSIVE && done >> row->purpose & 1)
		return false;
	if (row->purpose == BLOCKED && !grt_capture_unschedulable_is_safe())
		return false;
	if (row->purpose >= TIMEOUT && row->purpose <= RECOVERED && !e->has_sched)
		return false;
	/* Without the job nobody knows whether its timeout is recorded already. */
	if (row->purpose == XE_TIMEOUT && row->form == EVENT && done >> TIMEOUT & 1)
		return false;
	if (row->purpose == MARK && (e->has_marks || !grt_capture_symbol(MARKER, NULL)))
		return false;
	return !is_for_joining(row) || (e->has_sched && !e->has_keys) ||
	       (is_fence_init(row->event) && has_nouveau());
}

/* From 6.16 on an instance can get a copy of each mark that is written at the top. */
static bool copies_marks(const struct grt_tracefs_place *p)
{
	int fd = grt_tracefs_open_own(p, "options/copy_trace_marker", O_WRONLY);
	bool is_done = fd >= 0 && write(fd, "1", 1) == 1;

	if (fd >= 0)
		close(fd);
	return is_done;
}

/* Whether probes of functions of a module that is loaded later will be possible. */
static bool can_probe(const struct grt_tracefs_place *p)
{
	char line[160];

	snprintf(line, sizeof(line), "p:%s/trial copy_from_user_nofault", p->group);
	if (grt_tracefs_define(p, line))
		return false;
	snprintf(line, sizeof(line), "-:%s/trial", p->group);
	return !grt_tracefs_define(p, line);
}

static bool has_system(const struct grt_tracefs_place *p, const char *system)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/events/%s", p->dir, system);
	return !access(path, F_OK);
}

/* Bits of the rows whose system is there.  Rows of a system are neighbours, mostly. */
static grt_tracefs_rows find_systems(const struct grt_tracefs_place *p)
{
	const char *last = "";
	bool is_there = false;
	grt_tracefs_rows there = 0;

	for (size_t i = 0; i < NR_ROWS; i++) {
		if (rows[i].system && strcmp(rows[i].system, last)) {
			last = rows[i].system;
			is_there = has_system(p, last);
		}
		if (rows[i].system && is_there)
			there |= (grt_tracefs_rows)1 << i;
	}
	return there;
}

bool grt_tracefs_events_are_more(const struct grt_tracefs_events *e, const struct grt_tracefs_place *p)
{
	return find_systems(p) & ~e->there;
}

static int use_row(struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
		   const struct grt_types *types, size_t i)
{
	const struct row *row = &rows[i];

	if (e->used >> i & 1 || !is_wanted(e, row, e->done) ||
	    (row->system && !exists(p, row->system, row->event)))
		return 0;
	if (is_for_commands(row) && !exists(p, "virtio_gpu", "virtio_gpu_cmd_queue"))
		return 0;
	if (row->form != EVENT && !define_probe(p, types, row))
		return 0;
	note(e, row, types->kernel);
	e->used |= (grt_tracefs_rows)1 << i;
	e->done |= 1u << row->purpose;
	/* A probe that reads the error is the event itself. */
	if (row->purpose == COMPLETE && row->form == TPROBE)
		e->done |= 1u << FENCE_ERROR;
	e->has_others |= has_jobs(row);
	return row->form == EVENT ? add_event(e, row->system, row->event) :
				    add_event(e, p->group, row->name);
}

int grt_tracefs_events_define(struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			      const struct grt_types *types)
{
	const uint32_t recovery = 1u << TIMEOUT | 1u << RESET | 1u << RECOVERED;
	int err = 0;

	if (!e->there) {
		e->has_marks = copies_marks(p);
		e->can_probe = can_probe(p);
	}
	e->there = find_systems(p);
	for (size_t i = 0; !err && i < NR_ROWS; i++)
		err = use_row(e, p, types, i);
	e->has_recovery = (e->done & recovery) == recovery;
	return err;
}

/* The names of threads, which no record has. */
static bool has_record(const struct row *row)
{
	return row->purpose != OTHER || strcmp(row->system, "task");
}

bool grt_tracefs_events_use(const struct grt_tracefs_events *e, const struct grt_tracefs_event *event)
{
	for (size_t i = 0; i < NR_ROWS; i++) {
		const struct row *row = &rows[i];

		if (!row->system || strcmp(row->system, event->system) || strcmp(row->event, event->name))
			continue;
		if (e->used >> i & 1 && has_record(row))
			return true;
		if (row->purpose == BLOCKED && !grt_capture_unschedulable_is_safe())
			return true;
	}
	return false;
}

void grt_tracefs_events_free(struct grt_tracefs_events *e)
{
	grt_vec_free(&e->enabled);
}

static const struct grt_tracefs_event *event_at(const struct grt_tracefs_events *e, size_t i)
{
	return grt_vec_at(&e->enabled, struct grt_tracefs_event, i);
}

static size_t count_events(const struct grt_tracefs_events *e)
{
	return grt_vec_count(&e->enabled, struct grt_tracefs_event);
}

int grt_tracefs_parse(const struct grt_tracefs_place *p, struct tep_handle *tep, const char *system,
		      const char *name)
{
	char file[192], *text;
	size_t bytes;
	int fd, err;

	snprintf(file, sizeof(file), "events/%s/%s/format", system, name);
	fd = grt_tracefs_open_file(p, file, O_RDONLY);
	text = grt_tracefs_read(fd, &bytes);
	if (!text)
		err = grt_fail_errno(NULL, "cannot read '%s/%s'", p->dir, file);
	else
		err = tep_parse_event(tep, text, bytes, system) ?
		      grt_fail(EBADMSG, NULL, "cannot parse '%s/%s'", p->dir, file) : 0;
	free(text);
	if (fd >= 0)
		close(fd);
	return err;
}

int grt_tracefs_events_parse(const struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			     struct tep_handle *tep)
{
	/* The probe sees what is written to the instance itself, too. */
	int err = e->has_mark_probe || e->ready ? 0 : grt_tracefs_parse(p, tep, "ftrace", "print");

	for (size_t i = e->ready; !err && i < count_events(e); i++)
		err = grt_tracefs_parse(p, tep, event_at(e, i)->system, event_at(e, i)->name);
	return err;
}

/*
 * Most fences have no error, and others than trace_marker copy from programs, too.  Fences of other drivers
 * are of use only for joining.
 */
static int set_filter(const struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
		      const struct grt_tracefs_event *event)
{
	char file[192], filter[96] = "status != 0";
	uint64_t from, to;

	if (!strcmp(event->name, "user_mark")) {
		from = grt_capture_symbol(MARKER, &to);
		snprintf(filter, sizeof(filter), "from >= 0x%" PRIx64 " && from < 0x%" PRIx64, from, to);
	} else if (is_fence_init(event->name) && !(e->has_sched && !e->has_keys)) {
		snprintf(filter, sizeof(filter), "driver == \"nouveau\"");
	} else if (strcmp(event->name, "fence_error")) {
		return 0;
	}
	snprintf(file, sizeof(file), "events/%s/%s/filter", event->system, event->name);
	return grt_tracefs_write_own(p, file, filter);
}

int grt_tracefs_events_enable(struct grt_tracefs_events *e, const struct grt_tracefs_place *p,
			      struct grt_translator *t)
{
	char file[192];
	int err = 0;

	for (; !err && e->ready < count_events(e); e->ready++) {
		const struct grt_tracefs_event *event = event_at(e, e->ready);

		snprintf(file, sizeof(file), "events/%s/%s/enable", event->system, event->name);
		err = set_filter(e, p, event);
		if (!err)
			err = grt_tracefs_write_own(p, file, "1");
		grt_translator_uses(t, event->name);
	}
	return err;
}
