/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The output file of an editing command.  It gets its final name only when it is complete, so
 * nobody sees half a file.
 */
#ifndef GRT_TARGET_H
#define GRT_TARGET_H

#include <stdint.h>

#include "writer.h"

struct grt_target {
	const char *path;	/* the caller's */
	uint32_t uid, gid;	/* owner of the new file */
	struct grt_writer *writer;
};

/* Fails if @path is one of the @count input files.  0 or -errno with a cause. */
int grt_target_check(const char *path, int count, char *const *inputs);

/* @header as for grt_writer_create().  0 or -errno with a cause. */
int grt_target_open(struct grt_target *t, struct grt_file_header *header);

/* Closes the file and gives it its name.  0, or -errno with a cause and no file. */
int grt_target_commit(struct grt_target *t);

/* Removes the file and keeps the recorded cause.  Does nothing if no file is open. */
void grt_target_abandon(struct grt_target *t);

#endif /* GRT_TARGET_H */
