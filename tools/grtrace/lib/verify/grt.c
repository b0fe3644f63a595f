// SPDX-License-Identifier: LGPL-2.1
/* Verifies .grt files, chunk by chunk. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cursor.h"
#include "error.h"
#include "index.h"
#include "io.h"
#include "number.h"
#include "run.h"
#include "verify_private.h"

struct walk {
	struct grt_verify *v;
	struct grt_chunks chunks;
	struct grt_vec rows;		/* of the file's own index */
	size_t nr_rows, next_row;
	struct grt_file_trailer trailer;
	bool has_trailer;
	void *payload;			/* owned */
	size_t capacity;
	uint64_t events;
};

/* What the records of a chunk are; its header must say the same. */
struct found {
	uint64_t first_ns, last_ns, events;
	bool has_record;
	bool is_plain;
};

/* Whether a chunk may hold this type.  Of its own types, a later version knows what they are. */
static bool may_hold(bool has_defs, unsigned int type)
{
	return !grt_type_by_number(type) || grt_is_definition(type) == has_defs;
}

static bool may_be_plain(unsigned int type)
{
	return grt_is_plain(type) || type < GRTRACE_STREAM_BASE;
}

static int check_records(struct walk *w, const struct grt_file_index *row, struct found *found)
{
	struct grt_verify *v = w->v;
	struct grt_cursor c = grt_cursor(w->payload, row->chunk.bytes);
	struct cpu_state *state = grt_verify_cpu(v, row->chunk.cpu);
	bool has_defs = row->chunk.kind == GRT_CHUNK_DEFS;
	const struct grtrace_hdr *hdr;
	int err = state ? 0 : grt_fail_memory();

	while (!err && (hdr = grt_take_record(&c))) {
		v->offset = row->offset + sizeof(row->chunk) +
			    ((const uint8_t *)hdr - (const uint8_t *)w->payload);
		if (!may_hold(has_defs, hdr->type))
			grt_problem(v, GRT_CHECK_CHUNKS, "a chunk of %s holds a record of type %u",
				    has_defs ? "definitions" : "data", hdr->type);
		if (!found->has_record)
			found->first_ns = hdr->ts;
		found->has_record = true;
		found->is_plain &= may_be_plain(hdr->type) && hdr->ts >= found->last_ns;
		found->last_ns = hdr->ts;
		found->events += hdr->type < GRTRACE_STREAM_BASE;
		if (has_defs && !grt_type_by_number(hdr->type))
			v->unknown_events++;
		else
			err = grt_verify_record(v, state, hdr);
	}
	if (!err && c.failed)
		grt_problem(v, GRT_CHECK_RECORDS, grt_cursor_is_cut(&c) ?
			    "a chunk ends within a record" : "a record cannot have its size");
	return err;
}

static void compare_header(struct walk *w, const struct grt_file_index *row,
			   const struct found *found)
{
	const struct grt_file_chunk *c = &row->chunk;

	w->v->offset = row->offset;
	if (c->is_plain && !found->is_plain)
		grt_problem(w->v, GRT_CHECK_CHUNKS, "the chunk is marked plain, but it is not");
	if (c->events != found->events)
		grt_problem(w->v, GRT_CHECK_CHUNKS, "the chunk says %" PRIu64 " %s, it has %" PRIu64,
			    c->events, grt_plural(c->events, "event", "events"), found->events);
	if (found->has_record && (c->first_ts != found->first_ns || c->last_ts != found->last_ns))
		grt_problem(w->v, GRT_CHECK_CHUNKS, "the chunk says %" PRIu64 " to %" PRIu64
			    " ns, its records %" PRIu64 " to %" PRIu64 " ns", c->first_ts,
			    c->last_ts, found->first_ns, found->last_ns);
}

/* Reads the payload of a chunk: 1, or 0 if it does not match its checksum. */
static int read_payload(struct walk *w, const struct grt_file_index *row)
{
	size_t bytes = row->chunk.bytes;
	void *bigger;

	if (bytes > w->capacity) {
		bigger = realloc(w->payload, bytes);
		if (!bigger)
			return grt_fail_memory();
		w->payload = bigger;
		w->capacity = bytes;
	}
	if (grt_pread(w->chunks.fd, w->payload, bytes, row->offset + sizeof(row->chunk)) !=
	    (ssize_t)bytes)
		return grt_fail_errno(NULL, "cannot read '%s'", w->chunks.name);
	if (XXH64(w->payload, bytes, 0) == row->chunk.payload_hash)
		return 1;
	w->v->offset = row->offset;
	grt_problem(w->v, GRT_CHECK_CHECKSUMS, "the payload of a chunk does not fit its checksum");
	return 0;
}

static int check_chunk_records(struct walk *w, const struct grt_file_index *row)
{
	struct found found = { .is_plain = true };
	struct piece piece = {
		.offset = row->offset + sizeof(row->chunk),
		.bytes = row->chunk.bytes,
		.file = w->v->file,
	};
	struct cpu_state *state;
	int err = read_payload(w, row);

	if (err != 1)
		return err;
	err = check_records(w, row, &found);
	if (err)
		return err;
	compare_header(w, row, &found);
	w->events += found.events;
	state = grt_verify_cpu(w->v, row->chunk.cpu);
	return row->chunk.kind == GRT_CHUNK_DATA ?
	       grt_vec_append(&state->pieces, &piece, sizeof(piece)) : 0;
}

