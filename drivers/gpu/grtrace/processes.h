/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the processes that submit: a row per process, and another one when
 * its name changes.
 */
#ifndef _GRTRACE_PROCESSES_H
#define _GRTRACE_PROCESSES_H

#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "counters.h"

int grt_processes_create(void);
void grt_processes_destroy(void);
/* Forgets all rows; no session may be running. */
void grt_processes_reset(void);

/* Names are compared per event: two words, without a call of memcmp(). */
static __always_inline u64 grt_comm_word(const char *comm, unsigned int i)
{
	u64 word;

	memcpy(&word, comm + i * sizeof(word), sizeof(word));
	return word;
}

static __always_inline bool grt_comm_is(const char *comm, const char *other)
{
	return grt_comm_word(comm, 0) == grt_comm_word(other, 0) &&
	       grt_comm_word(comm, 1) == grt_comm_word(other, 1);
}

/* Makes sure that current's process has a row.  Any context but NMI. */
void grt_process_note(void);

/* The same on CPU @c, which remembers whom.  Interrupts off. */
void grt_process_note_on(struct grt_cpu *c);

/*
 * The same, cheap for a process that submits several jobs in a row.  @tgid: current's.
 */
static __always_inline void grt_process_note_again(struct grt_cpu *c, u32 tgid)
{
	/* The process, not the thread; current keeps its leader alive. */
	if (unlikely(c->noted_tgid != tgid ||
		     !grt_comm_is(c->noted_comm, current->group_leader->comm)))
		grt_process_note_on(c);
}

/* Row @i in order of appearance; false if there is none (yet). */
bool grt_process_copy(u32 i, struct grtrace_process *to);
/* How many found no room. */
u32 grt_processes_lost(void);

#endif
