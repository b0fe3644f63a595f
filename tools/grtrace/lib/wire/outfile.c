// SPDX-License-Identifier: LGPL-2.1
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "leftover.h"
#include "scratch.h"
#include "user.h"

#define TRIES	100

static const char other_name[] = "name another file with -o";

const char *grt_outfile_hint(int err)
{
	switch (err) {
	case EFBIG:
		return "raise the limit (ulimit -f unlimited), or use smaller files: --rotate 1G";
	case ENOSPC:
	case EDQUOT:
		return "free some space, or name another file with -o";
	case EPIPE:
		return NULL;
	default:
		return "check the disk, or name another file with -o";
	}
}

bool grt_outfile_is_stdout(const char *path)
{
	return !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
}

static bool is_kind(int fd, mode_t kind)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == kind;
}

static int open_stdout(struct grt_outfile *o)
{
	if (isatty(STDOUT_FILENO))
		return grt_fail(ENOTTY, "name a file with -o, or send it on: ... | grtrace report -",
				"a terminal cannot show a trace");
	/*
	 * Opens the pipe again: O_NONBLOCK on the shared description would surprise its other
	 * users.
	 */
	if (o->wait && is_kind(STDOUT_FILENO, S_IFIFO))
		o->fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (o->fd < 0)
		o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return o->fd < 0 ? grt_fail_errno(other_name, "cannot write to standard output") : 0;
}

/* A pipe of another user may be a trap. */
static int check_owner(const struct grt_outfile *o, const struct stat *st)
{
	if (!S_ISFIFO(st->st_mode) || !st->st_uid || st->st_uid == geteuid() || st->st_uid == o->uid)
		return 0;
	return grt_fail(EPERM, other_name, "'%s' is a pipe of user %u", o->path, st->st_uid);
}

/* Opens a pipe or device; never follows or replaces a symbolic link. */
static int open_other(struct grt_outfile *o)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | (o->wait ? O_NONBLOCK : 0);
	struct stat st;
	int err;

	for (;;) {
		o->fd = open(o->path, flags);
		if (o->fd >= 0 && !fstat(o->fd, &st))
			return check_owner(o, &st);
		if (errno == EINTR)
			continue;
		if (errno != ENXIO || !o->wait)
			return grt_fail_errno(other_name, "cannot write '%s'", o->path);
		err = o->wait(o->arg, -1);
		if (err)
			return err;
	}
}

/*
 * -1 if impossible: the file system has no O_TMPFILE, or there is no /proc to name the file with.
 */
static int open_unnamed(const struct grt_outfile *o)
{
	char *folder;
	int fd;

	if (o->is_recording || o->is_named || access("/proc/self/fd", X_OK))
		return -1;
	folder = grt_left_folder(o->path);
	if (!folder)
		return -1;
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	return fd;
}

