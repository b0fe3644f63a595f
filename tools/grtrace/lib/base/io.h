/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_IO_H
#define GRT_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads @bytes, or fewer at the end of the file.  Returns the count, or -1 and errno. */
ssize_t grt_pread(int fd, void *buf, size_t bytes, uint64_t offset);

/* Reads a whole small text file into @buf, NUL-terminated.  Returns its length, or -1 and errno. */
ssize_t grt_read_text(int dir_fd, const char *path, char *buf, size_t bytes);

/* Creates a temporary file without a name.  Returns its descriptor, or -errno with a cause. */
int grt_temporary(void);

#endif /* GRT_IO_H */
