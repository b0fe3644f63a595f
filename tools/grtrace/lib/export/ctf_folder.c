// SPDX-License-Identifier: LGPL-2.1
#include "ctf_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "leftover.h"
#include "outfile.h"

static const char other_name[] = "name a new folder with -o";

int ctf_folder_fail(const struct ctf_folder *f)
{
	if (!errno)
		errno = EIO;
	return grt_fail_errno(errno == ENOSPC || errno == EDQUOT || errno == EFBIG ?
			      "free some space, or name another folder with -o" : other_name,
			      "cannot write '%s'", f->path);
}

/* 1 if @path is an empty folder, 0 if it is not, or -1 and errno. */
static int is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int files = 0;

	if (!dir)
		return -1;
	while (!files && (entry = readdir(dir)))
		files += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	return !files;
}

/* Called with the rights of the files' user. */
static int check_free(const struct ctf_folder *f)
{
	struct stat st;

	if (lstat(f->name, &st))
		return errno == ENOENT ? 0 : grt_fail_errno(other_name, "cannot make '%s'", f->path);
	if (!S_ISDIR(st.st_mode))
		return grt_fail(ENOTDIR, other_name, "'%s' exists and is no folder", f->path);
	switch (is_empty(f->name)) {
	case 1:
		return 0;
	case 0:
		return grt_fail(ENOTEMPTY, other_name, "the folder '%s' is not empty", f->path);
	default:
		return grt_fail_errno(other_name, "cannot read '%s'", f->path);
	}
}

/* Called with the rights of the files' user. */
static int make(struct ctf_folder *f)
{
	int err = check_free(f);

	if (err)
		return err;
	f->temp_name = grt_left_name(f->name, GRT_LEFT_PRODUCT);
	if (!f->temp_name)
		return grt_fail_memory();
	if (mkdir(f->temp_name, 0700)) {
		err = grt_fail_errno(other_name, "cannot make '%s'", f->path);
		free(f->temp_name);
		f->temp_name = NULL;
		return err;
	}
	f->fd = open(f->temp_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Another command may be sweeping: it holds the lock for a moment, or has removed the folder. */
	if (f->fd < 0 || flock(f->fd, LOCK_EX) || access(f->temp_name, F_OK))
		return grt_fail_errno("try again", "cannot open '%s'", f->temp_name);
	return 0;
}

int ctf_folder_open(struct ctf_folder *f, const char *path)
{
	size_t bytes = strlen(path);
	int err;

	*f = (struct ctf_folder){ .path = path, .fd = -1, .user = grt_user() };
	if (grt_outfile_is_stdout(path))
		return grt_fail(EINVAL, "grtrace export --to ctf -o trace.ctf",
				"a CTF trace is a folder and cannot go to standard output");
	while (bytes > 1 && path[bytes - 1] == '/')
		bytes--;
	f->name = strndup(path, bytes);
	if (!f->name)
		return grt_fail_memory();
	grt_left_sweep(f->name, f->user.uid, f->user.gid);
	err = grt_user_enter(f->user.uid, f->user.gid);
	if (err)
		return err;
	err = make(f);
	grt_user_leave();
	return err;
}

int ctf_folder_file(struct ctf_folder *f, const char *name)
{
	int fd, err = grt_user_enter(f->user.uid, f->user.gid);

	if (err)
		return err;
	fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	err = fd < 0 ? ctf_folder_fail(f) : 0;
	grt_user_leave();
	return err ? err : fd;
}

int ctf_folder_write(const struct ctf_folder *f, int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes) {
		ssize_t n = write(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return ctf_folder_fail(f);
		at += n;
		bytes -= n;
	}
	return 0;
}

int ctf_folder_sync(struct ctf_folder *f, const char *name)
{
	int fd = ctf_folder_file(f, name), err = 0;

	if (fd < 0)
		return fd;
	errno = 0;
	if (fdatasync(fd))
		err = ctf_folder_fail(f);
	if (close(fd) && !err)
		err = ctf_folder_fail(f);
	return err;
}

int ctf_folder_sync_all(struct ctf_folder *f)
{
	errno = 0;
	return syncfs(f->fd) ? ctf_folder_fail(f) : 0;
}

int ctf_folder_commit(struct ctf_folder *f)
{
	int err = grt_user_enter(f->user.uid, f->user.gid);

	if (err)
		return err;
	/* An empty folder of that name is replaced; a folder that got files since is not. */
	if (rename(f->temp_name, f->name))
		err = grt_fail_errno(other_name, "cannot make '%s'", f->path);
	grt_user_leave();
	if (err)
		return err;
	free(f->temp_name);
	f->temp_name = NULL;
	return 0;
}

void ctf_folder_free(struct ctf_folder *f)
{
	if (f->temp_name && !grt_user_enter(f->user.uid, f->user.gid)) {
		grt_left_remove_folder(f->temp_name);
		grt_user_leave();
	}
	if (f->fd >= 0)
		close(f->fd);
	free(f->temp_name);
	free(f->name);
	*f = (struct ctf_folder){ .fd = -1 };
}
