// SPDX-License-Identifier: LGPL-2.1
#include "lines_read.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "io.h"

struct reading {
	const struct grt_line_visitor *visitor;
	bool is_over;
};

/* Handles the whole lines of a buffer.  Returns their size in bytes. */
static size_t read_lines(struct reading *r, const char *buffer, size_t bytes, bool is_last)
{
	const char *at = buffer, *end = buffer + bytes, *newline;

	while (at < end && !r->is_over) {
		newline = memchr(at, '\n', end - at);
		if (!newline && !is_last)
			break;
		if (!newline)
			newline = end;
		r->is_over = !r->visitor->line(r->visitor->arg, at,
					       newline - at - (newline > at && newline[-1] == '\r'));
		at = newline < end ? newline + 1 : end;
	}
	return at - buffer;
}

/* Skips the rest of a line that is too long.  Returns 0 if the buffer does not have its end. */
static size_t skip_line(const char *buffer, size_t bytes)
{
	const char *newline = memchr(buffer, '\n', bytes);

	return newline ? newline + 1 - buffer : 0;
}

int grt_lines_read(int fd, const char *name, const struct grt_line_visitor *visitor)
{
	struct reading r = { .visitor = visitor };
	char *buffer = malloc(GRT_LINE_BYTES);
	uint64_t offset = 0;
	bool is_within = false;		/* within a line that is too long */
	bool is_new;
	struct stat st;
	size_t done;
	ssize_t got;
	int err = 0;

	if (!buffer)
		return grt_fail_memory();
	if (fstat(fd, &st))
		st.st_size = 0;
	do {
		got = grt_pread(fd, buffer, GRT_LINE_BYTES, offset);
		if (got < 0) {
			err = grt_fail_errno(NULL, "cannot read '%s'", name);
			break;
		}
		is_new = !is_within;
		done = is_within ? skip_line(buffer, got) :
		       read_lines(&r, buffer, got, got < (ssize_t)GRT_LINE_BYTES);
		is_within = !done;
		if (is_within && is_new && got)
			r.is_over = !visitor->long_line(visitor->arg, buffer, got);
		offset += done ? done : (size_t)got;
		visitor->progress(visitor->arg, offset, st.st_size);
	} while (got > 0 && !r.is_over);
	free(buffer);
	return err;
}
