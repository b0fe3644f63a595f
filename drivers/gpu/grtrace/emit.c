// SPDX-License-Identifier: GPL-2.0
/*
 * The events of the public API: each fills its record in place.
 */
#include <linux/export.h>
#include <linux/grtrace_hook.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "actions.h"
#include "emit.h"
#include "flight.h"
#include "ibs.h"
#include "object_ids.h"
#include "processes.h"
#include "rules.h"
#include "trace_events.h"

static DEFINE_STATIC_KEY_FALSE(global_seq_on);
static atomic64_t gseq;
const u64 grt_none;

#define KEYED_JOB(nr)	| 1u << (nr)
#define KEYED_KEY(nr)	| 1u << (nr)
#define KEYED_EVENT(nr)
#define KEYED(NAME, st, nr, class, text) KEYED_##class(nr)
/* Whether records of a type begin with a key. */
#define IS_KEYED(type)	((0u GRTRACE_EVENT_TYPES(KEYED)) >> (type) & 1)

static bool is_exact;
static u64 exact_ts;		/* of the last exact number */
static DEFINE_RAW_SPINLOCK(exact_lock);

DEFINE_STATIC_KEY_FALSE(grtrace_running);
EXPORT_SYMBOL_GPL(grtrace_running);

void grt_seq_set(u64 global_seq)
{
	atomic64_set(&gseq, 0);
	exact_ts = 0;
	is_exact = global_seq == 2;
	grt_key_set(&global_seq_on, global_seq);
	grt_emit_extra_apply();
}

void grt_emit_extra_apply(void)
{
	static bool was_on;
	bool is_on = static_key_enabled(&global_seq_on) || static_key_enabled(&grt_cost_timed);

	if (is_on && !was_on)
		grt_extra_get();
	if (!is_on && was_on)
		grt_extra_put();
	was_on = is_on;
}

/* Exact mode may delay the event's time, so that times and numbers have the same order. */
static void number(struct grt_cpu *c, struct grtrace_hdr *rec)
{
	if (!is_exact) {
		rec->gseq = atomic64_inc_return(&gseq);
		return;
	}
	/*
	 * Without the lock another CPU could read the clock and take a number between our
	 * two steps, and the orders of times and numbers would differ.
	 */
	raw_spin_lock(&exact_lock);
	exact_ts = max3((u64)rec->ts, exact_ts, ktime_get_mono_fast_ns());
	rec->ts = exact_ts;
	c->last_ts = exact_ts;
	rec->gseq = atomic64_inc_return(&gseq);
	raw_spin_unlock(&exact_lock);
}

void grt_emit_extra(struct grt_cpu *c, struct grtrace_hdr *rec)
{
	if (static_branch_unlikely(&global_seq_on))
		number(c, rec);
	if (static_branch_unlikely(&grt_mirrored))
		grt_mirror(rec);
	if (static_branch_unlikely(&grt_cost_timed))
		grt_cost_end(c);
}

/* Begins a record of class JOB. */
static __always_inline void *begin_job(struct grt_emit *e, u16 type, u16 size,
				       u16 flags, u32 ring, u64 ctx, u64 seqno, s32 status)
{
	const struct grt_event_view view = {
		.ctx = &ctx, .seqno = &seqno, .ring = &ring,
		.status = &status, .flags = &flags,
	};
	struct grtrace_job_key *rec = grt_emit_begin(e, type, size, view);

	if (!rec)
		return NULL;
	rec->hdr.flags = flags;
	rec->ctx = ctx;
	rec->seqno = seqno;
	rec->ring = ring;
	return rec;
}

static __always_inline struct grt_event_view view_of_job(const struct grtrace_job_info *job)
{
	return (struct grt_event_view){
		.ctx = &job->ctx, .seqno = &job->seqno, .ring = &job->ring,
		.status = GRT_NO_STATUS, .flags = &job->flags, .job = job,
	};
}

/* hw_credits and queue_depth are adjacent here and in records: copy both at once. */
static __always_inline u64 load_of(const struct grtrace_job_info *job)
{
	BUILD_BUG_ON(offsetof(struct grtrace_job_info, queue_depth) !=
		     offsetof(struct grtrace_job_info, hw_credits) + 4);
	BUILD_BUG_ON(offsetof(struct grtrace_submit, queue_depth) !=
		     offsetof(struct grtrace_submit, hw_credits) + 4);
	BUILD_BUG_ON(offsetof(struct grtrace_commit, queue_depth) !=
		     offsetof(struct grtrace_commit, hw_credits) + 4);
	return *(const u64 *)&job->hw_credits;
}

