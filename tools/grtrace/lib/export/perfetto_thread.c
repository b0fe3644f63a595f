// SPDX-License-Identifier: LGPL-2.1
/* What threads do: ioctls that submit jobs, waits for fences, marks, and times on CPUs. */
#include <inttypes.h>

#include "describe.h"
#include "drm_ioctl.h"
#include "error.h"
#include "perfetto_private.h"

static struct grt_pf_thread *thread_at(const struct grt_pf *p, size_t i)
{
	return grt_vec_at(&p->threads, struct grt_pf_thread, i);
}

/* The ioctl ends, as far as events show, with its last SUBMIT. */
static void end_ioctl(struct grt_pf *p, struct grt_pf_thread *t)
{
	const struct grt_pf_gpu *gpu = p->rings.gpus.data;
	const char *name;
	struct grt_pf_event e;

	if (t->ioctl_ns && t->submit_ns >= p->x->from_ns && t->submit_ns && t->ioctl_ns <= p->x->to_ns) {
		name = grt_drm_ioctl_name(gpu ? gpu->driver : "", t->command);
		grt_pf_event_init(&e, GRT_PF_CATEGORY_SUBMIT, 0);
		if (name)
			grt_pf_event_name(&e, "%s", name);
		else
			grt_pf_event_name(&e, "ioctl 0x%08x", t->command);
		grt_pf_note_u64(&e, GRT_PF_NOTE_COMMAND, t->command);
		grt_pf_slice(&p->out, &e, grt_pf_thread_track(&p->out, p->names, t->tgid, t->tid),
			     t->ioctl_ns, t->submit_ns);
	}
	t->ioctl_ns = t->submit_ns = 0;
}

/* Events were missing since it was seen: what it does is not known. */
static void forget(struct grt_pf *p, struct grt_pf_thread *t)
{
	end_ioctl(p, t);
	t->state_ns = t->wait_ns = 0;
	t->losses = p->nr_losses;
}

/* The thread; NULL without memory. */
static struct grt_pf_thread *thread_of(struct grt_pf *p, uint32_t tgid, uint32_t tid)
{
	uint32_t row = grt_keymap_get(&p->thread_rows, tid, 0);
	struct grt_pf_thread *t;

	if (row == GRT_NONE) {
		row = grt_vec_count(&p->threads, struct grt_pf_thread);
		if (row == GRT_PF_THREADS) {
			grt_pf_end_threads(p, false);
			row = 0;
		}
		t = grt_vec_grow(&p->threads, sizeof(*t));
		if (!t || grt_keymap_put(&p->thread_rows, tid, 0, row)) {
			p->out.err = grt_fail_memory();
			return NULL;
		}
		*t = (struct grt_pf_thread){ .tid = tid, .losses = p->nr_losses };
	}
	t = thread_at(p, row);
	if (t->losses != p->nr_losses)
		forget(p, t);
	if (tgid)
		t->tgid = tgid;
	return t;
}

uint64_t grt_pf_thread_of(struct grt_pf *p, uint32_t tgid, uint32_t tid)
{
	struct grt_pf_thread *t = thread_of(p, tgid, tid);

	return grt_pf_thread_track(&p->out, p->names, t ? t->tgid : tgid, tid);
}

/* A track below that of a thread, for slices that may cut others. */
static uint64_t child_track(struct grt_pf *p, enum grt_pf_track kind, const char *name, uint32_t tid)
{
	uint64_t parent = grt_pf_thread_of(p, 0, tid), track = grt_pf_track_id(kind, parent, 0);

	grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){
		.parent = parent, .name = name });
	return track;
}

static void add_ioctl(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_ioctl *r = (const struct grtrace_ioctl *)rec;
	struct grt_pf_thread *t = thread_of(p, r->tgid, r->tid);

	if (!t)
		return;
	end_ioctl(p, t);
	t->ioctl_ns = rec->ts;
	t->command = r->cmd;
}

static void add_submit(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_submit *r = (const struct grtrace_submit *)rec;
	struct grt_pf_thread *t = r->tid ? thread_of(p, r->tgid, r->tid) : NULL;

	if (t && t->ioctl_ns)
		t->submit_ns = rec->ts;
}

static void add_mark(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_mark *r = (const struct grtrace_mark *)rec;
	const struct grt_type *type = grt_type_by_number(GRTRACE_MARK);
	struct grt_pf_event e;
	size_t bytes;
	const char *text = grt_field_text(type, NULL, rec, &bytes);

	grt_pf_event_init(&e, GRT_PF_CATEGORY_MARK, 0);
	grt_pf_event_name(&e, "%.*s", (int)bytes, text);
	grt_pf_instant(&p->out, &e, grt_pf_thread_of(p, r->tgid, r->tid), rec->ts);
}

/* Ends what the thread did; it was running, or waited for a CPU. */
static void end_state(struct grt_pf *p, struct grt_pf_thread *t, uint64_t ns)
{
	struct grt_pf_event e;

	if (t->state_ns && ns >= p->x->from_ns && t->state_ns <= p->x->to_ns) {
		grt_pf_event_init(&e, GRT_PF_CATEGORY_CPU, t->is_running ? GRT_PF_WORD_RUNNING :
				  GRT_PF_WORD_RUNNABLE);
		if (t->is_running)
			grt_pf_note_u64(&e, GRT_PF_NOTE_CPU, t->cpu);
		grt_pf_slice(&p->out, &e, child_track(p, GRT_PF_CPU, "CPU", t->tid), t->state_ns, ns);
	}
	t->state_ns = 0;
}

