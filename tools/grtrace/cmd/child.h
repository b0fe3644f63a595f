/* SPDX-License-Identifier: GPL-2.0 */
/* The command that record runs. */
#ifndef GRT_CHILD_H
#define GRT_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct grt_child {
	pid_t pid;	/* 0 = none */
	int pidfd;	/* becomes readable when the child ends */
	int go, failed;	/* pipes: go releases the child; failed carries errno if exec failed */
};

/* What a child gets instead of ours. */
struct grt_child_setup {
	int out, err;		/* standard output and error; -1: ours */
	const char *tmpdir;	/* NULL: ours */
};

/*
 * Creates a process that waits before it runs the command, so that its pid is known before
 * anything is recorded.  It has the identity of the user behind sudo, because only record needs
 * root.  0 or -errno with a cause.
 */
int grt_child_create(struct grt_child *child, char **argv, const struct grt_child_setup *setup);

/* Runs the command.  0; if exec() fails, -errno with a cause. */
int grt_child_start(struct grt_child *child, const char *name);

/* Waits up to @timeout_ms for the child to end.  True: *status is its wait status. */
bool grt_child_wait(struct grt_child *child, int timeout_ms, int *status);

/* Ends a child that was never started; leaves a running one alone.  Closes all descriptors. */
void grt_child_destroy(struct grt_child *child);

#endif /* GRT_CHILD_H */
