/* SPDX-License-Identifier: LGPL-2.1 */
/* The processes in an import, and their names over time. */
#ifndef GRT_OUT_PROCS_H
#define GRT_OUT_PROCS_H

#include "foreign.h"
#include "map.h"
#include "vec.h"

struct grt_out_target;

struct grt_out_procs {
	const struct grt_out_target *target;	/* not owned; NULL: a file */
	struct grt_map latest;	/* tgid -> its last row + 1 */
	struct grt_vec rows;	/* struct proc */
	struct grt_map tgids;	/* thread -> process, if the file has a table of them */
};

/* The process of the thread that @ev is from; the thread itself if the process is not known. */
uint32_t grt_out_tgid(const struct grt_out_procs *t, const struct grt_foreign *ev);

/* Says that thread @tid belongs to process @tgid. */
void grt_out_procs_tgid(struct grt_out_procs *t, uint32_t tid, uint32_t tgid);

/*
 * Sets the name of process @tgid.  The name of its first thread counts; until that thread is seen,
 * the name of any other of its threads does.
 */
void grt_out_procs_name(struct grt_out_procs *t, uint32_t tgid, const struct grt_foreign *ev);

/* Appends the definitions to @defs.  0 or -ENOMEM. */
int grt_out_procs_define(const struct grt_out_procs *t, struct grt_vec *defs, uint64_t start_ns);
/* Starts another pass: forgets the names, keeps the processes of threads. */
void grt_out_procs_rewind(struct grt_out_procs *t);
void grt_out_procs_free(struct grt_out_procs *t);

#endif /* GRT_OUT_PROCS_H */
