// SPDX-License-Identifier: LGPL-2.1
/*
 * A trace.dat of version 6, for trace-cmd and KernelShark: "man 5 trace-cmd.dat.v6".
 *
 * libtracecmd cannot write it: its functions for output are in the library, but in no header of its
 * package, and they take formats from a tracing folder and the events of each CPU from a
 * file of its own.  trace-cmd reads version 6 in all its versions, and gpuvis reads no other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "formats.h"
#include "model.h"
#include "trace_dat_events.h"
#include "trace_dat_file.h"
#include "trace_dat_rings.h"
#include "trace_dat_tasks.h"

#define NR_LOW	32		/* types of events */
#define NR_SHAPES	(2 * NR_LOW)

/* A CPU of the machine. */
struct cpu {
	struct grt_dat_lane lane;
	uint32_t tid;			/* the thread on it, if is_known */
	bool is_known;
};

struct dat {
	bool is_done;			/* the file is written */
	struct grt_dat_scratch scratch;
	struct grt_vec cpus;		/* struct cpu *, owned, by number; NULL: it has no events */
	struct grt_dat_tasks tasks;
	struct grt_dat_rings rings;
	struct grt_dat_shape shapes[NR_SHAPES];	/* of events, then of definitions; type NULL: none */
	uint64_t now_ns;		/* of the latest event, or the beginning of the span */
	bool has_begun;			/* there was an event */
	/* The event that is being filled. */
	_Alignas(8) unsigned char event[GRT_DAT_MAX_EVENT];
};

/* The row of shapes for a type; NR_SHAPES: none. */
static unsigned int shape_nr(unsigned int type)
{
	if (type >= GRTRACE_STREAM_BASE)
		type += NR_LOW - GRTRACE_STREAM_BASE;
	return type < NR_SHAPES ? type : NR_SHAPES;
}

static int begin(struct grt_export *x)
{
	struct dat *d = calloc(1, sizeof(*d));

	if (!d)
		return grt_fail_memory();
	x->state = d;
	d->scratch.fd = -1;
	d->now_ns = x->from_ns;
	for (size_t i = 0; i < grt_nr_types; i++) {
		unsigned int nr = shape_nr(grt_types[i].number);

		if (nr < NR_SHAPES && !grt_dat_shape(&d->shapes[nr], &grt_types[i]))
			d->shapes[nr].type = NULL;
	}
	d->rings = (struct grt_dat_rings){
		.names = grt_model_names(x->model), .tasks = &d->tasks, .scratch = &d->scratch,
		.from_ns = x->from_ns,
	};
	if (grt_dat_rings_init(&d->rings))
		return -ENOMEM;
	return grt_dat_scratch_open(&d->scratch);
}

/* NULL without memory. */
static struct cpu *cpu_at(struct dat *d, uint32_t nr)
{
	static struct cpu *const none;
	struct cpu **to;

	if (grt_vec_reach(&d->cpus, nr, &none, sizeof(none))) {
		grt_fail_memory();
		return NULL;
	}
	to = grt_vec_at(&d->cpus, struct cpu *, nr);
	if (!*to)
		*to = calloc(1, sizeof(**to));
	if (!*to)
		grt_fail_memory();
	return *to;
}

/* --- records --- */

static bool is_name(const struct grtrace_hdr *rec)
{
	switch (rec->type) {
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_RING:
	case GRTRACE_PROCESS:
	case GRTRACE_STACK_TEXT:
	case GRTRACE_MACHINE:
	case GRTRACE_CGROUP:
		return true;
	default:
		return false;
	}
}

static int put(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec, size_t bytes)
{
	uint64_t ns = rec->ts;

	/*
	 * The first names come before the events that use them, whatever their time, and events of a CPU must
	 * not move behind them.  New ones come at their time.
	 */
	if (is_name(rec) && (!d->has_begun || ns < d->now_ns))
		ns = d->now_ns;
	else if (ns > d->now_ns)
		d->now_ns = ns;
	d->has_begun |= rec->type < GRTRACE_STREAM_BASE;

	return grt_dat_lane_put(&cpu->lane, &d->scratch, ns, d->event, bytes);
}

