// SPDX-License-Identifier: LGPL-2.1
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "spool.h"
#include "trace_kind.h"
#include "unpack.h"
#include "user.h"

/* What is copied to a temporary file. */
struct stream {
	int fd;
	const char *name;
	bool (*is_known)(int fd);	/* may be NULL */
	bool is_device;
};

static ssize_t read_stream(void *arg, void *buffer, size_t bytes)
{
	const struct stream *s = arg;
	ssize_t got;

	do
		got = read(s->fd, buffer, bytes);
	while (got < 0 && errno == EINTR);
	return got < 0 ? grt_fail_errno(NULL, "cannot read '%s'", s->name) : got;
}

static bool goes_on(void *arg, int copy)
{
	const struct stream *s = arg;

	return grt_is_packed(copy) || (s->is_known ? s->is_known(copy) : !s->is_device);
}

/* Copies standard input, a pipe or a device. */
static int spool(int fd, const char *name, bool (*is_known)(int fd), bool is_device)
{
	struct stream stream = { fd, name, is_known, is_device };

	return grt_spool(&(struct grt_spool){
		.name = name, .arg = &stream, .read = read_stream, .goes_on = goes_on,
	});
}

static int fail_open(const char *path)
{
	int err = errno;
	bool is_sudo = grt_user().is_sudo;

	errno = err;
	if (errno == ENOENT)
		return grt_fail_errno("record one first: sudo grtrace record",
				      "cannot open '%s'", path);
	if (errno == EACCES && is_sudo)
		return grt_fail_errno("give its text to standard input: sudo cat FILE | grtrace report -",
				      "you may not read '%s'", path);
	if (errno == EACCES)
		return grt_fail_errno("run it with sudo, or as the trace's owner",
				      "cannot open '%s'", path);
	return grt_fail_errno(NULL, "cannot open '%s'", path);
}

/*
 * Opens a file that the user of sudo may not read, such as a trace that root recorded.  It must be a trace, and no
 * text: messages show lines of texts.
 */
static int open_as_root(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || grt_is_binary_trace(fd))
		return fd;
	close(fd);
	return -1;
}

static int open_file(const char *path)
{
	int fd = grt_user_open(path, O_RDONLY | O_CLOEXEC);

	/* Without sudo this is the same again. */
	if (fd >= 0 || errno != EACCES)
		return fd;
	fd = open_as_root(path);
	if (fd < 0)
		errno = EACCES;
	return fd;
}

/* Opens what can be read at any offset: the file, or a copy of it. */
static int open_packed(const char *path, bool (*is_known)(int fd))
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;
	int fd, copy;

	fd = is_stdin ? dup(STDIN_FILENO) : open_file(path);
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

int grt_path_open(const char *path, bool (*is_known)(int fd))
{
	int fd = open_packed(path, is_known), unpacked;

	if (fd < 0 || !grt_is_packed(fd))
		return fd;
	unpacked = grt_unpack(fd, path, is_known);
	close(fd);
	return unpacked;
}