/* Notes the process before the event can be read, so that readers know its name. */
static __always_inline void note_process(const struct grt_emit *emit, u32 tgid)
{
	if (unlikely(!grt_process_is_noted(emit->c, tgid)))
		grt_process_note_on(emit->c, grt_emit_is_stamped(emit->c) ? emit->c->event_ts : 0);
}

/* Begins a SUBMIT and fills all but num_ibs and command.  NULL = the event is not kept. */
static __always_inline struct grtrace_submit *begin_submit(struct grt_emit *emit,
							   const struct grtrace_job_info *job,
							   u16 size)
{
	const struct task_struct *task;
	struct grtrace_submit *rec;

	rec = grt_emit_begin(emit, GRTRACE_SUBMIT, size, view_of_job(job));
	if (!rec)
		return NULL;
	task = current;
	rec->tgid = task->tgid;
	rec->tid = task->pid;
	note_process(emit, rec->tgid);
	rec->hdr.flags = job->flags;
	rec->ctx = job->ctx;
	rec->seqno = job->seqno;
	rec->ring = job->ring;
	rec->credits = job->credits;
	*(u64 *)&rec->hw_credits = load_of(job);
	rec->client_id = job->client_id;
	return rec;
}

void grtrace_submit_detailed(const struct grtrace_job_info *job, u32 num_ibs, u32 command)
{
	struct grtrace_submit *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_submit(&emit, job, sizeof(*rec));
	if (!rec)
		return;
	rec->num_ibs = num_ibs;
	rec->command = command;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_submit_detailed);

/* Out of line: otherwise grtrace_submit() would save registers for every job. */
static noinline void submit_noted(const struct grtrace_job_info *job, u32 num_ibs)
{
	grtrace_submit_detailed(job, num_ibs, 0);
}

void grtrace_submit(const struct grtrace_job_info *job)
{
	struct grt_emit emit __uninitialized;
	u32 num_ibs;

	if (static_branch_unlikely(&grt_ibs_noted)) {
		num_ibs = grt_ibs_of(job->ctx, job->seqno);
		if (num_ibs) {
			submit_noted(job, num_ibs);
			return;
		}
	}
	if (begin_submit(&emit, job, GRTRACE_SUBMIT_BYTES))
		grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_submit);

void grtrace_commit(const struct grtrace_job_info *job)
{
	struct grtrace_commit *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_COMMIT, sizeof(*rec), view_of_job(job));
	if (!rec)
		return;
	rec->hdr.flags = job->flags;
	rec->ctx = job->ctx;
	rec->seqno = job->seqno;
	rec->ring = job->ring;
	rec->credits = job->credits;
	*(u64 *)&rec->hw_credits = load_of(job);
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_commit);

void grtrace_start(u32 ring, u64 ctx, u64 seqno, u16 flags)
{
	struct grtrace_start *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_START, sizeof(*rec), flags, ring, ctx, seqno, 0);
	if (!rec)
		return;
	rec->reserved = 0;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_start);

void grtrace_end(u32 ring, u64 ctx, u64 seqno, s32 status, u64 hw_done_ns,
		 u16 flags)
{
	struct grtrace_end *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_END, sizeof(*rec), flags, ring, ctx, seqno, status);
	if (!rec)
		return;
	rec->status = status;
	rec->hw_done_ns = hw_done_ns;
	grt_emit_end(&emit);
	/* Linux 6.1 does not pass the hardware's error on to COMPLETE. */
	grt_flight_ended(ring, ctx, seqno, status);
}
EXPORT_SYMBOL_GPL(grtrace_end);

/*
 * Ends a COMPLETE while there are rules, and does what they say.  Interrupts stay off, so that the
 * rules are those that the job met.
 */
static noinline void end_ruled(const struct grt_emit emit, u32 ring)
{
	struct grtrace_complete *rec = (void *)emit.rec, complete;

	rec->hdr.flags |= emit.c->rule_flags;
	grt_emit_finish(&emit);
	complete = *rec;
	if (!grt_actions_run(&complete, ring, grtrace_write))
		grt_flight_ended(ring, complete.ctx, complete.seqno, complete.status);
	local_irq_restore(emit.irq_flags);
}