/* What the head of the file says of the recording. */
static int put_recording(struct dat *d, struct cpu *cpu, const struct grt_trace_info *info)
{
	struct grt_dat_recording ev = { .common = { .type = GRT_DAT_RECORDING, .pid = GRT_DAT_UNKNOWN_TASK } };
	bool is_cut = info->is_cut || (info->is_file && !info->is_complete);
	char text[sizeof(info->host) + sizeof(info->kernel) + sizeof(info->command) + 128];
	size_t bytes;

	snprintf(text, sizeof(text), "%s%shost=%s\nkernel=%s\nfocus_pid=%u\ncommand=%s", is_cut ? "is_cut=1\n" : "",
		 info->goes_on ? "goes_on=1\n" : "", info->host, info->kernel, info->focus_pid, info->command);
	bytes = grt_dat_add_text(d->event, sizeof(ev), sizeof(d->event), &ev.text, text);
	memcpy(d->event, &ev, sizeof(ev));
	return grt_dat_lane_put(&cpu->lane, &d->scratch, d->now_ns, d->event, bytes);
}

static uint32_t number_at(const struct grtrace_hdr *rec, unsigned int offset)
{
	uint32_t number;

	memcpy(&number, (const char *)rec + offset, sizeof(number));
	return number;
}

/*
 * The task of an event: the thread that was on the CPU, as the event itself or the latest CPU_SWITCH
 * says; else the ring that it is about.
 */
static int32_t task_of(struct dat *d, const struct cpu *cpu, const struct grtrace_hdr *rec,
		       uint32_t tid, uint32_t ring)
{
	if (tid || rec->type == GRTRACE_TRACE_EVENT)
		return grt_dat_task_of_thread(tid);
	if (cpu->is_known)
		return grt_dat_task_of_thread(cpu->tid);
	return ring ? grt_dat_task_of_ring(&d->tasks, ring) : GRT_DAT_UNKNOWN_TASK;
}

static void fill_comm(char to[GRT_DAT_COMM], const struct dat *d, uint32_t tid)
{
	const char *comm = grt_dat_tasks_comm(&d->tasks, tid);

	memcpy(to, comm, strnlen(comm, GRT_DAT_COMM));
}

static int put_switch(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec)
{
	const struct grtrace_cpu_switch *from = (const void *)rec;
	struct grt_dat_switch ev = {
		.common = { .type = GRT_DAT_SWITCH,
			    .pid = grt_dat_task_of_thread(from->prev_tid) },
		.prev_pid = grt_dat_task_of_thread(from->prev_tid), .flags = rec->flags,
		.prev_tid = from->prev_tid, .next_tid = from->next_tid,
		.prev_state = from->prev_state, .prev_prio = GRT_DAT_NO_PRIO,
		.next_pid = grt_dat_task_of_thread(from->next_tid),
		.next_prio = GRT_DAT_NO_PRIO,
	};

	fill_comm(ev.prev_comm, d, from->prev_tid);
	fill_comm(ev.next_comm, d, from->next_tid);
	memcpy(d->event, &ev, sizeof(ev));
	/* If not all switches of the next thread are recorded, it may leave the CPU unseen. */
	cpu->tid = from->next_tid;
	cpu->is_known = rec->flags & GRTRACE_F_NEXT_FOLLOWED;
	return put(d, cpu, rec, sizeof(ev));
}

static int put_wakeup(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec)
{
	const struct grtrace_cpu_wake *from = (const void *)rec;
	struct grt_dat_wakeup ev = {
		.common = { .type = GRT_DAT_WAKEUP, .pid = task_of(d, cpu, rec, 0, 0) },
		.pid = grt_dat_task_of_thread(from->tid), .prio = GRT_DAT_NO_PRIO,
		.target_cpu = from->target_cpu, .tid = from->tid, .flags = rec->flags,
	};

	fill_comm(ev.comm, d, from->tid);
	memcpy(d->event, &ev, sizeof(ev));
	return put(d, cpu, rec, sizeof(ev));
}

