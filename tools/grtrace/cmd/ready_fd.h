/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptors of outputs that somebody else reads: a write to one never waits for the reader, where the kernel allows it. */
#ifndef GRT_READY_FD_H
#define GRT_READY_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct grt_ready_fd {
	int fd;
	bool is_socket;
};

/* Another descriptor for the file of @fd.  0, or -errno without a cause. */
int grt_ready_fd_open(struct grt_ready_fd *r, int fd);

/* Writes once: how many bytes the reader takes now, or -1 and errno, EAGAIN if it takes none. */
ssize_t grt_ready_fd_write(const struct grt_ready_fd *r, const void *data, size_t bytes);

#endif /* GRT_READY_FD_H */
