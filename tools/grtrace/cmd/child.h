/* SPDX-License-Identifier: GPL-2.0 */
/* The command that record runs. */
#ifndef GRT_CHILD_H
#define GRT_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_child {
	pid_t pid;	/* 0 = none */
	int pidfd;	/* readable once it has ended */
	int go, failed;	/* pipes: release it; its errno if it did not start */
};

/* Who stands behind sudo, or the caller itself. */
struct grt_user {
	uint32_t uid, gid;
	bool is_sudo;
};
struct grt_user grt_user(void);

/*
 * Makes the process, which waits; so its pid is known before anything of it is
 * recorded.  As the user behind sudo: it is not the command that needs root.
 * 0 or -errno with a cause.
 */
int grt_child_create(struct grt_child *child, char **argv);

/* Lets it run.  0 or -errno with a cause when it cannot. */
int grt_child_start(struct grt_child *child, const char *name);

/* Waits @timeout_ms for its end: true and its wait status. */
bool grt_child_wait(struct grt_child *child, int timeout_ms, int *status);

/* Ends it if it was never started, else leaves it alone; closes all. */
void grt_child_destroy(struct grt_child *child);

#endif /* GRT_CHILD_H */
