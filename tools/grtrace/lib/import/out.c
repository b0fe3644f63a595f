// SPDX-License-Identifier: LGPL-2.1
#include "out.h"

#include <errno.h>
#include <string.h>

#include "error.h"
#include "file.h"
#include "lossless.h"
#include "run.h"
#include "writer.h"

/* CPU numbers are below this; chunks of late events get higher ones. */
#define MAX_CPUS	GRT_CHUNK_FIRST_LATE

/* Larger chunks would need more memory and help little. */
#define CHUNK_BYTES	(64u << 10)

struct grt_out_stream {
	uint32_t cpu, nr;		/* nr: in the headers of its chunks */
	uint64_t last_ns;
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

/* The stream of @cpu; NULL without memory. */
static struct grt_out_stream *stream_of(struct grt_out *out, uint32_t cpu)
{
	static const uint32_t none;
	struct grt_out_stream *stream;
	uint32_t *at;

	if (grt_vec_reach(&out->cpus, cpu, &none, sizeof(none))) {
		out->err = grt_fail_memory();
		return NULL;
	}
	at = grt_vec_at(&out->cpus, uint32_t, cpu);
	if (*at)
		return stream_at(out, *at - 1);
	stream = grt_vec_grow(&out->streams, sizeof(*stream));
	if (!stream) {
		out->err = grt_fail_memory();
		return NULL;
	}
	*stream = (struct grt_out_stream){ .cpu = cpu, .nr = cpu };
	*at = grt_vec_count(&out->streams, struct grt_out_stream);
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

/* Space for one more record of @stream, which is not earlier than those before; NULL without memory. */
static struct grtrace_hdr *append(struct grt_out *out, struct grt_out_stream *stream, uint64_t ts,
				  unsigned int type, size_t bytes)
{
	bool is_event = type < GRTRACE_STREAM_BASE;
	struct grtrace_hdr *hdr;

	if (stream->bytes.bytes + bytes > CHUNK_BYTES)
		write_chunk(out, stream);
	stream->last_ns = ts;
	if (!stream->bytes.bytes)
		begin_chunk(out, stream);
	hdr = grt_vec_grow(&stream->bytes, bytes);
	if (!hdr) {
		out->err = grt_fail_memory();
		return NULL;
	}
	stream->chunk_events += is_event;
	stream->cseq += is_event;
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

/* Writes the late events so far, as a stream. */
static void write_late(struct grt_out *out)
{
	struct grt_out_stream stream = { .nr = MAX_CPUS + out->late_streams };

	if (!out->late.records.bytes)
		return;
	out->late_streams++;
	if (!out->err)
		out->err = grt_late_sort(&out->late);
	if (!out->err)
		stream.cpu = grt_late_at(&out->late, 0)->cpu;
	for (size_t i = 0; i < grt_late_count(&out->late) && !out->err; i++) {
		const struct grtrace_hdr *rec = grt_late_at(&out->late, i);
		struct grtrace_hdr *to = append(out, &stream, rec->ts, rec->type, rec->size);

		if (to) {
			memcpy(to, rec, rec->size);
			to->cseq = stream.cseq;
		}
	}
	if (!out->err)
		end_stream(out, &stream);
	grt_vec_free(&stream.bytes);
	grt_late_clear(&out->late);
}

static struct grtrace_hdr *add_late(struct grt_out *out, size_t bytes)
{
	struct grtrace_hdr *hdr;

	if (grt_late_is_full(&out->late, bytes))
		write_late(out);
	hdr = grt_late_add(&out->late, bytes);
	if (!hdr)
		out->err = -ENOMEM;
	return hdr;
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
	stream = stream_of(out, cpu);
	if (!stream)
		return NULL;
	if (ts < stream->last_ns) {
		hdr = add_late(out, bytes);
		return hdr ? fill(hdr, cpu, ts, type, bytes, flags) : NULL;
	}
	hdr = append(out, stream, ts, type, bytes);
	if (!hdr)
		return NULL;
	fill(hdr, cpu, ts, type, bytes, flags);
	hdr->cseq = stream->cseq;
	return hdr;
}

int grt_out_close(struct grt_out *out)
{
	write_late(out);
	for (size_t i = 0; i < grt_vec_count(&out->streams, struct grt_out_stream); i++) {
		struct grt_out_stream *stream = stream_at(out, i);

		if (!out->err)
			end_stream(out, stream);
		grt_vec_free(&stream->bytes);
	}
	grt_late_free(&out->late);
	grt_vec_free(&out->streams);
	grt_vec_free(&out->cpus);
	grt_vec_free(&out->last);
	return out->err;
}