void grtrace_complete(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags)
{
	struct grtrace_complete *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_COMPLETE, sizeof(*rec), flags, ring, ctx, seqno, status);
	if (!rec)
		return;
	rec->status = status;
	if (static_branch_unlikely(&grt_ruled)) {
		end_ruled(emit, ring);
		return;
	}
	grt_emit_end(&emit);
	grt_flight_ended(ring, ctx, seqno, status);
}
EXPORT_SYMBOL_GPL(grtrace_complete);

void grtrace_dependency(u32 ring, u64 ctx, u64 seqno, u64 dep_ctx,
			u64 dep_seqno, u16 flags)
{
	const struct grt_event_view view = {
		.ctx = &ctx, .seqno = &seqno, .ring = &ring,
		.status = GRT_NO_STATUS, .flags = &flags,
	};
	struct grtrace_dependency *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_DEPENDENCY, sizeof(*rec), view);
	if (!rec)
		return;
	rec->hdr.flags = flags;
	rec->ctx = ctx;
	rec->seqno = seqno;
	rec->dep_ctx = dep_ctx;
	rec->dep_seqno = dep_seqno;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_dependency);

void grtrace_fence_signaled(u64 ctx, u64 seqno, s32 status, u64 signaled_ns, u16 flags)
{
	struct grtrace_fence_signaled *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_FENCE_SIGNALED, sizeof(*rec), flags,
			GRTRACE_NO_RING, ctx, seqno, 0);
	if (!rec)
		return;
	rec->status = status;
	rec->signaled_ns = signaled_ns;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_fence_signaled);

void grtrace_ctx_switch(u32 ring, u64 from_ctx, u64 ctx, u64 seqno, u32 vmid,
			u16 flags)
{
	struct grtrace_ctx_switch *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_CTX_SWITCH, sizeof(*rec), flags, ring, ctx, seqno, 0);
	if (!rec)
		return;
	rec->vmid = vmid;
	rec->from_ctx = from_ctx;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_ctx_switch);

void grtrace_irq(const struct grtrace_irq_info *irq)
{
	struct grtrace_irq *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_IRQ, sizeof(*rec), irq->flags, irq->ring, irq->ctx,
			irq->seqno, 0);
	if (!rec)
		return;
	rec->irq = irq->irq;
	rec->gpu_stamp = irq->gpu_stamp;
	rec->pci_address = irq->pci_address;
	rec->ih = irq->ih;
	rec->irq_client = irq->client;
	rec->irq_source = irq->source;
	rec->irq_ring = irq->irq_ring;
	rec->vmid = irq->vmid;
	rec->pasid = irq->pasid;
	rec->data0 = irq->data[0];
	rec->data1 = irq->data[1];
	rec->data2 = irq->data[2];
	rec->data3 = irq->data[3];
	rec->reserved = 0;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_irq);

void grtrace_sync_wait_enter(u32 ring, u64 ctx, u64 seqno, u16 flags)
{
	struct grtrace_sync_wait_enter *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_SYNC_WAIT_ENTER, sizeof(*rec), flags, ring, ctx, seqno, 0);
	if (!rec)
		return;
	rec->tgid = current->tgid;
	rec->tid = current->pid;
	rec->reserved = 0;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_sync_wait_enter);

void grtrace_sync_wait_exit(u32 ring, u64 ctx, u64 seqno, s32 status, u16 flags)
{
	struct grtrace_sync_wait_exit *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_SYNC_WAIT_EXIT, sizeof(*rec), flags, ring, ctx, seqno, 0);
	if (!rec)
		return;
	rec->tgid = current->tgid;
	rec->tid = current->pid;
	rec->status = status;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_sync_wait_exit);

void grtrace_error(u32 ring, u64 ctx, u64 seqno, enum grtrace_error_code code,
		   s32 status, u32 driver_code, u16 flags)
{
	struct grtrace_error *rec;
	struct grt_emit emit __uninitialized;

	rec = begin_job(&emit, GRTRACE_ERROR, sizeof(*rec), flags, ring, ctx, seqno, 0);
	if (!rec)
		return;
	rec->code = code;
	rec->status = status;
	rec->driver_code = driver_code;
	grt_emit_end(&emit);
	grt_flight_error(ring, ctx, seqno, code);
}
EXPORT_SYMBOL_GPL(grtrace_error);

/* For an event that has neither job nor ring. */
static __always_inline struct grt_event_view view_of_none(const u16 *flags)
{
	return (struct grt_event_view){
		.ctx = &grt_none, .seqno = &grt_none,
		.ring = (const u32 *)&grt_none, .status = GRT_NO_STATUS, .flags = flags,
	};
}

