/* SPDX-License-Identifier: GPL-2.0 */
/* The folder of record --export: DIR has files of rows, DIR/.segments what they are made of. */
#ifndef GRT_EXPORT_FOLDER_H
#define GRT_EXPORT_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

#define GRT_SEGMENTS	".segments"
#define GRT_SEGMENT_NAME	64	/* bytes, of a name with its NUL */

/* All paths in it are made with the rights of @uid:@gid. */
struct grt_export_folder {
	char rows[PATH_MAX - 2 * GRT_SEGMENT_NAME], segments[PATH_MAX - GRT_SEGMENT_NAME];
	uint32_t uid, gid;
	int lock;			/* of @segments; -1: not open */
};

/* A segment, or its file of rows. */
struct grt_segment {
	char run[32];			/* "jobs-20261126-181212": begins all names of a recording */
	uint64_t number;		/* of those, from 1 */
	uint64_t bytes;
	bool is_rows, is_exported;
	bool is_cut;			/* left by a recorder that was killed, with a name of its own */
	char name[GRT_SEGMENT_NAME];
};

/*
 * Makes the folders that are missing.  -EBUSY: another recorder has it; -EOPNOTSUPP: its file system keeps no
 * modes.  0 or -errno with a cause.
 */
int grt_export_folder_open(struct grt_export_folder *f, const char *dir);
void grt_export_folder_close(struct grt_export_folder *f);

/* Adds all of @path, one of the two folders, to @list, the oldest first.  0 or -errno with a cause. */
int grt_export_folder_list(const struct grt_export_folder *f, const char *path, struct grt_vec *list);

/* Makes the name of a recording that begins now; no file in the folder begins with it. */
int grt_export_folder_run(const struct grt_export_folder *f, char run[32]);

void grt_export_folder_path(const struct grt_export_folder *f, const struct grt_segment *s, char to[PATH_MAX]);
void grt_export_folder_rows_path(const struct grt_export_folder *f, const struct grt_segment *s, char to[PATH_MAX]);

/*
 * Marks a segment as exported, by a mode without the right to write: that needs no room on the disk.
 * 0 or -errno with a cause.
 */
int grt_export_folder_mark(const struct grt_export_folder *f, const struct grt_segment *s);
/* Gives a segment that cannot be read another name, so that it is a segment no longer. */
void grt_export_folder_set_aside(const struct grt_export_folder *f, const struct grt_segment *s);
void grt_export_folder_remove(const struct grt_export_folder *f, const struct grt_segment *s);

/* Whether @next is the file behind @s. */
bool grt_segment_is_next(const struct grt_segment *s, const struct grt_segment *next);

#endif /* GRT_EXPORT_FOLDER_H */
