/* SPDX-License-Identifier: LGPL-2.1 */
/* When threads entered the ioctls in which they submit jobs.  Memory is bounded. */
#ifndef GRT_ENTRY_H
#define GRT_ENTRY_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

/* Zeroed memory knows of no ioctl. */
struct grt_entries {
	struct grt_vec threads;	/* of struct entry, in entry.c; empty before the first IOCTL */
	struct grt_vec jobs;	/* by slot: when its thread entered, 0: not known */
};

void grt_entries_free(struct grt_entries *e);

/* Takes an IOCTL.  0, or -errno with a cause. */
int grt_entries_feed(struct grt_entries *e, const struct grtrace_ioctl *rec);

/*
 * The job in @slot is submitted by thread @tid, 0: not known.  0, or -errno with a cause.  It is the
 * first SUBMIT of this job.
 */
int grt_entries_submit(struct grt_entries *e, uint32_t slot, uint32_t tid);

/* When the thread of the job in @slot entered its ioctl; 0: not known. */
uint64_t grt_entries_ns(const struct grt_entries *e, uint32_t slot);

#endif /* GRT_ENTRY_H */
