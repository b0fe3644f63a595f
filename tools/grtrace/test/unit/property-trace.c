// SPDX-License-Identifier: GPL-2.0
#include "property-trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cursor.h"
#include "reading.h"
#include "synth.h"
#include "writer.h"

static void append(struct grt_vec *v, const void *data, size_t bytes)
{
	if (grt_vec_append(v, data, bytes))
		abort();
}

/* --- reading ------------------------------------------------------------------------ */

static void take(void *arg, const struct grtrace_hdr *rec)
{
	struct property_trace *t = arg;
	struct property_event e = { .at = t->bytes.bytes };

	if (rec->type == GRTRACE_STREAM_INFO) {
		memcpy(&t->info, rec, sizeof(t->info));
		return;
	}
	if (rec->type == GRTRACE_LOSS)
		return;
	t->nr_rings += rec->type == GRTRACE_RING;
	if (rec->type >= GRTRACE_STREAM_BASE) {
		append(&t->defs, rec, rec->size);
		return;
	}
	if (rec->cpu >= PROPERTY_CPUS)
		abort();
	if (rec->cpu >= t->nr_cpus)
		t->nr_cpus = rec->cpu + 1;
	append(&t->bytes, rec, rec->size);
	append(&t->events, &e, sizeof(e));
}

int property_trace_read(struct property_trace *t, char *path)
{
	struct reading r;

	*t = (struct property_trace){ .nr_cpus = 0 };
	r = reading_files(1, &path, take, t);
	/* Where it begins, nothing may be missing. */
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		if (r.stats.lost[i])
			return -EBADMSG;
	return r.err;
}

void property_trace_free(struct property_trace *t)
{
	grt_vec_free(&t->bytes);
	grt_vec_free(&t->events);
	grt_vec_free(&t->defs);
}

/* --- writing ------------------------------------------------------------------------- */

/* The stream of one CPU, while it is being built. */
struct lane {
	struct synth s;
	struct grt_vec chunks;	/* of size_t: where each sub-buffer begins */
	uint32_t in_subbuf;	/* events in the open sub-buffer */
	bool was_full;		/* events were dropped: the next event opens another sub-buffer */
};

struct session {
	const struct property_trace *trace;
	const struct property_shape *shape;
	struct lane lanes[PROPERTY_CPUS];
	uint64_t gseq, last_ns;
	struct grt_writer *writer;	/* NULL: raw */
};

/* Times in a record are by the session's clock, too. */
static void shift_times(struct grtrace_hdr *rec, uint64_t later_ns)
{
	__u64 *ns = rec->type == GRTRACE_END ? &((struct grtrace_end *)rec)->hw_done_ns :
		    rec->type == GRTRACE_FENCE_SIGNALED ?
		    &((struct grtrace_fence_signaled *)rec)->signaled_ns : NULL;

	if (ns && *ns)
		*ns += later_ns;
}

static void open_subbuf(struct lane *l, uint64_t ns)
{
	size_t at = l->s.bytes.bytes;

	append(&l->chunks, &at, sizeof(at));
	synth_subbuf(&l->s, ns);
	l->in_subbuf = 0;
	l->was_full = false;
}

static void begin_lane(struct session *se, uint16_t cpu)
{
	const struct property_trace *t = se->trace;
	const struct property_shape *shape = se->shape;
	struct grt_cursor defs = grt_cursor(t->defs.data, t->defs.bytes);
	struct lane *l = &se->lanes[cpu];
	struct grtrace_stream_info *info;
	const struct grtrace_hdr *rec;

	l->s = (struct synth){
		.cpu = cpu, .gseq = &se->gseq,
		.session_id = shape->session_id ? shape->session_id : t->info.session_id,
	};
	info = synth_record(&l->s, GRTRACE_STREAM_INFO, sizeof(*info), 0);
	memcpy(&info->hdr + 1, &t->info.hdr + 1, sizeof(*info) - sizeof(info->hdr));
	info->session_id = l->s.session_id;
	info->start_ns += shape->later_ns;
	info->start_real_ns += shape->real_later_ns;
	info->hdr.ts = info->start_ns;
	info->cpus = t->nr_cpus;
	while ((rec = grt_take_record(&defs))) {
		struct grtrace_hdr *copy = synth_record(&l->s, rec->type, rec->size,
							rec->ts + shape->later_ns);

		memcpy(copy + 1, rec + 1, rec->size - sizeof(*rec));
		if (rec->type == GRTRACE_METADATA)
			((struct grtrace_metadata *)copy)->session_id = l->s.session_id;
	}
	open_subbuf(l, info->start_ns);
}

