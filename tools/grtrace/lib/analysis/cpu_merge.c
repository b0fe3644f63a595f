// SPDX-License-Identifier: LGPL-2.1
#include "cpu_merge.h"

#include "describe.h"
#include "error.h"
#include "number.h"

uint64_t grt_cpu_merge_shift(uint64_t ns, int64_t offset_ns)
{
	uint64_t by = offset_ns < 0 ? -(uint64_t)offset_ns : (uint64_t)offset_ns;

	if (offset_ns < 0)
		return ns > by ? ns - by : 0;
	return grt_time_after(ns, by);
}

int grt_cpu_merge_begin(struct grt_cpu_merge *m, struct grt_stream *stream)
{
	return grt_job_ahead_begin(&m->trace, stream, m->has_deltas);
}

static void count(struct grt_merged_side *side, uint64_t ns)
{
	if (!side->events++)
		side->first_ns = ns;
	side->last_ns = ns;
}

/* --- records of the trace --- */

static bool is_shown(const struct grtrace_hdr *rec)
{
	return rec->type < GRTRACE_STREAM_BASE || rec->type == GRTRACE_LOSS;
}

/* Reads up to the next record that is shown.  1, 0 at the end, or -errno with a cause. */
static int next_record(struct grt_cpu_merge *m)
{
	const struct grtrace_hdr *rec;
	uint64_t last_ns = m->rec_ns;
	int got, err;

	while ((got = grt_job_ahead_next(&m->trace, &rec)) == 1) {
		err = grt_event_names_learn(&m->names, rec);
		if (err)
			return err;
		if (!is_shown(rec))
			continue;
		m->rec_ns = grt_cpu_merge_shift(rec->ts, m->offset_ns);
		/* A LOSS comes when it is known, which may be later. */
		if (m->rec_ns < last_ns && rec->type < GRTRACE_STREAM_BASE) {
			m->stats.late_gpu++;
			continue;
		}
		if (m->rec_ns < last_ns)
			m->rec_ns = last_ns;
		m->rec = rec;
		return 1;
	}
	m->rec_ns = last_ns;
	return got;
}

static int note_job(struct grt_cpu_merge *m, const struct grtrace_job_key *key)
{
	struct grt_job_time *time = grt_job_times_put(&m->jobs, key->ctx, key->seqno);

	if (!time)
		return grt_fail_memory();
	if (key->hdr.type == GRTRACE_COMMIT && !time->has_commit) {
		time->commit_ns = key->hdr.ts;
		time->has_commit = true;
	} else if (key->hdr.type == GRTRACE_START && !time->has_start) {
		time->start_ns = key->hdr.ts;
		time->has_start = true;
	}
	return 0;
}

static void set_delta(struct grt_delta *delta, enum grt_delta_kind kind, uint64_t from_ns,
		      uint64_t to_ns)
{
	if (from_ns <= to_ns)
		*delta = (struct grt_delta){ .kind = kind, .ns = to_ns - from_ns };
}

static void submit_delta(struct grt_cpu_merge *m, const struct grtrace_submit *rec,
			 struct grt_delta *delta)
{
	const struct grt_cpu_thread *thread = grt_cpu_threads_find(&m->threads, rec->tid);

	if (thread && thread->is_inside && !(rec->hdr.flags & GRTRACE_F_KERNEL_JOB))
		set_delta(delta, GRT_DELTA_IOCTL, thread->enter_ns, m->rec_ns);
}

static void end_delta(struct grt_cpu_merge *m, const struct grtrace_end *rec,
		      struct grt_delta *delta)
{
	const struct grt_job_time *time = grt_job_times_find(&m->jobs, rec->ctx, rec->seqno);
	uint64_t exec_ns;
	bool is_inferred = grt_job_ahead_exec(&m->trace, rec, &exec_ns);

	/* Nothing ran. */
	if (rec->hdr.flags & GRTRACE_F_NO_HW)
		return;
	if (time && time->has_start)
		set_delta(delta, GRT_DELTA_EXEC, time->start_ns, rec->hdr.ts);
	else if (is_inferred)
		*delta = (struct grt_delta){
			.kind = GRT_DELTA_EXEC, .ns = exec_ns, .is_inferred = true,
		};
}

