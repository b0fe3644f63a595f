/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A second process that cleans up if this one is killed.  It waits for the end of this one at a
 * pipe, and ignores all signals that can be ignored.
 */
#ifndef GRT_CAPTURE_GUARD_H
#define GRT_CAPTURE_GUARD_H

#include <sys/types.h>

struct grt_guard {
	int fd;		/* pipe to the second process, -1: none */
	pid_t pid;
};

/* Both run in the second process, with a copy of this one's memory; no file is open. */
struct grt_guard_ops {
	/* Makes what a kill must not interrupt; may be NULL.  0 or -errno. */
	int (*make)(const void *arg);
	/* This process was killed. */
	void (*clean)(const void *arg);
};

/* Starts it, and waits for make().  0; or -errno, with a cause only if it did not start. */
int grt_guard_begin(struct grt_guard *g, const struct grt_guard_ops *ops, const void *arg);

/* Everything is cleaned up: ends the second process.  May be called again. */
void grt_guard_end(struct grt_guard *g);

#endif /* GRT_CAPTURE_GUARD_H */
