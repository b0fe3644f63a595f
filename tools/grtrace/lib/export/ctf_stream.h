/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The stream files of a CTF trace.  Each is a sequence of whole packets: a packet is collected in
 * memory and written at once.  Packets of a limited number of streams are in memory at a time, and
 * no file stays open, so the number of CPUs does not matter.
 */
#ifndef GRT_CTF_STREAM_H
#define GRT_CTF_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "ctf_folder.h"
#include "vec.h"

#define CTF_MAGIC	0xc1fc1fc1u
#define CTF_UUID_BYTES	16

/* The streams: the first two, then a stream per CPU. */
enum { CTF_DEFINITIONS, CTF_JOBS, CTF_CPU0 };

/* Stream classes of the metadata. */
enum ctf_class { CTF_CLASS_CPU, CTF_CLASS_DEFINITIONS, CTF_CLASS_JOBS };

/* Begins each packet, as the metadata describes it. */
struct ctf_packet {
	uint32_t magic;
	uint8_t uuid[CTF_UUID_BYTES];
	uint32_t class;				/* enum ctf_class */
	uint64_t begin_ns, end_ns;
	uint64_t content_bits, packet_bits;	/* of all of the packet */
	uint64_t number;			/* from 0 */
	uint64_t discarded;			/* events lost so far */
	uint32_t cpu;				/* only where the class is CTF_CLASS_CPU */
} __attribute__((packed));

struct ctf_stream {
	struct grt_vec packet;		/* the packet that is collected; empty: none */
	uint64_t begin_ns;		/* of that packet */
	uint64_t last_ns;		/* time of the last event */
	uint64_t packets;		/* written */
	uint64_t discarded;
	bool is_loss;			/* the packet is about a loss and takes no other event */
};

#define CTF_MAX_COLLECTED	512

struct ctf_streams {
	struct ctf_folder *folder;
	uint8_t uuid[CTF_UUID_BYTES];
	struct grt_vec all;			/* struct ctf_stream */
	uint32_t collected[CTF_MAX_COLLECTED];	/* numbers of the streams that have memory */
	uint32_t nr_collected, oldest;
};

/* Time of the last event of stream @nr, 0: it has none. */
uint64_t ctf_streams_last_ns(const struct ctf_streams *s, uint32_t nr);

/*
 * Begins an event: writes its header.  The caller appends context and fields to the result, which is
 * valid until the next call.  @ns is not before the last event.  NULL with a cause after a failure.
 */
struct grt_vec *ctf_streams_event(struct ctf_streams *s, uint32_t nr, uint16_t id, uint64_t ns);

/*
 * Counts events that are missing after @from_ns.  The caller adds the LOSS event next.  0 or -errno
 * with a cause.
 */
int ctf_streams_lose(struct ctf_streams *s, uint32_t nr, uint64_t count, uint64_t from_ns);

/* Call it before the event that ctf_streams_lose() asks for. */
struct grt_vec *ctf_streams_loss(struct ctf_streams *s, uint32_t nr, uint16_t id, uint64_t ns);

/* Writes what is collected, and puts all files on disk.  0 or -errno with a cause. */
int ctf_streams_close(struct ctf_streams *s);

void ctf_streams_free(struct ctf_streams *s);

#endif /* GRT_CTF_STREAM_H */