static int find_delta(struct grt_cpu_merge *m, struct grt_delta *delta)
{
	const struct grtrace_job_key *key = (const void *)m->rec;
	const struct grt_job_time *time;
	int err = 0;

	switch (m->rec->type) {
	case GRTRACE_SUBMIT:
		submit_delta(m, (const void *)m->rec, delta);
		break;
	case GRTRACE_COMMIT:
		err = note_job(m, key);
		break;
	case GRTRACE_START:
		time = grt_job_times_find(&m->jobs, key->ctx, key->seqno);
		if (time && time->has_commit && !time->has_start)
			set_delta(delta, GRT_DELTA_QUEUE, time->commit_ns, m->rec->ts);
		err = note_job(m, key);
		break;
	case GRTRACE_END:
		end_delta(m, (const void *)m->rec, delta);
		break;
	case GRTRACE_COMPLETE:
		grt_job_times_drop(&m->jobs, key->ctx, key->seqno);
		break;
	}
	return err;
}

/* Events that a policy left out are not lost. */
static uint64_t lost_of(const struct grtrace_loss *loss)
{
	return loss->reason < 32 && GRT_LOST_REASONS >> loss->reason & 1 ? loss->count : 0;
}

static int give_record(struct grt_cpu_merge *m)
{
	struct grt_delta delta = { .kind = GRT_DELTA_NONE };
	int err = m->has_deltas ? find_delta(m, &delta) : 0;

	if (err)
		return err;
	if (m->rec->type == GRTRACE_LOSS)
		m->stats.lost += lost_of((const void *)m->rec);
	else
		count(&m->stats.gpu, m->rec_ns);
	m->stats.before_zero += m->offset_ns < 0 && m->rec->ts < -(uint64_t)m->offset_ns;
	m->is_over |= !m->ops->gpu(m->arg, m->rec, m->rec_ns, &m->names, &delta);
	m->rec = NULL;
	return 0;
}

/* Gives the records up to @ns.  0 or -errno with a cause. */
static int give_records(struct grt_cpu_merge *m, uint64_t ns)
{
	int got = 1;

	while (!m->is_over) {
		if (!m->rec)
			got = next_record(m);
		if (got != 1)
			return got;
		if (m->rec_ns > ns)
			break;
		got = give_record(m);
		if (got)
			return got;
	}
	return 0;
}

/* --- events of CPUs --- */

/*
 * The last moment before which records go in front of the event.  A thread that leaves an ioctl
 * comes after what it did there, also where its stamp was cut to microseconds.
 */
static uint64_t moment_before(const struct grt_cpu_event *ev)
{
	if (ev->type == GRT_IOCTL_EXIT)
		return grt_time_after(ev->ts, ev->res_ns ? ev->res_ns - 1 : 0);
	return ev->ts ? ev->ts - 1 : 0;
}

static int give_cpu(struct grt_cpu_merge *m)
{
	struct grt_cpu_thread thread;
	struct grt_cpu_event ev;
	int err;

	grt_cpu_window_take(&m->window, &ev);
	if (ev.ts < m->cpu_ns) {
		m->stats.late_cpu++;
		return 0;
	}
	m->cpu_ns = ev.ts;
	err = give_records(m, moment_before(&ev));
	if (!err)
		err = grt_cpu_threads_take(&m->threads, &ev, &thread);
	if (err || m->is_over)
		return err;
	if (m->is_drm_only && !(ev.type == GRT_IOCTL_ENTER ? grt_is_drm_ioctl(ev.cmd) :
				thread.is_inside && thread.is_drm)) {
		m->stats.other_ioctls++;
		return 0;
	}
	count(&m->stats.cpu, ev.ts);
	m->is_over |= !m->ops->cpu(m->arg, &ev);
	return 0;
}

int grt_cpu_merge_event(struct grt_cpu_merge *m, const struct grt_cpu_event *ev)
{
	int err = 0;

	if (grt_cpu_window_count(&m->window) == GRT_CPU_WINDOW)
		err = give_cpu(m);
	if (!err)
		err = grt_cpu_window_put(&m->window, ev);
	return err ? err : m->is_over;
}

int grt_cpu_merge_end(struct grt_cpu_merge *m)
{
	int err = 0;

	while (!err && !m->is_over && grt_cpu_window_count(&m->window))
		err = give_cpu(m);
	return err ? err : give_records(m, UINT64_MAX);
}

void grt_cpu_merge_free(struct grt_cpu_merge *m)
{
	grt_cpu_window_free(&m->window);
	grt_cpu_threads_free(&m->threads);
	grt_job_ahead_end(&m->trace);
	grt_event_names_free(&m->names);
	grt_job_times_free(&m->jobs);
}
