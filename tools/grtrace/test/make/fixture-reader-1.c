// SPDX-License-Identifier: GPL-2.0
/*
 * The first reader, frozen.  It knows format version 1 from copies of its own and
 * nothing of the library or of today's headers: what it cannot read any more has
 * broken every program that was ever written against the format.  Do not change it;
 * a format that needs a change here needs a new version number.
 *
 *	fixture-reader-1 FILE...	one .grt, or raw streams
 *
 * Prints "type N COUNT" for each event type, "ring NAME JOBS" for each ring that
 * was submitted to, "unknown COUNT" for records of other types and "lost COUNT".
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_VERSION	1
#define STREAM_MAGIC	0x0045434152545247ull	/* "GRTRACE\0" */
#define FILE_MAGIC	0x00656c6966747267ull	/* "grtfile\0" */
#define CHUNK_MAGIC	0x6b6e6863u		/* "chnk" */

#define NR_TYPES	20
#define NR_FATES	15
#define MAX_RINGS	1024
#define MAX_CPUS	1024

enum {
	SUBMIT = 0,
	STREAM_INFO = 0xff00, METADATA, RING, PROCESS, SUBBUF, POLICY, LOSS, CLOCK,
	STATS, STREAM_END,
};

enum { CHUNK_DEFS = 1, CHUNK_DATA = 2 };

struct header {
	uint16_t type, size, cpu, flags;
	uint64_t ts, gseq, cseq;
};

struct stream_info {
	struct header hdr;
	uint64_t magic;
	uint32_t version, clock;
	uint64_t session_id, features, start_ns, start_real_ns;
	uint32_t cpus, subbuf_bytes;
};

struct submit {
	struct header hdr;
	uint64_t ctx, seqno;
	uint32_t ring, tgid, tid, credits, hw_credits, queue_depth;
	uint64_t client_id;
};

struct ring {
	struct header hdr;
	uint32_t ring, hw_ring, engine, order, credit_limit, reserved;
	char name[32], device[32], driver[24];
};

/* SUBBUF and STREAM_END have the same layout. */
struct account {
	struct header hdr;
	uint64_t session_id, index, seen, fates[NR_FATES];
};

struct file_header {
	uint64_t magic;
	uint32_t version, bytes;
};

struct chunk {
	uint32_t magic;
	uint16_t kind, flags;
	uint32_t cpu, reserved;
	uint64_t bytes, first_ts, last_ts, events, payload_hash, hash;
};

static uint64_t types[NR_TYPES], unknown, jobs[MAX_RINGS];
static char names[MAX_RINGS][33];
static uint64_t lost[MAX_CPUS];

static int complain(const char *path, const char *what)
{
	fprintf(stderr, "fixture-reader-1: %s: %s\n", path, what);
	return 4;
}

static int take_info(const char *path, const void *record)
{
	const struct stream_info *info = record;

	if (info->magic != STREAM_MAGIC)
		return complain(path, "wrong magic");
	if (info->version == FORMAT_VERSION)
		return 0;
	fprintf(stderr, "fixture-reader-1: %s has format version %u, this program reads %u\n",
		path, info->version, FORMAT_VERSION);
	return 4;
}

static void take_account(const void *record)
{
	const struct account *a = record;

	/* All fates but the first are of events without a record. */
	if (a->hdr.cpu < MAX_CPUS)
		lost[a->hdr.cpu] = a->seen - a->fates[0];
}

static int take(const char *path, const struct header *hdr)
{
	const struct submit *submit = (const void *)hdr;
	const struct ring *ring = (const void *)hdr;

	switch (hdr->type) {
	case STREAM_INFO:
		return take_info(path, hdr);
	case RING:
		if (ring->ring < MAX_RINGS)
			memcpy(names[ring->ring], ring->name, sizeof(ring->name));
		return 0;
	case SUBBUF:
	case STREAM_END:
		take_account(hdr);
		return 0;
	case METADATA:
	case PROCESS:
	case POLICY:
	case LOSS:
	case CLOCK:
	case STATS:
		return 0;
	}
	if (hdr->type >= NR_TYPES) {
		unknown++;
		return 0;
	}
	types[hdr->type]++;
	if (hdr->type == SUBMIT && submit->ring < MAX_RINGS)
		jobs[submit->ring]++;
	return 0;
}

/* Reads records back to back, and steps by their size. */
static int read_records(const char *path, const uint8_t *data, uint64_t bytes)
{
	struct header hdr;
	uint64_t at = 0;
	int err = 0;

	while (!err && at < bytes) {
		if (bytes - at < sizeof(hdr))
			return complain(path, "ends within a header");
		memcpy(&hdr, data + at, sizeof(hdr));
		if (hdr.size % 8 || hdr.size < sizeof(hdr) || hdr.size > bytes - at)
			return complain(path, "a record cannot have its size");
		err = take(path, (const void *)(data + at));
		at += hdr.size;
	}
	return err;
}

/* Reads the chunks after the header; skips unknown kinds and flags. */
static int read_file(const char *path, const uint8_t *data, uint64_t bytes)
{
	struct file_header header;
	struct chunk chunk;
	uint64_t at;
	int err = 0;

	memcpy(&header, data, sizeof(header));
	for (at = header.bytes; !err && at + sizeof(chunk) <= bytes; at += chunk.bytes) {
		memcpy(&chunk, data + at, sizeof(chunk));
		if (chunk.magic != CHUNK_MAGIC)
			break;
		at += sizeof(chunk);
		if (chunk.bytes > bytes - at)
			return complain(path, "ends within a chunk");
		if (!chunk.flags && (chunk.kind == CHUNK_DEFS || chunk.kind == CHUNK_DATA))
			err = read_records(path, data + at, chunk.bytes);
	}
	return err;
}

static uint8_t *load(const char *path, uint64_t *bytes)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data = NULL, *bigger;
	size_t room = 0, n = 0;

	*bytes = 0;
	if (!in)
		return NULL;
	do {
		room = room ? 2 * room : 1 << 16;
		bigger = realloc(data, room);
		if (!bigger)
			break;
		data = bigger;
		n = fread(data + *bytes, 1, room - *bytes, in);
		*bytes += n;
	} while (*bytes == room);
	fclose(in);
	return data;
}

static int read_path(const char *path)
{
	uint64_t bytes, magic = 0;
	uint8_t *data = load(path, &bytes);
	int err;

	if (!data)
		return complain(path, strerror(errno));
	if (bytes >= sizeof(struct file_header))
		memcpy(&magic, data, sizeof(magic));
	if (magic == FILE_MAGIC)
		err = read_file(path, data, bytes);
	else
		err = read_records(path, data, bytes);
	free(data);
	return err;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;
	int err = 0;

	for (int i = 1; i < argc && !err; i++)
		err = read_path(argv[i]);
	if (err)
		return err;
	for (int i = 0; i < NR_TYPES; i++)
		if (types[i])
			printf("type %d %llu\n", i, (unsigned long long)types[i]);
	for (int i = 0; i < MAX_RINGS; i++)
		if (jobs[i])
			printf("ring %s %llu\n", names[i], (unsigned long long)jobs[i]);
	for (int i = 0; i < MAX_CPUS; i++)
		sum += lost[i];
	printf("unknown %llu\nlost %llu\n", (unsigned long long)unknown, (unsigned long long)sum);
	return 0;
}
