// SPDX-License-Identifier: LGPL-2.1
/* Files that grtrace wrote. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "cursor.h"
#include "error.h"
#include "extent.h"
#include "index.h"
#include "input.h"
#include "io.h"
#include "number.h"

/*
 * How many of @bytes are whole records.  Checked first, because a sparse file may pretend to be
 * large.
 */
static size_t whole_bytes(const void *data, size_t bytes)
{
	struct grt_cursor c = grt_cursor(data, bytes);

	while (grt_take_record(&c))
		;
	return c.pos - (const uint8_t *)data;
}

static int add_defs(struct grt_collection *to, int fd, const char *name,
		    const struct grt_file_index *row)
{
	size_t bytes = row->chunk.bytes, whole = 0;
	void *data = grt_vec_grow(&to->defs, bytes);

	if (!data)
		return grt_fail_memory();
	if (grt_pread(fd, data, bytes, row->offset + sizeof(row->chunk)) == (ssize_t)bytes &&
	    XXH64(data, bytes, 0) == row->chunk.payload_hash)
		whole = whole_bytes(data, bytes);
	to->defs.bytes -= bytes - whole;
	if (whole == bytes)
		return 0;
	grt_warn(NULL, "'%s' is corrupt: definitions at byte %" PRIu64 " left out",
		 name, row->offset);
	return 0;
}

/* Whether this version can read the chunk. */
static bool is_known(const struct grt_file_chunk *c)
{
	return !(c->flags & ~GRT_CHUNK_KNOWN_FLAGS) &&
	       c->kind >= GRT_CHUNK_DEFS && c->kind <= GRT_CHUNK_INDEX;
}

static int add_row(struct grt_collection *to, uint32_t file, int fd, const char *name,
		   const struct grt_file_index *row)
{
	struct grt_extent extent = {
		.offset = row->offset + sizeof(row->chunk),
		.hash = row->chunk.payload_hash,
		.has_hash = true,
		.first_ts = row->chunk.first_ts,
		.last_ts = row->chunk.last_ts,
		.events = row->chunk.events,
		.is_plain = row->chunk.is_plain,
		.bytes = row->chunk.bytes,
		.cpu = row->chunk.cpu,
		.file = file,
		.nth = grt_vec_count(&to->extents, struct grt_extent),
	};

	switch (row->chunk.kind) {
	case GRT_CHUNK_DEFS:
		return add_defs(to, fd, name, row);
	case GRT_CHUNK_DATA:
		return grt_vec_append(&to->extents, &extent, sizeof(extent));
	case GRT_CHUNK_WATERMARK:
		if (row->chunk.last_ts > to->safe_ns)
			to->safe_ns = row->chunk.last_ts;
	}
	return 0;
}

static void fill_info(struct grt_trace_info *info, const struct grt_index *index)
{
	const struct grt_file_header *h = &index->header;

	snprintf(info->host, sizeof(info->host), "%s", h->host);
	snprintf(info->kernel, sizeof(info->kernel), "%s", h->kernel);
	snprintf(info->command, sizeof(info->command), "%s", h->command);
	info->session_id = h->session_id;
	info->start_ns = h->start_ns;
	info->start_real_ns = h->start_real_ns;
	info->focus_pid = h->focus_pid;
	info->is_file = true;
	info->is_complete = index->is_complete;
	info->is_cut = h->flags & GRT_FILE_IS_CUT;
	info->goes_on = h->flags & GRT_FILE_GOES_ON;
}

int grt_collect_grt(struct grt_collection *to, uint32_t file, int fd, const char *name,
		    struct grt_trace_info *info)
{
	const struct grt_file_index *row;
	struct grt_index index;
	size_t count, unknown = 0;
	int err = grt_index_read(&index, fd, name);

	if (err)
		return err;
	count = grt_vec_count(&index.rows, struct grt_file_index);
	for (size_t i = 0; i < count && !err; i++) {
		row = grt_vec_at(&index.rows, struct grt_file_index, i);
		if (is_known(&row->chunk))
			err = add_row(to, file, fd, name, row);
		else
			unknown++;
	}
	if (unknown)
		grt_warn("use a newer grtrace", "'%s': %zu %s left out, of a kind that is not known",
			 name, unknown, grt_plural(unknown, "chunk", "chunks"));
	fill_info(info, &index);
	grt_index_free(&index);
	return err;
}
