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

/*
 * Starts it; @clean runs there, with a copy of this process's memory, and no file is open.  0 or
 * -errno with a cause.
 */
int grt_guard_begin(struct grt_guard *g, void (*clean)(const void *arg), const void *arg);

/* Everything is cleaned up: ends the second process.  May be called again. */
void grt_guard_end(struct grt_guard *g);

#endif /* GRT_CAPTURE_GUARD_H */
