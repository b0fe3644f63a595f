/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Who an event of a trace.dat belongs to.  KernelShark has a row for each task, so GPUs get tasks,
 * too: one for each process that has jobs, one for each ring, and one for all that is not known.
 * Linux gives no process a number above 4194304; these tasks have greater ones.
 */
#ifndef GRT_TRACE_DAT_TASKS_H
#define GRT_TRACE_DAT_TASKS_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "map.h"
#include "names.h"

#define GRT_DAT_UNKNOWN_TASK	(1 << 23)

struct grt_dat_tasks {
	struct grt_map comms;		/* process -> row of @texts + 1 */
	struct grt_map threads;		/* thread -> process */
	struct grt_vec texts;		/* char [GRT_DAT_TASK_TEXT] */
	struct grt_map made;		/* numbers of tasks that are no processes */
};

#define GRT_DAT_TASK_TEXT	20

/* 0 or -ENOMEM with a cause. */
int grt_dat_tasks_name(struct grt_dat_tasks *t, const struct grtrace_process *rec);

/* A thread of a process, which names it.  0: not known. */
void grt_dat_tasks_thread(struct grt_dat_tasks *t, uint32_t tid, uint32_t tgid);

/* The name of a thread, or "<...>".  Valid until the next call of a function above. */
const char *grt_dat_tasks_comm(const struct grt_dat_tasks *t, uint32_t tid);

/* The number of a thread for an event: itself, if it can be one. */
int32_t grt_dat_task_of_thread(uint32_t tid);

/* Numbers of the GPU's tasks: a process by its row of the names, or GRT_NONE; a ring by its index. */
int32_t grt_dat_task_of_process(struct grt_dat_tasks *t, uint32_t row);
int32_t grt_dat_task_of_ring(struct grt_dat_tasks *t, uint32_t index);

/* Appends lines "number name" of all tasks; @rings are the rings' names by index.  0 or -ENOMEM. */
int grt_dat_tasks_put(const struct grt_dat_tasks *t, const struct grt_names *names,
		      const char *(*ring_name)(const void *arg, uint32_t index), const void *arg,
		      struct grt_vec *to);

void grt_dat_tasks_free(struct grt_dat_tasks *t);

#endif /* GRT_TRACE_DAT_TASKS_H */
