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

#define MARKS		4096

/* Ids of events that are not of a job; those have the address of the job, which is larger. */
enum {
	MARK_ENTER = 1, MARK_EXIT, MARK_WAIT_ENTER, MARK_WAIT_EXIT,
};

const volatile bool has_twins;	/* set by the loader */

/* By thread, direct mapped: the id of the event whose first program has run, until the twin looks. */
static volatile u32 marks[MARKS];
__u64 saved;			/* events that only a twin recorded */

static __always_inline volatile u32 *mark_of_thread(void)
{
	return &marks[(u32)bpf_get_current_pid_tgid() % MARKS];
}

/* Called by a first program when it is done; @id, not 0, is the event, among those of its thread. */
static __always_inline int leave_mark(u32 id)
{
	if (has_twins)
		*mark_of_thread() = id;
	return 0;
}

/* Called by a twin: whether the first program missed this event. */
static __always_inline bool was_missed(u32 id)
{
	volatile u32 *mark = mark_of_thread();

	if (*mark == id) {
		*mark = 0;
		return false;
	}
	__sync_fetch_and_add(&saved, 1);
	return true;
}

#endif /* GRT_TWIN_BPF_H */
