// SPDX-License-Identifier: LGPL-2.1
#include "index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "error.h"
#include "io.h"

bool grt_is_grt(const void *data, size_t bytes)
{
	const uint64_t magic = GRT_FILE_MAGIC;

	return bytes >= sizeof(magic) && !memcmp(data, &magic, sizeof(magic));
}

int grt_chunks_header(const struct grt_chunks *r, struct grt_file_header *h)
{
	ssize_t n = grt_pread(r->fd, h, sizeof(*h), 0);

	if (n < 0)
		return grt_fail_errno(NULL, "cannot read '%s'", r->name);
	if (n < (ssize_t)sizeof(*h))
		return grt_fail(EBADMSG, "record it again; nothing was saved in it",
				"'%s' ends within its header", r->name);
	if (h->version > GRT_FILE_VERSION)
		return grt_fail(EBADMSG, "read it with the grtrace that recorded it, or a newer one",
				"'%s' has file version %u, this grtrace (%s) reads up to %u",
				r->name, h->version, GRT_VERSION, GRT_FILE_VERSION);
	if (h->hash != XXH64(h, offsetof(struct grt_file_header, hash), 0) ||
	    h->bytes < sizeof(*h) || h->bytes % 8)
		return grt_fail(EBADMSG, NULL, "the header of '%s' is corrupt", r->name);
	h->host[sizeof(h->host) - 1] = '\0';
	h->kernel[sizeof(h->kernel) - 1] = '\0';
	h->command[sizeof(h->command) - 1] = '\0';
	return 0;
}

/* Whether a chunk may stand at @offset: the only check of its numbers. */
static bool chunk_fits(const struct grt_chunks *r, const struct grt_file_chunk *c, uint64_t offset)
{
	if (c->magic != GRT_CHUNK_MAGIC || c->bytes % 8 ||
	    c->hash != XXH64(c, offsetof(struct grt_file_chunk, hash), 0))
		return false;
	if (c->kind != GRT_CHUNK_INDEX && c->bytes > GRT_CHUNK_MAX_BYTES)
		return false;
	return offset <= r->size && sizeof(*c) <= r->size - offset &&
	       c->bytes <= r->size - offset - sizeof(*c);
}

bool grt_chunks_at(const struct grt_chunks *r, uint64_t offset, struct grt_file_chunk *c)
{
	return grt_pread(r->fd, c, sizeof(*c), offset) == sizeof(*c) &&
	       chunk_fits(r, c, offset);
}

bool grt_chunks_trailer(const struct grt_chunks *r, struct grt_file_trailer *t,
			struct grt_vec *rows)
{
	struct grt_file_chunk c;
	const struct grt_file_index *row;
	void *data;

	if (r->size < sizeof(*t) ||
	    grt_pread(r->fd, t, sizeof(*t), r->size - sizeof(*t)) != sizeof(*t) ||
	    t->magic != GRT_TRAILER_MAGIC ||
	    t->hash != XXH64(t, offsetof(struct grt_file_trailer, hash), 0))
		return false;
	if (!grt_chunks_at(r, t->index_offset, &c) || c.kind != GRT_CHUNK_INDEX ||
	    c.bytes % sizeof(*row))
		return false;
	data = grt_vec_grow(rows, c.bytes);
	if (!data)
		return false;
	if (grt_pread(r->fd, data, c.bytes, t->index_offset + sizeof(c)) != (ssize_t)c.bytes ||
	    c.payload_hash != XXH64(data, c.bytes, 0))
		return false;
	row = data;
	for (size_t i = 0; i < c.bytes / sizeof(*row); i++)
		if (!chunk_fits(r, &row[i].chunk, row[i].offset))
			return false;
	return true;
}

bool grt_chunks_find(const struct grt_chunks *r, uint64_t *offset, struct grt_file_chunk *c)
{
	uint64_t window[4096];
	const uint32_t magic = GRT_CHUNK_MAGIC;
	ssize_t n;

	if (grt_chunks_at(r, *offset, c))
		return true;
	while ((n = grt_pread(r->fd, window, sizeof(window), *offset)) >= 8) {
		for (ssize_t i = 0; i < n / 8; i++)
			if (!memcmp(&window[i], &magic, sizeof(magic)) &&
			    grt_chunks_at(r, *offset + 8 * i, c)) {
				*offset += 8 * i;
				return true;
			}
		*offset += n / 8 * 8;
	}
	return false;
}

/* No trailer: what is whole, in the order it was written. */
static int walk(const struct grt_chunks *r, uint64_t offset, struct grt_vec *rows)
{
	uint64_t end = offset, damaged = 0;
	struct grt_file_index row = { 0 };
	int err;

	while (grt_chunks_find(r, &offset, &row.chunk)) {
		damaged += offset - end;
		row.offset = offset;
		offset += sizeof(row.chunk) + row.chunk.bytes;
		end = offset;
		if (row.chunk.kind == GRT_CHUNK_INDEX)
			continue;
		err = grt_vec_append(rows, &row, sizeof(row));
		if (err)
			return err;
	}
	grt_warn(NULL, "'%s' was not closed properly: read up to its last whole chunk, "
		 "%" PRIu64 " of %" PRIu64 " bytes", r->name, end, r->size);
	if (damaged)
		grt_warn(NULL, "'%s' is damaged: %" PRIu64 " bytes between chunks left out",
			 r->name, damaged);
	return 0;
}

int grt_index_read(struct grt_index *index, int fd, const char *name)
{
	struct grt_chunks r = { .fd = fd, .name = name };
	struct grt_file_trailer trailer;
	struct stat st;
	int err;

	*index = (struct grt_index){ 0 };
	if (fstat(fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", name);
	r.size = st.st_size;
	err = grt_chunks_header(&r, &index->header);
	if (err)
		return err;
	index->is_complete = grt_chunks_trailer(&r, &trailer, &index->rows);
	if (index->is_complete)
		return 0;
	index->rows.bytes = 0;
	err = walk(&r, index->header.bytes, &index->rows);
	if (err)
		grt_index_free(index);
	return err;
}

void grt_index_free(struct grt_index *index)
{
	grt_vec_free(&index->rows);
}
