/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Files that are to go when a signal ends the program in the midst of its work.  Nothing is
 * done in a program that did not ask for it: a library takes nobody's signals.
 */
#ifndef GRT_SCRATCH_H
#define GRT_SCRATCH_H

#include <sys/types.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP first remove the files.  Those that are ignored, or
 * that somebody else takes, are left alone.
 */
void grt_scratch_watch(void);

/* A file that is about to be made; @path stays the caller's and is not copied. */
void grt_scratch_add(const char *path);

/* It is not needed any more, has another name, or never came to be. */
void grt_scratch_remove(const char *path);

/* mkostemp(), and the file is added. */
int grt_scratch_make(char *path);

/* fork() for a child that makes such files: it ends before they are removed. */
pid_t grt_scratch_fork(void);

/* Waits for it.  Its status, or -1 when nobody can know. */
int grt_scratch_wait(pid_t child);

#endif /* GRT_SCRATCH_H */
