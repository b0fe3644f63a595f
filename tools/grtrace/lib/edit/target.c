// SPDX-License-Identifier: LGPL-2.1
#include "target.h"

#include <errno.h>
#include <sys/stat.h>

#include "error.h"
#include "outfile.h"

int grt_target_check(const char *path, int count, char *const *inputs)
{
	struct stat to, from;

	if (grt_outfile_is_stdout(path) || stat(path, &to))
		return 0;
	for (int i = 0; i < count; i++)
		if (!stat(inputs[i], &from) && from.st_dev == to.st_dev &&
		    from.st_ino == to.st_ino && !S_ISCHR(to.st_mode))
			return grt_fail(EEXIST, "name another file with -o",
					"'%s' is what is read; it is not changed", path);
	return 0;
}

int grt_target_open(struct grt_target *t, struct grt_file_header *header)
{
	int err = grt_writer_create(&t->writer, t->path, header, t->uid, t->gid);

	if (err)
		t->writer = NULL;
	return err;
}

int grt_target_commit(struct grt_target *t)
{
	int err = grt_writer_close(t->writer);

	t->writer = NULL;
	return err;
}

void grt_target_abandon(struct grt_target *t)
{
	if (t->writer)
		grt_writer_discard(t->writer);
	t->writer = NULL;
}
