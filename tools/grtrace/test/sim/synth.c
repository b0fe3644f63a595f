// SPDX-License-Identifier: GPL-2.0
#include "synth.h"

#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "describe.h"
#include "writer.h"

void *synth_record(struct synth *s, uint16_t type, uint16_t bytes, uint64_t ns)
{
	struct grtrace_hdr *hdr = grt_vec_grow(&s->bytes, bytes);

	if (!hdr)
		abort();
	memset(hdr, 0, bytes);
	*hdr = (struct grtrace_hdr){
		.type = type, .size = bytes, .cpu = s->cpu, .ts = ns, .cseq = s->cseq,
	};
	s->last_ns = ns;
	return hdr;
}

static void *add_event(struct synth *s, uint16_t type, uint16_t bytes, uint64_t ns)
{
	struct grtrace_hdr *hdr;

	s->cseq++;
	s->fates.seen++;
	s->fates.written++;
	hdr = synth_record(s, type, bytes, ns);
	hdr->gseq = s->gseq ? ++*s->gseq : 0;
	return hdr;
}

/* Most drivers lack the members that were added later. */
void *synth_event(struct synth *s, uint16_t type, uint64_t ns)
{
	return add_event(s, type, grt_type_by_number(type)->least, ns);
}

void *synth_whole_event(struct synth *s, uint16_t type, uint64_t ns)
{
	return add_event(s, type, grt_type_by_number(type)->bytes, ns);
}

void *synth_find(struct synth *s, uint16_t type, unsigned int nth)
{
	for (size_t at = 0; at < s->bytes.bytes; ) {
		struct grtrace_hdr *hdr = (void *)((char *)s->bytes.data + at);

		if (hdr->type == type && !nth--)
			return hdr;
		at += hdr->size;
	}
	abort();
}

void synth_begin(struct synth *s, uint16_t cpu)
{
	struct grtrace_stream_info *info;
	struct grtrace_metadata *meta;
	static const char text[] = "kernel=6.1.0-test\ngrtrace=0.1\n";

	*s = (struct synth){ .cpu = cpu, .session_id = SYNTH_SESSION };
	info = synth_record(s, GRTRACE_STREAM_INFO, sizeof(*info), SYNTH_START);
	info->magic = GRTRACE_STREAM_MAGIC;
	info->version = GRTRACE_FORMAT_VERSION;
	info->session_id = s->session_id;
	info->features = 1u << GRTRACE_FEATURE_SIZE_SKIP;
	info->start_ns = SYNTH_START;
	info->start_real_ns = 1700000000000000000ull;
	info->cpus = 4;
	info->subbuf_bytes = 65536;
	meta = synth_record(s, GRTRACE_METADATA, sizeof(*meta) + 32, SYNTH_START);
	meta->session_id = s->session_id;
	memcpy(meta + 1, text, sizeof(text));
}

void synth_free(struct synth *s)
{
	grt_vec_free(&s->bytes);
}

static void copy_text(char *to, size_t size, const char *text)
{
	size_t len = strlen(text);

	memcpy(to, text, len < size ? len : size - 1);
}

void synth_ring(struct synth *s, uint32_t ring, const char *name, uint64_t ns)
{
	struct grtrace_ring *r = synth_record(s, GRTRACE_RING, sizeof(*r), ns);

	r->ring = ring;
	r->hw_ring = ring;
	r->engine = GRTRACE_ENGINE_COMPUTE;
	r->order = GRTRACE_ORDER_FIFO;
	r->credit_limit = 2;
	copy_text(r->name, sizeof(r->name), name);
	copy_text(r->device, sizeof(r->device), "0000:0b:00.0");
	copy_text(r->driver, sizeof(r->driver), "mock");
}

void synth_process(struct synth *s, uint32_t tgid, const char *comm, uint64_t ns)
{
	struct grtrace_process *p = synth_record(s, GRTRACE_PROCESS, sizeof(*p), ns);

	p->tgid = tgid;
	p->cgroup_id = 77;
	copy_text(p->comm, sizeof(p->comm), comm);
}

/* Adds a record: @fixed bytes of members, then the text. */
static void *add_text(struct synth *s, uint16_t type, size_t fixed, const char *text, uint64_t ns)
{
	char *rec;

	s->cseq++;
	s->fates.seen++;
	s->fates.written++;
	rec = synth_record(s, type, fixed + (strlen(text) + 7) / 8 * 8, ns);
	memcpy(rec + fixed, text, strlen(text));
	return rec;
}

