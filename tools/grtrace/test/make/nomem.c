// SPDX-License-Identifier: GPL-2.0
/*
 * Stands between a program and those who give it memory: linked with --wrap, see Makefile.
 *	NOMEM_AT=N	the Nth request fails, from 1 on
 *	NOMEM_ON=1	and so do all behind it
 *	NOMEM_COUNT=F	how many there were goes to file F
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long at, count;
static bool goes_on;

static __attribute__((constructor)) void begin(void)
{
	const char *n = getenv("NOMEM_AT");

	at = n ? strtoul(n, NULL, 10) : 0;
	goes_on = getenv("NOMEM_ON");
}

static __attribute__((destructor)) void end(void)
{
	const char *path = getenv("NOMEM_COUNT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%lu\n", count);
	close(fd);
}

static bool is_refused(void)
{
	count++;
	if (!at || (count != at && !(goes_on && count > at)))
		return false;
	errno = ENOMEM;
	return true;
}

/* X(type, name, parameters, arguments, what it returns where it fails) */
#define REQUESTS(X)									\
	X(void *, malloc, (size_t bytes), (bytes), NULL)				\
	X(void *, calloc, (size_t n, size_t bytes), (n, bytes), NULL)			\
	X(void *, realloc, (void *old, size_t bytes), (old, bytes), NULL)		\
	X(void *, aligned_alloc, (size_t to, size_t bytes), (to, bytes), NULL)		\
	X(char *, strdup, (const char *s), (s), NULL)					\
	X(char *, strndup, (const char *s, size_t n), (s, n), NULL)			\
	X(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)	\
	X(DIR *, opendir, (const char *path), (path), NULL)				\
	X(DIR *, fdopendir, (int fd), (fd), NULL)					\
	X(int, mprotect, (void *p, size_t bytes, int prot), (p, bytes, prot), -1)	\
	X(void *, mmap, (void *p, size_t bytes, int prot, int flags, int fd, off_t from), \
	  (p, bytes, prot, flags, fd, from), MAP_FAILED)

#define X(type, name, parameters, arguments, failed)	\
	type __real_##name parameters;			\
	type __wrap_##name parameters;			\
	type __wrap_##name parameters			\
	{						\
		return is_refused() ? failed : __real_##name arguments; \
	}
REQUESTS(X)
#undef X

int __wrap_asprintf(char **to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

int __wrap_asprintf(char **to, const char *fmt, ...)
{
	va_list args;
	int n;

	if (is_refused())
		return -1;
	va_start(args, fmt);
	n = vasprintf(to, fmt, args);
	va_end(args);
	return n;
}
