// SPDX-License-Identifier: GPL-2.0
#include "cgroup_mount.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MOUNTS	"/proc/self/mountinfo"

/*
 * Copies a field of mountinfo, which writes a blank as \040 and a few other characters in this way, too.
 * False: the copy does not fit.
 */
static bool copy_field(char *to, size_t room, const char *from, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		char digits[4] = "";

		if (at + 1 == room)
			return false;
		if (from[i] != '\\' || len - i < 4) {
			to[at++] = from[i];
			continue;
		}
		memcpy(digits, from + i + 1, 3);
		to[at++] = strtoul(digits, NULL, 8);
		i += 3;
	}
	to[at] = '\0';
	return true;
}

/* ID PARENT MAJOR:MINOR ROOT PATH OPTIONS [TAG...] - TYPE SOURCE OPTIONS */
bool grt_cgroup_mount_parse(struct grt_cgroup_mount *m, const char *line)
{
	const char *type = strstr(line, " - "), *field = line, *root = NULL;

	if (!type || strncmp(type, " - cgroup2 ", strlen(" - cgroup2 ")))
		return false;
	for (int i = 0; i < 4 && field < type; i++) {
		field += strcspn(field, " ") + 1;
		if (i == 2)
			root = field;
	}
	if (field >= type || !root || *field != '/' || *root != '/' ||
	    !copy_field(m->path, sizeof(m->path), field, strcspn(field, " ")) ||
	    !copy_field(m->root, sizeof(m->root), root, strcspn(root, " ")))
		return false;
	/* With "/.." it begins above the root of our namespace: what we see below it is all we know. */
	if (!strcmp(m->root, "/") || !strncmp(m->root, "/..", 3))
		*m->root = '\0';
	return true;
}

/* Another file system may be mounted over it. */
static int open_mount(const struct grt_cgroup_mount *m)
{
	int fd = open(m->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

int grt_cgroup_mount_open(struct grt_cgroup_mount *m)
{
	FILE *f = fopen(MOUNTS, "re");
	char *line = NULL;
	size_t room = 0;
	int fd = -1;

	while (f && fd < 0 && getline(&line, &room, f) > 0)
		if (grt_cgroup_mount_parse(m, line))
			fd = open_mount(m);
	free(line);
	if (f)
		fclose(f);
	return fd;
}
