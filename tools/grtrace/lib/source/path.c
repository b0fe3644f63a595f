// SPDX-License-Identifier: LGPL-2.1
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "io.h"

/* Standard input and pipes: a copy that can be read from anywhere, in no folder. */
static int spool(int from, const char *name)
{
	char buffer[1 << 16];
	int fd = grt_temporary();
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = read(from, buffer, sizeof(buffer))) > 0)
		if (write(fd, buffer, n) != n) {
			n = -1;
			break;
		}
	if (!n)
		return fd;
	grt_fail_errno(NULL, "cannot read '%s'", name);
	close(fd);
	return -EIO;
}

int grt_path_open(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	int copy;

	if (fd < 0) {
		if (errno == ENOENT)
			return grt_fail_errno("record one first: sudo grtrace record",
					      "cannot open '%s'", path);
		if (errno == EACCES)
			return grt_fail_errno("run it with sudo, or as the trace's owner",
					      "cannot open '%s'", path);
		return grt_fail_errno(NULL, "cannot open '%s'", path);
	}
	if (fstat(fd, &st) || S_ISREG(st.st_mode))
		return fd;
	if (S_ISDIR(st.st_mode)) {
		close(fd);
		return grt_fail(EISDIR, "name a file in it", "'%s' is a folder", path);
	}
	copy = spool(fd, path);
	close(fd);
	return copy;
}
