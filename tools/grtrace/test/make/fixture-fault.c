// SPDX-License-Identifier: GPL-2.0
/*
 * A disk that fails, for LD_PRELOAD: of the calls that make, write or name a file in the
 * folder disk/, one fails, or all from one on.
 *
 *	FAULT="CALL NTH ERRNO [once]"	the NTH of CALL, from 1; "any" counts all of them, but not "poll", which
 *					is a poll() that may wait, of any files.  ERRNO 0: chmod() says
 *					that it did what it did not do, as on some file systems; -9: the program
 *					is killed instead
 *	FAULT_LOG=FILE			gets a line for each call that is counted
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(call)	((__typeof__(&call))dlsym(RTLD_NEXT, #call))

/* For REAL(), which does not know the variable arguments. */
typedef int open_fn(const char *path, int flags, ...);

static void put_log(const char *call)
{
	const char *path = getenv("FAULT_LOG");
	char line[64];
	int len = snprintf(line, sizeof(line), "%s\n", call);
	int fd = path ? ((open_fn *)dlsym(RTLD_NEXT, "open"))(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;

	if (fd < 0)
		return;
	if (REAL(write)(fd, line, len) != len)
		abort();
	REAL(close)(fd);
}

/* Shared with child processes, because an import writes in one. */
static int *count;

static void __attribute__((constructor)) begin(void)
{
	count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (count == MAP_FAILED)
		abort();
}

static bool fails(const char *call)
{
	const char *fault = getenv("FAULT");
	char which[32], once[8] = "";
	int nth, err;

	put_log(call);
	if (!fault || sscanf(fault, "%31s %d %d %7s", which, &nth, &err, once) < 3 ||
	    (strcmp(which, call) && strcmp(which, "any")))
		return false;
	++*count;
	if (*count < nth || (*once && *count > nth))
		return false;
	if (err == -SIGKILL)
		kill(getpid(), SIGKILL);
	errno = err;
	return true;
}

static bool is_on_disk(int fd)
{
	char link[64], path[4096];
	int before = errno, len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	errno = before;
	if (len < 0)
		return false;
	path[len] = '\0';
	return strstr(path, "/disk/");
}

static bool is_disk(const char *path)
{
	return !strncmp(path, "disk/", 5) || !strcmp(path, "disk");
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	if (is_disk(path) && (flags & O_TMPFILE) == O_TMPFILE && fails("tmpfile"))
		return -1;
	return ((open_fn *)dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

int mkostemp(char *path, int flags)
{
	return is_disk(path) && fails("mkostemp") ? -1 : REAL(mkostemp)(path, flags);
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
	return is_on_disk(fd) && fails("writev") ? -1 : REAL(writev)(fd, iov, count);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
	return is_on_disk(fd) && fails("pwrite") ? -1 : REAL(pwrite)(fd, data, bytes, at);
}

int fallocate(int fd, int mode, off_t at, off_t bytes)
{
	return is_on_disk(fd) && fails("fallocate") ? -1 : REAL(fallocate)(fd, mode, at, bytes);
}

int ftruncate(int fd, off_t bytes)
{
	return is_on_disk(fd) && fails("ftruncate") ? -1 : REAL(ftruncate)(fd, bytes);
}

int fdatasync(int fd)
{
	return is_on_disk(fd) && fails("fdatasync") ? -1 : REAL(fdatasync)(fd);
}

/* The descriptor is closed even after an error. */
int close(int fd)
{
	bool is_bad = is_on_disk(fd) && fails("close");
	int err = errno, done = REAL(close)(fd);

	if (is_bad)
		errno = err;
	return is_bad ? -1 : done;
}

int chmod(const char *path, mode_t mode)
{
	if (!is_disk(path) || !fails("chmod"))
		return REAL(chmod)(path, mode);
	return errno ? -1 : 0;
}

int link(const char *from, const char *to)
{
	return is_disk(to) && fails("link") ? -1 : REAL(link)(from, to);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	return is_disk(to) && fails("linkat") ? -1 : REAL(linkat)(from_fd, from, to_fd, to, flags);
}

int rename(const char *from, const char *to)
{
	return is_disk(to) && fails("rename") ? -1 : REAL(rename)(from, to);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags)
{
	return is_disk(to) && fails("renameat2") ? -1 :
	       REAL(renameat2)(from_fd, from, to_fd, to, flags);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const char *fault = getenv("FAULT");

	return fault && !strncmp(fault, "poll ", 5) && timeout && fails("poll") ? -1 : REAL(poll)(fds, count, timeout);
}
