/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes a .grt file. */
#ifndef GRT_WRITER_H
#define GRT_WRITER_H

#include <stdint.h>

#include "file.h"
#include "run.h"

struct grt_writer;

/*
 * Creates @path, mode 0600, owned by @uid:@gid when @uid is not that of the
 * caller; an existing file is replaced.  @header: its magic, version, bytes and
 * hash are filled in here.  0 or -errno with a cause.
 */
int grt_writer_create(struct grt_writer **w, const char *path,
		      struct grt_file_header *header, uint32_t uid, uint32_t gid);

/*
 * 0, or -errno with a cause.  -ENOSPC, -EDQUOT and -EFBIG: the run did not fit and
 * nothing of it was written; what was set aside still is there.
 */
int grt_writer_run(struct grt_writer *w, uint32_t cpu, const struct grt_run *run);

/* A chunk of another file as it is, with @data as its payload; no INDEX.  The same. */
int grt_writer_chunk(struct grt_writer *w, const struct grt_file_chunk *chunk, const void *data);

/* What messages call the file from now on.  0 or -errno with a cause. */
int grt_writer_call(struct grt_writer *w, const char *name);

/*
 * Sets @bytes aside, of chunks with their headers and rows of the index, for what is
 * written after a run did not fit.
 */
void grt_writer_set_aside(struct grt_writer *w, uint64_t bytes);

/* Every event before @ts was given to grt_writer_run() already. */
int grt_writer_watermark(struct grt_writer *w, uint64_t ts);

/* Once it is closed it says that more was to come.  For plain files only. */
void grt_writer_mark_cut(struct grt_writer *w);

uint64_t grt_writer_bytes(const struct grt_writer *w);

/* The size of the file once it is closed, with one more chunk of @payload bytes. */
uint64_t grt_writer_bytes_with(const struct grt_writer *w, uint64_t payload);

uint64_t grt_writer_events(const struct grt_writer *w);

/*
 * Writes index and trailer unless a write failed before, closes and frees.
 * 0 or -errno with a cause; @w is gone in any case.
 */
int grt_writer_close(struct grt_writer *w);

/* Frees and leaves the file as it is, without an end. */
void grt_writer_discard(struct grt_writer *w);

#endif /* GRT_WRITER_H */
