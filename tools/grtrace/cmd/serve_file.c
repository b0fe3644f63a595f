// SPDX-License-Identifier: GPL-2.0
#include "serve_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "vec.h"

#define MODE	0644	/* the collector is another user */

static int fill(int fd, const struct grt_vec *text)
{
	size_t done = 0;

	while (done < text->bytes) {
		ssize_t got = write(fd, (const char *)text->data + done, text->bytes - done);

		if (got < 0 && errno != EINTR)
			return -errno;
		done += got < 0 ? 0 : got;
	}
	return fchmod(fd, MODE) ? -errno : 0;
}

int serve_file_write(const char *path, const struct grt_vec *text)
{
	char new[PATH_MAX];
	int fd, err;

	/* A collector reads files that end in .prom: this one does not. */
	if ((size_t)snprintf(new, sizeof(new), "%s.XXXXXX", path) >= sizeof(new))
		return grt_fail(ENAMETOOLONG, "choose a shorter name", "cannot write '%.64s...'", path);
	fd = mkostemp(new, O_CLOEXEC);
	if (fd < 0)
		return grt_fail_errno("the folder must exist, and be yours", "cannot write '%s'", path);
	err = fill(fd, text);
	close(fd);
	if (!err && rename(new, path))
		err = -errno;
	if (!err)
		return 0;
	unlink(new);
	errno = -err;
	return grt_fail_errno("check the free space of that folder; the file that was there stays", "cannot write '%s'",
			      path);
}
