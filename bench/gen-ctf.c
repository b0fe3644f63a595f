// SPDX-License-Identifier: GPL-2.0
/*
 * gen-ctf TRACE DIR: writes the same events as a CTF 1.8 trace, one stream per CPU, for
 * babeltrace2.  Each event has every field of the record: little-endian integers without padding,
 * as tracers write them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "describe.h"
#include "grtrace.h"

#define PACKET_BYTES	(256 << 10)	/* size of a sub-buffer; also of the last packet */
#define CTF_MAGIC	0xc1fc1fc1u
#define MAX_CPUS	1024

struct packet {
	uint32_t magic, cpu;
	uint64_t content_bits, packet_bits, begin_ns, end_ns;
};

/* Header and context of an event, as TSDL below says. */
struct event {
	uint64_t ts;
	uint32_t id, flags;
	uint64_t gseq, cseq;
};

struct stream {
	FILE *file;
	size_t bytes;
	char packet[PACKET_BYTES];
};

static struct stream *streams[MAX_CPUS];
static const char *folder;

static const char tsdl[] =
"/* CTF 1.8 */\n"
"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
"trace { major = 1; minor = 8; byte_order = le;\n"
"	packet.header := struct { uint32_t magic; }; };\n"
"clock { name = monotonic; freq = 1000000000; };\n"
"typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := ns_t;\n"
"stream {\n"
"	packet.context := struct { uint32_t cpu_id; uint64_t content_size;\n"
"		uint64_t packet_size; ns_t timestamp_begin; ns_t timestamp_end; };\n"
"	event.header := struct { ns_t timestamp; uint32_t id; };\n"
"	event.context := struct { uint32_t flags; uint64_t gseq; uint64_t cseq; };\n"
"};\n";

static FILE *create(const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file) {
		fprintf(stderr, "gen-ctf: cannot create '%s': %s\n", path, strerror(errno));
		exit(1);
	}
	return file;
}

static void close_file(FILE *file)
{
	if (ferror(file) | fclose(file)) {
		fprintf(stderr, "gen-ctf: cannot write to '%s'\n", folder);
		exit(1);
	}
}

static void write_metadata(void)
{
	FILE *file = create("metadata");

	fputs(tsdl, file);
	for (size_t i = 0; i < grt_nr_types; i++) {
		const struct grt_type *type = &grt_types[i];

		if (type->class == GRT_CLASS_STREAM)
			continue;
		fprintf(file, "event { id = %u; name = \"%s\"; fields := struct {",
			type->number, type->st);
		for (size_t j = 0; j < type->nr_fields; j++)
			fprintf(file, " %s%u_t _%s;",
				type->fields[j].kind == GRT_KIND_SINT ? "int" : "uint",
				8 * type->fields[j].bytes, type->fields[j].name);
		fputs(" }; };\n", file);
	}
	close_file(file);
}

static void begin_packet(struct stream *s, uint32_t cpu, uint64_t ns)
{
	const struct packet head = { .magic = CTF_MAGIC, .cpu = cpu, .begin_ns = ns };

	memcpy(s->packet, &head, sizeof(head));
	s->bytes = sizeof(head);
}

static void end_packet(struct stream *s, uint64_t ns)
{
	struct packet head;

	memcpy(&head, s->packet, sizeof(head));
	head.content_bits = head.packet_bits = 8 * s->bytes;
	head.end_ns = ns;
	memcpy(s->packet, &head, sizeof(head));
	fwrite(s->packet, s->bytes, 1, s->file);
	s->bytes = 0;
}

static struct stream *stream_of(uint32_t cpu)
{
	char name[16];

	if (cpu >= MAX_CPUS) {
		fprintf(stderr, "gen-ctf: CPU %u is one too many\n", cpu);
		exit(1);
	}
	if (!streams[cpu]) {
		streams[cpu] = calloc(1, sizeof(*streams[cpu]));
		if (!streams[cpu])
			abort();
		snprintf(name, sizeof(name), "cpu%u", cpu);
		streams[cpu]->file = create(name);
	}
	return streams[cpu];
}

static void write_event(const struct grtrace_hdr *rec, const struct grt_type *type)
{
	const struct event event = {
		.id = rec->type, .flags = rec->flags, .ts = rec->ts, .gseq = rec->gseq,
		.cseq = rec->cseq,
	};
	struct stream *s = stream_of(rec->cpu);
	size_t payload = type->bytes - sizeof(*rec);

	if (s->bytes + sizeof(event) + payload > PACKET_BYTES)
		end_packet(s, rec->ts);
	if (!s->bytes)
		begin_packet(s, rec->cpu, rec->ts);
	memcpy(s->packet + s->bytes, &event, sizeof(event));
	/* A record may end before the members that were added later. */
	memset(s->packet + s->bytes + sizeof(event), 0, payload);
	memcpy(s->packet + s->bytes + sizeof(event), rec + 1,
	       rec->size < type->bytes ? rec->size - sizeof(*rec) : payload);
	s->bytes += sizeof(event) + payload;
}

int main(int argc, char **argv)
{
	const struct grtrace_hdr *rec;
	const struct grt_type *type;
	struct grtrace *trace;
	uint64_t last_ns = 0;
	int got;

	if (argc != 3) {
		fprintf(stderr, "usage: gen-ctf TRACE DIR\n");
		return 2;
	}
	folder = argv[2];
	if ((mkdir(folder, 0777) && errno != EEXIST) || grtrace_open(&trace, argv[1])) {
		fprintf(stderr, "gen-ctf: cannot go from '%s' to '%s'\n", argv[1], argv[2]);
		return 1;
	}
	write_metadata();
	while ((got = grtrace_next(trace, &rec)) == 1) {
		type = grt_type_by_number(rec->type);
		if (!type || type->class == GRT_CLASS_STREAM)
			continue;
		write_event(rec, type);
		last_ns = rec->ts;
	}
	for (uint32_t cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (!streams[cpu])
			continue;
		end_packet(streams[cpu], last_ns);
		close_file(streams[cpu]->file);
		free(streams[cpu]);
	}
	grtrace_close(trace);
	return got != 0;
}
