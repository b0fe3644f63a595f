// SPDX-License-Identifier: GPL-2.0
#include "flight_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "user.h"
#include "vec.h"

#define TIME_CHARS	15	/* 20261125-180312 */
#define MOST_A_SECOND	1000

/* A path in parts: "out/", "hang", ".grt". */
struct parts {
	const char *path, *stem, *end;
	int dir_len, stem_len;
};

static struct parts parts_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
	const char *dot = strrchr(stem, '.');

	/* A leading dot hides the file. */
	if (!dot || dot == stem)
		dot = stem + strlen(stem);
	return (struct parts){
		.path = path, .stem = stem, .end = dot,
		.dir_len = stem - path, .stem_len = dot - stem,
	};
}

static int check_room(int len, size_t room, const char *path)
{
	if (len >= 0 && (size_t)len < room)
		return 0;
	return grt_fail(ENAMETOOLONG, "name another file with -o", "'%.60s...' is too long", path);
}

int grt_flight_files_end_name(char *to, size_t room, const char *path)
{
	struct parts p = parts_of(path);

	return check_room(snprintf(to, room, "%.*s-end%s", p.dir_len + p.stem_len, path, p.end), room,
			  path);
}

int grt_flight_files_name(char *to, size_t room, const char *path)
{
	struct parts p = parts_of(path);
	time_t now = time(NULL);
	char when[32], again[16] = "";
	struct tm tm;
	int err = 0;

	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	for (int i = 1; !err && i <= MOST_A_SECOND; i++) {
		if (i > 1)
			snprintf(again, sizeof(again), "-%d", i);
		err = check_room(snprintf(to, room, "%.*s-%s%s%s", p.dir_len + p.stem_len, path, when,
					  again, p.end), room, path);
		if (!err && access(to, F_OK))
			return 0;
	}
	return err ? err : grt_fail(EEXIST, NULL, "'%s' exists, as do all others of this second", to);
}

/* --- removing old ones --- */

struct old {
	char name[256], when[TIME_CHARS];
	uint64_t number;	/* of those of one second */
	uint64_t bytes;
	bool is_latest;		/* the one just written; its name may say less, if the clock was set back */
};

/* Whether a name in the folder is one of ours; *number is 1, or what follows the time. */
static bool is_ours(const struct parts *p, const char *name, uint64_t *number)
{
	const char *at = name + p->stem_len + 1;
	size_t end_len = strlen(p->end), len = strlen(name);
	char *rest;

	if (len < p->stem_len + 1 + TIME_CHARS + end_len || strncmp(name, p->stem, p->stem_len) ||
	    at[-1] != '-' || strcmp(name + len - end_len, p->end))
		return false;
	for (int i = 0; i < TIME_CHARS; i++)
		if (i == 8 ? at[i] != '-' : !isdigit((unsigned char)at[i]))
			return false;
	at += TIME_CHARS;
	*number = 1;
	if (at == name + len - end_len)
		return true;
	if (*at != '-' || !isdigit((unsigned char)at[1]))
		return false;
	*number = strtoull(at + 1, &rest, 10);
	return rest == name + len - end_len;
}

static int by_age(const void *a, const void *b)
{
	const struct old *x = a, *y = b;
	int order = memcmp(x->when, y->when, TIME_CHARS);

	if (x->is_latest != y->is_latest)
		return x->is_latest - y->is_latest;
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void find_old(const struct parts *p, DIR *dir, const char *latest, struct grt_vec *olds)
{
	struct old old;
	struct stat st;

	for (const struct dirent *entry; (entry = readdir(dir)); ) {
		if (strlen(entry->d_name) >= sizeof(old.name) ||
		    !is_ours(p, entry->d_name, &old.number) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		snprintf(old.name, sizeof(old.name), "%s", entry->d_name);
		memcpy(old.when, old.name + p->stem_len + 1, TIME_CHARS);
		old.bytes = st.st_size;
		old.is_latest = !strcmp(old.name, latest);
		if (grt_vec_append(olds, &old, sizeof(old)))
			return;
	}
}

static void prune(const struct parts *p, DIR *dir, const char *latest, uint64_t keep, uint64_t max_bytes)
{
	struct grt_vec olds = { 0 };
	uint64_t bytes = 0;
	size_t count;

	find_old(p, dir, latest, &olds);
	count = grt_vec_count(&olds, struct old);
	if (count)
		qsort(olds.data, count, sizeof(struct old), by_age);
	for (size_t i = 0; i < count; i++)
		bytes += grt_vec_at(&olds, struct old, i)->bytes;
	for (size_t i = 0; i + 1 < count; i++) {
		const struct old *old = grt_vec_at(&olds, struct old, i);

		if ((!keep || count - i <= keep) && (!max_bytes || bytes <= max_bytes))
			break;
		unlinkat(dirfd(dir), old->name, 0);
		bytes -= old->bytes;
	}
	grt_vec_free(&olds);
}

void grt_flight_files_prune(const char *path, const char *latest, uint64_t keep, uint64_t max_bytes,
			    uint32_t uid, uint32_t gid)
{
	struct parts p = parts_of(path);
	char folder[4096];
	DIR *dir;

	if ((!keep && !max_bytes) || grt_user_enter(uid, gid))
		return;
	snprintf(folder, sizeof(folder), "%.*s", p.dir_len, path);
	dir = opendir(*folder ? folder : ".");
	if (dir) {
		prune(&p, dir, latest + p.dir_len, keep, max_bytes);
		closedir(dir);
	}
	grt_user_leave();
}
