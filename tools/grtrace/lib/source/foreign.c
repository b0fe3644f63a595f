// SPDX-License-Identifier: LGPL-2.1
/* Files of other tracers: made into a .grt first, which no folder shows. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"
#include "extent.h"
#include "import.h"
#include "path.h"

/* A name that nothing has, in the folder for such files. */
static int choose_name(char *path, size_t bytes)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	snprintf(path, bytes, "%s/grtrace-XXXXXX", dir && *dir ? dir : P_tmpdir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return grt_fail_errno("set TMPDIR to a folder with room", "cannot make '%s'", path);
	close(fd);
	return 0;
}

int grt_collect_foreign(struct grt_collection *to, uint32_t file, int *fd, const char *name,
			struct grt_trace_info *info)
{
	const struct grt_import_options options = { 0 };
	struct grt_import_sums sums;
	char path[4096];
	int err = choose_name(path, sizeof(path)), made;

	if (err)
		return err;
	err = grt_import_file(*fd, name, path, &options, &sums);
	if (err) {
		unlink(path);
		return err;
	}
	made = open(path, O_RDONLY | O_CLOEXEC);
	if (made < 0)
		err = grt_fail_errno(NULL, "cannot open '%s'", path);
	unlink(path);
	if (err)
		return err;
	close(*fd);
	*fd = made;
	return grt_collect_grt(to, file, made, name, info);
}
