/* SPDX-License-Identifier: GPL-2.0 */
/* record --children: a process and all that come from it. */
#ifndef GRT_FAMILY_H
#define GRT_FAMILY_H

#include <stdbool.h>
#include <sys/types.h>

#include "map.h"

struct grt_family {
	struct grt_map members;	/* pid -> start time: numbers are used again */
	pid_t adopter;		/* who gets their orphans; 0 = it cannot be told from others */
};

/* @pid begins it.  0 or -errno with a cause. */
int grt_family_create(struct grt_family *f, pid_t pid, pid_t adopter);
void grt_family_destroy(struct grt_family *f);

/*
 * Looks who is there now and who is new, and forgets who has ended: how many are
 * left, or -errno with a cause.  A child counts if its parent was known when it was
 * looked at; so look often.
 */
int grt_family_look(struct grt_family *f);

#endif /* GRT_FAMILY_H */
