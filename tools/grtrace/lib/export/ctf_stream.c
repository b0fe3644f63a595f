// SPDX-License-Identifier: LGPL-2.1
#include "ctf_stream.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* A packet of this size takes no further event. */
#define FULL_BYTES	(128 << 10)

#define NAME_MAX_BYTES	32
#define MAX_SYNCED	256	/* files put on disk one by one */
/* babeltrace2 takes a larger number for none, and ends with a failed assertion. */
#define MOST_DISCARDED	(UINT64_MAX - 1)

/* Begins each event, as the metadata describes it. */
struct event_header {
	uint16_t id;
	uint64_t ns;
} __attribute__((packed));

static struct ctf_stream *stream_at(const struct ctf_streams *s, uint32_t nr)
{
	return grt_vec_at(&s->all, struct ctf_stream, nr);
}

static enum ctf_class class_of(uint32_t nr)
{
	return nr == CTF_DEFINITIONS ? CTF_CLASS_DEFINITIONS :
	       nr == CTF_JOBS ? CTF_CLASS_JOBS : CTF_CLASS_CPU;
}

static size_t header_bytes(uint32_t nr)
{
	return class_of(nr) == CTF_CLASS_CPU ? sizeof(struct ctf_packet) :
					       offsetof(struct ctf_packet, cpu);
}

static const char *name_of(uint32_t nr, char name[NAME_MAX_BYTES])
{
	if (nr == CTF_DEFINITIONS)
		return "definitions";
	if (nr == CTF_JOBS)
		return "jobs";
	snprintf(name, NAME_MAX_BYTES, "cpu%u", nr - CTF_CPU0);
	return name;
}

uint64_t ctf_streams_last_ns(const struct ctf_streams *s, uint32_t nr)
{
	return nr < grt_vec_count(&s->all, struct ctf_stream) ? stream_at(s, nr)->last_ns : 0;
}

/* Writes the packet that is collected, if there is one. */
static int flush(struct ctf_streams *s, uint32_t nr)
{
	struct ctf_stream *stream = stream_at(s, nr);
	struct ctf_packet head = {
		.magic = CTF_MAGIC, .class = class_of(nr), .cpu = nr - CTF_CPU0,
		.begin_ns = stream->begin_ns, .end_ns = stream->last_ns,
		.content_bits = 8 * stream->packet.bytes, .packet_bits = 8 * stream->packet.bytes,
		.number = stream->packets, .discarded = stream->discarded,
	};
	char name[NAME_MAX_BYTES];
	int fd, err;

	if (!stream->packet.bytes)
		return 0;
	memcpy(head.uuid, s->uuid, sizeof(head.uuid));
	memcpy(stream->packet.data, &head, header_bytes(nr));
	fd = ctf_folder_file(s->folder, name_of(nr, name));
	if (fd < 0)
		return fd;
	err = ctf_folder_write(s->folder, fd, stream->packet.data, stream->packet.bytes);
	if (close(fd) && !err)
		err = ctf_folder_fail(s->folder);
	stream->packet.bytes = 0;
	stream->packets++;
	stream->is_loss = false;
	return err;
}

/* Gives the stream a place among those with memory, if need be that of another stream. */
static int collect(struct ctf_streams *s, uint32_t nr)
{
	uint32_t *place;
	int err;

	if (s->nr_collected < CTF_MAX_COLLECTED) {
		s->collected[s->nr_collected++] = nr;
		return 0;
	}
	place = &s->collected[s->oldest];
	s->oldest = (s->oldest + 1) % CTF_MAX_COLLECTED;
	err = flush(s, *place);
	grt_vec_free(&stream_at(s, *place)->packet);
	*place = nr;
	return err;
}

/* Begins a packet unless there is one with room.  0 or -errno with a cause. */
static int make_room(struct ctf_streams *s, uint32_t nr, uint64_t ns)
{
	static const struct ctf_stream blank;
	struct ctf_stream *stream;
	int err;

	if (grt_vec_reach(&s->all, nr, &blank, sizeof(blank)))
		return grt_fail_memory();
	stream = stream_at(s, nr);
	if (stream->packet.bytes >= FULL_BYTES) {
		err = flush(s, nr);
		if (err)
			return err;
	}
	if (stream->packet.bytes)
		return 0;
	if (!stream->packet.data) {
		err = collect(s, nr);
		if (err)
			return err;
	}
	if (!grt_vec_grow(&stream->packet, header_bytes(nr)))
		return grt_fail_memory();
	stream->begin_ns = ns;
	return 0;
}

static struct grt_vec *add_event(struct ctf_streams *s, uint32_t nr, uint16_t id, uint64_t ns)
{
	const struct event_header header = { id, ns };
	struct ctf_stream *stream;

	if (make_room(s, nr, ns))
		return NULL;
	stream = stream_at(s, nr);
	if (grt_vec_append(&stream->packet, &header, sizeof(header))) {
		grt_fail_memory();
		return NULL;
	}
	stream->last_ns = ns;
	return &stream->packet;
}

struct grt_vec *ctf_streams_event(struct ctf_streams *s, uint32_t nr, uint16_t id, uint64_t ns)
{
	if (nr < grt_vec_count(&s->all, struct ctf_stream) && stream_at(s, nr)->is_loss &&
	    flush(s, nr))
		return NULL;
	return add_event(s, nr, id, ns);
}

/* Readers report a loss between two packets, so there must be a packet before the first loss. */
static int begin_with_nothing(struct ctf_streams *s, uint32_t nr, uint64_t from_ns)
{
	int err = make_room(s, nr, from_ns);

	if (err)
		return err;
	stream_at(s, nr)->last_ns = from_ns;
	return flush(s, nr);
}

int ctf_streams_lose(struct ctf_streams *s, uint32_t nr, uint64_t count, uint64_t from_ns)
{
	struct ctf_stream *stream = NULL;
	int err = 0;

	if (nr < grt_vec_count(&s->all, struct ctf_stream))
		stream = stream_at(s, nr);
	if (!stream || (!stream->packets && !stream->packet.bytes))
		err = begin_with_nothing(s, nr, from_ns);
	else if (!stream->is_loss)
		err = flush(s, nr);
	if (err)
		return err;
	stream = stream_at(s, nr);
	stream->discarded = count > MOST_DISCARDED - stream->discarded ? MOST_DISCARDED :
			    stream->discarded + count;
	return 0;
}

struct grt_vec *ctf_streams_loss(struct ctf_streams *s, uint32_t nr, uint16_t id, uint64_t ns)
{
	struct grt_vec *packet = add_event(s, nr, id, ns);

	if (packet)
		stream_at(s, nr)->is_loss = true;
	return packet;
}

int ctf_streams_close(struct ctf_streams *s)
{
	char name[NAME_MAX_BYTES];
	int err = 0;

	for (uint32_t i = 0; i < s->nr_collected && !err; i++)
		err = flush(s, s->collected[i]);
	/* One by one, many files would take minutes on a slow disk. */
	if (err || grt_vec_count(&s->all, struct ctf_stream) > MAX_SYNCED)
		return err ? err : ctf_folder_sync_all(s->folder);
	for (uint32_t nr = 0; nr < grt_vec_count(&s->all, struct ctf_stream) && !err; nr++)
		if (stream_at(s, nr)->packets)
			err = ctf_folder_sync(s->folder, name_of(nr, name));
	return err;
}

void ctf_streams_free(struct ctf_streams *s)
{
	for (uint32_t nr = 0; nr < grt_vec_count(&s->all, struct ctf_stream); nr++)
		grt_vec_free(&stream_at(s, nr)->packet);
	grt_vec_free(&s->all);
}
