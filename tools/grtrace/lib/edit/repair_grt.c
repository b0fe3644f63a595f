// SPDX-License-Identifier: LGPL-2.1
/* Repairs .grt files: copies each intact chunk. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cursor.h"
#include "error.h"
#include "index.h"
#include "io.h"
#include "repair_private.h"

struct walk {
	struct repair_job *j;
	struct grt_chunks chunks;
	struct grt_vec rows;		/* of the file's own index */
	struct grt_file_trailer trailer;
	bool has_trailer;
	uint64_t nr_chunks;		/* that the index should have */
	bool is_other;			/* the rest belongs to another file */
	void *payload;			/* owned */
	size_t capacity;
};

/* Reads the payload of a chunk: 1, 0 if it does not match its checksum, or -errno. */
static int read_payload(struct walk *w, uint64_t offset, const struct grt_file_chunk *c)
{
	void *bigger;

	if (c->bytes > w->capacity) {
		bigger = realloc(w->payload, c->bytes);
		if (!bigger)
			return grt_fail_memory();
		w->payload = bigger;
		w->capacity = c->bytes;
	}
	return grt_pread(w->chunks.fd, w->payload, c->bytes, offset + sizeof(*c)) ==
		       (ssize_t)c->bytes &&
	       XXH64(w->payload, c->bytes, 0) == c->payload_hash;
}

/* Reads the header of a chunk whose end may be missing. */
static bool read_chunk(const struct walk *w, uint64_t offset, struct grt_file_chunk *c)
{
	return grt_pread(w->chunks.fd, c, sizeof(*c), offset) == sizeof(*c) &&
	       c->magic == GRT_CHUNK_MAGIC &&
	       c->hash == XXH64(c, offsetof(struct grt_file_chunk, hash), 0);
}

static int leave(struct walk *w, enum grt_finding_kind kind, uint64_t offset, uint64_t bytes,
		 const struct grt_file_chunk *c)
{
	bool has_events = c && c->kind == GRT_CHUNK_DATA;
	struct repair_cpu *state = has_events ? repair_cpu(w->j, c->cpu) : NULL;

	if (has_events && !state)
		return grt_fail_memory();
	if (state) {
		state->gone += c->events;
		state->has_gap = true;
	}
	repair_find(w->j, kind, offset, bytes, state ? c->events : 0);
	return 0;
}

static int leave_gap(struct walk *w, uint64_t offset, uint64_t bytes)
{
	struct grt_file_chunk c;
	bool has_header = read_chunk(w, offset, &c);
	uint64_t other = offset;

	if (grt_chunks_is_file(&w->chunks, &other)) {
		w->is_other = true;
		return leave(w, GRT_FINDING_SESSION, other, w->chunks.size - other, NULL);
	}
	/* A cut index contains no events. */
	if (has_header && c.kind == GRT_CHUNK_INDEX)
		return 0;
	w->j->has_gap = true;
	return leave(w, GRT_FINDING_GAP, offset, bytes, has_header ? &c : NULL);
}

/* Whether no unknown losses come before this place. */
static bool is_whole(const struct repair_job *j)
{
	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct repair_cpu); i++)
		if (grt_vec_at(&j->cpus, struct repair_cpu, i)->has_gap)
			return false;
	return !j->has_gap;
}

static int copy_chunk(struct walk *w, uint64_t offset, const struct grt_file_chunk *c)
{
	struct repair_job *j = w->j;
	int err;

	w->nr_chunks++;
	err = read_payload(w, offset, c);
	if (err < 0)
		return err;
	if (!err)
		return leave(w, GRT_FINDING_CHECKSUM, offset, sizeof(*c) + c->bytes, c);
	if (c->kind == GRT_CHUNK_WATERMARK && !is_whole(j))
		return 0;
	err = grt_writer_chunk(j->to->writer, c, w->payload);
	if (err)
		return err;
	j->result->chunks++;
	j->result->bytes += c->bytes;
	if (c->kind != GRT_CHUNK_DATA || c->flags & ~GRT_CHUNK_KNOWN_FLAGS)
		return 0;
	j->result->events += c->events;
	return repair_count(j, c->cpu, w->payload, c->bytes);
}

