/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From 7.0 on a thread may be preempted while it runs a program.  Until it goes on, the kernel does
 * not run that program for other threads of the CPU, which may take a whole time slice.  So there
 * each program has a twin, another program with the same function, attached behind it: the twin
 * records what the first one missed.  It knows from a mark that the first one leaves for its
 * thread.  (Holding preemption off within the program does not help: the thread is then preempted
 * where it lets go, which is in the program, too.)
 *
 * The loader attaches programs in the order of the source.  At a tracepoint the kernel runs them in that
 * order, so the twin stands behind its program.  At a function (fentry, fexit) the one that was attached
 * last runs first, so there the twin stands before it.
 */
#ifndef GRT_TWIN_BPF_H
#define GRT_TWIN_BPF_H

#include "record.bpf.h"

#define MARK_ROWS	1024	/* chosen by the thread's number */
#define MARK_PLACES	4	/* in a row */

/* Ids of events that are not of a job; those have the address of the job, which is larger. */
enum {
	MARK_ENTER = 1, MARK_EXIT, MARK_WAIT_ENTER, MARK_WAIT_EXIT,
};

const volatile bool has_twins;	/* set by the loader */

/*
 * A thread's number and the id of the event whose first program has run, until the twin looks; 0: free.
 * A thread has one mark at most, since its programs run one after the other.
 */
static volatile u64 marks[MARK_ROWS * MARK_PLACES];
__u64 saved;			/* events that only a twin recorded */

static __always_inline u64 make_mark(u32 tid, u32 id)
{
	return (u64)tid << 32 | id;
}

static __always_inline volatile u64 *first_of_row(u32 tid)
{
	return &marks[tid % MARK_ROWS * MARK_PLACES];
}

/* Called by a first program when it is done; @id, not 0, is the event, among those of its thread. */
static __always_inline int leave_mark(u32 id)
{
	u32 tid = bpf_get_current_pid_tgid();
	volatile u64 *row;

	if (!has_twins)
		return 0;
	row = first_of_row(tid);
	/* The last mark of this thread is still there if the twin could not run. */
	for (int i = 0; i < MARK_PLACES; i++) {
		if (row[i] >> 32 == tid) {
			row[i] = make_mark(tid, id);
			return 0;
		}
	}
	for (int i = 0; i < MARK_PLACES; i++)
		if (!row[i] && !__sync_val_compare_and_swap(&row[i], 0, make_mark(tid, id)))
			return 0;
	/*
	 * As many other threads of the row are between the two programs, or have ended there.  The one that
	 * loses its place here may have an event twice.
	 */
	row[0] = make_mark(tid, id);
	return 0;
}

/* Called by a twin: whether the first program missed this event. */
static __always_inline bool was_missed(u32 id)
{
	u32 tid = bpf_get_current_pid_tgid();
	volatile u64 *row = first_of_row(tid);

	for (int i = 0; i < MARK_PLACES; i++) {
		if (row[i] == make_mark(tid, id)) {
			row[i] = 0;
			return false;
		}
	}
	__sync_fetch_and_add(&saved, 1);
	return true;
}

#endif /* GRT_TWIN_BPF_H */