static void set_state(struct grt_pf *p, uint32_t tid, const struct grtrace_hdr *rec, bool is_running)
{
	struct grt_pf_thread *t = thread_of(p, 0, tid);

	if (!t)
		return;
	end_state(p, t, rec->ts);
	t->state_ns = rec->ts;
	t->is_running = is_running;
	t->cpu = rec->cpu;
}

static void add_switch(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_cpu_switch *r = (const struct grtrace_cpu_switch *)rec;
	struct grt_pf_thread *t;

	if (rec->flags & GRTRACE_F_PREV_FOLLOWED) {
		t = thread_of(p, 0, r->prev_tid);
		if (t)
			end_state(p, t, rec->ts);
		if (!r->prev_state)
			set_state(p, r->prev_tid, rec, false);
	}
	if (rec->flags & GRTRACE_F_NEXT_FOLLOWED)
		set_state(p, r->next_tid, rec, true);
}

static void add_wake(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_cpu_wake *r = (const struct grtrace_cpu_wake *)rec;
	struct grt_pf_thread *t = thread_of(p, 0, r->tid);

	if (t && !t->state_ns)
		set_state(p, r->tid, rec, false);
}

static void put_wait(struct grt_pf *p, const struct grt_pf_wait *w, uint64_t event_id)
{
	struct grt_pf_event e;

	grt_pf_event_init(&e, GRT_PF_CATEGORY_FENCE, GRT_PF_WORD_WAIT);
	grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%" PRIu64 ":%" PRIu64, w->ctx, w->seqno);
	if (event_id)
		grt_pf_event_awaited(&e, event_id);
	grt_pf_slice(&p->out, &e, child_track(p, GRT_PF_WAITS, "fences", w->tid), w->from_ns, w->to_ns);
}

static void remove_wait(struct grt_pf *p, uint32_t i)
{
	p->waiting[i] = p->waiting[--p->nr_waiting];
}

void grt_pf_put_waits(struct grt_pf *p, uint64_t ctx, uint64_t seqno, uint64_t event_id)
{
	for (uint32_t i = p->nr_waiting; i--;)
		if (p->waiting[i].ctx == ctx && p->waiting[i].seqno == seqno) {
			put_wait(p, &p->waiting[i], event_id);
			remove_wait(p, i);
		}
}

static void add_wait_exit(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown)
{
	const struct grtrace_sync_wait_exit *r = (const struct grtrace_sync_wait_exit *)rec;
	struct grt_pf_thread *t = thread_of(p, r->tgid, r->tid);
	struct grt_pf_wait wait;
	const struct grt_pf_done *done;

	if (!t || !t->wait_ns)
		return;
	wait = (struct grt_pf_wait){ .ctx = t->wait_ctx, .seqno = t->wait_seqno,
		.from_ns = t->wait_ns, .to_ns = rec->ts, .tid = r->tid };
	t->wait_ns = 0;
	if (!is_shown)
		return;
	done = grt_pf_done(p, wait.ctx, wait.seqno);
	if (done) {
		put_wait(p, &wait, done->event_id);
		return;
	}
	if (p->nr_waiting == GRT_PF_WAITING) {
		put_wait(p, &p->waiting[0], 0);
		remove_wait(p, 0);
	}
	p->waiting[p->nr_waiting++] = wait;
}

static void add_wait_enter(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_sync_wait_enter *r = (const struct grtrace_sync_wait_enter *)rec;
	struct grt_pf_thread *t = thread_of(p, r->tgid, r->tid);

	if (!t)
		return;
	t->wait_ns = rec->ts;
	t->wait_ctx = r->ctx;
	t->wait_seqno = r->seqno;
}

void grt_pf_thread_event(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown)
{
	switch (rec->type) {
	case GRTRACE_SUBMIT:
		add_submit(p, rec);
		break;
	case GRTRACE_IOCTL:
		add_ioctl(p, rec);
		break;
	case GRTRACE_MARK:
		if (is_shown)
			add_mark(p, rec);
		break;
	case GRTRACE_CPU_SWITCH:
		add_switch(p, rec);
		break;
	case GRTRACE_CPU_WAKE:
		add_wake(p, rec);
		break;
	case GRTRACE_SYNC_WAIT_ENTER:
		if (rec->flags & GRTRACE_F_CPU_WAIT)
			add_wait_enter(p, rec);
		break;
	case GRTRACE_SYNC_WAIT_EXIT:
		if (rec->flags & GRTRACE_F_CPU_WAIT)
			add_wait_exit(p, rec, is_shown);
		break;
	}
}

void grt_pf_end_threads(struct grt_pf *p, bool is_over)
{
	size_t count = grt_vec_count(&p->threads, struct grt_pf_thread);

	for (size_t i = 0; i < count && !p->out.err; i++) {
		struct grt_pf_thread *t = thread_at(p, i);

		if (t->losses != p->nr_losses)
			forget(p, t);
		end_ioctl(p, t);
		if (is_over)
			end_state(p, t, p->x->to_ns);
	}
	for (; p->nr_waiting && !p->out.err; p->nr_waiting--)
		put_wait(p, &p->waiting[p->nr_waiting - 1], 0);
	p->threads.bytes = 0;
	grt_keymap_free(&p->thread_rows);
}
