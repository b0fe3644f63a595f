/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_IO_H
#define GRT_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads until @bytes or the end of the file; the count, or -1 and errno. */
ssize_t grt_pread(int fd, void *buf, size_t bytes, uint64_t offset);

/* A small text file whole into @buf, NUL-terminated; its length, or -1 and errno. */
ssize_t grt_read_text(int dir_fd, const char *path, char *buf, size_t bytes);

/* A new file without a name: its descriptor, or -errno with a cause. */
int grt_temporary(void);

/* The same with a name, in @path: for grt_scratch_remove(). */
int grt_temporary_named(char *path, size_t bytes);

#endif /* GRT_IO_H */
