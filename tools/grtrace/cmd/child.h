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

/*
 * Creates a process that waits before it runs the command, so that its pid is known before
 * anything is recorded.  It has the identity of the user behind sudo, because only record needs
 * root.  @keeps_stdout: standard output is the trace, so the command's output goes to standard
 * error.  0 or -errno with a cause.
 */
int grt_child_create(struct grt_child *child, char **argv, bool keeps_stdout);

/* Runs the command.  0; if exec() fails, -errno with a cause. */
int grt_child_start(struct grt_child *child, const char *name);

/* Waits up to @timeout_ms for the child to end.  True: *status is its wait status. */
bool grt_child_wait(struct grt_child *child, int timeout_ms, int *status);

/* Ends a child that was never started; leaves a running one alone.  Closes all descriptors. */
void grt_child_destroy(struct grt_child *child);

#endif /* GRT_CHILD_H */
