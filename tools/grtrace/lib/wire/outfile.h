/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The output file of a command.  It gets its final name only when it is complete, so nobody sees
 * half a file, and an older file of that name stays until then.
 *
 * There are two kinds.  A product can be made again: until it is complete it has no name, if the
 * file system can do that.  A recording cannot be repeated: it has a temporary name from the
 * start, so that its events survive a crash.  A lock marks temporary names whose process is alive;
 * names without a lock are leftovers.
 *
 * Pipes, devices and standard output ("-" and /dev/stdout) are written directly.
 */
#ifndef GRT_OUTFILE_H
#define GRT_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>

struct grt_outfile {
	const char *path;	/* the caller's */
	uint32_t uid, gid;	/* owner of the file; its rights are used to make the file */
	bool is_recording;
	bool is_new;		/* of a file with ->temp_name: replaces no file; grt_outfile_commit() then fails with EEXIST */
	bool is_named;		/* of a product: has ->temp_name from the start, as a library writes it by name */
	bool goes_on;		/* @path is an older recording, which is written on, and never removed */
	/*
	 * Called instead of a blocking write, which blocked signals could not end: waits until @fd
	 * is writable, or, if @fd is -1, a moment for a reader of the pipe.  A result other than 0
	 * is an error with a cause and ends the write.  May be NULL.
	 */
	int (*wait)(void *arg, int fd);
	void *arg;

	char *temp_name;	/* owned: temporary name; NULL: none.  Set by grt_outfile_open() */

	/* Private. */
	int fd;			/* the file to write, or -1 */
	bool is_plain;		/* a regular file, no pipe or device */
	char *name;		/* owned: final name; NULL: not named yet */
};

/* A hint for write error @err, or NULL. */
const char *grt_outfile_hint(int err);

/* Whether @path means standard output. */
bool grt_outfile_is_stdout(const char *path);

/* 0 or -errno with a cause. */
int grt_outfile_open(struct grt_outfile *o);

/* Reserves @bytes behind what is there, if the file system supports it.  0, or an error such as -ENOSPC with a cause. */
int grt_outfile_reserve(const struct grt_outfile *o, uint64_t bytes);

/*
 * Writes the complete file to disk and gives it its final name.  0, or -errno with a cause: then a
 * product is gone; a recording still exists and must be kept or abandoned.
 */
int grt_outfile_commit(struct grt_outfile *o);

/*
 * Keeps an incomplete recording: under its final name if that is free, else under another name,
 * and if it cannot be renamed, under its temporary name.  ->name is the name that it got.  0, with
 * the recorded cause unchanged; or -errno with a cause.
 */
int grt_outfile_keep(struct grt_outfile *o);

/* Removes the file and keeps the recorded cause.  Does nothing if no file is open. */
void grt_outfile_abandon(struct grt_outfile *o);

/* Frees the memory.  Call it after commit, keep or abandon. */
void grt_outfile_free(struct grt_outfile *o);

#endif /* GRT_OUTFILE_H */