void grtrace_memory(const struct grtrace_memory_info *memory)
{
	struct grtrace_memory *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_MEMORY, sizeof(*rec), view_of_none(&memory->flags));
	if (!rec)
		return;
	rec->tgid = current->tgid;
	note_process(&emit, rec->tgid);
	rec->hdr.flags = memory->flags;
	rec->bytes = memory->bytes;
	rec->object_id = grt_object_id(memory->object);
	rec->op = memory->op;
	rec->from_domain = memory->from_domain;
	rec->to_domain = memory->to_domain;
	rec->offset_bytes = memory->offset_bytes;
	rec->vm_id = grt_object_id(memory->vm);
	rec->preferred_domains = memory->preferred_domains;
	rec->allowed_domains = memory->allowed_domains;
	rec->pci_address = memory->pci_address;
	rec->reserved = 0;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_memory);

void grtrace_vblank(const struct grtrace_vblank_info *vblank)
{
	struct grtrace_vblank *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_VBLANK, sizeof(*rec), view_of_none(&vblank->flags));
	if (!rec)
		return;
	rec->tgid = 0;
	if (vblank->flags & GRTRACE_F_QUEUED) {
		rec->tgid = current->tgid;
		note_process(&emit, rec->tgid);
	}
	rec->hdr.flags = vblank->flags;
	rec->vblank_ns = vblank->vblank_ns;
	rec->crtc = vblank->crtc;
	rec->frame = vblank->frame;
	rec->client_id = grt_object_id(vblank->client);
	rec->pci_address = vblank->pci_address;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_vblank);

void grtrace_frequency(enum grtrace_gauge gauge, s64 value, u32 ring, u32 pci_address, u16 flags)
{
	struct grtrace_frequency *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_FREQUENCY, sizeof(*rec), view_of_none(&flags));
	if (!rec)
		return;
	rec->hdr.flags = flags;
	rec->freq_hz = gauge == GRTRACE_GAUGE_CORE || gauge == GRTRACE_GAUGE_MEMORY ? value : 0;
	rec->ring = ring;
	rec->gauge = gauge;
	rec->power_uw = gauge == GRTRACE_GAUGE_POWER ? value : 0;
	rec->temperature_mc = gauge == GRTRACE_GAUGE_TEMPERATURE ? value : 0;
	rec->pci_address = pci_address;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_frequency);

void grtrace_cpu_switch(u32 prev_tid, u32 next_tid, u32 prev_state, u16 flags)
{
	struct grtrace_cpu_switch *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_CPU_SWITCH, sizeof(*rec), view_of_none(&flags));
	if (!rec)
		return;
	rec->hdr.flags = flags;
	rec->prev_tid = prev_tid;
	rec->next_tid = next_tid;
	rec->prev_state = prev_state;
	rec->reserved = 0;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_cpu_switch);

void grtrace_cpu_wake(u32 tid, u32 target_cpu, u16 flags)
{
	struct grtrace_cpu_wake *rec;
	struct grt_emit emit __uninitialized;

	rec = grt_emit_begin(&emit, GRTRACE_CPU_WAKE, sizeof(*rec), view_of_none(&flags));
	if (!rec)
		return;
	rec->hdr.flags = flags;
	rec->tid = tid;
	rec->target_cpu = target_cpu;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_cpu_wake);

void grtrace_mark(const char *text, u16 bytes)
{
	const u16 flags = 0, padded = ALIGN(bytes + 1, 8);
	struct grtrace_mark *rec;
	struct grt_emit emit __uninitialized;
	u8 *to;

	rec = grt_emit_begin(&emit, GRTRACE_MARK, sizeof(*rec) + padded, view_of_none(&flags));
	if (!rec)
		return;
	rec->hdr.flags = flags;
	rec->tgid = current->tgid;
	note_process(&emit, rec->tgid);
	rec->tid = current->pid;
	to = (u8 *)(rec + 1);
	memcpy(to, text, bytes);
	memset(to + bytes, 0, padded - bytes);
	emit.c->text_sizes[grt_bucket(emit.size)]++;
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_mark);

/* Points to the members of @built that the pipeline reads; the others to grt_none. */
static struct grt_event_view view_of_record(const struct grtrace_hdr *built, const u32 *ring)
{
	const struct grtrace_job_key *key = (const void *)built;
	struct grt_event_view view = view_of_none(&built->flags);

