// SPDX-License-Identifier: GPL-2.0
/* Inputs as files, and a sink for output. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

static int fd = -1;

void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	abort();
}

int fuzz_file(const uint8_t *data, size_t bytes)
{
	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, bytes, 0) != (ssize_t)bytes) {
		perror("memfd");
		exit(3);
	}
	return fd;
}

const char *fuzz_path(void)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

FILE *fuzz_nowhere(void)
{
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!nowhere) {
		perror("/dev/null");
		exit(3);
	}
	return nowhere;
}
