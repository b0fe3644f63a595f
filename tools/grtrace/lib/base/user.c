// SPDX-License-Identifier: LGPL-2.1
#include "user.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "error.h"
#include "number.h"

/* Our own identity, to return to. */
static struct {
	gid_t *groups;	/* owned */
	int count;
	bool is_inside;
} own;

static bool get_id(const char *name, uint32_t *id)
{
	const char *text = getenv(name);
	uint64_t value;

	if (!text || grt_parse_u64(text, &value) || value >= UINT32_MAX)
		return false;
	*id = value;
	return true;
}

struct grt_user grt_user(void)
{
	struct grt_user user;

	/* Only root came here through sudo; for other users the variables mean nothing. */
	user.is_sudo = geteuid() == 0 && get_id("SUDO_UID", &user.uid) &&
		       get_id("SUDO_GID", &user.gid) && user.uid;
	if (!user.is_sudo) {
		user.uid = geteuid();
		user.gid = getegid();
	}
	return user;
}

int grt_user_groups(uint32_t uid, uint32_t gid, gid_t **groups)
{
	const struct passwd *pw = getpwuid(uid);
	int room = 32, count;

	/* Grows until all groups fit; the kernel limits their number. */
	for (;; room *= 2) {
		*groups = calloc(room, sizeof(**groups));
		if (!*groups)
			return grt_fail_memory();
		(*groups)[0] = gid;
		count = room;
		if (!pw)
			return 1;
		if (getgrouplist(pw->pw_name, gid, *groups, &count) >= 0)
			return count;
		free(*groups);
		if (room > 65536)
			return grt_fail(E2BIG, "let the shell make the file: -o - > FILE",
					"user %u is in more than 65,536 groups", uid);
	}
}

static int keep_own(void)
{
	int count = getgroups(0, NULL);

	own.groups = count < 0 ? NULL : calloc(count + 1, sizeof(*own.groups));
	if (!own.groups)
		return grt_fail_memory();
	own.count = getgroups(count, own.groups);
	return 0;
}

int grt_user_enter(uint32_t uid, uint32_t gid)
{
	gid_t *groups;
	int count, err;

	if (geteuid() || !uid)
		return 0;
	count = grt_user_groups(uid, gid, &groups);
	if (count < 0)
		return count;
	err = keep_own();
	if (err)
		goto free_groups;
	own.is_inside = true;
	/* The user last: without root we may not change the groups any more. */
	if (setgroups(count, groups))
		err = grt_fail_errno(NULL, "cannot act as user %u", uid);
	setfsgid(gid);
	setfsuid(uid);
	if (!err && (setfsuid(-1) != (int)uid || setfsgid(-1) != (int)gid))
		err = grt_fail(EPERM, NULL, "cannot act as user %u", uid);
	if (err)
		grt_user_leave();
free_groups:
	free(groups);
	return err;
}

void grt_user_leave(void)
{
	int err = errno;

	if (!own.is_inside)
		return;
	setfsuid(geteuid());
	setfsgid(getegid());
	/* Root could set the groups of another user, so root can set its own. */
	if (setgroups(own.count, own.groups))
		abort();
	free(own.groups);
	own.groups = NULL;
	own.is_inside = false;
	errno = err;
}

int grt_user_open(const char *path, int flags)
{
	struct grt_user user = grt_user();
	int fd, err = grt_user_enter(user.uid, user.gid);

	if (err) {
		errno = -err;
		return -1;
	}
	fd = open(path, flags, 0666);
	grt_user_leave();
	return fd;
}
