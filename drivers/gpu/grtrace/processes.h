/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the processes that submit jobs: a row per process, and a new one when its name or
 * its cgroup changes.
 */
#ifndef _GRTRACE_PROCESSES_H
#define _GRTRACE_PROCESSES_H

#include <asm/barrier.h>
#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

#include "counters.h"
#include "line.h"

/* A row: a process as it was from @def.hdr.ts on. */
struct grt_process {
	u32 key;		/* its tgid; 0 = the row is free, or no longer the current one */
	u32 next;		/* row + 1: next in the hash chain, or next free row */
	bool is_old;		/* see recycle.c */
	const void *cgroups;	/* address of the css_set, only compared */
	struct grt_place place;
	struct grtrace_process def;
};

int grt_processes_create(void);
void grt_processes_destroy(void);
/* Frees all rows; no session may be running. */
void grt_processes_reset(void);

/* Names are compared for every event, as two words: faster than a call of memcmp(). */
static __always_inline u64 grt_comm_word(const char *comm, unsigned int i)
{
	u64 word;

	memcpy(&word, comm + i * sizeof(word), sizeof(word));
	return word;
}

static __always_inline bool grt_comm_is(const char *comm, const char *other)
{
	return likely(grt_comm_word(comm, 0) == grt_comm_word(other, 0)) &&
	       likely(grt_comm_word(comm, 1) == grt_comm_word(other, 1));
}

/* Id of the task's cgroup v2; 0 = not known.  Interrupts off, or under rcu_read_lock(). */
static __always_inline u64 grt_cgroup_of(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(rcu_dereference_raw(task->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

/*
 * Does row @p still describe the process?  The thread group leader decides: its name, start
 * time and cgroup count for all threads.  (A thread in a "threaded" cgroup is in a child of
 * its process's cgroup.)  Comparing the address of the cgroup set costs two instructions.  A
 * new set at the address of a freed one is missed only if the process moved twice between two
 * of its jobs.
 */
static __always_inline bool grt_process_is(const struct grt_process *p,
					   const struct task_struct *leader, u32 tgid)
{
	/* Pairs with fill_row(): the other members are valid, and readers find the row. */
	return likely(smp_load_acquire(&p->key) == tgid) &&
	       likely(p->def.start_ns == leader->start_time) &&
	       likely(p->cgroups == rcu_access_pointer(leader->cgroups)) &&
	       likely(grt_comm_is(p->def.comm, leader->comm));
}

/* Gives current's process a row, if it has none.  Any context but NMI. */
void grt_process_note(void);

/*
 * The same for an event of CPU @c, and stores the row in c->noted.  A new row is valid from
 * @ts (ns), the time of the event; 0 = now.  Interrupts off.
 */
void grt_process_note_on(struct grt_cpu *c, u64 ts);

/* Is c->noted still the row of current's process @tgid?  Interrupts off. */
static __always_inline bool grt_process_is_noted(const struct grt_cpu *c, u32 tgid)
{
	/* current keeps its leader alive. */
	return likely(grt_process_is(c->noted, current->group_leader, tgid));
}

/* Copies the row after @at and moves @at; false if there is none yet. */
bool grt_process_copy(struct grt_line_cursor *at, struct grtrace_process *to);
/* Number of processes that found no free row; a process with a new name counts again. */
u32 grt_processes_lost(void);
/* Bytes that the table takes. */
size_t grt_processes_bytes(void);

#endif
