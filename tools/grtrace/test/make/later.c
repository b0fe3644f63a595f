// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace anew, as a later version 1.x might:
 *
 *	later more FROM TO	with all that may be added to format version 1: records of new
 *				types, new members, flags, features, lines of METADATA, chunks of
 *				a new kind, a longer header of the file
 *	later values FROM TO	each value of an enum is a new one
 *
 * FROM is a whole .grt.  The events of FROM are those of TO, with other counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cursor.h"
#include "file.h"
#include "vec.h"

#define NEW_EVENT	31	/* no type of today, nor will it be for long */
#define NEW_DEFINITION	0xff77
#define NEW_ACCOUNT	0xff78
#define NEW_KIND	77
#define NEW_VALUE	200
#define NEW_FLAG	(1u << 7)
#define NEW_FEATURE	(1ull << 40)
#define MORE_BYTES	16	/* of new members */
#define EACH		16	/* a new event comes behind so many */

struct later {
	struct grt_vec out, rows;	/* the file; struct grt_file_index */
	uint64_t added[1 << 16];	/* new events of each CPU */
	uint64_t events;		/* in the file */
	unsigned int seen, chunks;
	bool has_more;			/* else: new values */
};

/* Adds @bytes of 0xff: a reader that takes them for something shows it. */
static void *grow(struct grt_vec *to, size_t bytes)
{
	void *at = grt_vec_grow(to, bytes);

	if (!at)
		abort();
	return memset(at, 0xff, bytes);
}

static void copy(struct grt_vec *to, const void *from, size_t bytes)
{
	memcpy(grow(to, bytes), from, bytes);
}

static void add_record(struct grt_vec *to, const struct grtrace_hdr *like, uint16_t type, uint64_t cseq)
{
	struct grtrace_hdr *hdr = grow(to, sizeof(*hdr) + MORE_BYTES);

	*hdr = *like;
	hdr->type = type;
	hdr->size = sizeof(*hdr) + MORE_BYTES;
	hdr->cseq = cseq;
}

/* What the new events change in the records behind them. */
static void count_again(struct later *l, struct grtrace_hdr *hdr)
{
	struct grtrace_subbuf *sub = (void *)hdr;
	struct grtrace_stream_end *end = (void *)hdr;
	uint64_t added = l->added[hdr->cpu];

	if (hdr->type < GRTRACE_STREAM_BASE || hdr->type == GRTRACE_SUBBUF)
		hdr->cseq += added;
	if (hdr->type == GRTRACE_STREAM_END)
		end->last_cseq += added;
	if (hdr->type == GRTRACE_SUBBUF || hdr->type == GRTRACE_STREAM_END) {
		struct grtrace_fates *fates = hdr->type == GRTRACE_SUBBUF ? &sub->fates : &end->fates;

		fates->seen += added;
		fates->written += added;
	}
}

static void add_line(struct grt_vec *to, size_t at, const struct grt_type *type)
{
	static const char line[16] = "later_version=1\n";
	struct grtrace_hdr *hdr = (void *)((char *)to->data + at);
	size_t text;

	grt_field_text(type, NULL, hdr, &text);
	copy(to, line, sizeof(line));
	hdr = (void *)((char *)to->data + at);
	memmove((char *)hdr + type->bytes + text + sizeof(line), (char *)hdr + type->bytes + text,
		hdr->size - type->bytes - text);
	memcpy((char *)hdr + type->bytes + text, line, sizeof(line));
	hdr->size += sizeof(line);
}

static void add_more(struct later *l, struct grt_vec *to, const struct grtrace_hdr *from)
{
	const struct grt_type *type = grt_type_by_number(from->type);
	/* An earlier record may lack members that are known today: they come before new ones. */
	size_t lacks = type->bytes > from->size ? type->bytes - from->size : 0;
	size_t at = to->bytes, more = grt_type_tail(type) ? 0 : lacks + MORE_BYTES;
	struct grtrace_hdr *hdr = grow(to, from->size + more);
	struct grtrace_stream_info *info = (void *)hdr;

	memcpy(hdr, from, from->size);
	memset((char *)hdr + from->size, 0, lacks);
	hdr->size += more;
	count_again(l, hdr);
	if (hdr->type == GRTRACE_STREAM_INFO) {
		info->features |= NEW_FEATURE;
		info->subbuf_bytes *= 2;
	}
	if (hdr->type == GRTRACE_COMMIT)
		hdr->flags |= NEW_FLAG;
	if (hdr->type == GRTRACE_METADATA || hdr->type == GRTRACE_STATS)
		add_line(to, at, type);
	else if (hdr->type == GRTRACE_SUBBUF && l->chunks % 2)
		add_record(to, from, NEW_ACCOUNT, 0);
	else if (hdr->type < GRTRACE_STREAM_BASE && !(++l->seen % EACH))
		add_record(to, from, NEW_EVENT, from->cseq + ++l->added[from->cpu]);
}

