// SPDX-License-Identifier: GPL-2.0
/* grtrace_smoke: checks the streams, record by record. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "smoke.h"

#define RINGS	1024

/* The stream of one CPU. */
struct stream {
	struct smoke *s;
	unsigned int cpu;
	uint64_t events, last_ts, session_id;
	bool has_ring[RINGS], has_info, has_metadata, has_end;
};

static const uint16_t job_types[JOB_TYPES] = {
	GRTRACE_SUBMIT, GRTRACE_COMMIT, GRTRACE_START, GRTRACE_END, GRTRACE_COMPLETE,
};

void smoke_wrong(struct smoke *s, enum smoke_check check, const char *fmt, ...)
{
	va_list args;

	if (*s->wrong[check])
		return;
	va_start(args, fmt);
	vsnprintf(s->wrong[check], sizeof(s->wrong[check]), fmt, args);
	va_end(args);
}

#define WRONG(t, check, fmt, ...) \
	smoke_wrong((t)->s, check, "CPU %u, event %llu: " fmt, (t)->cpu, \
		    (unsigned long long)(t)->events, ##__VA_ARGS__)

static void take_info(struct stream *t, const struct grtrace_stream_info *info)
{
	t->has_info = true;
	t->session_id = info->session_id;
	if (info->magic != GRTRACE_STREAM_MAGIC || info->version != GRTRACE_FORMAT_VERSION)
		WRONG(t, CHECK_HEAD, "magic or version is not ours");
	if (info->cpus != t->s->cpus)
		WRONG(t, CHECK_HEAD, "of %u CPUs, there are %u streams", info->cpus, t->s->cpus);
	if (info->clock != GRTRACE_CLOCK_MONOTONIC || !info->start_ns || !info->session_id)
		WRONG(t, CHECK_HEAD, "clock, start or session is not set");
}

static uint64_t fate(const struct grtrace_fates *fates, unsigned int i)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)fates + i * sizeof(value), sizeof(value));
	return value;
}

static void take_end(struct stream *t, const struct grtrace_stream_end *end)
{
	uint64_t sum = 0;

	t->has_end = true;
	for (unsigned int i = 1; i <= GRTRACE_NR_FATES; i++)
		sum += fate(&end->fates, i);
	if (sum != end->fates.seen)
		WRONG(t, CHECK_FATES, "they sum to %llu, seen were %llu",
		      (unsigned long long)sum, (unsigned long long)end->fates.seen);
	if (end->last_cseq != t->events || end->fates.written != t->events)
		WRONG(t, CHECK_CSEQ, "the end tells of %llu, the last of them has cseq %llu",
		      (unsigned long long)end->fates.written, (unsigned long long)end->last_cseq);
	t->s->fates.seen += end->fates.seen;
	t->s->fates.written += end->fates.written;
	t->s->fates.buffer_full += end->fates.buffer_full;
}

/* A definition, or an account of the stream itself. */
static void take_other(struct stream *t, const struct grtrace_hdr *hdr)
{
	switch (hdr->type) {
	case GRTRACE_STREAM_INFO:
		take_info(t, (const void *)hdr);
		break;
	case GRTRACE_METADATA:
		t->has_metadata = true;
		break;
	case GRTRACE_RING: {
		const struct grtrace_ring *ring = (const void *)hdr;

		if (ring->ring >= RINGS || !memchr(ring->name, 0, sizeof(ring->name)) || !*ring->name)
			WRONG(t, CHECK_RINGS, "ring %u has no name", ring->ring);
		else
			t->has_ring[ring->ring] = true;
		break;
	}
	case GRTRACE_SUBBUF:
		if (((const struct grtrace_subbuf *)hdr)->session_id != t->session_id)
			WRONG(t, CHECK_HEAD, "a sub-buffer is of another session");
		break;
	case GRTRACE_STREAM_END:
		take_end(t, (const void *)hdr);
		break;
	}
}

static void take_job(struct stream *t, const struct grtrace_job_key *key, unsigned int type)
{
	struct smoke *s = t->s;

	if (key->ring >= RINGS || (key->ring && !t->has_ring[key->ring]))
		WRONG(t, CHECK_RINGS, "is on ring %u, which was not told of", key->ring);
	if (key->ctx == EMIT_CTX) {
		if (!(key->hdr.flags & GRTRACE_F_SYNTHETIC) || key->seqno > EMIT_JOBS || !key->seqno)
			WRONG(t, CHECK_EMITTED, "was not written like that");
		else
			s->emitted[type][key->seqno - 1]++;
		return;
	}
	for (unsigned int i = 0; i < s->real_cnt; i++) {
		if (key->ctx != s->real[i].fence_ctx || key->seqno != s->real[i].seqno)
			continue;
		s->ran[type][i]++;
		if (key->hdr.flags & GRTRACE_F_SYNTHETIC)
			WRONG(t, CHECK_REAL, "of a real job claims to be none");
		if (type == 0 && ((const struct grtrace_submit *)key)->tgid != s->tgid)
			WRONG(t, CHECK_REAL, "is of another process");
	}
}

