/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which process each thread belongs to, and the names of processes, at the time of each event: from
 * /proc at the start, and from the events task_newtask and task_rename.
 */
#ifndef GRT_TRACEFS_TASKS_H
#define GRT_TRACEFS_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "bind.h"
#include "map.h"

struct grt_task {
	uint32_t tgid;
	bool is_kernel;		/* a thread of the kernel */
	uint32_t parent;	/* tgid of the parent, when it was made or found; 0: not known */
	char comm[16];		/* if it is the first of its process */
	uint64_t start_ns;	/* 0: before the recording */
	bool is_gone, is_kept;	/* of grt_tasks_forget() */
};

/* A format's field that an event of tasks has. */
struct grt_task_event {
	int id;			/* of the event; -1: it is not recorded */
	const struct tep_format_field *tid, *comm, *flags;
};

/* Zeroed memory knows nothing. */
struct grt_tasks {
	struct grt_map rows_of;		/* thread -> row + 1 */
	struct grt_vec rows;		/* struct grt_task */
	struct grt_task_event newtask, rename;
};

/* Finds the formats of the events.  Both must be parsed. */
void grt_tasks_bind(struct grt_tasks *t, struct tep_handle *tep);
void grt_tasks_free(struct grt_tasks *t);

/* Reads all that run now. */
void grt_tasks_scan(struct grt_tasks *t);

/*
 * Forgets threads that have ended, and had at the last call: events of them may still be on their way then.
 * Ancestors of others stay.  Returns how many threads run.
 */
size_t grt_tasks_forget(struct grt_tasks *t);

/* Takes an event; false if it is none of tasks. */
bool grt_tasks_take(struct grt_tasks *t, struct grt_binder *b, const struct tep_record *record);

/* Whether the process @tgid is a descendant of @ancestor. */
bool grt_tasks_descends(struct grt_tasks *t, uint32_t tgid, uint32_t ancestor);

/* A thread; one that is not known is looked for.  Valid until the next call; NULL without memory. */
const struct grt_task *grt_tasks_find(struct grt_tasks *t, uint32_t tid);

#endif /* GRT_TRACEFS_TASKS_H */
