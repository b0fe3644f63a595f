// SPDX-License-Identifier: GPL-2.0
#include "scale-index.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "file.h"

static void fail(int err)
{
	fprintf(stderr, "gen-scale: cannot change the index: %s\n", strerror(err));
	exit(1);
}

struct end {
	FILE *file;
	struct grt_file_trailer trailer;
	struct grt_file_chunk index;
	struct grt_file_index *rows;
};

static void open_end(struct end *e, const char *path)
{
	e->file = fopen(path, "r+");
	if (!e->file || fseek(e->file, -(long)sizeof(e->trailer), SEEK_END) ||
	    fread(&e->trailer, sizeof(e->trailer), 1, e->file) != 1 ||
	    fseek(e->file, e->trailer.index_offset, SEEK_SET) ||
	    fread(&e->index, sizeof(e->index), 1, e->file) != 1)
		fail(EIO);
	e->rows = malloc(e->index.bytes);
	if (!e->rows || fread(e->rows, e->index.bytes, 1, e->file) != 1)
		fail(EIO);
}

/* Computes the checksums. */
static void close_end(struct end *e, uint64_t bytes, bool is_sparse)
{
	e->index.bytes = bytes;
	e->index.payload_hash = is_sparse ? 0 : XXH64(e->rows, bytes, 0);
	e->index.hash = XXH64(&e->index, offsetof(struct grt_file_chunk, hash), 0);
	fseek(e->file, e->trailer.index_offset, SEEK_SET);
	fwrite(&e->index, sizeof(e->index), 1, e->file);
	if (is_sparse)
		fseek(e->file, bytes, SEEK_CUR);
	else
		fwrite(e->rows, bytes, 1, e->file);
	fwrite(&e->trailer, sizeof(e->trailer), 1, e->file);
	free(e->rows);
	if (fclose(e->file))
		fail(EIO);
}

void scale_index_repeat(const char *path, uint32_t n)
{
	struct grt_file_index *most;
	struct end e;
	uint64_t count;

	open_end(&e, path);
	count = e.index.bytes / sizeof(*e.rows);
	most = e.rows;
	for (uint64_t i = 1; i < count; i++)
		if (e.rows[i].chunk.bytes > most->chunk.bytes)
			most = &e.rows[i];
	e.rows[0] = *most;
	e.rows = realloc(e.rows, n * sizeof(*e.rows));
	if (!e.rows)
		fail(ENOMEM);
	for (uint32_t i = 1; i < n; i++)
		e.rows[i] = e.rows[0];
	close_end(&e, n * sizeof(*e.rows), false);
}

void scale_index_claim(const char *path, uint32_t n)
{
	struct end e;

	open_end(&e, path);
	close_end(&e, ((uint64_t)n << 20) / sizeof(*e.rows) * sizeof(*e.rows), true);
}
