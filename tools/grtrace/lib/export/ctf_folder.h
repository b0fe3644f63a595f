/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The folder of a CTF trace.  It has a temporary name until it is complete, so nobody opens half a
 * trace.  A lock marks it while its process is alive; without a lock it is a leftover, which
 * grt_left_sweep() removes.
 */
#ifndef GRT_CTF_FOLDER_H
#define GRT_CTF_FOLDER_H

#include <stddef.h>

#include "user.h"

struct ctf_folder {
	const char *path;	/* the caller's, for messages */
	char *name;		/* owned: the final name */
	char *temp_name;	/* owned; NULL: none is there */
	int fd;			/* the folder, or -1 */
	struct grt_user user;	/* owner of the files */
};

/* Fails if @path exists and is no empty folder.  0 or -errno with a cause. */
int ctf_folder_open(struct ctf_folder *f, const char *path);

/* Opens a file of the folder to write at its end.  A descriptor, or -errno with a cause. */
int ctf_folder_file(struct ctf_folder *f, const char *name);

/* Writes all of .  0 or -errno with a cause. */
int ctf_folder_write(const struct ctf_folder *f, int fd, const void *data, size_t bytes);

/* Puts a file that is complete on disk.  0 or -errno with a cause. */
int ctf_folder_sync(struct ctf_folder *f, const char *name);

/* The same for all files, and for whatever else is on that file system. */
int ctf_folder_sync_all(struct ctf_folder *f);

/* Gives the folder its final name.  0 or -errno with a cause. */
int ctf_folder_commit(struct ctf_folder *f);

/* Removes the folder unless it was committed, and frees the memory. */
void ctf_folder_free(struct ctf_folder *f);

/* Records why a file could not be written; returns -errno. */
int ctf_folder_fail(const struct ctf_folder *f);

#endif /* GRT_CTF_FOLDER_H */
