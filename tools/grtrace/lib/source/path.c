// SPDX-License-Identifier: LGPL-2.1
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "io.h"

#define PROBE_BYTES	(1u << 18)

/* Copies some bytes.  1: more to do, 0: done, -errno with a cause. */
static int copy_some(int from, int to, const char *name, size_t *bytes)
{
	static char buffer[1 << 18];
	ssize_t n, done = 0, put;

	do
		n = read(from, buffer, sizeof(buffer));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return grt_fail_errno(NULL, "cannot read '%s'", name);
	for (; done < n; done += put) {
		put = write(to, buffer + done, n - done);
		if (put < 0 && errno == EINTR)
			put = 0;
		else if (put < 0)
			return grt_fail_errno("set TMPDIR to a folder with room",
					      "cannot copy '%s' to a temporary file", name);
	}
	*bytes += n;
	return n > 0;
}

/* Copies standard input, a pipe or a device to a temporary file without a name. */
static int spool(int from, const char *name, bool (*is_known)(int fd), bool is_device)
{
	int to = grt_temporary(), got = 1;
	bool is_probed = false;
	size_t bytes = 0;

	if (to < 0)
		return to;
	while (got > 0) {
		got = copy_some(from, to, name, &bytes);
		if (got <= 0 || is_probed || bytes < PROBE_BYTES)
			continue;
		is_probed = true;
		/* Stop when the first bytes show that this is not a trace. */
		if (is_known ? !is_known(to) : is_device)
			got = 0;
	}
	if (!got)
		return to;
	close(to);
	return got;
}

static int fail_open(const char *path)
{
	if (errno == ENOENT)
		return grt_fail_errno("record one first: sudo grtrace record",
				      "cannot open '%s'", path);
	if (errno == EACCES)
		return grt_fail_errno("run it with sudo, or as the trace's owner",
				      "cannot open '%s'", path);
	return grt_fail_errno(NULL, "cannot open '%s'", path);
}

int grt_path_open(const char *path, bool (*is_known)(int fd))
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;
	int fd, copy;

	fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_open(path);
	if (fstat(fd, &st) || S_ISREG(st.st_mode))
		return fd;
	if (S_ISDIR(st.st_mode)) {
		close(fd);
		return grt_fail(EISDIR, "name a file in it", "'%s' is a folder", path);
	}
	copy = spool(fd, path, is_known, S_ISCHR(st.st_mode));
	close(fd);
	return copy;
}
