// SPDX-License-Identifier: GPL-2.0
/* Which jobs record keeps. */
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "error.h"
#include "record.h"

#define CGROUPS	"/sys/fs/cgroup"

/* The id of a cgroup is the number of its folder's inode. */
static bool read_id(const char *path, uint64_t *id)
{
	struct statfs fs;
	struct stat st;

	if (statfs(path, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC || stat(path, &st) ||
	    !S_ISDIR(st.st_mode))
		return false;
	*id = st.st_ino;
	return true;
}

/* @path is a folder, or as /proc/PID/cgroup has it. */
static int find_cgroup(const char *path, uint64_t *id)
{
	char below[4096];

	snprintf(below, sizeof(below), CGROUPS "/%s", path);
	if (read_id(path, id) || read_id(below, id))
		return 0;
	return grt_fail(ENOENT, "the folders are below " CGROUPS "; that of a process: cat /proc/PID/cgroup",
			"'%s' is no cgroup of version 2", path);
}

int grt_record_choose(struct record *r)
{
	r->choice = (struct grt_capture_choice){
		.has_process = r->pid || r->is_only,
		.has_children = r->has_children,
		.tgid = r->pid,
		.slower_ns = r->slower_ns,
		.cpus = r->cpus ? r->cpu_bits : NULL,
		.cpu_list = r->cpus,
		.rings = r->session.rings,
		.engines = r->session.filters[GRT_FILTER_ENGINES].value,
	};
	return r->cgroup ? find_cgroup(r->cgroup, &r->choice.cgroup) : 0;
}
