/* SPDX-License-Identifier: GPL-2.0 */
/* record --children: a process and all its descendants. */
#ifndef GRT_FAMILY_H
#define GRT_FAMILY_H

#include <stdbool.h>
#include <sys/types.h>

#include "map.h"

struct grt_family {
	struct grt_map members;	/* pid -> start time, because pids are reused */
	pid_t other;		/* a child of @adopter that is not a descendant; 0 = none */
	pid_t adopter;		/* process that adopts orphans; 0 = unknown */
};

/* Starts with process @pid.  0 or -errno with a cause. */
int grt_family_create(struct grt_family *f, pid_t pid, pid_t adopter);
void grt_family_destroy(struct grt_family *f);

/*
 * Looks for new and ended members.  Returns how many are left, or -errno with a cause.  A child is
 * found only if its parent was found before, so call this often.
 */
int grt_family_look(struct grt_family *f);

#endif /* GRT_FAMILY_H */
