/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes marks into the kernel's trace, between the GPU's events:
 *
 *	#include <grtrace-mark.h>
 *
 *	grtrace_mark("frame 7");
 *
 * This header is all: there is no library.  It is C99 and C++11, for gcc and clang on Linux.
 *
 * The environment variable GRTRACE_TRACE_MARKER names another file than trace_marker of tracefs,
 * such as that of an instance.  Documentation/timeline.rst says who may write marks, and who
 * records them.
 */
#ifndef GRTRACE_MARK_H
#define GRTRACE_MARK_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a mark; the rest of a longer text is left out. */
#define GRTRACE_MARK_BYTES	1023

/*
 * The descriptor of the file + 1; 0: not opened yet; or -errno, why it could not be opened.  Weak:
 * all files of a program share it.
 */
__attribute__((weak, visibility("hidden"))) int grtrace_mark_state;

/* Returns a descriptor or -errno. */
static inline int grtrace_mark_open_file(const char *path)
{
#ifdef O_CLOEXEC
	int fd = open(path, O_WRONLY | O_CLOEXEC);
#else
	int fd = open(path, O_WRONLY);

	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
	return fd >= 0 ? fd : -errno;
}

static inline int grtrace_mark_open(void)
{
	/* A program with more rights than its caller does not let the caller choose the file. */
	const char *path = getauxval(AT_SECURE) ? NULL : getenv("GRTRACE_TRACE_MARKER");
	int fd;

	if (path && *path)
		return grtrace_mark_open_file(path);
	fd = grtrace_mark_open_file("/sys/kernel/tracing/trace_marker");
	if (fd == -ENOENT)
		fd = grtrace_mark_open_file("/sys/kernel/debug/tracing/trace_marker");
	return fd;
}

/* The descriptor, or -errno.  Several threads may open the file; the first one wins. */
static inline int grtrace_mark_fd(void)
{
	int state = __atomic_load_n(&grtrace_mark_state, __ATOMIC_ACQUIRE), fd;

	if (!state) {
		fd = grtrace_mark_open();
		if (__atomic_compare_exchange_n(&grtrace_mark_state, &state, fd < 0 ? fd : fd + 1, 0,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return state < 0 ? state : state - 1;
}

/*
 * Writes @text, up to its first line end, as one line.  Any thread may call it at any time; it does
 * not change errno.  0, or -errno: -ENOENT: there is no tracefs; -EACCES: the program may not
 * write marks; -EBADF: tracing is switched off; -EINVAL: marks are switched off, or @text is empty.
 * A file that could not be opened is not tried again.
 */
static inline int grtrace_mark(const char *text)
{
	char line[GRTRACE_MARK_BYTES + 1];
	size_t bytes = strcspn(text, "\n");
	int saved = errno, fd = grtrace_mark_fd(), err = fd < 0 ? fd : 0;
	ssize_t done;

	if (!bytes)
		err = -EINVAL;
	if (!err) {
		if (bytes > GRTRACE_MARK_BYTES)
			bytes = GRTRACE_MARK_BYTES;
		memcpy(line, text, bytes);
		line[bytes] = '\n';
		/* In one piece: each write is a mark of its own. */
		do
			done = write(fd, line, bytes + 1);
		while (done < 0 && errno == EINTR);
		err = done < 0 ? -errno : 0;
	}
	errno = saved;
	return err;
}

#ifdef __cplusplus
}
#endif

#endif /* GRTRACE_MARK_H */
