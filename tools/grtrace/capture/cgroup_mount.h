/* SPDX-License-Identifier: GPL-2.0 */
/* Where the hierarchy of cgroups (version 2) is mounted. */
#ifndef GRT_CGROUP_MOUNT_H
#define GRT_CGROUP_MOUNT_H

#include <limits.h>
#include <stdbool.h>

struct grt_cgroup_mount {
	char path[PATH_MAX];	/* where it is mounted */
	char root[PATH_MAX];	/* what of the hierarchy; "": all of it that we may see */
};

/* Takes a line of /proc/self/mountinfo.  False: it is no cgroup2, or its names are too long. */
bool grt_cgroup_mount_parse(struct grt_cgroup_mount *m, const char *line);

/* Opens the first one that is there; returns a descriptor, -1: there is none. */
int grt_cgroup_mount_open(struct grt_cgroup_mount *m);

#endif /* GRT_CGROUP_MOUNT_H */