static void take_event(struct stream *t, const struct grtrace_hdr *hdr)
{
	struct smoke *s = t->s;

	t->events++;
	s->events++;
	if (hdr->cpu != t->cpu || hdr->ts < t->last_ts)
		WRONG(t, CHECK_ORDER, "is of CPU %u, at %llu after %llu", hdr->cpu,
		      (unsigned long long)hdr->ts, (unsigned long long)t->last_ts);
	t->last_ts = hdr->ts;
	if (hdr->cseq != t->events)
		WRONG(t, CHECK_CSEQ, "has cseq %llu", (unsigned long long)hdr->cseq);
	if (!hdr->gseq || hdr->gseq >= s->gseq_room || s->gseq[hdr->gseq]++)
		WRONG(t, CHECK_GSEQ, "has gseq %llu, which is none or was there",
		      (unsigned long long)hdr->gseq);
	if (!t->has_info || !t->has_metadata)
		WRONG(t, CHECK_HEAD, "comes before what defines it");
	s->marks += hdr->type == GRTRACE_MARK && hdr->flags & GRTRACE_F_SYNTHETIC;
	for (unsigned int i = 0; i < JOB_TYPES; i++)
		if (hdr->type == job_types[i])
			take_job(t, (const void *)hdr, i);
}

void smoke_stream(struct smoke *s, unsigned int cpu, const uint8_t *bytes, size_t len)
{
	struct stream t = { .s = s, .cpu = cpu };
	size_t at = 0;

	while (at < len) {
		const struct grtrace_hdr *hdr = (const void *)(bytes + at);

		if (len - at < sizeof(*hdr) || hdr->size < sizeof(*hdr) || hdr->size % 8 ||
		    hdr->size > len - at) {
			WRONG(&t, CHECK_WALK, "no record at byte %zu of %zu", at, len);
			return;
		}
		if (!at && hdr->type != GRTRACE_STREAM_INFO)
			WRONG(&t, CHECK_HEAD, "the stream begins with type %u", hdr->type);
		if (hdr->type < GRTRACE_STREAM_BASE)
			take_event(&t, hdr);
		else
			take_other(&t, hdr);
		at += hdr->size;
	}
	if (!t.has_info || !t.has_end)
		WRONG(&t, CHECK_HEAD, "the stream of %zu bytes has no beginning or no end", len);
}

void smoke_all(struct smoke *s, uint64_t seen, uint64_t written)
{
	/* The mock has no START, because its driver reports only the end. */
	static const uint8_t of_real[JOB_TYPES] = { 1, 1, 0, 1, 1 };

	for (unsigned int type = 0; type < JOB_TYPES; type++) {
		for (unsigned int i = 0; i < EMIT_JOBS; i++)
			if (s->emitted[type][i] != 1)
				smoke_wrong(s, CHECK_EMITTED, "job %u has event %u %u times", i + 1, type,
					    s->emitted[type][i]);
		for (unsigned int i = 0; i < s->real_cnt; i++)
			if (s->ran[type][i] != of_real[type])
				smoke_wrong(s, CHECK_REAL, "job %u has event %u %u times", i, type,
					    s->ran[type][i]);
	}
	if (s->marks != 1)
		smoke_wrong(s, CHECK_EMITTED, "the text is there %u times", s->marks);
	for (uint64_t i = 1; i <= s->events && i < s->gseq_room; i++)
		if (!s->gseq[i])
			smoke_wrong(s, CHECK_GSEQ, "gseq %llu is missing", (unsigned long long)i);
	if (s->fates.seen != seen || s->fates.written != written || s->events != written)
		smoke_wrong(s, CHECK_FATES, "seen %llu, written %llu; stats has %llu and %llu; %llu were read",
			    (unsigned long long)s->fates.seen, (unsigned long long)s->fates.written,
			    (unsigned long long)seen, (unsigned long long)written,
			    (unsigned long long)s->events);
	if (s->fates.buffer_full)
		smoke_wrong(s, CHECK_FATES, "the buffer was full");
}
