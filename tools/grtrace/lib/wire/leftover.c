// SPDX-License-Identifier: LGPL-2.1
#include "leftover.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "file.h"
#include "user.h"

#define NR_RANDOM	6	/* characters */
#define TRIES	100

char *grt_left_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : slash - path);
}

static void fill_random(char to[NR_RANDOM + 1])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char bytes[NR_RANDOM];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();	/* cannot fail for so few bytes */
	for (int i = 0; i < NR_RANDOM; i++)
		to[i] = letters[bytes[i] % (sizeof(letters) - 1)];
	to[NR_RANDOM] = '\0';
}

char *grt_left_name(const char *path, const char *mark)
{
	char random_part[NR_RANDOM + 1], *name;

	fill_random(random_part);
	return asprintf(&name, "%s%s%s", path, mark, random_part) < 0 ? NULL : name;
}

int grt_left_rename(const char *from, const char *to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	/* Not every file system has RENAME_NOREPLACE; link() does not replace a file either. */
	if (errno != EINVAL)
		return -1;
	return link(from, to) ? -1 : unlink(from);
}

/* Where the mark of an unfinished file begins in @name; NULL if it has none. */
static const char *find_mark(const char *name, const char *mark)
{
	size_t len = strlen(name), tail = strlen(mark) + NR_RANDOM;
	const char *at = name + len - tail;

	if (len <= tail || strncmp(at, mark, strlen(mark)))
		return NULL;
	for (size_t i = len - NR_RANDOM; i < len; i++)
		if (!isalnum((unsigned char)name[i]))
			return NULL;
	return at;
}

char *grt_left_set_aside(const char *temp_name)
{
	const char *mark = find_mark(temp_name, GRT_LEFT_RECORDING), *slash, *dot = NULL;
	int stem = mark - temp_name, whole = stem, tries = TRIES;
	char random_part[NR_RANDOM + 1], *name;

	slash = memrchr(temp_name, '/', whole);
	dot = memrchr(temp_name, '.', whole);
	/* A leading dot hides the file, and a dot in a folder's name is no extension. */
	if (dot && dot != temp_name && (!slash || dot > slash + 1))
		stem = dot - temp_name;
	do {
		fill_random(random_part);
		if (asprintf(&name, "%.*s-cut-%s%.*s", stem, temp_name, random_part, whole - stem,
			     temp_name + stem) < 0)
			return NULL;
		if (!grt_left_rename(temp_name, name))
			return name;
		free(name);
	} while (errno == EEXIST && --tries);
	return NULL;
}

/* Whether the file is empty or was written by grtrace. */
static bool is_of_grtrace(int fd)
{
	static const char database[] = "SQLite f";	/* of export --to sqlite */
	uint64_t magic;
	ssize_t n = pread(fd, &magic, sizeof(magic), 0);

	return !n || (n == sizeof(magic) && (magic == GRT_FILE_MAGIC || !memcmp(&magic, database, sizeof(magic))));
}

/*
 * Whether a file of @uid was left by a dead process: nobody holds its lock, and @path is still its
 * name.
 */
static bool is_left(int fd, const char *path, uint32_t uid)
{
	struct stat st, named;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == uid && st.st_nlink == 1 &&
	       !flock(fd, LOCK_EX | LOCK_NB) && is_of_grtrace(fd) &&
	       !lstat(path, &named) && named.st_dev == st.st_dev && named.st_ino == st.st_ino;
}

static void clear(const char *path, bool is_recording, int fd)
{
	char hint[512], *name;
	struct stat st;

	if (!is_recording || fstat(fd, &st) || st.st_size <= (off_t)sizeof(struct grt_file_header)) {
		unlink(path);
		return;
	}
	name = grt_left_set_aside(path);
	if (!name)
		return;
	snprintf(hint, sizeof(hint), "grtrace report %s", name);
	grt_warn(hint, "a recording was killed; what it had written is in '%s'", name);
	free(name);
}

void grt_left_remove_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}

/* A folder that a dead process of @uid was filling. */
static void clear_folder(const char *path, uint32_t uid)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_uid == uid && !flock(fd, LOCK_EX | LOCK_NB))
		grt_left_remove_folder(path);
	close(fd);
}

static void look_at(const char *folder, const char *name, uint32_t uid)
{
	bool is_recording = find_mark(name, GRT_LEFT_RECORDING), is_known;
	struct stat st;
	char *path;
	int fd;

	if (!is_recording && !find_mark(name, GRT_LEFT_PRODUCT))
		return;
	if (!strcmp(folder, "."))
		path = strdup(name);
	else if (asprintf(&path, "%s%s%s", folder, strcmp(folder, "/") ? "/" : "", name) < 0)
		path = NULL;
	if (!path)
		return;
	/* Do not open pipes or devices. */
	is_known = !lstat(path, &st);
	if (is_known && S_ISDIR(st.st_mode) && !is_recording)
		clear_folder(path, uid);
	fd = is_known && S_ISREG(st.st_mode) ?
	     open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	if (fd >= 0 && is_left(fd, path, uid))
		clear(path, is_recording, fd);
	if (fd >= 0)
		close(fd);
	free(path);
}

void grt_left_sweep(const char *path, uint32_t uid, uint32_t gid)
{
	char *folder = grt_left_folder(path);
	struct dirent *entry;
	DIR *dir = NULL;

	if (!folder || grt_user_enter(uid, gid))
		goto free_folder;
	dir = opendir(folder);
	while (dir && (entry = readdir(dir)))
		look_at(folder, entry->d_name, uid);
	if (dir)
		closedir(dir);
	grt_user_leave();
free_folder:
	free(folder);
}
