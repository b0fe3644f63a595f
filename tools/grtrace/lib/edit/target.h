/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The file that an editing command makes.  It grows beside its name and gets it when it
 * is whole: whoever sees a file of that name sees all of it.
 */
#ifndef GRT_TARGET_H
#define GRT_TARGET_H

#include <stdint.h>

#include "writer.h"

struct grt_target {
	const char *path;	/* the caller's */
	uint32_t uid, gid;	/* owner of what is made */
	struct grt_writer *writer;
	char *grows;		/* owned; NULL: @path is a pipe or device */
};

/* Refuses a @path that is one of the @count files read.  0 or -errno with a cause. */
int grt_target_check(const char *path, int count, char *const *inputs);

/* @header as for grt_writer_create().  0 or -errno with a cause. */
int grt_target_open(struct grt_target *t, struct grt_file_header *header);

/* Ends the file and gives it its name.  0, or -errno with a cause and nothing left. */
int grt_target_commit(struct grt_target *t);

/* Nothing is left of it; keeps the cause.  Of one that is not open: nothing. */
void grt_target_abandon(struct grt_target *t);

#endif /* GRT_TARGET_H */
