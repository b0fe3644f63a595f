/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes a .grt file. */
#ifndef GRT_WRITER_H
#define GRT_WRITER_H

#include <stdint.h>

#include "file.h"
#include "run.h"

struct grt_writer;

/*
 * Creates @path, mode 0600, for user @uid:@gid; an old file is replaced once the new one is
 * complete.  Fills in magic, version, bytes and hash of @header.  0 or -errno with a cause.
 */
int grt_writer_create(struct grt_writer **w, const char *path,
		      struct grt_file_header *header, uint32_t uid, uint32_t gid);

/* The same on descriptor @fd, which the caller keeps and closes; messages call it @name. */
int grt_writer_begin(struct grt_writer **w, int fd, const char *name,
		     struct grt_file_header *header);

/*
 * Goes on behind the last whole chunk of the file @fd, which a writer has left, closed or not.  0 or -errno with a
 * cause.
 */
int grt_writer_go_on(struct grt_writer **w, int fd, const char *name);

/* How to wait for a pipe that is full: as in struct grt_outfile. */
void grt_writer_wait_with(struct grt_writer *w, int (*wait)(void *arg, int fd), void *arg);

/*
 * Writes a run.  0, or -errno with a cause.  -ENOSPC, -EDQUOT and -EFBIG: nothing of the run was
 * written, and the bytes that were set aside are still available.
 */
int grt_writer_run(struct grt_writer *w, uint32_t cpu, const struct grt_run *run);

/* The same for a chunk of another file and its payload @data.  INDEX chunks are not allowed. */
int grt_writer_chunk(struct grt_writer *w, const struct grt_file_chunk *chunk, const void *data);

/*
 * Sets @bytes aside (chunk headers and index rows included) for what must be written after the
 * disk is full.
 */
void grt_writer_set_aside(struct grt_writer *w, uint64_t bytes);

/* Says that every event before @ts was already given to grt_writer_run(). */
int grt_writer_watermark(struct grt_writer *w, uint64_t ts);

/* Marks the file, once closed, as one whose end is missing.  Plain files only. */
void grt_writer_mark_cut(struct grt_writer *w);

uint64_t grt_writer_bytes(const struct grt_writer *w);

/* The size of the closed file, if one more chunk of @payload bytes were added. */
uint64_t grt_writer_bytes_with(const struct grt_writer *w, uint64_t payload);

uint64_t grt_writer_index_bytes(const struct grt_writer *w);	/* memory that it takes until it is written */

uint64_t grt_writer_events(const struct grt_writer *w);

/*
 * Writes index and trailer unless a write failed before, and frees @w in any case.  A file of
 * grt_writer_create() then gets its name, or is removed.  0 or -errno with a cause.
 */
int grt_writer_close(struct grt_writer *w);

/* Frees @w, removes a file of grt_writer_create(), and keeps the recorded cause. */
void grt_writer_discard(struct grt_writer *w);

#endif /* GRT_WRITER_H */
