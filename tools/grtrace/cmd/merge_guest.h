/* SPDX-License-Identifier: GPL-2.0 */
/* grtrace merge --guest --host: a virtual machine and what its host did for it. */
#ifndef GRT_CMD_MERGE_GUEST_H
#define GRT_CMD_MERGE_GUEST_H

#include <stdbool.h>

#include "guest_jobs.h"
#include "merge.h"

struct merge_guest {
	char *guest, *host;	/* files */
	const char *pairs;	/* CSV of all pairs, NULL: none */
	struct grt_guest_jobs jobs;	/* from merge_guest() on */
};

/* Whether any of its options is there. */
bool merge_guest_is_meant(const struct merge_guest *g);

/* 0, or -EINVAL with a cause: these options do not go together. */
int merge_guest_check(const struct merge_guest *g);

/*
 * Merges the traces of @m, and finds the host's work for each job of the guest.  Trace number @guest, counted from 1,
 * is that of the guest.  If no PEER tells how the clocks compare, and jobs have the numbers of their fences, this
 * finds a shift of the guest's times with which each cause comes before its effect, and merges again with it.
 * 0 or -errno with a cause; call merge_guest_free() in any case.
 */
int merge_guest(struct merge_guest *g, struct grt_merge *m, int guest, struct grt_target *to);

/* Prints what took how long, and writes the pairs.  0 or -errno with a cause. */
int merge_guest_report(const struct merge_guest *g);
void merge_guest_free(struct merge_guest *g);

#endif /* GRT_CMD_MERGE_GUEST_H */