static void change_values(struct grt_vec *to, const struct grtrace_hdr *from)
{
	const struct grt_type *type = grt_type_by_number(from->type);
	char *hdr = grow(to, from->size);
	uint64_t value = NEW_VALUE;

	memcpy(hdr, from, from->size);
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];

		if (grt_field_enum(f) && f->kind != GRT_KIND_FATE && f->offset + f->bytes <= from->size)
			memcpy(hdr + f->offset, &value, f->bytes);
	}
}

/* Appends a chunk; its header is like @row's, or of a new kind. */
static void add_chunk(struct later *l, struct grt_file_chunk chunk, const struct grt_vec *payload)
{
	struct grt_file_index row = { .offset = l->out.bytes };

	chunk.bytes = payload->bytes;
	chunk.payload_hash = XXH64(payload->data, payload->bytes, 0);
	chunk.hash = XXH64(&chunk, offsetof(struct grt_file_chunk, hash), 0);
	row.chunk = chunk;
	copy(&l->out, &chunk, sizeof(chunk));
	if (payload->bytes)
		copy(&l->out, payload->data, payload->bytes);
	if (chunk.kind != GRT_CHUNK_INDEX)
		copy(&l->rows, &row, sizeof(row));
}

static void add_new_kind(struct later *l)
{
	struct grt_file_chunk chunk = { .magic = GRT_CHUNK_MAGIC, .kind = NEW_KIND };
	struct grt_vec payload = { 0 };

	grow(&payload, 64);
	add_chunk(l, chunk, &payload);
	grt_vec_free(&payload);
}

static void change_chunk(struct later *l, const struct grt_file_chunk *chunk)
{
	struct grt_cursor c = grt_cursor(chunk + 1, chunk->bytes);
	struct grt_file_chunk header = *chunk;
	const struct grtrace_hdr *hdr, *last = NULL;
	struct grt_vec payload = { 0 };

	header.events = 0;
	l->chunks++;
	while ((hdr = grt_take_record(&c))) {
		uint64_t added = l->added[hdr->cpu];

		last = hdr;
		if (l->has_more)
			add_more(l, &payload, hdr);
		else
			change_values(&payload, hdr);
		header.events += (hdr->type < GRTRACE_STREAM_BASE) + l->added[hdr->cpu] - added;
		/* An account of today is plain; one that readers do not know is not. */
		if (l->has_more && hdr->type == GRTRACE_SUBBUF && l->chunks % 2)
			header.is_plain = 0;
	}
	if (l->has_more && last && header.kind == GRT_CHUNK_DEFS)
		add_record(&payload, last, NEW_DEFINITION, 0);
	if (header.kind == GRT_CHUNK_WATERMARK)
		header.events = chunk->events;
	l->events += header.events;
	add_chunk(l, header, &payload);
	grt_vec_free(&payload);
}

static void close_file(struct later *l)
{
	struct grt_file_chunk index = {
		.magic = GRT_CHUNK_MAGIC, .kind = GRT_CHUNK_INDEX,
		.events = grt_vec_count(&l->rows, struct grt_file_index),
	};
	struct grt_file_trailer trailer = {
		.magic = GRT_TRAILER_MAGIC, .index_offset = l->out.bytes, .events = l->events,
	};

	add_chunk(l, index, &l->rows);
	trailer.hash = XXH64(&trailer, offsetof(struct grt_file_trailer, hash), 0);
	copy(&l->out, &trailer, sizeof(trailer));
}

static bool change(struct later *l, const char *data, size_t bytes)
{
	const struct grt_file_header *from = (const void *)data;
	struct grt_file_header header = *from;
	size_t at = from->bytes;

	if (l->has_more)
		header.bytes += 2 * MORE_BYTES;
	header.hash = XXH64(&header, offsetof(struct grt_file_header, hash), 0);
	copy(&l->out, &header, sizeof(header));
	grow(&l->out, header.bytes - sizeof(header));
	while (at + sizeof(struct grt_file_chunk) <= bytes) {
		const struct grt_file_chunk *chunk = (const void *)(data + at);

		if (chunk->magic != GRT_CHUNK_MAGIC || chunk->bytes > bytes - at - sizeof(*chunk))
			return false;
		if (chunk->kind == GRT_CHUNK_INDEX) {
			close_file(l);
			return true;
		}
		change_chunk(l, chunk);
		if (l->has_more)
			add_new_kind(l);
		at += sizeof(*chunk) + chunk->bytes;
	}
	return false;
}

int main(int argc, char **argv)
{
	static char data[4 << 20] __attribute__((aligned(8)));
	static struct later l;
	FILE *from = argc == 4 ? fopen(argv[2], "rb") : NULL;
	FILE *to = from ? fopen(argv[3], "wb") : NULL;
	size_t bytes = to ? fread(data, 1, sizeof(data), from) : 0;

	l.has_more = argc == 4 && !strcmp(argv[1], "more");
	if (bytes < sizeof(struct grt_file_header) || !change(&l, data, bytes)) {
		fprintf(stderr, "usage: later more|values FROM TO\n");
		return 2;
	}
	fclose(from);
	bytes = fwrite(l.out.data, 1, l.out.bytes, to);
	return fclose(to) || bytes != l.out.bytes;
}