static int put_mark(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec)
{
	const struct grtrace_mark *from = (const void *)rec;
	struct grt_dat_text text = grt_dat_text_of(rec);
	int32_t task = task_of(d, cpu, rec, from->tid, 0);
	int err;

	grt_dat_tasks_thread(&d->tasks, from->tid, from->tgid);
	do
		err = put(d, cpu, rec, grt_dat_fill_mark(d->event, from, task, &text));
	while (text.left && !err);
	return err;
}

/* Events with a thread and its process at these places. */
static void learn_thread(struct dat *d, const struct grtrace_hdr *rec)
{
	const struct grtrace_submit *submit = (const void *)rec;
	const struct grtrace_sync_wait_enter *wait = (const void *)rec;

	if (rec->type == GRTRACE_SUBMIT)
		grt_dat_tasks_thread(&d->tasks, submit->tid, submit->tgid);
	else if (rec->type == GRTRACE_SYNC_WAIT_ENTER)
		grt_dat_tasks_thread(&d->tasks, wait->tid, wait->tgid);
}

static int put_record(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec)
{
	const struct grt_dat_shape *shape = &d->shapes[shape_nr(rec->type)];
	uint32_t ring = shape->ring ? grt_dat_ring_index(&d->rings, number_at(rec, shape->ring)) : 0;
	uint32_t tid = shape->tid ? number_at(rec, shape->tid) : 0;
	struct grt_dat_text text = grt_dat_text_of(rec);
	int32_t task = task_of(d, cpu, rec, tid, ring);
	int err;

	learn_thread(d, rec);
	/* An event must fit into a page, so a long text has several. */
	do
		err = put(d, cpu, rec, grt_dat_fill(d->event, shape, rec, grt_dat_ring_at(&d->rings, ring)->name,
						    task, &text));
	while (text.left && !err);
	return err;
}

/* trace-cmd shows the gap before the next event of the CPU, which is the LOSS itself. */
static int put_loss(struct dat *d, struct cpu *cpu, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const void *)rec;
	int err = 0;

	cpu->is_known = false;
	if (loss->reason < 32 && GRT_LOST_REASONS >> loss->reason & 1)
		err = grt_dat_lane_miss(&cpu->lane, &d->scratch, loss->count);
	return err ? err : put_record(d, cpu, rec);
}

/* Settings from behind the span tell nothing about it. */
static bool is_later(const struct grt_export *x, const struct grtrace_hdr *rec)
{
	return (rec->type == GRTRACE_POLICY || rec->type == GRTRACE_CLOCK) && x->window.is_narrow &&
	       rec->ts > x->to_ns;
}

/* Puts a record into the lane of its CPU. */
static int put_at_cpu(struct grt_export *x, const struct grtrace_hdr *rec)
{
	struct dat *d = x->state;
	struct cpu *cpu = cpu_at(d, rec->cpu);
	int err = 0;

	if (!cpu)
		return -ENOMEM;
	if (rec->type == GRTRACE_STREAM_INFO)
		err = put_recording(d, cpu, x->info);
	if (err)
		return err;
	switch (rec->type) {
	case GRTRACE_CPU_SWITCH:
		return put_switch(d, cpu, rec);
	case GRTRACE_CPU_WAKE:
		return put_wakeup(d, cpu, rec);
	case GRTRACE_MARK:
		return put_mark(d, cpu, rec);
	case GRTRACE_LOSS:
		return put_loss(d, cpu, rec);
	default:
		return d->shapes[shape_nr(rec->type)].type ? put_record(d, cpu, rec) : 0;
	}
}