static void put(struct session *se, const struct grtrace_hdr *rec)
{
	struct lane *l = &se->lanes[rec->cpu];
	uint64_t ns = rec->ts + se->shape->later_ns;
	struct grtrace_hdr *copy;

	if (l->was_full || l->in_subbuf == se->shape->subbuf_events)
		open_subbuf(l, ns);
	l->in_subbuf++;
	l->s.cseq++;
	l->s.fates.seen++;
	l->s.fates.written++;
	copy = synth_record(&l->s, rec->type, rec->size, ns);
	copy->gseq = ++se->gseq;
	copy->flags = rec->flags;
	memcpy(copy + 1, rec + 1, rec->size - sizeof(*rec));
	shift_times(copy, se->shape->later_ns);
}

static void take_event(struct session *se, uint32_t i)
{
	const struct grtrace_hdr *rec = property_record(se->trace, i);
	struct lane *l = &se->lanes[rec->cpu];
	uint8_t fate = property_event_at(se->trace, i)->fate;

	if (fate == PROPERTY_ABSENT)
		return;
	se->last_ns = rec->ts + se->shape->later_ns;
	if (fate == GRTRACE_FATE_WRITTEN) {
		put(se, rec);
		return;
	}
	synth_lose(&l->s, fate, 1);
	l->was_full |= fate == GRTRACE_FATE_BUFFER_FULL;
}

/* As record does ten times a second: closes and writes the sub-buffers of all CPUs. */
static void write_round(struct session *se, uint64_t ns)
{
	for (uint16_t cpu = 0; cpu < se->trace->nr_cpus; cpu++) {
		struct lane *l = &se->lanes[cpu];

		if (!l->in_subbuf)
			continue;
		if (synth_write(se->writer, &l->s))
			abort();
		open_subbuf(l, ns);
	}
	if (grt_writer_watermark(se->writer, ns))
		abort();
}

static void play(struct session *se)
{
	uint32_t count = property_trace_count(se->trace), since = 0;

	for (uint16_t cpu = 0; cpu < se->trace->nr_cpus; cpu++)
		begin_lane(se, cpu);
	for (uint32_t i = 0; i < count; i++) {
		take_event(se, i);
		if (!se->writer || ++since < se->shape->round_events || i + 1 == count)
			continue;
		since = 0;
		write_round(se, property_record(se->trace, i + 1)->ts + se->shape->later_ns);
	}
	for (uint16_t cpu = 0; cpu < se->trace->nr_cpus; cpu++)
		synth_end(&se->lanes[cpu].s, se->last_ns);
}

static void end_session(struct session *se)
{
	for (uint16_t cpu = 0; cpu < se->trace->nr_cpus; cpu++) {
		synth_free(&se->lanes[cpu].s);
		grt_vec_free(&se->lanes[cpu].chunks);
	}
}

/* Definitions, then the sub-buffers that were neither overwritten nor cut off. */
static void append_lane(struct grt_vec *out, const struct lane *l, uint32_t skip, uint32_t keep_pct)
{
	const char *bytes = l->s.bytes.data;
	size_t count = grt_vec_count(&l->chunks, size_t), from, to = l->s.bytes.bytes;

	if (skip >= count)
		skip = count - 1;
	from = *grt_vec_at(&l->chunks, size_t, skip);
	if (keep_pct && keep_pct * count / 100 < count)
		to = *grt_vec_at(&l->chunks, size_t, keep_pct * count / 100);
	append(out, bytes, *grt_vec_at(&l->chunks, size_t, 0));
	if (from < to)
		append(out, bytes + from, to - from);
}

void property_write_raw(const struct property_trace *t, const struct property_shape *shape,
			const char *path)
{
	struct session se = { .trace = t, .shape = shape };
	struct grt_vec out = { 0 };

	play(&se);
	for (uint16_t cpu = 0; cpu < t->nr_cpus; cpu++)
		append_lane(&out, &se.lanes[cpu], shape->skip[cpu], shape->keep_pct);
	reading_write(path, out.data, out.bytes);
	grt_vec_free(&out);
	end_session(&se);
}

void property_write_grt(const struct property_trace *t, const struct property_shape *shape,
			const char *path)
{
	struct session se = { .trace = t, .shape = shape };
	struct grt_file_header header = {
		.session_id = shape->session_id ? shape->session_id : t->info.session_id,
		.start_ns = t->info.start_ns + shape->later_ns,
		.start_real_ns = t->info.start_real_ns + shape->real_later_ns,
	};

	if (shape->host)
		snprintf(header.host, sizeof(header.host), "%s", shape->host);
	unlink(path);
	if (grt_writer_create(&se.writer, path, &header, geteuid(), getegid()))
		abort();
	play(&se);
	for (uint16_t cpu = 0; cpu < t->nr_cpus; cpu++)
		if (synth_write(se.writer, &se.lanes[cpu].s))
			abort();
	if (grt_writer_close(se.writer))
		abort();
	end_session(&se);
}
