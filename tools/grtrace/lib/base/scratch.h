/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Removes temporary files when a signal ends the program.  Only programs that call
 * grt_scratch_watch() get this; the library alone never installs a signal handler.
 */
#ifndef GRT_SCRATCH_H
#define GRT_SCRATCH_H

#include <sys/types.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP remove the files first.  Signals that are ignored or have
 * another handler are left alone.
 */
void grt_scratch_watch(void);

/* Adds a file before it is made.  @path is not copied and must stay valid. */
void grt_scratch_add(const char *path);

/* Forgets @path: it was renamed or removed, or could not be made. */
void grt_scratch_remove(const char *path);

/* mkostemp(), and adds the file. */
int grt_scratch_make(char *path);

/*
 * fork() for a child that makes such files.  A signal ends the child before the files are removed.
 */
pid_t grt_scratch_fork(void);

/* Waits for @child.  Its status, or -1 if unknown. */
int grt_scratch_wait(pid_t child);

#endif /* GRT_SCRATCH_H */
