// SPDX-License-Identifier: LGPL-2.1
#include "html_events.h"

#include <string.h>

#include "describe.h"
#include "error.h"
#include "frames_sink.h"
#include "gauge.h"
#include "meaning.h"
#include "names.h"

#define BLOCK_BYTES	(256u << 10)

/* The thread on a CPU; 0: not known, or one that is not followed. */
struct html_cpu {
	uint32_t tid;
	uint64_t since_ns;
};

const char *grt_html_event_name(enum grt_html_event kind)
{
	static const char *const names[] = {
#define GRT_X(name) #name,
		GRT_HTML_EVENTS(GRT_X)
#undef GRT_X
	};

	return names[kind];
}

static int write_block(struct grt_html_events *h, enum grt_html_event kind)
{
	struct grt_html_rows *k = &h->kinds[kind];
	char name[32];

	if (!k->packed.bytes.bytes && !k->packed.failed)
		return 0;
	snprintf(name, sizeof(name), "%s", grt_html_event_name(kind));
	return grt_packed_write(&k->packed, h->file, name, k->blocks++);
}

/* Begins a row with its time; NULL: there are too many. */
static struct grt_packed *begin_row(struct grt_html_events *h, enum grt_html_event kind,
				    uint64_t ns)
{
	struct grt_html_rows *k = &h->kinds[kind];

	if (k->rows == GRT_HTML_MAX_ROWS) {
		k->left_out++;
		return NULL;
	}
	k->rows++;
	grt_pack_s64(&k->packed, ns - h->from_ns);
	return &k->packed;
}

/* Rows are never cut: a block ends after one. */
static int end_row(struct grt_html_events *h, enum grt_html_event kind)
{
	return h->kinds[kind].packed.bytes.bytes < BLOCK_BYTES ? 0 : write_block(h, kind);
}

/* Row + 1 of a ring, 0: not known. */
static uint64_t ring_row(const struct grt_html_events *h, uint32_t id)
{
	const struct grt_names *names = grt_model_names(h->model);
	uint32_t row = id ? grt_keymap_get(&names->ring_rows, id, 0) : GRT_NONE;

	return row == GRT_NONE ? 0 : (uint64_t)row + 1;
}

static void put_text(struct grt_packed *p, const char *text, size_t room)
{
	size_t bytes = strnlen(text, room);

	grt_pack_u64(p, bytes);
	grt_pack_bytes(p, text, bytes);
}

static int add_frequency(struct grt_html_events *h, const struct grtrace_frequency *rec)
{
	bool is_sample = grt_gauge_until(rec) != UINT64_MAX, is_known;
	struct grt_packed *p;
	int64_t value = 0;

	if (rec->gauge >= GRT_NR_GAUGES)
		return 0;
	is_known = grt_gauge_value(rec, &value);
	p = begin_row(h, GRT_HTML_EVENT_frequency, rec->hdr.ts);
	if (!p)
		return 0;
	grt_pack_u64(p, ring_row(h, rec->ring));
	grt_pack_u64(p, grt_gauge_gpu(rec));
	grt_pack_u64(p, rec->gauge);
	grt_pack_u64(p, is_known | is_sample << 1);
	grt_pack_s64(p, value);
	return end_row(h, GRT_HTML_EVENT_frequency);
}

/* A vertical blank, or a client that asks for one (1) or is told of it (2). */
static int add_vblank(struct grt_html_events *h, const struct grtrace_vblank *rec)
{
	bool is_blank = grt_is_blank(rec);
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_vblank, is_blank ? grt_blank_ns(&h->blanks, rec) : rec->hdr.ts);

	if (!p)
		return 0;
	grt_pack_u64(p, rec->crtc);
	grt_pack_u64(p, grt_member(rec, pci_address));
	grt_pack_u64(p, rec->frame);
	grt_pack_u64(p, is_blank ? 0 : rec->hdr.flags & GRTRACE_F_QUEUED ? 1 : 2);
	grt_pack_u64(p, grt_member(rec, client_id));
	return end_row(h, GRT_HTML_EVENT_vblank);
}

static int add_mark(struct grt_html_events *h, const struct grtrace_mark *rec)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_mark, rec->hdr.ts);

	if (!p)
		return 0;
	grt_pack_u64(p, rec->tgid);
	grt_pack_u64(p, rec->tid);
	put_text(p, (const char *)(rec + 1), rec->hdr.size - sizeof(*rec));
	return end_row(h, GRT_HTML_EVENT_mark);
}

static int add_error(struct grt_html_events *h, const struct grtrace_error *rec)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_error, rec->hdr.ts);

	if (!p)
		return 0;
	grt_pack_u64(p, ring_row(h, rec->ring));
	grt_pack_u64(p, rec->code);
	grt_pack_u64(p, rec->ctx);
	grt_pack_u64(p, rec->seqno);
	return end_row(h, GRT_HTML_EVENT_error);
}

static int add_loss(struct grt_html_events *h, const struct grtrace_loss *rec)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_loss, rec->from_ns);

	if (!p)
		return 0;
	grt_pack_s64(p, rec->to_ns - h->from_ns);
	grt_pack_u64(p, rec->hdr.cpu);
	grt_pack_u64(p, rec->reason);
	grt_pack_u64(p, rec->count);
	return end_row(h, GRT_HTML_EVENT_loss);
}

