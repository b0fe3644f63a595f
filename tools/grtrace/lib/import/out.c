// SPDX-License-Identifier: LGPL-2.1
#include "out.h"

#include <string.h>

#include "error.h"
#include "file.h"
#include "lossless.h"
#include "run.h"
#include "writer.h"

/* CPU numbers are below this; chunks of late events get higher ones. */
#define MAX_CPUS	GRT_CHUNK_FIRST_LATE
#define MAX_STREAMS	(MAX_CPUS + 4096)

/* Larger chunks would need more memory and help little. */
#define CHUNK_BYTES	(64u << 10)

struct grt_out_stream {
	uint32_t cpu, nr;		/* nr: in the headers of its chunks */
	uint32_t next;			/* the CPU's next stream + 1, 0 = none */
	uint64_t first_ns, last_ns;
	uint64_t cseq;
	uint64_t chunk_events, chunks;
	struct grt_vec bytes;		/* the chunk that is being filled */
};

static struct grt_out_stream *stream_at(const struct grt_out *out, uint32_t i)
{
	return grt_vec_at(&out->streams, struct grt_out_stream, i);
}

static void write_chunk(struct grt_out *out, struct grt_out_stream *stream)
{
	const struct grtrace_hdr *first = stream->bytes.data;
	struct grt_run run = {
		.data = stream->bytes.data, .bytes = stream->bytes.bytes,
		.last_ts = stream->last_ns, .events = stream->chunk_events,
	};

	if (out->err || !run.bytes)
		return;
	run.first_ts = first->ts;
	out->err = grt_writer_run(out->writer, stream->nr, &run);
	stream->bytes.bytes = 0;
	stream->chunk_events = 0;
	stream->chunks++;
}

static struct grt_out_stream *open_stream(struct grt_out *out, uint32_t cpu, uint32_t *link)
{
	size_t count = grt_vec_count(&out->streams, struct grt_out_stream);
	struct grt_out_stream *stream;

	if (count >= MAX_STREAMS)
		return NULL;
	stream = grt_vec_grow(&out->streams, sizeof(*stream));
	if (!stream) {
		out->err = grt_fail_memory();
		return NULL;
	}
	*stream = (struct grt_out_stream){ .cpu = cpu, .nr = *link ? MAX_CPUS + count : cpu };
	*link = count + 1;
	return stream;
}

/* The stream of @cpu to which an event at @ts can be appended. */
static struct grt_out_stream *stream_for(struct grt_out *out, uint32_t cpu, uint64_t ts)
{
	static const uint32_t none;
	struct grt_out_stream *stream = NULL;
	uint32_t first, at, fresh = 0;

	if (grt_vec_reach(&out->cpus, cpu, &none, sizeof(none))) {
		out->err = grt_fail_memory();
		return NULL;
	}
	first = *grt_vec_at(&out->cpus, uint32_t, cpu);
	for (at = first; at; at = stream->next) {
		stream = stream_at(out, at - 1);
		if (stream->last_ns <= ts)
			return stream;
	}
	fresh = first;
	stream = open_stream(out, cpu, &fresh);
	if (!stream)
		return first && !out->err ? stream_at(out, first - 1) : NULL;
	if (!first) {
		*grt_vec_at(&out->cpus, uint32_t, cpu) = fresh;
		return stream;
	}
	/* Insert it after the first stream, which fits most events and so is tried first. */
	stream->next = stream_at(out, first - 1)->next;
	stream_at(out, first - 1)->next = fresh;
	return stream;
}

static void *fill(struct grtrace_hdr *hdr, uint32_t cpu, uint64_t ts, unsigned int type,
		  size_t bytes, unsigned int flags)
{
	memset(hdr, 0, bytes);
	hdr->type = type;
	hdr->size = bytes;
	hdr->cpu = cpu;
	hdr->ts = ts;
	hdr->flags = flags;
	return hdr;
}

/* Starts a chunk with an account without losses: losses are LOSS records. */
static void begin_chunk(struct grt_out *out, struct grt_out_stream *stream)
{
	struct grtrace_subbuf *sub = grt_vec_grow(&stream->bytes, sizeof(*sub));

	if (sub)
		*sub = grt_lossless_subbuf(stream->cpu, stream->last_ns, out->session_id,
					   stream->chunks, stream->cseq);
	else
		out->err = grt_fail_memory();
}

void *grt_out_add(struct grt_out *out, uint32_t cpu, uint64_t ts, unsigned int type,
		  size_t bytes, unsigned int flags)
{
	bool is_event = type < GRTRACE_STREAM_BASE;
	struct grt_out_stream *stream;
	struct grtrace_hdr *hdr;

	if (out->err || cpu >= MAX_CPUS || (is_event && out->refused_types >> type & 1))
		return NULL;
	if (is_event)
		out->added_types |= 1u << type;
	out->events += is_event;
	if (out->target)
		return out->target->add(out->target->arg, cpu, ts, type, bytes, flags);
	if (!out->writer) {
		out->last.bytes = 0;
		hdr = grt_vec_grow(&out->last, bytes);
		return hdr ? fill(hdr, cpu, ts, type, bytes, flags) : NULL;
	}
	stream = stream_for(out, cpu, ts);
	if (!stream)
		return NULL;
	if (stream->bytes.bytes + bytes > CHUNK_BYTES)
		write_chunk(out, stream);
	/* If there are no streams left, the event is moved to the time of the last event. */
	stream->last_ns = ts > stream->last_ns ? ts : stream->last_ns;
	if (!stream->bytes.bytes)
		begin_chunk(out, stream);
	hdr = grt_vec_grow(&stream->bytes, bytes);
	if (!hdr) {
		out->err = grt_fail_memory();
		return NULL;
	}
	fill(hdr, cpu, stream->last_ns, type, bytes, flags);
	stream->chunk_events += is_event;
	stream->cseq += is_event;
	hdr->cseq = stream->cseq;
	return hdr;
}

static void end_stream(struct grt_out *out, struct grt_out_stream *stream)
{
	struct grtrace_stream_end *end = grt_vec_grow(&stream->bytes, sizeof(*end));

	if (!end) {
		out->err = grt_fail_memory();
		return;
	}
	*end = grt_lossless_end(stream->cpu, stream->last_ns, out->session_id, stream->cseq);
	write_chunk(out, stream);
}

int grt_out_close(struct grt_out *out)
{
	for (size_t i = 0; i < grt_vec_count(&out->streams, struct grt_out_stream); i++) {
		struct grt_out_stream *stream = stream_at(out, i);

		if (!out->err)
			end_stream(out, stream);
		grt_vec_free(&stream->bytes);
	}
	grt_vec_free(&out->streams);
	grt_vec_free(&out->cpus);
	grt_vec_free(&out->last);
	return out->err;
}
