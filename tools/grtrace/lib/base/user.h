/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The user who ran sudo.  Files for that user are made with that user's rights: with root's
 * rights, a user who may run one command through sudo could write anywhere.
 */
#ifndef GRT_USER_H
#define GRT_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_user {
	uint32_t uid, gid;
	bool is_sudo;
};

/* The user of SUDO_UID and SUDO_GID if the caller is root, else the caller. */
struct grt_user grt_user(void);

/* All groups of that user, to be freed.  Returns their number, or -errno with a cause. */
int grt_user_groups(uint32_t uid, uint32_t gid, gid_t **groups);

/*
 * Until grt_user_leave(), files are opened, made, renamed and removed with the rights of @uid and
 * its groups.  Does nothing if the caller is not root or @uid is root.  0, or -errno with a cause:
 * then do not call grt_user_leave().
 */
int grt_user_enter(uint32_t uid, uint32_t gid);
void grt_user_leave(void);

/*
 * open() with the rights of grt_user(), for files that the user names.  A new file has the mode 0666.  Returns a
 * descriptor, or -1 and errno.
 */
int grt_user_open(const char *path, int flags);

#endif /* GRT_USER_H */
