/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the processes that submit: a row per process, and another one when its name
 * or its cgroup changes.
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
	u32 key;		/* its tgid; 0 = it has another row by now, or the row is free */
	u32 next;		/* row + 1, of the same slot; or of the free rows */
	bool is_old;		/* see recycle.c */
	const void *cgroups;	/* stands for them: never followed */
	struct grt_place place;
	struct grtrace_process def;
};

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
	return likely(grt_comm_word(comm, 0) == grt_comm_word(other, 0)) &&
	       likely(grt_comm_word(comm, 1) == grt_comm_word(other, 1));
}

/* In the unified hierarchy; 0 = not known.  Interrupts off, or under rcu_read_lock(). */
static __always_inline u64 grt_cgroup_of(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(rcu_dereference_raw(task->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

/*
 * Is it still what its row says?  By the leader of its threads: a process has one name, one
 * start and one cgroup, and its threads stand for it.  (Threads may have cgroups of their
 * own, in "threaded" ones: these are parts of their process's.)  Its set of cgroups is told by
 * its address, which costs two instructions; a set that comes in the place of one that went is
 * taken for that only if the process moved twice between two of its jobs.
 */
static __always_inline bool grt_process_is(const struct grt_process *p,
					   const struct task_struct *leader, u32 tgid)
{
	/* Pairs with fill_row(): the others are of this process, and readers find the row. */
	return likely(smp_load_acquire(&p->key) == tgid) &&
	       likely(p->def.start_ns == leader->start_time) &&
	       likely(p->cgroups == rcu_access_pointer(leader->cgroups)) &&
	       likely(grt_comm_is(p->def.comm, leader->comm));
}

/* Makes sure that current's process has a row.  Any context but NMI. */
void grt_process_note(void);

/*
 * The same for an event of CPU @c that happens at @ts, 0 = when it is written: a new row is
 * as old.  @c remembers whom it was of.  Interrupts off.
 */
void grt_process_note_on(struct grt_cpu *c, u64 ts);

/* Is current's process, @tgid, the one that CPU @c remembers?  Interrupts off. */
static __always_inline bool grt_process_is_noted(const struct grt_cpu *c, u32 tgid)
{
	/* current keeps its leader alive. */
	return likely(grt_process_is(c->noted, current->group_leader, tgid));
}

/* The next row behind @at, which moves on; false if there is none (yet). */
bool grt_process_copy(struct grt_line_cursor *at, struct grtrace_process *to);
/* Processes, under one name each, that found no room. */
u32 grt_processes_lost(void);
/* Bytes that the table takes. */
size_t grt_processes_bytes(void);

#endif
