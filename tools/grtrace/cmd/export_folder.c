// SPDX-License-Identifier: GPL-2.0
#include "export_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "user.h"

#define RUN		"jobs-"
#define RUN_CHARS	20	/* jobs-20261126-181212 */
#define CUT_CHARS	11	/* -cut-a1B2c3 */
#define EXPORTED_MODE	0400
#define PROBE		"mode-probe"	/* a file that is made and removed */

static int make_folder(const char *path)
{
	if (!mkdir(path, 0700) || errno == EEXIST)
		return 0;
	return grt_fail_errno("name another folder with --export", "cannot make '%s'", path);
}

static int lock(struct grt_export_folder *f)
{
	f->lock = open(f->segments, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (f->lock < 0)
		return grt_fail_errno("name another folder with --export", "cannot open '%s'", f->segments);
	if (!flock(f->lock, LOCK_EX | LOCK_NB))
		return 0;
	return errno == EWOULDBLOCK ? grt_fail(EBUSY, "stop it, or name another folder with --export",
					       "another recorder exports to '%s'", f->rows) :
				      grt_fail_errno(NULL, "cannot lock '%s'", f->segments);
}

static bool has_mark(const struct stat *st)
{
	return (st->st_mode & 0777) == EXPORTED_MODE;
}

static bool is_marked(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && has_mark(&st);
}

/* Some file systems fail to set the mode, and some say that they did. */
static bool can_mark(const char *path)
{
	return !chmod(path, EXPORTED_MODE) && is_marked(path);
}

/* Without modes no segment would ever count as exported, and the first one would be exported again and again. */
static int check_modes(const struct grt_export_folder *f)
{
	char path[PATH_MAX];
	bool has_modes;
	int fd;

	snprintf(path, sizeof(path), "%s/" PROBE, f->segments);
	unlink(path);	/* left by a recorder that was killed right here */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return grt_fail_errno("name another folder with --export", "cannot make '%s'", path);
	close(fd);
	/* On vfat all files may have that mode, so that all would count. */
	has_modes = !is_marked(path) && can_mark(path);
	unlink(path);
	if (has_modes)
		return 0;
	return grt_fail(EOPNOTSUPP, "name a folder on another file system with --export, such as ext4 or XFS",
			"'%s' is on a file system without modes, which tell what was exported", f->rows);
}

int grt_export_folder_open(struct grt_export_folder *f, const char *dir)
{
	struct grt_user user = grt_user();
	int len, err;

	f->uid = user.uid;
	f->gid = user.gid;
	f->lock = -1;
	/* A segment is opened by its path, which must not look like an option. */
	len = snprintf(f->rows, sizeof(f->rows), "%s%s", *dir == '-' ? "./" : "", dir);
	if (len < 0 || (size_t)len >= sizeof(f->rows))
		return grt_fail(ENAMETOOLONG, "name another folder with --export", "'%.60s...' is too long", dir);
	snprintf(f->segments, sizeof(f->segments), "%s/" GRT_SEGMENTS, f->rows);
	err = grt_user_enter(f->uid, f->gid);
	if (err)
		return err;
	err = make_folder(f->rows);
	if (!err)
		err = make_folder(f->segments);
	if (!err)
		err = lock(f);
	if (!err)
		err = check_modes(f);
	grt_user_leave();
	return err;
}

void grt_export_folder_close(struct grt_export_folder *f)
{
	if (f->lock >= 0)
		close(f->lock);
	f->lock = -1;
}

/* "jobs-20261126-181212-0003.grt", with -cut-a1B2c3 in it or not, or .ndjson. */
static bool parse_name(struct grt_segment *s, const char *name)
{
	const char *at = name + RUN_CHARS + 1;
	char *end;

	if (strlen(name) >= sizeof(s->name) || strlen(name) <= RUN_CHARS + 1 || strncmp(name, RUN, strlen(RUN)) ||
	    at[-1] != '-' || !isdigit((unsigned char)*at))
		return false;
	*s = (struct grt_segment){ .number = strtoull(at, &end, 10) };
	if (!strncmp(end, "-cut-", 5) && strlen(end) > CUT_CHARS) {
		s->is_cut = true;
		end += CUT_CHARS;
	}
	s->is_rows = !strcmp(end, ".ndjson");
	snprintf(s->run, sizeof(s->run), "%.*s", RUN_CHARS, name);
	snprintf(s->name, sizeof(s->name), "%s", name);
	return s->is_rows || !strcmp(end, ".grt");
}

static int by_age(const void *a, const void *b)
{
	const struct grt_segment *x = a, *y = b;
	int order = strcmp(x->run, y->run);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int list(const char *path, struct grt_vec *to)
{
	DIR *dir = opendir(path);
	struct grt_segment s;
	struct stat st;
	int err = 0;

	if (!dir)
		return grt_fail_errno(NULL, "cannot read '%s'", path);
	for (const struct dirent *entry; !err && (entry = readdir(dir)); ) {
		if (!parse_name(&s, entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		s.bytes = st.st_size;
		s.is_exported = !s.is_rows && has_mark(&st);
		err = grt_vec_append(to, &s, sizeof(s)) ? grt_fail_memory() : 0;
	}
	closedir(dir);
	if (to->bytes)
		qsort(to->data, grt_vec_count(to, struct grt_segment), sizeof(s), by_age);
	return err;
}

int grt_export_folder_list(const struct grt_export_folder *f, const char *path, struct grt_vec *to)
{
	int err = grt_user_enter(f->uid, f->gid);

	if (err)
		return err;
	err = list(path, to);
	grt_user_leave();
	return err;
}

static bool has_run(const struct grt_vec *all, const char *run)
{
	for (size_t i = 0; i < grt_vec_count(all, struct grt_segment); i++)
		if (!strcmp(grt_vec_at(all, struct grt_segment, i)->run, run))
			return true;
	return false;
}

int grt_export_folder_run(const struct grt_export_folder *f, char run[32])
{
	struct grt_vec all = { 0 };
	time_t now = time(NULL);
	struct tm tm;
	int err = grt_export_folder_list(f, f->rows, &all);

	if (!err)
		err = grt_export_folder_list(f, f->segments, &all);
	do {
		gmtime_r(&now, &tm);
		strftime(run, 32, RUN "%Y%m%d-%H%M%S", &tm);
		now++;
	} while (has_run(&all, run));
	grt_vec_free(&all);
	return err;
}

void grt_export_folder_path(const struct grt_export_folder *f, const struct grt_segment *s, char to[PATH_MAX])
{
	snprintf(to, PATH_MAX, "%s/%s", s->is_rows ? f->rows : f->segments, s->name);
}

void grt_export_folder_rows_path(const struct grt_export_folder *f, const struct grt_segment *s, char to[PATH_MAX])
{
	const char *dot = strrchr(s->name, '.');

	snprintf(to, PATH_MAX, "%s/%.*s.ndjson", f->rows, (int)(dot - s->name), s->name);
}

int grt_export_folder_mark(const struct grt_export_folder *f, const struct grt_segment *s)
{
	char path[PATH_MAX];
	int err = grt_user_enter(f->uid, f->gid);

	if (err)
		return err;
	grt_export_folder_path(f, s, path);
	/* Nobody needs the mark of a segment that somebody has removed. */
	if (!can_mark(path) && !access(path, F_OK))
		err = grt_fail(EIO, NULL, "cannot mark '%s' as exported by its mode", path);
	grt_user_leave();
	return err;
}

void grt_export_folder_set_aside(const struct grt_export_folder *f, const struct grt_segment *s)
{
	char path[PATH_MAX], aside[PATH_MAX + 8];

	grt_export_folder_path(f, s, path);
	snprintf(aside, sizeof(aside), "%s.bad", path);
	if (grt_user_enter(f->uid, f->gid))
		return;
	if (rename(path, aside))
		unlink(path);
	grt_user_leave();
}

void grt_export_folder_remove(const struct grt_export_folder *f, const struct grt_segment *s)
{
	char path[PATH_MAX];

	grt_export_folder_path(f, s, path);
	if (grt_user_enter(f->uid, f->gid))
		return;
	unlink(path);
	grt_user_leave();
}

bool grt_segment_is_next(const struct grt_segment *s, const struct grt_segment *next)
{
	return next->number == s->number + 1 && !strcmp(next->run, s->run);
}
