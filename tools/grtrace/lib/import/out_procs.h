/* SPDX-License-Identifier: LGPL-2.1 */
/* Processes that an import meets, and the names they had. */
#ifndef GRT_OUT_PROCS_H
#define GRT_OUT_PROCS_H

#include "foreign.h"
#include "map.h"
#include "vec.h"

struct grt_out_procs {
	struct grt_map latest;	/* tgid to its last row + 1 */
	struct grt_vec rows;	/* of struct proc */
	struct grt_map tgids;	/* thread to process, where the file has a table of these */
};

/* The process of the thread that @ev is from; itself where that is not known. */
uint32_t grt_out_tgid(const struct grt_out_procs *t, const struct grt_foreign *ev);

/* Thread @tid is of process @tgid. */
void grt_out_procs_tgid(struct grt_out_procs *t, uint32_t tid, uint32_t tgid);

/* @tgid is named after its first thread, or, until that was seen, after any. */
void grt_out_procs_name(struct grt_out_procs *t, uint32_t tgid, const struct grt_foreign *ev);

/* Appends the definitions to @defs.  0 or -ENOMEM. */
int grt_out_procs_define(const struct grt_out_procs *t, struct grt_vec *defs, uint64_t start_ns);
/* Names are to be seen once more; which thread is of which process stays known. */
void grt_out_procs_rewind(struct grt_out_procs *t);
void grt_out_procs_free(struct grt_out_procs *t);

#endif /* GRT_OUT_PROCS_H */
