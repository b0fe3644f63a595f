// SPDX-License-Identifier: LGPL-2.1
#include "cpu.h"

#include <errno.h>
#include <string.h>

#include "error.h"

static const uint32_t none = GRT_NONE;

/*
 * Sources follow a few hundred threads at a time.  Nothing is known of threads beyond this limit;
 * each takes 16 KiB.
 */
#define MAX_THREADS	4096
#define HISTORY		1024	/* latest changes of state that are kept of each */

enum state { SLEEPS, IS_RUNNABLE, RUNS };

struct change {
	uint64_t ns;
	enum state state;	/* from then on */
};

struct thread {
	uint32_t tid;
	uint64_t changes;	/* so far; none: its state is not known */
	struct change history[HISTORY];	/* number n at n % HISTORY */
	uint32_t peer;		/* next thread of its group, in a circle */

	/* The job that it waits for; @next is the next thread that waits for that job. */
	bool is_waiting, is_complete;
	uint64_t ctx, seqno, complete_ns;
	uint32_t next;
};

static struct thread *thread_at(const struct grt_cpu *c, uint32_t row)
{
	return grt_vec_at(&c->threads, struct thread, row);
}

void grt_cpu_free(struct grt_cpu *c)
{
	grt_vec_free(&c->ring_threads);
	grt_vec_free(&c->running);
	grt_keymap_free(&c->waits);
	grt_keymap_free(&c->thread_rows);
	grt_vec_free(&c->threads);
}

/* Finds the row of a thread; adds one for a new thread.  GRT_NONE if the table is full. */
static int find_thread(struct grt_cpu *c, uint32_t tid, uint32_t *row)
{
	struct thread *t;

	*row = grt_keymap_get(&c->thread_rows, tid, 0);
	if (*row != GRT_NONE || grt_vec_count(&c->threads, struct thread) == MAX_THREADS)
		return 0;
	t = grt_vec_grow(&c->threads, sizeof(*t));
	if (!t)
		return grt_fail_memory();
	memset(t, 0, sizeof(*t));
	t->tid = tid;
	t->next = GRT_NONE;
	*row = grt_vec_count(&c->threads, struct thread) - 1;
	t->peer = *row;
	return grt_keymap_put(&c->thread_rows, tid, 0, *row) ? grt_fail_memory() : 0;
}

static const struct change *last_change(const struct thread *t)
{
	return t->changes ? &t->history[(t->changes - 1) % HISTORY] : NULL;
}

static void change_state(struct thread *t, enum state state, uint64_t ns)
{
	const struct change *last = last_change(t);
	const struct change change = { .ns = ns, .state = state };

	if (last && last->state == state)
		return;
	/* The record is earlier than the one before: nothing before it is certain. */
	if (last && ns < last->ns)
		t->changes = 0;
	t->history[t->changes++ % HISTORY] = change;
}

/* Whether @t was runnable at @ns, and until when that did not change.  False: not known. */
static bool look_at(const struct thread *t, uint64_t ns, bool *is_runnable, uint64_t *until_ns)
{
	uint64_t end = t->changes, begin = end < HISTORY ? 0 : end - HISTORY;

	/* The first change that is later lies in [begin, end]. */
	while (begin < end) {
		uint64_t middle = begin + (end - begin) / 2;

		if (t->history[middle % HISTORY].ns <= ns)
			begin = middle + 1;
		else
			end = middle;
	}
	if (!begin || t->changes - begin >= HISTORY)
		return false;
	*is_runnable = t->history[(begin - 1) % HISTORY].state == IS_RUNNABLE;
	*until_ns = begin == t->changes ? UINT64_MAX : t->history[begin % HISTORY].ns;
	return true;
}

/* The same for a group: whether any of its threads was runnable. */
static bool look_at_group(const struct grt_cpu *c, uint32_t first, uint64_t ns,
			  bool *is_runnable, uint64_t *until_ns)
{
	uint64_t soonest_ns = UINT64_MAX, longest_ns = 0, one_ns;
	uint32_t row = first;
	bool is_one;

	do {
		if (!look_at(thread_at(c, row), ns, &is_one, &one_ns))
			return false;
		if (is_one && one_ns > longest_ns)
			longest_ns = one_ns;
		if (one_ns < soonest_ns)
			soonest_ns = one_ns;
		row = thread_at(c, row)->peer;
	} while (row != first);
	*is_runnable = longest_ns;
	*until_ns = longest_ns ? longest_ns : soonest_ns;
	return true;
}

