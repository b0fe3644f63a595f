/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the chunks of a .grt file. */
#ifndef GRT_INDEX_H
#define GRT_INDEX_H

#include <stdbool.h>

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

#endif /* GRT_INDEX_H */
