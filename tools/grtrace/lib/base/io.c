// SPDX-License-Identifier: LGPL-2.1
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"
#include "scratch.h"

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

static const char *temporary_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : P_tmpdir;
}

int grt_temporary(void)
{
	int fd = open(temporary_dir(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	char path[4096];

	if (fd >= 0)
		return fd;
	/* Not every file system supports O_TMPFILE. */
	snprintf(path, sizeof(path), "%s/grtrace-XXXXXX", temporary_dir());
	fd = grt_scratch_make(path);
	if (fd < 0)
		return grt_fail_errno("set TMPDIR to a folder with room", "cannot make '%s'", path);
	grt_scratch_remove(path);
	return fd;
}
