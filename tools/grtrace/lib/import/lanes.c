// SPDX-License-Identifier: LGPL-2.1
#include "lanes.h"

#include <string.h>

#include "error.h"
#include "file.h"
#include "lossless.h"
#include "run.h"
#include "writer.h"

/* CPUs have numbers below this; lanes of late events come behind. */
#define MAX_CPUS	GRT_CHUNK_FIRST_LATE
#define MAX_LANES	(MAX_CPUS + 4096)

/* More chunks in memory would cost more than they help. */
#define CHUNK_BYTES	(64u << 10)

struct grt_out_lane {
	uint32_t cpu, nr;		/* nr: of its chunks; the CPU's, for its first lane */
	uint32_t next;			/* the CPU's next lane plus 1, 0 = none */
	uint64_t first_ns, last_ns;
	uint64_t cseq;
	uint64_t chunk_events, chunks;
	struct grt_vec bytes;		/* of the chunk that grows */
};

static struct grt_out_lane *lane_at(const struct grt_lanes *out, uint32_t i)
{
	return grt_vec_at(&out->lanes, struct grt_out_lane, i);
}

static void write_chunk(struct grt_lanes *out, struct grt_out_lane *lane)
{
	const struct grtrace_hdr *first = lane->bytes.data;
	struct grt_run run = {
		.data = lane->bytes.data, .bytes = lane->bytes.bytes,
		.last_ts = lane->last_ns, .events = lane->chunk_events,
	};

	if (out->err || !run.bytes)
		return;
	run.first_ts = first->ts;
	out->err = grt_writer_run(out->writer, lane->nr, &run);
	lane->bytes.bytes = 0;
	lane->chunk_events = 0;
	lane->chunks++;
}

static struct grt_out_lane *open_lane(struct grt_lanes *out, uint32_t cpu, uint32_t *link)
{
	size_t count = grt_vec_count(&out->lanes, struct grt_out_lane);
	struct grt_out_lane *lane;

	if (count >= MAX_LANES)
		return NULL;
	lane = grt_vec_grow(&out->lanes, sizeof(*lane));
	if (!lane) {
		out->err = grt_fail_memory();
		return NULL;
	}
	*lane = (struct grt_out_lane){ .cpu = cpu, .nr = *link ? MAX_CPUS + count : cpu };
	*link = count + 1;
	return lane;
}

/* The lane of @cpu that an event at @ts continues. */
static struct grt_out_lane *lane_for(struct grt_lanes *out, uint32_t cpu, uint64_t ts)
{
	static const uint32_t none;
	struct grt_out_lane *lane = NULL;
	uint32_t first, at, fresh = 0;

	if (grt_vec_reach(&out->cpus, cpu, &none, sizeof(none))) {
		out->err = grt_fail_memory();
		return NULL;
	}
	first = *grt_vec_at(&out->cpus, uint32_t, cpu);
	for (at = first; at; at = lane->next) {
		lane = lane_at(out, at - 1);
		if (lane->last_ns <= ts)
			return lane;
	}
	fresh = first;
	lane = open_lane(out, cpu, &fresh);
	if (!lane)
		return first && !out->err ? lane_at(out, first - 1) : NULL;
	if (!first) {
		*grt_vec_at(&out->cpus, uint32_t, cpu) = fresh;
		return lane;
	}
	/* Behind the first: that one is the fullest and fits most. */
	lane->next = lane_at(out, first - 1)->next;
	lane_at(out, first - 1)->next = fresh;
	return lane;
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

/* What begins a chunk: nothing is missing before it but what a LOSS says. */
static void begin_chunk(struct grt_lanes *out, struct grt_out_lane *lane)
{
	struct grtrace_subbuf *sub = grt_vec_grow(&lane->bytes, sizeof(*sub));

	if (sub)
		*sub = grt_lossless_subbuf(lane->cpu, lane->last_ns, out->session_id, lane->chunks,
					   lane->cseq);
	else
		out->err = grt_fail_memory();
}

void *grt_lanes_add(struct grt_lanes *out, uint32_t cpu, uint64_t ts, unsigned int type,
		    size_t bytes, unsigned int flags)
{
	bool is_event = type < GRTRACE_STREAM_BASE;
	struct grt_out_lane *lane;
	struct grtrace_hdr *hdr;

	if (out->err || cpu >= MAX_CPUS)
		return NULL;
	out->events += is_event;
	if (!out->writer) {
		out->last.bytes = 0;
		hdr = grt_vec_grow(&out->last, bytes);
		return hdr ? fill(hdr, cpu, ts, type, bytes, flags) : NULL;
	}
	lane = lane_for(out, cpu, ts);
	if (!lane)
		return NULL;
	if (lane->bytes.bytes + bytes > CHUNK_BYTES)
		write_chunk(out, lane);
	/* Where there is no lane more, an event is moved to the time that has been reached. */
	lane->last_ns = ts > lane->last_ns ? ts : lane->last_ns;
	if (!lane->bytes.bytes)
		begin_chunk(out, lane);
	hdr = grt_vec_grow(&lane->bytes, bytes);
	if (!hdr) {
		out->err = grt_fail_memory();
		return NULL;
	}
	fill(hdr, cpu, lane->last_ns, type, bytes, flags);
	lane->chunk_events += is_event;
	lane->cseq += is_event;
	hdr->cseq = lane->cseq;
	return hdr;
}

static void end_lane(struct grt_lanes *out, struct grt_out_lane *lane)
{
	struct grtrace_stream_end *end = grt_vec_grow(&lane->bytes, sizeof(*end));

	if (!end) {
		out->err = grt_fail_memory();
		return;
	}
	*end = grt_lossless_end(lane->cpu, lane->last_ns, out->session_id, lane->cseq);
	write_chunk(out, lane);
}

int grt_lanes_close(struct grt_lanes *out)
{
	for (size_t i = 0; i < grt_vec_count(&out->lanes, struct grt_out_lane); i++) {
		struct grt_out_lane *lane = lane_at(out, i);

		if (!out->err)
			end_lane(out, lane);
		grt_vec_free(&lane->bytes);
	}
	grt_vec_free(&out->lanes);
	grt_vec_free(&out->cpus);
	grt_vec_free(&out->last);
	return out->err;
}
