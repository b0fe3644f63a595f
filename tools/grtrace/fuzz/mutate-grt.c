// SPDX-License-Identifier: GPL-2.0
/* Changes chunks of a .grt, then its checksums, index and trailer to match. */
#include <string.h>
#include <xxhash.h>

#include "file.h"
#include "fuzz.h"
#include "mutate.h"

#define MAX_CHUNKS	256

struct chunks {
	size_t at[MAX_CHUNKS];
	unsigned int count;
};

static struct grt_file_chunk *chunk_at(uint8_t *data, size_t at)
{
	return (struct grt_file_chunk *)(data + at);
}

static bool is_chunk(const uint8_t *data, size_t bytes, size_t at)
{
	const struct grt_file_chunk *c = (const void *)(data + at);

	return at + sizeof(*c) <= bytes && c->magic == GRT_CHUNK_MAGIC &&
	       c->bytes <= bytes - at - sizeof(*c);
}

static void find_chunks(struct chunks *found, uint8_t *data, size_t bytes)
{
	size_t at = sizeof(struct grt_file_header);

	found->count = 0;
	while (at + sizeof(struct grt_file_chunk) <= bytes && found->count < MAX_CHUNKS) {
		if (is_chunk(data, bytes, at)) {
			found->at[found->count++] = at;
			at += sizeof(struct grt_file_chunk) + chunk_at(data, at)->bytes / 8 * 8;
		} else {
			at += 8;
		}
	}
}

#define SEAL(p, member)	((p)->hash = XXH64(p, offsetof(typeof(*(p)), member), 0))

static void seal_chunk(uint8_t *data, size_t at)
{
	struct grt_file_chunk *c = chunk_at(data, at);
	struct grt_file_index *rows = (void *)(c + 1);

	if (c->kind == GRT_CHUNK_INDEX)
		for (size_t i = 0; i < c->bytes / sizeof(*rows); i++)
			SEAL(&rows[i].chunk, hash);
	c->payload_hash = XXH64(c + 1, c->bytes, 0);
	SEAL(c, hash);
}

/* Computes every checksum again. */
static void seal(uint8_t *data, size_t bytes)
{
	struct grt_file_header *header = (void *)data;
	struct grt_file_trailer *trailer = (void *)(data + bytes - sizeof(*trailer));
	struct chunks found;

	if (bytes < sizeof(*header))
		return;
	SEAL(header, hash);
	find_chunks(&found, data, bytes);
	for (unsigned int i = 0; i < found.count; i++)
		seal_chunk(data, found.at[i]);
	if (bytes % 8 == 0 && bytes >= sizeof(*header) + sizeof(*trailer) &&
	    trailer->magic == GRT_TRAILER_MAGIC)
		SEAL(trailer, hash);
}

/* Writes a new index and trailer after the chunks. */
static size_t close_file(uint8_t *data, size_t bytes, size_t room)
{
	struct grt_file_trailer *trailer;
	struct grt_file_chunk *index;
	struct grt_file_index *rows;
	struct chunks found;
	size_t end = sizeof(struct grt_file_header), whole;
	unsigned int count = 0;

	find_chunks(&found, data, bytes);
	while (count < found.count && chunk_at(data, found.at[count])->kind != GRT_CHUNK_INDEX)
		count++;
	if (count)
		end = found.at[count - 1] + sizeof(*index) +
		      chunk_at(data, found.at[count - 1])->bytes / 8 * 8;
	whole = end + sizeof(*index) + count * sizeof(*rows) + sizeof(*trailer);
	if (bytes < end || whole > room)
		return bytes;
	index = (void *)(data + end);
	*index = (struct grt_file_chunk){
		.magic = GRT_CHUNK_MAGIC, .kind = GRT_CHUNK_INDEX, .events = count,
		.bytes = count * sizeof(*rows),
	};
	rows = (void *)(index + 1);
	for (unsigned int i = 0; i < count; i++) {
		seal_chunk(data, found.at[i]);
		rows[i] = (struct grt_file_index){ found.at[i], *chunk_at(data, found.at[i]) };
	}
	trailer = (void *)(rows + count);
	*trailer = (struct grt_file_trailer){ .magic = GRT_TRAILER_MAGIC, .index_offset = end };
	return whole;
}

/* Changes the records of a chunk, and moves what follows. */
static size_t mutate_payload(struct mutation *m, uint8_t *data, size_t bytes, size_t room, size_t at)
{
	struct grt_file_chunk *c = chunk_at(data, at);
	size_t from = at + sizeof(*c), tail = bytes - from - c->bytes, got;
	uint8_t *kept = malloc(room);

	if (!kept)
		abort();
	memcpy(kept, data + from, c->bytes);
	got = mutate_records(m, kept, c->bytes, room - (bytes - c->bytes)) / 8 * 8;
	memmove(data + from + got, data + from + c->bytes, tail);
	memcpy(data + from, kept, got);
	c->bytes = got;
	free(kept);
	return from + got + tail;
}

/* Changes a number in the header of a chunk, or in its row of the index. */
static void mutate_chunk(struct mutation *m, uint8_t *data, size_t at)
{
	struct grt_file_chunk *c = chunk_at(data, at);
	struct grt_file_index *rows = (void *)(c + 1);
	size_t count = c->kind == GRT_CHUNK_INDEX ? c->bytes / sizeof(*rows) : 0;

	if (count) {
		struct grt_file_index *row = &rows[mutation_below(m, count)];

		LLVMFuzzerMutate((uint8_t *)row, sizeof(*row), sizeof(*row));
		if (mutation_below(m, 2))
			row->offset %= 1u << 16;
		return;
	}
	switch (mutation_below(m, 4)) {
	case 0:
		c->kind = mutation_below(m, 6);
		break;
	case 1:
		c->cpu = mutation_below(m, 4);
		break;
	case 2:
		c->first_ts = c->last_ts;
		break;
	case 3:
		LLVMFuzzerMutate((uint8_t *)&c->kind, sizeof(*c) - 20, sizeof(*c) - 20);
		break;
	}
}

size_t mutate_grt(struct mutation *m, uint8_t *data, size_t bytes, size_t room)
{
	uint64_t way = mutation_below(m, 8);
	struct chunks found;
	size_t at;

	find_chunks(&found, data, bytes);
	if (way < 2 || !found.count) {
		bytes = LLVMFuzzerMutate(data, bytes, room);
		if (way)
			seal(data, bytes);
		return bytes;
	}
	at = found.at[mutation_below(m, found.count)];
	if (way == 2)
		mutate_chunk(m, data, at);
	else
		bytes = mutate_payload(m, data, bytes, room, at);
	if (way != 2 && mutation_below(m, 8))
		bytes = close_file(data, bytes, room);
	seal(data, bytes);
	return bytes;
}