bool grt_cpu_runnable_ns(const struct grt_cpu *c, uint32_t tid, uint64_t from_ns,
			 uint64_t to_ns, uint64_t *ns)
{
	uint32_t row = grt_keymap_get(&c->thread_rows, tid, 0);
	uint64_t until_ns;
	bool is_runnable;

	*ns = 0;
	if (row == GRT_NONE)
		return false;
	for (; from_ns < to_ns; from_ns = until_ns) {
		if (!look_at_group(c, row, from_ns, &is_runnable, &until_ns))
			return false;
		if (until_ns > to_ns)
			until_ns = to_ns;
		if (is_runnable)
			*ns += until_ns - from_ns;
	}
	return true;
}

/* --- who runs where ----------------------------------------------------- */
static int set_running(struct grt_cpu *c, uint16_t cpu, uint32_t row)
{
	if (grt_vec_reach(&c->running, cpu, &none, sizeof(none)))
		return -ENOMEM;
	*grt_vec_at(&c->running, uint32_t, cpu) = row;
	return 0;
}

uint32_t grt_cpu_thread(const struct grt_cpu *c, uint16_t cpu)
{
	uint32_t row = GRT_NONE;

	if (cpu < grt_vec_count(&c->running, uint32_t))
		row = *grt_vec_at(&c->running, uint32_t, cpu);
	return row == GRT_NONE ? 0 : thread_at(c, row)->tid;
}

static bool is_in_group(const struct grt_cpu *c, uint32_t first, uint32_t wanted)
{
	uint32_t row = first;

	do {
		if (row == wanted)
			return true;
		row = thread_at(c, row)->peer;
	} while (row != first);
	return false;
}

/* Makes the two circles one, if they are not one already. */
static void join_groups(struct grt_cpu *c, uint32_t a, uint32_t b)
{
	uint32_t peer = thread_at(c, a)->peer;

	if (is_in_group(c, a, b))
		return;
	thread_at(c, a)->peer = thread_at(c, b)->peer;
	thread_at(c, b)->peer = peer;
}

int grt_cpu_commit(struct grt_cpu *c, uint16_t cpu, uint32_t ring, uint32_t *tid)
{
	uint32_t row, *first;

	*tid = grt_cpu_thread(c, cpu);
	if (!*tid || ring == GRT_NONE)
		return 0;
	row = *grt_vec_at(&c->running, uint32_t, cpu);
	if (grt_vec_reach(&c->ring_threads, ring, &none, sizeof(none)))
		return -ENOMEM;
	first = grt_vec_at(&c->ring_threads, uint32_t, ring);
	if (*first == GRT_NONE)
		*first = row;
	else if (*first != row)
		join_groups(c, *first, row);
	return 0;
}

/* --- who waits for what --------------------------------------------------- */
static void stop_waiting(struct grt_cpu *c, uint32_t row)
{
	struct thread *t = thread_at(c, row);
	uint32_t first = grt_keymap_get(&c->waits, t->ctx, t->seqno), i = first;

	t->is_waiting = false;
	if (first == row) {
		grt_keymap_del(&c->waits, t->ctx, t->seqno);
		/* The entry is free now, so this needs no memory. */
		if (t->next != GRT_NONE)
			grt_keymap_put(&c->waits, t->ctx, t->seqno, t->next);
		return;
	}
	while (thread_at(c, i)->next != row)
		i = thread_at(c, i)->next;
	thread_at(c, i)->next = t->next;
}

/* One thread that waits for @t's job runs: that is the answer for all of them. */
static void answer(struct grt_cpu *c, const struct thread *t, uint64_t wake_ns)
{
	const uint64_t ctx = t->ctx, seqno = t->seqno;
	uint32_t row = grt_keymap_get(&c->waits, ctx, seqno);

	for (; row != GRT_NONE; row = thread_at(c, row)->next)
		thread_at(c, row)->is_waiting = false;
	grt_keymap_del(&c->waits, ctx, seqno);
	c->woke(c->arg, ctx, seqno, wake_ns);
}

bool grt_cpu_complete(struct grt_cpu *c, uint64_t ctx, uint64_t seqno, uint64_t ns)
{
	uint32_t row = grt_keymap_get(&c->waits, ctx, seqno);
	const bool has_waiters = row != GRT_NONE;

	for (; row != GRT_NONE; row = thread_at(c, row)->next) {
		struct thread *t = thread_at(c, row);
		const struct change *last = last_change(t);

		if (last && last->state == RUNS) {
			answer(c, t, 0);
			return false;
		}
		t->is_complete = true;
		t->complete_ns = ns;
	}
	return has_waiters;
}

static int on_wait_exit(struct grt_cpu *c, const struct grtrace_sync_wait_exit *rec)
{
	uint32_t row = grt_keymap_get(&c->thread_rows, rec->tid, 0);
	struct thread *t;

	if (row == GRT_NONE || !thread_at(c, row)->is_waiting)
		return 0;
	t = thread_at(c, row);
	if (t->is_complete)
		answer(c, t, GRT_WAKE_UNKNOWN);
	else
		stop_waiting(c, row);
	return 0;
}

