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
#include "number.h"

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

static bool is_chunk(const struct grt_file_chunk *c)
{
	return c->magic == GRT_CHUNK_MAGIC && c->bytes % 8 == 0 &&
	       c->hash == XXH64(c, offsetof(struct grt_file_chunk, hash), 0) &&
	       (c->kind == GRT_CHUNK_INDEX || c->bytes <= GRT_CHUNK_MAX_BYTES);
}

/* Whether a chunk may be at @offset: the only check of its numbers. */
static bool chunk_fits(const struct grt_chunks *r, const struct grt_file_chunk *c, uint64_t offset)
{
	return is_chunk(c) && offset <= r->size && sizeof(*c) <= r->size - offset &&
	       c->bytes <= r->size - offset - sizeof(*c);
}

bool grt_chunks_is_cut(const struct grt_chunks *r, uint64_t offset)
{
	struct grt_file_chunk c = { .magic = 0 };
	ssize_t n = grt_pread(r->fd, &c, sizeof(c), offset);

	if (n < (ssize_t)sizeof(c))
		return n >= (ssize_t)sizeof(c.magic) && c.magic == GRT_CHUNK_MAGIC;
	return is_chunk(&c) && c.bytes > r->size - offset - sizeof(c);
}

bool grt_chunks_at(const struct grt_chunks *r, uint64_t offset, struct grt_file_chunk *c)
{
	return grt_pread(r->fd, c, sizeof(*c), offset) == sizeof(*c) &&
	       chunk_fits(r, c, offset);
}

/*
 * Rows of an index are read in steps of this size, because a corrupt index may state more rows
 * than the file has.
 */
#define INDEX_STEP_ROWS	1024

/*
 * Whether these rows of an index follow the rows before them.  Chunks do not overlap, so all
 * payloads together are not larger than the file.
 */
static bool rows_fit(const struct grt_chunks *r, const struct grt_file_index *row, size_t count,
		     uint64_t *end)
{
	for (size_t i = 0; i < count; i++) {
		if (row[i].offset < *end || !chunk_fits(r, &row[i].chunk, row[i].offset))
			return false;
		*end = row[i].offset + sizeof(row[i].chunk) + row[i].chunk.bytes;
	}
	return true;
}

static int read_rows(const struct grt_chunks *r, const struct grt_file_chunk *c, uint64_t offset,
		     struct grt_vec *rows)
{
	uint64_t end = 0, from = offset + sizeof(*c), left = c->bytes;

	while (left) {
		size_t step = INDEX_STEP_ROWS * sizeof(struct grt_file_index);
		void *data;

		if (step > left)
			step = left;
		data = grt_vec_grow(rows, step);
		if (!data)
			return grt_fail_memory();
		if (grt_pread(r->fd, data, step, from) != (ssize_t)step ||
		    !rows_fit(r, data, step / sizeof(struct grt_file_index), &end))
			return 0;
		from += step;
		left -= step;
	}
	return end <= offset && c->payload_hash == XXH64(rows->data, rows->bytes, 0);
}

/* Whether the index belongs to another file in front of this one. */
static bool is_behind(const struct grt_chunks *r, uint64_t end)
{
	return grt_chunks_is_file(r, &end);
}

int grt_chunks_trailer(const struct grt_chunks *r, struct grt_file_trailer *t,
		       struct grt_vec *rows)
{
	struct grt_file_chunk c;
	int got;

	if (r->size < sizeof(*t) ||
	    grt_pread(r->fd, t, sizeof(*t), r->size - sizeof(*t)) != sizeof(*t) ||
	    t->magic != GRT_TRAILER_MAGIC ||
	    t->hash != XXH64(t, offsetof(struct grt_file_trailer, hash), 0))
		return 0;
	if (!grt_chunks_at(r, t->index_offset, &c) || c.kind != GRT_CHUNK_INDEX ||
	    c.bytes % sizeof(struct grt_file_index) ||
	    is_behind(r, t->index_offset + sizeof(c) + c.bytes))
		return 0;
	got = read_rows(r, &c, t->index_offset, rows);
	if (got != 1)
		grt_vec_free(rows);
	return got;
}

bool grt_chunks_is_file(const struct grt_chunks *r, uint64_t *offset)
{
	uint64_t magic, at = *offset;

	if (grt_pread(r->fd, &magic, sizeof(magic), at) == sizeof(magic) &&
	    magic == GRT_TRAILER_MAGIC)
		at += sizeof(struct grt_file_trailer);
	if (grt_pread(r->fd, &magic, sizeof(magic), at) != sizeof(magic) || magic != GRT_FILE_MAGIC)
		return false;
	*offset = at;
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

/*
 * Refuses files that were joined with cat, because no reader can tell which chunk is of which
 * file.
 */
static int check_joined(const struct grt_chunks *r, uint64_t offset)
{
	if (!grt_chunks_is_file(r, &offset))
		return 0;
	return grt_fail(EBADMSG, "grtrace merge takes the files as they were",
			"'%s' is several files in one: another begins at byte %" PRIu64,
			r->name, offset);
}

/* Without a trailer: finds the intact chunks, in the order they were written. */
static int walk(const struct grt_chunks *r, uint64_t offset, struct grt_vec *rows)
{
	uint64_t end = offset, damaged = 0;
	struct grt_file_index row = { 0 };
	int err;

	while (grt_chunks_find(r, &offset, &row.chunk)) {
		err = offset == end ? 0 : check_joined(r, end);
		if (err)
			return err;
		damaged += offset - end;
		row.offset = offset;
		offset += sizeof(row.chunk) + row.chunk.bytes;
		end = offset;
		/*
		 * A watermark after damage proves nothing: the events that it promises may be in
		 * the damaged part.
		 */
		if (row.chunk.kind == GRT_CHUNK_INDEX ||
		    (damaged && row.chunk.kind == GRT_CHUNK_WATERMARK))
			continue;
		err = grt_vec_append(rows, &row, sizeof(row));
		if (err)
			return err;
	}
	grt_warn(NULL, "'%s' was not closed properly: read up to its last whole chunk, "
		 "%" PRIu64 " of %" PRIu64 " bytes", r->name, end, r->size);
	if (damaged)
		grt_warn(NULL, "'%s' is damaged: %" PRIu64 " %s between chunks left out",
			 r->name, damaged, grt_plural(damaged, "byte", "bytes"));
	return 0;
}

int grt_index_read(struct grt_index *index, int fd, const char *name)
{
	struct grt_chunks r = { .fd = fd, .name = name };
	struct grt_file_trailer trailer;
	struct stat st;
	int err, got;

	*index = (struct grt_index){ 0 };
	if (fstat(fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", name);
	r.size = st.st_size;
	err = grt_chunks_header(&r, &index->header);
	if (err)
		return err;
	got = grt_chunks_trailer(&r, &trailer, &index->rows);
	index->is_complete = got == 1;
	if (got)
		return got < 0 ? got : 0;
	err = walk(&r, index->header.bytes, &index->rows);
	if (err)
		grt_index_free(index);
	return err;
}

void grt_index_free(struct grt_index *index)
{
	grt_vec_free(&index->rows);
}
