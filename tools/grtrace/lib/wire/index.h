/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the chunks of a .grt file. */
#ifndef GRT_INDEX_H
#define GRT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"
#include "vec.h"

struct grt_index {
	struct grt_file_header header;	/* texts are NUL-terminated */
	struct grt_vec rows;		/* struct grt_file_index, checked against the file */
	bool is_complete;
};

/* Whether these are the first bytes of a .grt file. */
bool grt_is_grt(const void *data, size_t bytes);

/*
 * Reads the index that the trailer points to.  Without a trailer, finds the chunks one by one and
 * warns.  @name is for messages.  0 or -errno with a cause; free with grt_index_free().
 */
int grt_index_read(struct grt_index *index, int fd, const char *name);
void grt_index_free(struct grt_index *index);

/* The steps of grt_index_read(), for callers that check each one. */
struct grt_chunks {
	int fd;
	const char *name;	/* for messages */
	uint64_t size;		/* size of the file */
};

/* 0 or -errno with a cause. */
int grt_chunks_header(const struct grt_chunks *chunks, struct grt_file_header *header);

/* Whether a whole chunk begins at @offset.  Its payload is not read. */
bool grt_chunks_at(const struct grt_chunks *chunks, uint64_t offset, struct grt_file_chunk *c);

/* Whether the file ends within a chunk that begins at @offset: its writer was killed. */
bool grt_chunks_is_cut(const struct grt_chunks *chunks, uint64_t offset);

/*
 * Finds the next whole chunk at or after @offset and moves @offset there.  Chunks begin at
 * multiples of 8; bytes in between are damaged.
 */
bool grt_chunks_find(const struct grt_chunks *chunks, uint64_t *offset, struct grt_file_chunk *c);

/* Whether another file begins at @offset or behind a trailer at @offset; moves @offset there. */
bool grt_chunks_is_file(const struct grt_chunks *chunks, uint64_t *offset);

/*
 * 1 if the file ends with a trailer and an intact index whose chunks are in order: fills @rows,
 * which must be empty.  Else 0, or -ENOMEM.
 */
int grt_chunks_trailer(const struct grt_chunks *chunks, struct grt_file_trailer *trailer,
		       struct grt_vec *rows);

#endif /* GRT_INDEX_H */