static bool has_name(int fd, const char *name)
{
	struct stat a, b;

	return !fstat(fd, &a) && !lstat(name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void drop_name(struct grt_outfile *o)
{
	free(o->temp_name);
	o->temp_name = NULL;
}

static int make_named(struct grt_outfile *o)
{
	if (asprintf(&o->temp_name, "%s%sXXXXXX", o->path,
		     o->is_recording ? GRT_LEFT_RECORDING : GRT_LEFT_PRODUCT) < 0) {
		o->temp_name = NULL;
		return grt_fail_memory();
	}
	o->fd = o->is_recording ? mkostemp(o->temp_name, O_CLOEXEC) : grt_scratch_make(o->temp_name);
	if (o->fd < 0) {
		int err = grt_fail_errno(other_name, "cannot create '%s'", o->path);

		drop_name(o);
		return err;
	}
	return 0;
}

static int open_named(struct grt_outfile *o)
{
	int err = make_named(o);

	/*
	 * Before we locked the new file, another command may have taken it for a leftover and
	 * removed it.
	 */
	for (int i = 0; !err && i < TRIES; i++) {
		flock(o->fd, LOCK_EX);
		if (has_name(o->fd, o->temp_name))
			return 0;
		close(o->fd);
		grt_scratch_remove(o->temp_name);
		drop_name(o);
		err = make_named(o);
	}
	return err;
}

/*
 * Opens a recording that was left.  While it is written on it has the name of one that is not complete, so that
 * whoever kills us leaves it as it was found.
 */
static int open_again(struct grt_outfile *o)
{
	char *name = grt_left_name(o->path, GRT_LEFT_RECORDING);

	if (!name)
		return grt_fail_memory();
	o->is_plain = true;
	o->fd = open(o->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	/* Others take a file with such a name for a leftover unless it is locked. */
	if (o->fd >= 0 && !flock(o->fd, LOCK_EX | LOCK_NB) && !grt_left_rename(o->path, name)) {
		o->temp_name = name;
		return 0;
	}
	free(name);
	return grt_fail_errno(NULL, "cannot write on '%s'", o->path);
}

/* Called with the rights of the file's user. */
static int open_as_user(struct grt_outfile *o)
{
	struct stat st;
	int err;

	if (o->goes_on)
		return open_again(o);
	if (!lstat(o->path, &st) && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			return grt_fail(EISDIR, other_name, "cannot write '%s': it is a folder", o->path);
		/* Check before open(), which may block. */
		err = check_owner(o, &st);
		return err ? err : open_other(o);
	}
	o->is_plain = true;
	o->fd = open_unnamed(o);
	return o->fd >= 0 ? 0 : open_named(o);
}

int grt_outfile_open(struct grt_outfile *o)
{
	int err;

	o->fd = -1;
	o->is_plain = false;
	o->temp_name = o->name = NULL;
	if (grt_outfile_is_stdout(o->path))
		return open_stdout(o);
	grt_left_sweep(o->path, o->uid, o->gid);
	err = grt_user_enter(o->uid, o->gid);
	if (err)
		return err;
	err = open_as_user(o);
	grt_user_leave();
	if (err)
		grt_outfile_abandon(o);
	return err;
}

int grt_outfile_reserve(const struct grt_outfile *o, uint64_t bytes)
{
	struct rlimit limit;
	struct stat st;

	if (!o->is_plain)
		return 0;
	if (fstat(o->fd, &st))
		return grt_fail_errno(NULL, "cannot look at '%s'", o->path);
	if (!getrlimit(RLIMIT_FSIZE, &limit) && st.st_size + bytes > limit.rlim_cur)
		return grt_fail(EFBIG, "raise the limit: ulimit -f unlimited",
				"'%s' would be larger than a file may be", o->path);
	if (fallocate(o->fd, FALLOC_FL_KEEP_SIZE, st.st_size, bytes) && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		return grt_fail_errno("free some space, or name another file with -o",
				      "no room for '%s'", o->path);
	return 0;
}

/*
 * Called with the rights of the file's user.  Removes the temporary name if the file still has it.
 */
static void end(struct grt_outfile *o)
{
	if (o->temp_name)
		grt_scratch_remove(o->temp_name);
	drop_name(o);
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}

/* Gives a file without a name the new name @name. */
static int link_unnamed(const struct grt_outfile *o, const char *name)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Replaces an existing file: links under a temporary name, then renames. */
static int replace_by_unnamed(struct grt_outfile *o)
{
	sigset_t all, before;
	int tries = TRIES, done;

	/* A signal in between would leave the temporary name behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	do {
		drop_name(o);
		o->temp_name = grt_left_name(o->path, GRT_LEFT_PRODUCT);
		done = o->temp_name ? link_unnamed(o, o->temp_name) : -1;
	} while (done && o->temp_name && errno == EEXIST && --tries);
	if (done)
		drop_name(o);
	else
		done = rename(o->temp_name, o->path);
	if (done && o->temp_name)
		unlink(o->temp_name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return done;
}

static int give_name(struct grt_outfile *o)
{
	if (!o->is_plain)
		return 0;
	if (o->temp_name)
		return o->is_new ? grt_left_rename(o->temp_name, o->path) : rename(o->temp_name, o->path);
	if (!link_unnamed(o, o->path))
		return 0;
	return errno == EEXIST ? replace_by_unnamed(o) : -1;
}

/* Checks that the disk has the data before a file is replaced. */
static int put_on_disk(const struct grt_outfile *o)
{
	int fd;

	if (!is_kind(o->fd, S_IFREG))
		return 0;
	if (fdatasync(o->fd))
		return -1;
	/*
	 * Network file systems may report an error only at close(); closing a duplicate keeps our
	 * file open.
	 */
	fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -1 : close(fd);
}

int grt_outfile_commit(struct grt_outfile *o)
{
	char *name = strdup(o->path);
	int err;

	/* Without memory a product may be incomplete; a recording is kept all the same. */
	if (!name || (grt_was_out_of_memory() && !o->is_recording))
		err = grt_fail_memory();
	else
		err = grt_user_enter(o->uid, o->gid);
	if (err) {
		free(name);
		if (!o->is_recording)
			grt_outfile_abandon(o);
		return err;
	}
	if (put_on_disk(o))
		err = grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", o->path);
	else if (give_name(o))
		err = grt_fail_errno(other_name, "cannot make '%s'", o->path);
	if (err)
		free(name);
	else
		o->name = name;
	if (o->name || !o->is_recording)
		end(o);
	grt_user_leave();
	return err;
}

int grt_outfile_keep(struct grt_outfile *o)
{
	int err = o->temp_name ? grt_user_enter(o->uid, o->gid) : 0;

	if (err)
		return err;
	if (o->temp_name && !grt_left_rename(o->temp_name, o->path))
		o->name = strdup(o->path);
	else if (o->temp_name)
		o->name = grt_left_set_aside(o->temp_name);
	if (!o->name) {
		o->name = o->temp_name;
		o->temp_name = NULL;
	}
	end(o);
	grt_user_leave();
	return 0;
}

void grt_outfile_abandon(struct grt_outfile *o)
{
	bool is_user;

	if (o->goes_on && o->temp_name && !grt_outfile_keep(o)) {
		grt_outfile_free(o);
		return;
	}
	is_user = o->temp_name && !grt_user_enter(o->uid, o->gid);
	end(o);
	if (is_user)
		grt_user_leave();
}

void grt_outfile_free(struct grt_outfile *o)
{
	free(o->name);
	o->name = NULL;
}