static int copy_chunks(struct walk *w, uint64_t offset)
{
	uint64_t end = offset, rest = w->has_trailer ? sizeof(w->trailer) : 0;
	struct grt_file_chunk c;
	bool is_index = false;
	int err = 0;

	while (!err && grt_chunks_find(&w->chunks, &offset, &c)) {
		if (offset != end)
			err = leave_gap(w, end, offset - end);
		if (w->is_other)
			return err;
		is_index = c.kind == GRT_CHUNK_INDEX;
		if (!err && !is_index)
			err = copy_chunk(w, offset, &c);
		offset += sizeof(c) + c.bytes;
		end = offset;
	}
	/* Bytes behind an index: a damaged trailer. */
	if (is_index && w->chunks.size - end <= sizeof(w->trailer))
		rest = w->chunks.size - end;
	if (!err && end + rest < w->chunks.size)
		err = leave_gap(w, end, w->chunks.size - rest - end);
	return err;
}

/* Whether a chunk of definitions has a STREAM_INFO. */
static bool has_info(struct repair_job *j, const void *data, size_t bytes)
{
	struct grt_cursor c = grt_cursor(data, bytes);
	const struct grtrace_hdr *hdr;

	while (!j->has_info && (hdr = grt_take_record(&c)))
		if (grt_is_stream(hdr, hdr->size)) {
			memcpy(&j->info, hdr, sizeof(j->info));
			j->has_info = true;
		}
	return j->has_info;
}

/* Finds a STREAM_INFO, without which no other record has a meaning. */
static int find_info(struct walk *w, uint64_t offset)
{
	struct grt_file_chunk c;
	int got;

	while (grt_chunks_find(&w->chunks, &offset, &c)) {
		got = c.kind == GRT_CHUNK_DEFS ? read_payload(w, offset, &c) : 0;
		if (got < 0)
			return got;
		if (got && has_info(w->j, w->payload, c.bytes))
			return 0;
		offset += sizeof(c) + c.bytes;
	}
	return grt_fail(EBADMSG, "record again; its definitions are gone",
			"nothing in '%s' can be saved", w->j->name);
}

static int begin(struct walk *w)
{
	struct grt_file_header header;
	uint64_t offset = sizeof(header);
	bool is_whole = !grt_chunks_header(&w->chunks, &header);
	int err;

	/* A newer version is not damage. */
	if (!is_whole && grt_pread(w->chunks.fd, &header, sizeof(header), 0) == sizeof(header) &&
	    header.magic == GRT_FILE_MAGIC && header.version > GRT_FILE_VERSION &&
	    header.hash == XXH64(&header, offsetof(struct grt_file_header, hash), 0))
		return -EBADMSG;
	if (is_whole)
		offset = header.bytes;
	err = find_info(w, offset);
	if (err)
		return err;
	if (!is_whole) {
		repair_find(w->j, GRT_FINDING_HEADER, 0, 0, 0);
		w->j->is_cut = true;	/* the header may have said so */
		header = (struct grt_file_header){
			.session_id = w->j->info.session_id,
			.start_ns = w->j->info.start_ns,
			.start_real_ns = w->j->info.start_real_ns,
		};
	}
	w->j->is_from_start = header.start_ns == w->j->info.start_ns;
	err = grt_target_open(w->j->to, &header);
	return err ? err : copy_chunks(w, offset);
}

static void look_at_end(struct walk *w)
{
	struct grt_repair *r = w->j->result;
	uint64_t rows = grt_vec_count(&w->rows, struct grt_file_index);

	if (!w->has_trailer || (!r->nr_findings && rows != w->nr_chunks)) {
		w->j->is_cut = true;
		repair_find(w->j, GRT_FINDING_UNCLOSED, w->chunks.size, 0, 0);
		return;
	}
	/* The trailer counted the events when the file was complete. */
	r->is_lost_exact = w->trailer.events >= r->events;
	if (r->is_lost_exact)
		r->lost_events = w->trailer.events - r->events;
}

int repair_grt(struct repair_job *j)
{
	struct walk w = { .j = j, .chunks = { j->fd, j->name, j->size } };
	int err = grt_chunks_trailer(&w.chunks, &w.trailer, &w.rows);

	if (err < 0)
		return err;
	w.has_trailer = err;
	err = begin(&w);
	if (!err)
		look_at_end(&w);
	grt_vec_free(&w.rows);
	free(w.payload);
	return err;
}
