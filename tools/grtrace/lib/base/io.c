// SPDX-License-Identifier: LGPL-2.1
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"

ssize_t grt_pread(int fd, void *buf, size_t bytes, uint64_t offset)
{
	size_t done = 0;
	ssize_t n;

	while (done < bytes) {
		n = pread(fd, (char *)buf + done, bytes - done, offset + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		done += n;
	}
	return done;
}

ssize_t grt_read_text(int dir_fd, const char *path, char *buf, size_t bytes)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t n = 1;

	if (fd < 0)
		return -1;
	while (done < bytes - 1 && n > 0) {
		n = read(fd, buf + done, bytes - 1 - done);
		if (n > 0)
			done += n;
	}
	buf[done] = '\0';
	close(fd);
	return n < 0 ? -1 : (ssize_t)done;
}

int grt_temporary(char *path, size_t bytes)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	snprintf(path, bytes, "%s/grtrace-XXXXXX", dir && *dir ? dir : P_tmpdir);
	fd = mkostemp(path, O_CLOEXEC);
	return fd < 0 ? grt_fail_errno("set TMPDIR to a folder with room", "cannot make '%s'", path) : fd;
}
