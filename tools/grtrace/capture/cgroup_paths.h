/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the paths of cgroups by their ids, as long as the cgroups are there. */
#ifndef GRT_CGROUP_PATHS_H
#define GRT_CGROUP_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "cgroup_mount.h"

struct grt_cgroup_paths {
	struct grt_cgroup_mount mount;
	int fd;			/* of the mount; -1: no path can be found */
	const char *cause;	/* why none can be found; NULL: they can */
};

void grt_cgroup_paths_open(struct grt_cgroup_paths *p);
void grt_cgroup_paths_close(struct grt_cgroup_paths *p);

/*
 * Writes the path of cgroup @id below the root of the hierarchy: "/" for the root itself.  Its length; 0: it
 * is not known.  A cgroup that was removed has none.
 */
size_t grt_cgroup_paths_find(const struct grt_cgroup_paths *p, uint64_t id, char to[PATH_MAX]);

#endif /* GRT_CGROUP_PATHS_H */
