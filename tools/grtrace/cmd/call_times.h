/* SPDX-License-Identifier: GPL-2.0 */
/* Pairs the beginnings of something with its ends, and sums up how long it took. */
#ifndef GRT_CALL_TIMES_H
#define GRT_CALL_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "map.h"
#include "vec.h"

struct grt_call_process {
	uint32_t pid;		/* of the thread, if the process is not known */
	char comm[16];		/* its latest name; "": not known */
	struct grt_hist times;
};

/* Zeroed memory has seen nothing. */
struct grt_call_times {
	bool nests;		/* the last beginning ends first, as of calls in a thread; else the next one replaces it */
	bool per_process;
	struct grt_map open;	/* key -> number of the latest call that has not ended, from 1 */
	struct grt_vec calls;	/* struct open_call */
	uint32_t free;		/* a call that is not used, from 1; 0: none */
	uint64_t nr_open;	/* began and have not ended */
	uint64_t unbegun;	/* ended, but their beginning was not seen */
	uint64_t replaced;	/* began again before they ended */
	uint64_t cut;		/* forgotten, because hits were lost */
	struct grt_hist times;
	struct grt_vec processes;	/* struct grt_call_process */
	struct grt_map process_of;	/* pid -> number of the process, from 1 */
};

/*
 * Both: 0 or -ENOMEM with a cause.  @key: the thread, or what both ends have in common.  @pid, @comm: the
 * process for which it counts, if per_process.
 */
int grt_call_begins(struct grt_call_times *t, uint64_t key, uint64_t ns);
int grt_call_ends(struct grt_call_times *t, uint64_t key, uint64_t ns, uint32_t pid, const char *comm);

/* Hits were lost: what began before may have ended unseen, and is forgotten. */
void grt_call_times_cut(struct grt_call_times *t);
void grt_call_times_free(struct grt_call_times *t);

static inline struct grt_call_process *grt_call_process_at(const struct grt_call_times *t, size_t i)
{
	return grt_vec_at(&t->processes, struct grt_call_process, i);
}

#endif /* GRT_CALL_TIMES_H */
