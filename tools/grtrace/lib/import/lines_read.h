/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads a text file of any size line by line. */
#ifndef GRT_LINES_READ_H
#define GRT_LINES_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRT_LINE_BYTES	(1u << 20)	/* no event has a longer line */

struct grt_line_visitor {
	void *arg;
	/* A line without its line end.  Returns false to stop. */
	bool (*line)(void *arg, const char *at, size_t len);
	/* The begin of a line that is longer than GRT_LINE_BYTES.  Returns false to stop. */
	bool (*long_line)(void *arg, const char *at, size_t len);
	void (*progress)(void *arg, uint64_t done, uint64_t all);	/* bytes */
};

/* Lines end in LF or CR LF, the last one also without.  0 or -errno with a cause. */
int grt_lines_read(int fd, const char *name, const struct grt_line_visitor *visitor);

#endif /* GRT_LINES_READ_H */
