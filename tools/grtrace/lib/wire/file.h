/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The .grt file format: one header, then chunks.  Writers only append.
 *
 * A chunk holds records exactly as the kernel wrote them.  DEFS chunks hold definitions.  DATA
 * chunks hold sub-buffers of one CPU and its STREAM_END, in the order they were read.  A WATERMARK
 * chunk has no payload: it says that every event before its last_ts is in a chunk above it.
 *
 * A complete file ends with an INDEX chunk and a trailer that points to the index.  Without a
 * trailer, a reader walks the chunks and uses those that are intact.  Numbers are little endian,
 * sizes are multiples of 8.  The format is frozen: Documentation/format.rst says what may be added.
 */
#ifndef GRT_FILE_H
#define GRT_FILE_H

#include <stddef.h>
#include <stdint.h>

#define GRT_FILE_MAGIC		0x00656c6966747267ull	/* "grtfile\0" */
#define GRT_CHUNK_MAGIC		0x6b6e6863u		/* "chnk" */
#define GRT_TRAILER_MAGIC	0x00646e6564747267ull	/* "grtdend\0" */
#define GRT_FILE_VERSION	1

/*
 * Readers refuse larger chunks.  Writers stay far below, so that memory for one chunk per CPU is
 * affordable.
 */
#define GRT_CHUNK_MAX_BYTES	(16u << 20)
#define GRT_CHUNK_GOAL_BYTES	(256u << 10)

/*
 * In chunks, CPU numbers from here on mark late events: an importer read them out of order, and
 * the file already had later ones of their CPU.  Each such chunk is in time order; its records
 * name the real CPUs.
 */
#define GRT_CHUNK_FIRST_LATE	4096

/* Flags of a file. */
#define GRT_FILE_IS_CUT	1ull	/* repaired; events are missing at the end */
#define GRT_FILE_GOES_ON	2ull	/* record --rotate: earlier events are in another file */

/* Kinds of chunks: X(NAME, number, text). */
#define GRT_CHUNKS(X)							\
	X(DEFS,		1, "definitions")				\
	X(DATA,		2, "sub-buffers of one CPU")			\
	X(WATERMARK,	3, "every event before last_ts is above")	\
	X(INDEX,	4, "struct grt_file_index of every chunk above, in order")

enum grt_chunk_kind {
#define GRT_X(NAME, nr, text) GRT_CHUNK_##NAME = nr,
	GRT_CHUNKS(GRT_X)
#undef GRT_X
};

/* No chunk flags are defined yet.  A reader skips a chunk with a flag that it does not know. */
#define GRT_CHUNK_KNOWN_FLAGS	0u

/* Members: F(struct, member, offset, text). */
#define GRT_FILE_HEADER_FIELDS(F)						\
	F(header, magic,	   0, "the bytes grtfile and a NUL")		\
	F(header, version,	   8, "1")					\
	F(header, bytes,	  12, "size of this header: the first chunk begins there") \
	F(header, flags,	  16, "bit 0: repaired, events are missing at the end; bit 1: continues another file (record --rotate); other bits are 0") \
	F(header, session_id,	  24, "as in STREAM_INFO, 0 = not known")	\
	F(header, start_ns,	  32, "record began, in the stream's clock")	\
	F(header, start_real_ns,  40, "the same instant, CLOCK_REALTIME")	\
	F(header, focus_pid,	  48, "process to show by default, 0 = all")	\
	F(header, reserved,	  52, "0")					\
	F(header, host,		  56, "name of the machine")			\
	F(header, kernel,	 120, "release of its kernel")			\
	F(header, command,	 184, "command line that was recorded, empty = the machine") \
	F(header, hash,		 696, "XXH64, seed 0, of the bytes of this header before it")

struct grt_file_header {
	uint64_t magic;
	uint32_t version;
	uint32_t bytes;
	uint64_t flags;
	uint64_t session_id;
	uint64_t start_ns;
	uint64_t start_real_ns;
	uint32_t focus_pid;
	uint32_t reserved;
	char host[64];
	char kernel[64];
	char command[512];
	uint64_t hash;
};

#define GRT_FILE_CHUNK_FIELDS(F)						\
	F(chunk, magic,		   0, "the bytes chnk")				\
	F(chunk, kind,		   4, "what it holds")				\
	F(chunk, flags,		   6, "0; reserved for compression")		\
	F(chunk, cpu,		   8, "DATA, DEFS: the CPU it was read from; from 4096 on: events that an importer found out of order")	\
	F(chunk, is_plain,	  12, "DATA: 1 = only events and accounts, in time order; 0 = not known") \
	F(chunk, bytes,		  16, "size of the payload that follows")	\
	F(chunk, first_ts,	  24, "DATA: time of the first record")		\
	F(chunk, last_ts,	  32, "DATA: time of the last record; WATERMARK: every event before it is above") \
	F(chunk, events,	  40, "DATA: events in it; INDEX: rows")	\
	F(chunk, payload_hash,	  48, "XXH64, seed 0, of the payload")		\
	F(chunk, hash,		  56, "XXH64, seed 0, of the bytes of this header before it")

struct grt_file_chunk {
	uint32_t magic;
	uint16_t kind;
	uint16_t flags;
	uint32_t cpu;
	uint32_t is_plain;
	uint64_t bytes;
	uint64_t first_ts;
	uint64_t last_ts;
	uint64_t events;
	uint64_t payload_hash;
	uint64_t hash;
};

#define GRT_FILE_INDEX_FIELDS(F)						\
	F(index, offset,	   0, "where in the file the chunk begins")	\
	F(index, chunk,		   8, "its header, verbatim")

struct grt_file_index {
	uint64_t offset;
	struct grt_file_chunk chunk;
};

#define GRT_FILE_TRAILER_FIELDS(F)						\
	F(trailer, magic,	   0, "the bytes grtdend and a NUL")		\
	F(trailer, index_offset,   8, "where the INDEX chunk begins")		\
	F(trailer, events,	  16, "events in the file")			\
	F(trailer, hash,	  24, "XXH64, seed 0, of the bytes of this trailer before it")

struct grt_file_trailer {
	uint64_t magic;
	uint64_t index_offset;
	uint64_t events;
	uint64_t hash;
};

#define GRT_FILE_AT(st, member, offset, text)					\
	_Static_assert(offsetof(struct grt_file_##st, member) == (offset),	\
		       #st "." #member " moved, but the format is frozen");
GRT_FILE_HEADER_FIELDS(GRT_FILE_AT)
GRT_FILE_CHUNK_FIELDS(GRT_FILE_AT)
GRT_FILE_INDEX_FIELDS(GRT_FILE_AT)
GRT_FILE_TRAILER_FIELDS(GRT_FILE_AT)

#define GRT_FILE_SIZE(st, member, ...) + sizeof(((struct grt_file_##st *)0)->member)
#define GRT_FILE_WHOLE(st, LIST)						\
	_Static_assert(sizeof(struct grt_file_##st) == 0 LIST(GRT_FILE_SIZE),	\
		       #st ": a member is missing in its list");
GRT_FILE_WHOLE(header, GRT_FILE_HEADER_FIELDS)
GRT_FILE_WHOLE(chunk, GRT_FILE_CHUNK_FIELDS)
GRT_FILE_WHOLE(index, GRT_FILE_INDEX_FIELDS)
GRT_FILE_WHOLE(trailer, GRT_FILE_TRAILER_FIELDS)

#endif /* GRT_FILE_H */