static int record(struct grt_export *x, const struct grtrace_hdr *rec)
{
	struct dat *d = x->state;
	int err = 0;

	/* Rings have rows of their own, where this record comes first.  A new definition comes at its time. */
	if (rec->type == GRTRACE_RING) {
		bool is_known = grt_dat_ring_index(&d->rings, ((const struct grtrace_ring *)rec)->ring);

		err = grt_dat_rings_define(&d->rings, (const void *)rec);
		if (!is_known)
			return err;
	}
	if (rec->type == GRTRACE_PROCESS)
		err = grt_dat_tasks_name(&d->tasks, (const void *)rec);
	if (err || shape_nr(rec->type) == NR_SHAPES || is_later(x, rec))
		return err;
	return put_at_cpu(x, rec);
}

static int job(struct grt_export *x, const struct grt_job *job)
{
	struct dat *d = x->state;

	return grt_dat_rings_job(&d->rings, job);
}

/* --- the file --- */

static const char *ring_title(const void *arg, uint32_t index)
{
	const struct grt_dat_rings *rings = arg;
	const struct grt_dat_ring *ring = grt_dat_ring_at(rings, index);

	return rings->has_devices || !*ring->name ? ring->title : ring->name;
}

/* Closes all lanes and lists them: the machine's CPUs, then the rings. */
static int list_lanes(struct dat *d, struct grt_vec *lanes)
{
	int err = 0;

	for (size_t i = 0; i < grt_vec_count(&d->cpus, struct cpu *) && !err; i++) {
		struct cpu *cpu = *grt_vec_at(&d->cpus, struct cpu *, i);
		struct grt_dat_lane *lane = cpu ? &cpu->lane : NULL;

		if (lane)
			err = grt_dat_lane_close(lane, &d->scratch);
		if (!err && grt_vec_append(lanes, &lane, sizeof(lane)))
			err = grt_fail_memory();
	}
	if (!err)
		err = grt_dat_rings_close(&d->rings);
	/* Row 0, jobs of unknown rings, comes last. */
	for (size_t n = grt_vec_count(&d->rings.all, struct grt_dat_ring), i = 1; i <= n && !err; i++) {
		struct grt_dat_lane *lane = grt_dat_ring_lane(&d->rings, i % n);

		if (lane && grt_vec_append(lanes, &lane, sizeof(lane)))
			err = grt_fail_memory();
	}
	return err;
}

static int end(struct grt_export *x)
{
	struct dat *d = x->state;
	struct grt_vec lanes = { 0 }, tasks = { 0 };
	const struct grt_dat_file file = {
		.scratch = &d->scratch, .lanes = &lanes, .tasks = &tasks,
	};
	int err = list_lanes(d, &lanes);
	if (!err && (grt_dat_tasks_put(&d->tasks, d->rings.names, ring_title, &d->rings, &tasks) ||
		     grt_vec_append(&tasks, "", 1)))
		err = grt_fail_memory();
	if (!err)
		err = grt_dat_file_write(&file, x);
	grt_vec_free(&lanes);
	grt_vec_free(&tasks);
	d->is_done = !err;
	return err;
}

static void free_state(struct grt_export *x)
{
	struct dat *d = x->state;

	/* Here, because warnings of the last pass over a trace are dropped. */
	if (d->is_done)
		grt_dat_rings_warn(&d->rings);
	grt_dat_scratch_close(&d->scratch);
	for (size_t i = 0; i < grt_vec_count(&d->cpus, struct cpu *); i++)
		free(*grt_vec_at(&d->cpus, struct cpu *, i));
	grt_vec_free(&d->cpus);
	grt_dat_rings_free(&d->rings);
	grt_dat_tasks_free(&d->tasks);
	free(d);
}

const struct grt_export_format grt_export_trace_dat = {
	.name = "trace.dat", .text = "a file for trace-cmd and KernelShark",
	.suffix = ".dat", .is_of_events = true, .needs = GRT_EXPORT_EVENTS,
	.begin = begin, .record = record, .job = job, .end = end, .free = free_state,
};
