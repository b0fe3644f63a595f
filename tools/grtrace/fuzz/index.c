// SPDX-License-Identifier: GPL-2.0
/* The code that finds the chunks of a .grt: header, trailer, index, and the walk without them. */
#include <errno.h>

#include "error.h"
#include "fuzz.h"
#include "index.h"
#include "mutate.h"

static void check_row(const struct grt_chunks *chunks, const struct grt_file_index *row)
{
	FUZZ_EXPECT(row->offset <= chunks->size);
	FUZZ_EXPECT(row->chunk.bytes <= chunks->size - row->offset - sizeof(row->chunk));
	FUZZ_EXPECT(row->chunk.bytes % 8 == 0);
	/* A size must fit 32 bits, and memory. */
	FUZZ_EXPECT(row->chunk.kind == GRT_CHUNK_INDEX || row->chunk.bytes <= GRT_CHUNK_MAX_BYTES);
}

/* From any offset that a damaged file may name, a search moves on and ends. */
static void search(const struct grt_chunks *chunks)
{
	uint64_t offset = 0, chunks_found = 0;
	struct grt_file_chunk c;

	while (grt_chunks_find(chunks, &offset, &c)) {
		struct grt_file_index row = { offset, c };

		check_row(chunks, &row);
		offset += sizeof(c) + c.bytes;
		FUZZ_EXPECT(++chunks_found <= chunks->size / sizeof(c));
	}
	FUZZ_EXPECT(offset <= chunks->size + 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct grt_chunks chunks = { .fd = fuzz_file(data, bytes), .name = "input", .size = bytes };
	struct grt_file_trailer trailer;
	struct grt_vec rows = { 0 };
	struct grt_index index;
	int err = grt_index_read(&index, chunks.fd, chunks.name);

	FUZZ_EXPECT(!err || err == -EBADMSG);
	FUZZ_EXPECT(!err || *grt_cause());
	if (!err) {
		for (size_t i = 0; i < grt_vec_count(&index.rows, struct grt_file_index); i++)
			check_row(&chunks, grt_vec_at(&index.rows, struct grt_file_index, i));
		grt_index_free(&index);
	}
	search(&chunks);
	grt_chunks_trailer(&chunks, &trailer, &rows);
	grt_vec_free(&rows);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t room, unsigned int seed)
{
	struct mutation m = { seed };

	return mutate_grt(&m, data, bytes, room);
}
