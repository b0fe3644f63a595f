/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * SNAPSHOT and NOTE records stand at the beginning of a stream, but their times are later.  This keeps them until
 * then.
 */
#ifndef GRT_EARLY_H
#define GRT_EARLY_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

/* Zeroed memory is empty. */
struct grt_early {
	struct grt_vec records;	/* back to back, in the order of time */
	size_t next;		/* of grt_early_take() */
};

void grt_early_free(struct grt_early *e);

/* Keeps a copy.  0 or -errno with a cause. */
int grt_early_add(struct grt_early *e, const struct grtrace_hdr *rec);

/* The next record from before @ns, or NULL.  It is valid until the next call of grt_early_add(). */
const struct grtrace_hdr *grt_early_take(struct grt_early *e, uint64_t ns);

#endif /* GRT_EARLY_H */
