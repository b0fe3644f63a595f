/* SPDX-License-Identifier: GPL-2.0 */
/* Writes events of jobs, of any driver, from the key of the job. */
#ifndef GRT_JOBS_BPF_H
#define GRT_JOBS_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "choose.bpf.h"
#include "processes.bpf.h"
#include "record.bpf.h"
#include "rings.bpf.h"
#include "sum.bpf.h"

/* Every record of class JOB begins with the same members. */
static __always_inline void fill_key(void *record, struct job_key job, u32 ring)
{
	struct grtrace_job_key *key = record;

	key->ctx = job.ctx;
	key->seqno = job.seqno;
	key->ring = ring;
}

/* The second step of an event of a job.  False: the event is counted already. */
static __always_inline bool see_job(struct event *e, u16 type, struct job_key job, u32 ring)
{
	return see(e, type) && (!e->is_narrow || is_chosen(e, job.ctx, job.seqno, ring));
}

/*
 * The current thread submits a job.  @client_id, @command: 0 = not known.  @flags: besides what that
 * thread tells.
 */
static __always_inline void put_submit_detailed(struct job_key job, u32 ring, u64 client_id, u32 command,
						u16 flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 pid_tgid = bpf_get_current_pid_tgid();
	bool is_kernel = task->flags & PF_KTHREAD || flags & GRTRACE_F_KERNEL_JOB;
	struct grtrace_submit *ev;
	struct event e;
	bool is_wanted;

	is_wanted = see(&e, GRTRACE_SUBMIT);
	if (!(is_wanted || e.is_narrow) ||
	    (e.is_narrow && !choose_job(&e, is_wanted, job, ring, is_kernel)))
		return;
	if (e.is_narrow && (sums_up || least_ns) && !open_submit(job, ring, client_id, is_kernel) && !sums_up) {
		__sync_fetch_and_add(&e.c->lost, 1);
		return;
	}
	note_process(task, pid_tgid >> 32);
	if (!begin(&e, command ? sizeof(*ev) : GRTRACE_SUBMIT_BYTES))
		return;
	e.flags = flags | (is_kernel ? GRTRACE_F_KERNEL_JOB : 0);
	ev = e.record;
	fill_key(ev, job, ring);
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	ev->client_id = client_id;
	if (command)
		ev->command = command;
	end(&e);
}

static __always_inline void put_submit(struct job_key job, u32 ring)
{
	put_submit_detailed(job, ring, 0, 0, 0);
}

static __always_inline void put_commit(struct job_key job, u32 ring)
{
	struct grtrace_commit *ev;
	struct event e;

	if (!see_job(&e, GRTRACE_COMMIT, job, ring))
		return;
	if (e.is_narrow && (sums_up || least_ns))
		open_commit(job, ring);
	if (!begin(&e, sizeof(*ev)))
		return;
	ev = e.record;
	fill_key(ev, job, ring);
	end(&e);
}

static __always_inline void put_start(struct job_key job, u32 ring)
{
	struct grtrace_start *ev;
	struct event e;

	if (!see_job(&e, GRTRACE_START, job, ring) || !begin(&e, sizeof(*ev)))
		return;
	ev = e.record;
	fill_key(ev, job, ring);
	end(&e);
}

static __always_inline void put_end(struct job_key job, u32 ring, s32 status, u16 flags)
{
	struct grtrace_end *ev;
	struct event e;

	if (!see_job(&e, GRTRACE_END, job, ring))
		return;
	if (e.is_narrow && (sums_up || least_ns))
		open_end(job, 0);
	if (!begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	fill_key(ev, job, ring);
	ev->status = status;
	end(&e);
}

static __always_inline void put_complete(struct job_key job, u32 ring, s32 status, u16 flags)
{
	struct grtrace_complete *ev;
	struct event e;
	bool is_wanted;

	is_wanted = see(&e, GRTRACE_COMPLETE);
	if ((e.is_narrow && !forget_job(&e, is_wanted, job, ring)) || !is_wanted)
		return;
	if (e.is_narrow && (sums_up || least_ns))
		open_complete(job, status);
	if (!begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	fill_key(ev, job, ring);
	ev->status = status;
	end(&e);
}

/* Writes CTX_SWITCH: @ring stops working for context @from_ctx (0: not known), and begins @job. */
static __always_inline void put_ctx_switch(u32 ring, u64 from_ctx, struct job_key job, u32 vmid, u16 flags)
{
	struct grtrace_ctx_switch *ev;
	struct event e;

	if (!see_job(&e, GRTRACE_CTX_SWITCH, job, ring) || !begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	fill_key(ev, job, ring);
	ev->from_ctx = from_ctx;
	ev->vmid = vmid;
	end(&e);
}

_Static_assert(sizeof(struct grtrace_sync_wait_enter) == sizeof(struct grtrace_sync_wait_exit),
	       "one function fills both");

/* Writes a wait of the current thread, after see(): its begin, or its end with a status. */
static __always_inline void write_wait(struct event *e, struct job_key job, u32 ring, s32 status, u16 flags)
{
	u64 pid_tgid = bpf_get_current_pid_tgid();
	struct grtrace_sync_wait_exit *ev;

	if (!begin(e, sizeof(*ev)))
		return;
	e->flags = GRTRACE_F_CPU_WAIT | flags;
	ev = e->record;
	fill_key(ev, job, ring);
	ev->tgid = pid_tgid >> 32;
	ev->tid = pid_tgid;
	ev->status = status;
	end(e);
}

/* The current thread begins to wait for a job, or ends that.  The status is 0. */
static __always_inline void put_wait(u16 type, struct job_key job, u32 ring, u16 flags)
{
	struct event e;

	if (see_job(&e, type, job, ring))
		write_wait(&e, job, ring, 0, flags);
}

/* An error of the job.  @driver_code: the device's own number of it. */
static __always_inline void put_error(struct job_key job, u32 ring, u32 code, s32 status,
				      u32 driver_code, u16 flags)
{
	struct grtrace_error *ev;
	struct event e;

	if (!see_job(&e, GRTRACE_ERROR, job, ring) || !begin(&e, sizeof(*ev)))
		return;
	e.flags = flags;
	ev = e.record;
	fill_key(ev, job, ring);
	ev->code = code;
	ev->status = status;
	ev->driver_code = driver_code;
	end(&e);
}

#endif /* GRT_JOBS_BPF_H */