static int on_wait_enter(struct grt_cpu *c, const struct grtrace_sync_wait_enter *rec)
{
	uint32_t row, first;
	struct thread *t;
	int err = find_thread(c, rec->tid, &row);

	if (err || row == GRT_NONE)
		return err;
	t = thread_at(c, row);
	/* Its EXIT was not seen. */
	if (t->is_waiting && t->is_complete)
		answer(c, t, GRT_WAKE_UNKNOWN);
	else if (t->is_waiting)
		stop_waiting(c, row);
	first = grt_keymap_get(&c->waits, rec->ctx, rec->seqno);
	if (first == GRT_NONE && grt_keymap_put(&c->waits, rec->ctx, rec->seqno, row))
		return grt_fail_memory();
	t->ctx = rec->ctx;
	t->seqno = rec->seqno;
	t->is_waiting = true;
	t->is_complete = false;
	t->next = GRT_NONE;
	if (first != GRT_NONE) {
		t->next = thread_at(c, first)->next;
		thread_at(c, first)->next = row;
		t->is_complete = thread_at(c, first)->is_complete;
		t->complete_ns = thread_at(c, first)->complete_ns;
	}
	return 0;
}

/* --- records ---------------------------------------------------------------- */
static void leave_cpu(struct thread *t, const struct grtrace_cpu_switch *rec)
{
	const struct change *last = last_change(t);

	/* Nobody saw the thread enter the CPU: it was not followed for a while. */
	if (last && last->state != RUNS)
		t->changes = 0;
	change_state(t, rec->prev_state ? SLEEPS : IS_RUNNABLE, rec->hdr.ts);
}

static int on_switch(struct grt_cpu *c, const struct grtrace_cpu_switch *rec)
{
	uint32_t prev = GRT_NONE, next = GRT_NONE;
	struct thread *t;
	int err = 0;

	if (rec->hdr.flags & GRTRACE_F_PREV_FOLLOWED)
		err = find_thread(c, rec->prev_tid, &prev);
	if (!err && rec->hdr.flags & GRTRACE_F_NEXT_FOLLOWED)
		err = find_thread(c, rec->next_tid, &next);
	if (err)
		return err;
	if (prev != GRT_NONE)
		leave_cpu(thread_at(c, prev), rec);
	if (next != GRT_NONE) {
		t = thread_at(c, next);
		change_state(t, RUNS, rec->hdr.ts);
		if (t->is_waiting && t->is_complete)
			answer(c, t, rec->hdr.ts < t->complete_ns ? GRT_WAKE_UNKNOWN :
			       rec->hdr.ts - t->complete_ns);
	}
	return set_running(c, rec->hdr.cpu, next);
}

/* Has no effect if the thread runs, or if its state is unknown. */
static int on_wake(struct grt_cpu *c, const struct grtrace_cpu_wake *rec)
{
	uint32_t row = grt_keymap_get(&c->thread_rows, rec->tid, 0);
	const struct change *last = row == GRT_NONE ? NULL : last_change(thread_at(c, row));

	if (last && last->state == SLEEPS)
		change_state(thread_at(c, row), IS_RUNNABLE, rec->hdr.ts);
	return 0;
}

/* Events are missing, so the state of a thread may have changed without an event. */
static int clear(struct grt_cpu *c)
{
	for (size_t i = 0; i < grt_vec_count(&c->threads, struct thread); i++) {
		struct thread *t = thread_at(c, i);

		t->changes = 0;
		if (t->is_waiting && t->is_complete)
			answer(c, t, GRT_WAKE_UNKNOWN);
		else if (t->is_waiting)
			stop_waiting(c, i);
	}
	for (size_t i = 0; i < grt_vec_count(&c->running, uint32_t); i++)
		*grt_vec_at(&c->running, uint32_t, i) = GRT_NONE;
	return 0;
}

int grt_cpu_feed(struct grt_cpu *c, const struct grtrace_hdr *rec)
{
	if (rec->flags & GRTRACE_F_SYNTHETIC)
		return 0;
	switch (rec->type) {
	case GRTRACE_CPU_SWITCH:
		return on_switch(c, (const struct grtrace_cpu_switch *)rec);
	case GRTRACE_CPU_WAKE:
		return on_wake(c, (const struct grtrace_cpu_wake *)rec);
	case GRTRACE_SYNC_WAIT_ENTER:
		if (!(rec->flags & GRTRACE_F_CPU_WAIT))
			return 0;
		return on_wait_enter(c, (const struct grtrace_sync_wait_enter *)rec);
	case GRTRACE_SYNC_WAIT_EXIT:
		if (!(rec->flags & GRTRACE_F_CPU_WAIT))
			return 0;
		return on_wait_exit(c, (const struct grtrace_sync_wait_exit *)rec);
	case GRTRACE_LOSS:
		return clear(c);
	default:
		return 0;
	}
}