	view.ring = ring;
	view.whole = built;
	if (IS_KEYED(built->type)) {
		view.ctx = &key->ctx;
		view.seqno = &key->seqno;
	}
	if (built->type == GRTRACE_END)
		view.status = &((const struct grtrace_end *)built)->status;
	if (built->type == GRTRACE_COMPLETE)
		view.status = &((const struct grtrace_complete *)built)->status;
	return view;
}

static noinline void trigger(const struct grtrace_hdr *built, u32 ring)
{
	const struct grtrace_complete *complete = (const void *)built;
	const struct grtrace_error *error = (const void *)built;
	const struct grtrace_end *end = (const void *)built;

	if (built->type == GRTRACE_COMPLETE)
		grt_flight_ended(ring, complete->ctx, complete->seqno, complete->status);
	if (built->type == GRTRACE_END)
		grt_flight_ended(ring, end->ctx, end->seqno, end->status);
	if (built->type == GRTRACE_ERROR)
		grt_flight_error(ring, error->ctx, error->seqno, error->code);
}

bool grtrace_write(const struct grtrace_hdr *built, u32 ring)
{
	struct grtrace_hdr *rec;
	struct grt_emit emit __uninitialized;

	/* Stop hooks from recursing. */
	if (this_cpu_read(grt_cpus->hook_depth) >= GRT_HOOK_DEPTH)
		return false;
	rec = grt_emit_begin(&emit, built->type, built->size, view_of_record(built, &ring));
	if (!rec)
		return false;
	rec->flags = built->flags;
	if (grt_has_text(built->type))
		emit.c->text_sizes[grt_bucket(built->size)]++;
	memcpy(rec + 1, built + 1, built->size - sizeof(*built));
	if (static_branch_unlikely(&grt_ruled) && built->type == GRTRACE_COMPLETE) {
		end_ruled(emit, ring);
		return true;
	}
	grt_emit_end(&emit);
	if (static_branch_unlikely(&grt_flying))
		trigger(built, ring);
	return true;
}
EXPORT_SYMBOL_GPL(grtrace_write);

void grtrace_write_job(const struct grtrace_job_state *job, enum grtrace_fate fate)
{
	const struct grtrace_job *built = &job->rec;
	const struct grt_event_view view = {
		.ctx = &built->ctx, .seqno = &built->seqno, .ring = &built->ring,
		.status = GRT_NO_STATUS, .flags = &built->hdr.flags, .whole = &built->hdr,
		.record_fate = &fate,
	};
	struct grtrace_job *rec;
	struct grt_emit emit __uninitialized;

	if (fate == GRTRACE_FATE_WRITTEN)
		fate = job->record_fate;
	rec = grt_emit_begin(&emit, GRTRACE_JOB, sizeof(*rec), view);
	if (!rec)
		return;
	rec->hdr.flags = built->hdr.flags;
	memcpy((u8 *)rec + sizeof(rec->hdr), (const u8 *)built + sizeof(built->hdr),
	       sizeof(*rec) - sizeof(rec->hdr));
	grt_emit_end(&emit);
}
EXPORT_SYMBOL_GPL(grtrace_write_job);

/* Out of line: otherwise __grtrace_refuse() would need a stack frame. */
static noinline void refuse_late(u16 type, u16 size)
{
	unsigned long flags;

	local_irq_save(flags);
	grt_seconds_advance(this_cpu_ptr(grt_cpus));
	local_irq_restore(flags);
	__grtrace_refuse(type, size);
}

void __grtrace_refuse(u16 type, u16 size)
{
	unsigned long flags;
	struct grt_cpu *c;

	local_irq_save(flags);
	c = this_cpu_ptr(grt_cpus);
	if (unlikely(grt_seconds_is_late(c))) {
		local_irq_restore(flags);
		refuse_late(type, size);
		return;
	}
	c->seen[type]++;
	grt_emit_fate(c, type, size, READ_ONCE(c->buf) ? grt_refused_why(type, GRTRACE_NO_RING) :
		      GRTRACE_FATE_DISABLED);
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(__grtrace_refuse);

void grtrace_count_duplicate(u16 type)
{
	unsigned long flags;
	struct grt_cpu *c;

	local_irq_save(flags);
	c = this_cpu_ptr(grt_cpus);
	grt_seconds_check(c);
	c->seen[type]++;
	grt_emit_fate(c, type, 0,
		      READ_ONCE(c->buf) ? GRTRACE_FATE_DUPLICATE : GRTRACE_FATE_DISABLED);
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(grtrace_count_duplicate);