static int add_ioctl(struct grt_html_events *h, const struct grtrace_ioctl *rec)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_ioctl, rec->hdr.ts);

	if (!p)
		return 0;
	grt_pack_u64(p, rec->tgid);
	grt_pack_u64(p, rec->tid);
	grt_pack_u64(p, rec->cmd);
	return end_row(h, GRT_HTML_EVENT_ioctl);
}

static int add_wake(struct grt_html_events *h, const struct grtrace_cpu_wake *rec)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_wake, rec->hdr.ts);

	if (!p)
		return 0;
	grt_pack_u64(p, rec->tid);
	return end_row(h, GRT_HTML_EVENT_wake);
}

/* A thread that is followed left its CPU: the time that it ran there is a row. */
static int add_run(struct grt_html_events *h, uint16_t cpu, const struct html_cpu *c, uint64_t to_ns)
{
	struct grt_packed *p;

	if (!c->tid || to_ns < c->since_ns)
		return 0;
	p = begin_row(h, GRT_HTML_EVENT_cpu, c->since_ns);
	if (!p)
		return 0;
	grt_pack_u64(p, to_ns - c->since_ns);
	grt_pack_u64(p, c->tid);
	grt_pack_u64(p, cpu);
	return end_row(h, GRT_HTML_EVENT_cpu);
}

static int add_switch(struct grt_html_events *h, const struct grtrace_cpu_switch *rec)
{
	const struct html_cpu none = { 0 };
	struct html_cpu *c;
	int err;

	if (grt_vec_reach(&h->cpus, rec->hdr.cpu, &none, sizeof(none)))
		return grt_fail_memory();
	c = grt_vec_at(&h->cpus, struct html_cpu, rec->hdr.cpu);
	/* A switch was lost if another thread leaves than came. */
	err = c->tid == rec->prev_tid ? add_run(h, rec->hdr.cpu, c, rec->hdr.ts) : 0;
	*c = (struct html_cpu){
		.tid = rec->hdr.flags & GRTRACE_F_NEXT_FOLLOWED ? rec->next_tid : 0,
		.since_ns = rec->hdr.ts,
	};
	return err;
}

int grt_html_event(struct grt_html_events *h, const struct grtrace_hdr *rec)
{
	grt_blank_clock_record(&h->blanks, rec);
	switch (rec->type) {
	case GRTRACE_FREQUENCY:
		return add_frequency(h, (const struct grtrace_frequency *)rec);
	case GRTRACE_VBLANK:
		return add_vblank(h, (const struct grtrace_vblank *)rec);
	case GRTRACE_MARK:
		return add_mark(h, (const struct grtrace_mark *)rec);
	case GRTRACE_ERROR:
		return add_error(h, (const struct grtrace_error *)rec);
	case GRTRACE_LOSS:
		return add_loss(h, (const struct grtrace_loss *)rec);
	case GRTRACE_IOCTL:
		return add_ioctl(h, (const struct grtrace_ioctl *)rec);
	case GRTRACE_CPU_WAKE:
		return add_wake(h, (const struct grtrace_cpu_wake *)rec);
	case GRTRACE_CPU_SWITCH:
		return add_switch(h, (const struct grtrace_cpu_switch *)rec);
	default:
		return 0;
	}
}

int grt_html_snapshot(struct grt_html_events *h, const struct grtrace_snapshot *rec, uint64_t at_ns)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_mark, at_ns);
	const struct grt_table *triggers = &grt_enums[GRT_KIND_TRIGGER - GRT_KIND_ENGINE];
	const char *name = grt_value_name(triggers, rec->trigger);
	char text[64];

	if (!p)
		return 0;
	snprintf(text, sizeof(text), "snapshot %u of a flight recorder: %s", rec->number, name ?: "?");
	grt_pack_u64(p, 0);
	grt_pack_u64(p, 0);
	put_text(p, text, sizeof(text));
	return end_row(h, GRT_HTML_EVENT_mark);
}

int grt_html_frame(struct grt_html_events *h, const struct grt_frame *frame)
{
	struct grt_packed *p = begin_row(h, GRT_HTML_EVENT_frame, frame->start_ns);
	char cause[GRT_FRAME_WORD_MAX] = "";

	if (!p)
		return 0;
	if (frame->verdict == GRT_FRAME_LATE)
		grt_word_frame_cause(cause, h->model, frame->process, &frame->cause);
	grt_pack_u64(p, frame->end_ns - frame->start_ns);
	grt_pack_u64(p, frame->number);
	grt_pack_u64(p, frame->tgid);
	grt_pack_u64(p, frame->source);
	grt_pack_u64(p, frame->verdict);
	grt_pack_u64(p, frame->has_job ? frame->ctx : 0);
	grt_pack_u64(p, frame->has_job ? frame->seqno : 0);
	grt_pack_u64(p, frame->cause.ns);
	grt_pack_u64(p, frame->cause.is_upper_bound);
	put_text(p, cause, sizeof(cause));
	return end_row(h, GRT_HTML_EVENT_frame);
}

int grt_html_events_end(struct grt_html_events *h)
{
	int err = 0;

	for (int kind = 0; kind < GRT_NR_HTML_EVENTS && !err; kind++)
		err = write_block(h, kind);
	return err;
}

void grt_html_events_free(struct grt_html_events *h)
{
	for (int kind = 0; kind < GRT_NR_HTML_EVENTS; kind++)
		grt_packed_free(&h->kinds[kind].packed);
	grt_vec_free(&h->cpus);
}
