// SPDX-License-Identifier: LGPL-2.1
#include "target.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "scratch.h"

int grt_target_check(const char *path, int count, char *const *inputs)
{
	struct stat to, from;

	if (stat(path, &to))
		return 0;
	for (int i = 0; i < count; i++)
		if (!stat(inputs[i], &from) && from.st_dev == to.st_dev &&
		    from.st_ino == to.st_ino && !S_ISCHR(to.st_mode))
			return grt_fail(EEXIST, "name another file with -o",
					"'%s' is what is read; it is not changed", path);
	return 0;
}

/* What grew is gone or has its name. */
static void forget(struct grt_target *t)
{
	if (t->grows)
		grt_scratch_remove(t->grows);
	free(t->grows);
	t->grows = NULL;
}

int grt_target_open(struct grt_target *t, struct grt_file_header *header)
{
	struct stat st;
	bool is_plain = lstat(t->path, &st) || S_ISREG(st.st_mode);
	int err;

	if (is_plain && asprintf(&t->grows, "%s.part-%d", t->path, (int)getpid()) < 0) {
		t->grows = NULL;
		return grt_fail_memory();
	}
	if (t->grows)
		grt_scratch_add(t->grows);
	err = grt_writer_create(&t->writer, t->grows ? t->grows : t->path, header, t->uid, t->gid);
	if (err) {
		t->writer = NULL;
		forget(t);
		return err;
	}
	err = grt_writer_call(t->writer, t->path);
	if (err)
		grt_target_abandon(t);
	return err;
}

int grt_target_commit(struct grt_target *t)
{
	int err = grt_writer_close(t->writer);

	t->writer = NULL;
	if (!err && t->grows && rename(t->grows, t->path))
		err = grt_fail_errno("name another file with -o", "cannot make '%s'", t->path);
	forget(t);
	return err;
}

void grt_target_abandon(struct grt_target *t)
{
	if (t->writer)
		grt_writer_discard(t->writer);
	t->writer = NULL;
	forget(t);
}
