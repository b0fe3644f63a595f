// SPDX-License-Identifier: GPL-2.0
#include "ready_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int grt_ready_fd_open(struct grt_ready_fd *r, int fd)
{
	char path[32];
	struct stat st;

	*r = (struct grt_ready_fd){ .fd = -1 };
	if (fstat(fd, &st))
		return -errno;
	r->is_socket = S_ISSOCK(st.st_mode);
	/* Opened anew: other users of the same pipe or terminal do not expect O_NONBLOCK. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (S_ISFIFO(st.st_mode) || isatty(fd))
		r->fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (r->fd < 0)
		r->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return r->fd < 0 ? -errno : 0;
}

ssize_t grt_ready_fd_write(const struct grt_ready_fd *r, const void *data, size_t bytes)
{
	return r->is_socket ? send(r->fd, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) : write(r->fd, data, bytes);
}