static void note_watermark(struct grt_verify *v, uint64_t ns)
{
	if (ns > v->watermark_ns)
		v->watermark_ns = ns;
}

/* Compares a chunk with the next row of the index. */
static void compare_row(struct walk *w, const struct grt_file_index *row)
{
	const struct grt_file_index *said;

	if (!w->has_trailer || w->next_row > w->nr_rows)
		return;
	w->v->offset = row->offset;
	if (w->next_row == w->nr_rows) {
		grt_problem(w->v, GRT_CHECK_INDEX, "the index ends before this chunk");
	} else {
		said = grt_vec_at(&w->rows, struct grt_file_index, w->next_row);
		if (memcmp(said, row, sizeof(*row)))
			grt_problem(w->v, GRT_CHECK_INDEX, "row %zu of the index does not match this chunk",
				    w->next_row);
	}
	w->next_row++;
}

static int check_chunk(struct walk *w, const struct grt_file_index *row)
{
	if (row->chunk.kind == GRT_CHUNK_INDEX)
		return 0;
	compare_row(w, row);
	if (row->chunk.flags & ~GRT_CHUNK_KNOWN_FLAGS) {
		w->v->offset = row->offset;
		grt_problem(w->v, GRT_CHECK_CHUNKS, "flags 0x%x are not known", row->chunk.flags);
		return 0;
	}
	switch (row->chunk.kind) {
	case GRT_CHUNK_DEFS:
	case GRT_CHUNK_DATA:
		return check_chunk_records(w, row);
	case GRT_CHUNK_WATERMARK:
		note_watermark(w->v, row->chunk.last_ts);
	}
	return 0;
}

static void no_chunk(struct walk *w, uint64_t bytes)
{
	grt_problem(w->v, GRT_CHECK_CHECKSUMS, "%" PRIu64 " %s no chunk", bytes,
		    grt_plural(bytes, "byte that is", "bytes that are"));
}

static int check_chunks(struct walk *w, uint64_t offset)
{
	uint64_t end = offset, rest = w->has_trailer ? sizeof(w->trailer) : 0;
	struct grt_file_index row = { 0 };
	int err = 0;

	/* A chunk that was being written is part of a file that was not closed. */
	while (!err && (w->has_trailer || !grt_chunks_is_cut(&w->chunks, offset)) &&
	       grt_chunks_find(&w->chunks, &offset, &row.chunk)) {
		w->v->offset = end;
		if (offset != end)
			no_chunk(w, offset - end);
		row.offset = offset;
		err = check_chunk(w, &row);
		offset += sizeof(row.chunk) + row.chunk.bytes;
		end = offset;
	}
	w->v->offset = end;
	if (!err && end + rest < w->chunks.size &&
	    (w->has_trailer || !grt_chunks_is_cut(&w->chunks, end)))
		no_chunk(w, w->chunks.size - rest - end);
	return err;
}

static void compare_trailer(struct walk *w)
{
	w->v->offset = w->trailer.index_offset;
	if (w->next_row < w->nr_rows)
		grt_problem(w->v, GRT_CHECK_INDEX, "%zu %s no chunk", w->nr_rows - w->next_row,
			    grt_plural(w->nr_rows - w->next_row, "row of the index has",
				       "rows of the index have"));
	if (w->trailer.events != w->events)
		grt_problem(w->v, GRT_CHECK_INDEX, "the trailer says %" PRIu64 " %s, here: %" PRIu64,
			    w->trailer.events, grt_plural(w->trailer.events, "event", "events"),
			    w->events);
}

int grt_verify_grt(struct grt_verify *v)
{
	const struct verify_file *f = &v->files[v->file];
	struct walk w = { .v = v, .chunks = { .fd = f->fd, .name = f->name, .size = f->size } };
	struct grt_file_header header;
	int err = grt_chunks_header(&w.chunks, &header);

	if (err)
		return err;
	/*
	 * Each file starts without a watermark, because two files may be of different recordings.
	 */
	v->watermark_ns = 0;
	err = grt_chunks_trailer(&w.chunks, &w.trailer, &w.rows);
	if (err < 0)
		return err;
	w.has_trailer = err;
	w.nr_rows = grt_vec_count(&w.rows, struct grt_file_index);
	v->offset = f->size;
	if (!w.has_trailer)
		grt_problem(v, GRT_CHECK_CLOSED, "no trailer with a valid index");
	err = check_chunks(&w, header.bytes);
	if (!err && w.has_trailer)
		compare_trailer(&w);
	if (v->watermark_ns > v->last_watermark_ns)
		v->last_watermark_ns = v->watermark_ns;
	grt_vec_free(&w.rows);
	free(w.payload);
	return err;
}
