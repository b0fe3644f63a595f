/* SPDX-License-Identifier: GPL-2.0 */
/* The cgroups and pid namespaces of processes, for a source whose events do not say: from /proc. */
#ifndef GRT_PROC_PLACES_H
#define GRT_PROC_PLACES_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "cgroup_mount.h"
#include "map.h"
#include "vec.h"

struct grt_proc_places {
	struct grt_cgroup_mount mount;	/* its path is "": no cgroup2 is mounted */
	uint64_t begin_ns;		/* of the recording, CLOCK_BOOTTIME */
	uint64_t slept_ns;		/* CLOCK_BOOTTIME is later than CLOCK_MONOTONIC by this */
	struct grt_vec rows;		/* struct grtrace_process, as they were filled in last */
	struct grt_map row_of;		/* tgid -> row + 1 */
};

void grt_proc_places_open(struct grt_proc_places *p);
void grt_proc_places_close(struct grt_proc_places *p);

/*
 * Fills in cgroup_id and pidns of @process; 0 stays where they are not known, as of a process that is gone.
 * Reads /proc only when the process is new or has another name.  0 or -ENOMEM with a cause.
 */
int grt_proc_places_fill(struct grt_proc_places *p, struct grtrace_process *process);

#endif /* GRT_PROC_PLACES_H */