void synth_mark_of(struct synth *s, uint32_t tgid, const char *text, uint64_t ns)
{
	struct grtrace_mark *m = add_text(s, GRTRACE_MARK, sizeof(*m), text, ns);

	m->tgid = tgid;
	m->tid = tgid + 1;
}

void synth_mark(struct synth *s, const char *text, uint64_t ns)
{
	synth_mark_of(s, 100, text, ns);
}

void synth_trace_event(struct synth *s, const char *text, uint64_t ns)
{
	struct grtrace_trace_event *ev = add_text(s, GRTRACE_TRACE_EVENT, sizeof(*ev), text, ns);

	ev->tid = 101;
}

void synth_policy(struct synth *s, const char *text, uint64_t ns)
{
	struct grtrace_policy *p = synth_record(s, GRTRACE_POLICY,
						sizeof(*p) + (strlen(text) + 8) / 8 * 8, ns);
	const char *value = strchr(text, '=');

	p->value = value ? strtoull(value + 1, NULL, 0) : 0;
	memcpy(p + 1, text, strlen(text));
}

void synth_lose(struct synth *s, enum grtrace_fate fate, uint64_t count)
{
	__u64 *members = &s->fates.written;

	members[fate] += count;
	s->fates.seen += count;
}

void synth_subbuf(struct synth *s, uint64_t ns)
{
	struct grtrace_subbuf *sub = synth_record(s, GRTRACE_SUBBUF, sizeof(*sub), ns);

	sub->session_id = s->session_id;
	sub->index = s->subbufs++;
	sub->fates = s->fates;
}

void synth_end(struct synth *s, uint64_t ns)
{
	struct grtrace_stream_end *end = synth_record(s, GRTRACE_STREAM_END, sizeof(*end), ns);

	end->session_id = s->session_id;
	end->last_cseq = s->cseq;
	end->fates = s->fates;
}

void synth_job(struct synth *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t tgid,
	       uint64_t ns)
{
	struct grtrace_submit *submit = synth_event(s, GRTRACE_SUBMIT, ns);

	submit->ctx = ctx;
	submit->seqno = seqno;
	submit->ring = ring;
	submit->tgid = tgid;
	submit->tid = tgid + 1;
	submit->credits = 1;

	struct grtrace_commit *commit = synth_event(s, GRTRACE_COMMIT, ns + 1000);

	commit->ctx = ctx;
	commit->seqno = seqno;
	commit->ring = ring;
	commit->credits = 1;
	commit->hw_credits = 1;

	struct grtrace_end *end = synth_event(s, GRTRACE_END, ns + 5000);

	end->ctx = ctx;
	end->seqno = seqno;
	end->ring = ring;
	end->hw_done_ns = ns + 4990;

	struct grtrace_complete *complete = synth_event(s, GRTRACE_COMPLETE, ns + 6000);

	complete->ctx = ctx;
	complete->seqno = seqno;
	complete->ring = ring;
}

void synth_example(struct synth *s, uint16_t cpu)
{
	uint64_t ns = SYNTH_START + 1000 * (cpu + 1);

	synth_begin(s, cpu);
	synth_ring(s, 1, "gfx", SYNTH_START);
	synth_process(s, 100, "game", SYNTH_START);
	synth_subbuf(s, ns);
	synth_job(s, 7, 3 * cpu + 1, 1, 100, ns + 100);
	synth_lose(s, GRTRACE_FATE_FILTERED_TYPE, 5);
	synth_ring(s, 2, "copy, \"slow\"", SYNTH_START + 10000);
	synth_subbuf(s, ns + 10000);
	synth_job(s, 7, 3 * cpu + 2, 2, 100, ns + 10100);
	synth_mark(s, "half, \"way\"\n", ns + 17000);
	synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 3);
	synth_process(s, 100, "game2", SYNTH_START + 20000);
	synth_subbuf(s, ns + 20000);
	synth_job(s, 7, 3 * cpu + 3, 1, 100, ns + 20100);
	synth_lose(s, GRTRACE_FATE_BUFFER_FULL, 2);
	synth_end(s, ns + 30000);
}

int synth_write(struct grt_writer *w, struct synth *s)
{
	struct grt_cursor c = grt_cursor(s->bytes.data, s->bytes.bytes);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		err = grt_writer_run(w, s->cpu, &run);
	s->bytes.bytes = 0;
	return err;
}
