/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes keys of the module for the time of a recording.  A second process waits for the end of
 * this one and restores the keys if this one is killed.
 */
#ifndef GRT_RESTORE_H
#define GRT_RESTORE_H

#include <sys/types.h>

struct grt_restore {
	int fd;		/* pipe to the second process, -1: none */
	pid_t pid;
};

/* @lines: the values to restore, as key=value lines.  0 or -errno with a cause. */
int grt_restore_begin(struct grt_restore *r, const char *lines);

/* The keys are restored: ends the second process. */
void grt_restore_end(struct grt_restore *r);

#endif /* GRT_RESTORE_H */
