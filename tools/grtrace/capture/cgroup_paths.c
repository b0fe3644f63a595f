// SPDX-License-Identifier: GPL-2.0
#include "cgroup_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNFS_HANDLE	0xfe	/* FILEID_KERNFS of the kernel: 8 bytes, the id */
#define ROOT_ID		1
#define DELETED		" (deleted)"

/* Opens cgroup @id; -1 and errno. */
static int open_id(int mount, uint64_t id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} h = { .handle = { .handle_bytes = sizeof(id), .handle_type = KERNFS_HANDLE } };

	memcpy(h.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount, &h.handle, O_PATH | O_CLOEXEC);
}

void grt_cgroup_paths_open(struct grt_cgroup_paths *p)
{
	int root;

	p->cause = NULL;
	p->fd = grt_cgroup_mount_open(&p->mount);
	if (p->fd < 0) {
		p->cause = "no cgroup2 is mounted";
		return;
	}
	root = open_id(p->fd, ROOT_ID);
	if (root < 0)
		p->cause = errno == EPERM ? "no right to open cgroups by their ids" :
					    "the kernel does not open cgroups by their ids";
	else
		close(root);
}

void grt_cgroup_paths_close(struct grt_cgroup_paths *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

/* The kernel marks the path of a cgroup that was removed just now; another one may be called that. */
static size_t without_mark(const char *path, size_t len)
{
	size_t mark = strlen(DELETED);
	struct stat st;

	if (len > mark && !strcmp(path + len - mark, DELETED) && stat(path, &st))
		return len - mark;
	return len;
}

size_t grt_cgroup_paths_find(const struct grt_cgroup_paths *p, uint64_t id, char to[PATH_MAX])
{
	char link[32], path[PATH_MAX];
	size_t skip = strlen(p->mount.path);
	int fd = p->fd < 0 || p->cause ? -1 : open_id(p->fd, id), len;
	ssize_t got;

	if (fd < 0)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (got < (ssize_t)skip)
		return 0;
	path[got] = '\0';
	path[without_mark(path, got)] = '\0';
	/* A path outside of the mount belongs to a part of the hierarchy that we may not see. */
	if (strncmp(path, p->mount.path, skip) || (path[skip] && path[skip] != '/') ||
	    strchr(path, '\n') || strchr(p->mount.root, '\n'))
		return 0;
	len = snprintf(to, PATH_MAX, "%s%s", p->mount.root, path + skip);
	if (!len)
		len = snprintf(to, PATH_MAX, "/");
	return len < PATH_MAX ? len : 0;
}
