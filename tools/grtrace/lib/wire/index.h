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

/* Whether these first bytes of a file are those of a .grt. */
bool grt_is_grt(const void *data, size_t bytes);

/*
 * From the trailer, or else by walking the chunks, which warns.  @name is for
 * messages.  0 or -errno with a cause; free with grt_index_free().
 */
int grt_index_read(struct grt_index *index, int fd, const char *name);
void grt_index_free(struct grt_index *index);

/* The pieces of that, for who wants to look at each by itself. */
struct grt_chunks {
	int fd;
	const char *name;	/* for messages */
	uint64_t size;		/* of the file */
};

/* 0 or -errno with a cause. */
int grt_chunks_header(const struct grt_chunks *chunks, struct grt_file_header *header);

/* Whether a whole chunk, its payload unread, begins at @offset. */
bool grt_chunks_at(const struct grt_chunks *chunks, uint64_t offset, struct grt_file_chunk *c);

/*
 * The next whole chunk at or after @offset; all begin at multiples of 8.  Bytes
 * in between are damage, and @offset grows beyond them.
 */
bool grt_chunks_find(const struct grt_chunks *chunks, uint64_t *offset, struct grt_file_chunk *c);

/* True when the file ends with a trailer whose index, appended to @rows, is whole. */
bool grt_chunks_trailer(const struct grt_chunks *chunks, struct grt_file_trailer *trailer,
			struct grt_vec *rows);

#endif /* GRT_INDEX_H */
