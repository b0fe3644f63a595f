// SPDX-License-Identifier: LGPL-2.1
/*
 * Writes a trace in the format of Perfetto: for ui.perfetto.dev and trace_processor.  See
 * Documentation/export-perfetto.rst for what becomes of each event.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "domain.h"
#include "error.h"
#include "formats.h"
#include "gauge.h"
#include "job_words.h"
#include "meaning.h"
#include "number.h"
#include "perfetto_private.h"

/* Clocks of Perfetto by those of ours.  A clock that is not known counts as CLOCK_MONOTONIC. */
static const uint32_t clocks[] = {
	[GRTRACE_CLOCK_MONOTONIC] = GRT_PF_MONOTONIC, [GRTRACE_CLOCK_BOOTTIME] = GRT_PF_BOOTTIME,
	[GRTRACE_CLOCK_REALTIME] = GRT_PF_REALTIME, [GRTRACE_CLOCK_OTHER] = GRT_PF_MONOTONIC,
};

/* The moment on other clocks; clocks that go back would be refused. */
static void put_clocks(struct grt_pf *p, uint64_t mono_ns, uint64_t boot_ns, uint64_t real_ns)
{
	const uint64_t ns[] = { mono_ns, boot_ns, real_ns };
	const uint32_t ids[] = { GRT_PF_MONOTONIC, GRT_PF_BOOTTIME, GRT_PF_REALTIME };
	Grtpf__ClockSnapshot snapshot = GRTPF__CLOCK_SNAPSHOT__INIT;
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;
	Grtpf__ClockSnapshot__Clock values[3], *list[3];

	for (int i = 0; i < 3; i++) {
		if (!ns[i] || ns[i] > INT64_MAX)
			continue;
		grtpf__clock_snapshot__clock__init(&values[i]);
		values[i].has_clock_id = values[i].has_timestamp = 1;
		values[i].clock_id = ids[i];
		values[i].timestamp = ns[i];
		list[snapshot.n_clocks++] = &values[i];
	}
	if (!snapshot.n_clocks)
		return;
	snapshot.clocks = list;
	snapshot.has_primary_trace_clock = 1;
	snapshot.primary_trace_clock = p->out.clock_id;
	packet.clock_snapshot = &snapshot;
	grt_pf_put(&p->out, &packet);
	p->has_clock = true;
	p->mono_ns = mono_ns;
	p->boot_ns = boot_ns;
}

/* Other clocks of the trace's own are not comparable, so nothing is said of them. */
static void add_clock(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_clock *c = (const struct grtrace_clock *)rec;

	if (c->mono_ns > p->mono_ns && (c->boot_ns > p->boot_ns || (!c->boot_ns && !p->boot_ns)))
		put_clocks(p, c->mono_ns, c->boot_ns, c->real_ns);
}

static void put_mono(struct grt_pf *p)
{
	uint64_t ns = p->x->from_ns ? p->x->from_ns : 1;

	if (p->out.clock_id == GRT_PF_BOOTTIME)
		put_clocks(p, 0, ns, 0);
	else if (p->out.clock_id == GRT_PF_REALTIME)
		put_clocks(p, 0, 0, ns);
	else
		put_clocks(p, ns, 0, 0);
}

/* All that is not a definition comes behind a snapshot of clocks. */
static void begin_item(struct grt_pf *p)
{
	grt_pf_begin_item(&p->out, false);
	if (!p->has_clock)
		put_mono(p);
}

/* "3 events lost on CPU 2: no room: the reader is too slow" */
static void name_loss(struct grt_pf_event *e, const struct grtrace_loss *r)
{
	const struct grt_table *fates = &grt_enums[GRT_KIND_FATE - GRT_KIND_ENGINE];
	const char *name = grt_value_name(fates, r->reason), *how;
	char count[GRT_NUMBER_MAX];

	how = r->reason < 32 && GRT_LOST_REASONS >> r->reason & 1 ? "lost" : "left out";
	if (r->count)
		grt_pf_event_name(e, "%s %s %s on CPU %u", grt_format_count(count, r->count),
				  grt_plural(r->count, "event", "events"), how, r->hdr.cpu);
	else
		grt_pf_event_name(e, "an unknown number of events %s on CPU %u", how, r->hdr.cpu);
	grt_pf_note_u64(e, GRT_PF_NOTE_COUNT, r->count);
	if (r->reason == GRTRACE_FATE_WRITTEN)
		grt_pf_note_text(e, GRT_PF_NOTE_REASON, "they are missing in the trace");
	else if (name)
		grt_pf_note_text(e, GRT_PF_NOTE_REASON, "%s", name);
}

static void add_loss(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *r = (const struct grtrace_loss *)rec;
	uint64_t from_ns = r->from_ns, to_ns = r->to_ns, track;
	struct grt_pf_event e;
	uint32_t lane;

	grt_pf_begin_item(&p->out, true);
	begin_item(p);
	if (to_ns < from_ns)
		to_ns = from_ns;
	lane = grt_pf_lane(&p->losses, from_ns, to_ns);
	if (lane == GRT_NONE) {
		lane = 0;
		from_ns = to_ns;
	}
	track = grt_pf_track_id(GRT_PF_LOST, lane, 0);
	grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){
		.name = "lost events", .rank = -1,
		.description = "times in which events are missing" });
	grt_pf_event_init(&e, GRT_PF_CATEGORY_LOSS, 0);
	name_loss(&e, r);
	grt_pf_slice(&p->out, &e, track, from_ns, to_ns);
	grt_pf_count_anew(p, to_ns);
	p->nr_losses++;
}

static void add_error(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_error *r = (const struct grtrace_error *)rec;
	const struct grt_table *codes = &grt_enums[GRT_KIND_ERRCODE - GRT_KIND_ENGINE];
	struct grt_pf_ring *ring = grt_pf_ring(&p->rings, &p->out, p->names, r->ring);
	const char *code = grt_value_name(codes, r->code);
	struct grt_pf_event e;

	if (!ring)
		return;
	grt_pf_event_init(&e, GRT_PF_CATEGORY_TROUBLE, 0);
	if (code)
		grt_pf_event_name(&e, "%s", code);
	else
		grt_pf_event_name(&e, "error %u", r->code);
	if (r->ctx || r->seqno)
		grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%llu:%llu", r->ctx, r->seqno);
	grt_pf_note_text(&e, GRT_PF_NOTE_STATUS, "%d", r->status);
	grt_pf_instant(&p->out, &e, grt_pf_ring_track(ring, &p->out, GRT_PF_TROUBLE, 0), rec->ts);
}

/* Of the ring that it was taken for, or of the machine. */
static void add_snapshot(struct grt_pf *p, const struct grtrace_snapshot *r)
{
	const struct grt_table *triggers = &grt_enums[GRT_KIND_TRIGGER - GRT_KIND_ENGINE];
	const char *name = grt_value_name(triggers, r->trigger);
	uint64_t track = grt_pf_track_id(GRT_PF_MACHINE, 0, 0);
	struct grt_pf_ring *ring = NULL;
	struct grt_pf_event e;

	begin_item(p);
	if (r->ring)
		ring = grt_pf_ring(&p->rings, &p->out, p->names, r->ring);
	if (ring)
		track = grt_pf_ring_track(ring, &p->out, GRT_PF_TROUBLE, 0);
	else
		grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){ .name = "Machine" });
	grt_pf_event_init(&e, GRT_PF_CATEGORY_TROUBLE, 0);
	grt_pf_event_name(&e, "snapshot %u of a flight recorder", r->number);
	if (r->ctx || r->seqno)
		grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%llu:%llu", r->ctx, r->seqno);
	if (name)
		grt_pf_note_text(&e, GRT_PF_NOTE_REASON, "%s", name);
	grt_pf_instant(&p->out, &e, track, r->hdr.ts);
}

static uint64_t crtc_track(struct grt_pf *p, const struct grtrace_vblank *r, bool is_blank)
{
	uint64_t parent = grt_pf_track_id(GRT_PF_DISPLAY, 0, 0);
	uint64_t track = grt_pf_track_id(GRT_PF_CRTC, r->crtc, (uint64_t)grt_member(r, pci_address) << 1 | !is_blank);
	char crtc[GRT_WORD_MAX], name[GRT_WORD_MAX + 16];

	grt_word_crtc(crtc, r->crtc, grt_member(r, pci_address));
	snprintf(name, sizeof(name), "%s%s", crtc, is_blank ? "" : ", clients");
	grt_pf_track_describe(&p->out, parent, &(struct grt_pf_track_info){
		.name = "Display", .rank = 1000 });
	grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){
		.parent = parent, .name = name, .rank = (r->crtc & 0xffff) * 2 + !is_blank });
	return track;
}

static void add_vblank(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_vblank *r = (const struct grtrace_vblank *)rec;
	bool is_blank = grt_is_blank(r);
	uint64_t track = crtc_track(p, r, is_blank);
	struct grt_pf_event e;

	grt_pf_event_init(&e, GRT_PF_CATEGORY_DISPLAY, is_blank ? GRT_PF_WORD_VBLANK : 0);
	if (!is_blank)
		grt_pf_event_name(&e, rec->flags & GRTRACE_F_QUEUED ? "asks for %u" : "is told of %u", r->frame);
	grt_pf_note_u64(&e, GRT_PF_NOTE_NUMBER, r->frame);
	grt_pf_instant(&p->out, &e, track, is_blank ? grt_blank_ns(&p->blanks, r) : rec->ts);
}

static void put_frequency(struct grt_pf *p, uint32_t gpu, uint64_t ns, uint64_t hz)
{
	Grtpf__GenericGpuFrequencyEvent event = GRTPF__GENERIC_GPU_FREQUENCY_EVENT__INIT;
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;

	event.has_gpu_id = event.has_frequency_khz = 1;
	event.gpu_id = gpu;
	event.frequency_khz = hz / 1000 < UINT32_MAX ? hz / 1000 : UINT32_MAX;
	packet.has_timestamp = 1;
	packet.timestamp = grt_pf_ns(ns);
	packet.generic_gpu_frequency_event = &event;
	grt_pf_put(&p->out, &packet);
}

static void add_frequency(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_frequency *r = (const struct grtrace_frequency *)rec;
	struct grt_pf_ring *ring = NULL;
	int64_t value = 0;
	uint32_t gpu;

	/* A counter cannot say that its value is not known. */
	if (r->gauge >= GRT_NR_GAUGES ||
	    (!grt_gauge_value(r, &value) && r->gauge != GRTRACE_GAUGE_CORE && r->gauge != GRTRACE_GAUGE_MEMORY))
		return;
	if (r->ring)
		ring = grt_pf_ring(&p->rings, &p->out, p->names, r->ring);
	gpu = ring ? ring->gpu : grt_pf_gpu(&p->rings, &p->out, p->names, grt_gauge_gpu(r));
	if (p->out.err)
		return;
	if (r->gauge == GRTRACE_GAUGE_CORE)
		put_frequency(p, gpu, rec->ts, value);
	grt_pf_count(&p->out, grt_pf_gauge_track(ring, gpu, &p->out, r->gauge), rec->ts,
		     value / grt_gauges[r->gauge].per_counter);
}

static void add_suspend(struct grt_pf *p, const struct grtrace_hdr *rec)
{
	const struct grtrace_suspend *r = (const struct grtrace_suspend *)rec;
	uint64_t track = grt_pf_track_id(GRT_PF_MACHINE, 0, 0), from_ns;
	struct grt_pf_event e;

	grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){ .name = "Machine" });
	grt_pf_event_init(&e, GRT_PF_CATEGORY_CPU, GRT_PF_WORD_SLEPT);
	from_ns = r->slept_ns < rec->ts ? rec->ts - r->slept_ns : 0;
	if (from_ns < p->slept_to_ns)
		from_ns = p->slept_to_ns;
	p->slept_to_ns = rec->ts;
	grt_pf_slice(&p->out, &e, track, from_ns, rec->ts);
}

static void add_event(struct grt_pf *p, const struct grtrace_hdr *rec, bool is_shown)
{
	static void (*const adds[GRTRACE_NR_EVENTS])(struct grt_pf *, const struct grtrace_hdr *) = {
		[GRTRACE_ERROR] = add_error, [GRTRACE_VBLANK] = add_vblank,
		[GRTRACE_FREQUENCY] = add_frequency, [GRTRACE_SUSPEND] = add_suspend,
	};

	if (rec->type >= GRTRACE_NR_EVENTS ||
	    (rec->flags & GRTRACE_F_SYNTHETIC && !p->x->wants.query.with_synthetic))
		return;
	begin_item(p);
	if (rec->type == GRTRACE_SUBMIT || rec->type == GRTRACE_COMMIT ||
	    rec->type == GRTRACE_END || rec->type == GRTRACE_COMPLETE)
		grt_pf_count_job(p, rec, is_shown);
	grt_pf_thread_event(p, rec, is_shown);
	if (is_shown && adds[rec->type])
		adds[rec->type](p, rec);
}

static int record(struct grt_export *x, const struct grtrace_hdr *rec)
{
	const struct grtrace_stream_info *info = (const struct grtrace_stream_info *)rec;
	struct grt_pf *p = x->state;

	grt_blank_clock_record(&p->blanks, rec);
	switch (rec->type) {
	case GRTRACE_STREAM_INFO:
		if (!p->out.has_first && info->clock < sizeof(clocks) / sizeof(clocks[0]))
			p->out.clock_id = clocks[info->clock];
		break;
	case GRTRACE_CLOCK:
		grt_pf_begin_item(&p->out, false);
		add_clock(p, rec);
		break;
	case GRTRACE_LOSS:
		add_loss(p, rec);
		break;
	case GRTRACE_SNAPSHOT:
		add_snapshot(p, (const struct grtrace_snapshot *)rec);
		break;
	default:
		add_event(p, rec, rec->ts >= x->from_ns && rec->ts <= x->to_ns);
	}
	return p->out.err;
}

static int job(struct grt_export *x, const struct grt_job *job)
{
	struct grt_pf *p = x->state;

	begin_item(p);
	grt_pf_job(p, job);
	return p->out.err;
}

static int stretch(struct grt_export *x, const struct grt_ring_stretch *s)
{
	const struct grt_charge charge = { .ctx = s->ctx, .seqno = s->seqno, .client = s->client };
	char culprit[GRT_CULPRIT_MAX];
	struct grt_pf *p = x->state;
	struct grt_pf_ring *ring;
	struct grt_pf_event e;

	if (s->state == GRT_RING_BUSY || s->from_ns >= s->to_ns)
		return 0;
	begin_item(p);
	ring = grt_pf_ring(&p->rings, &p->out, p->names,
			   grt_names_ring_at(p->names, s->ring)->id);
	if (!ring)
		return p->out.err;
	grt_pf_event_init(&e, GRT_PF_CATEGORY_IDLE, GRT_PF_IDLE + s->state);
	grt_pf_note_meaning(&e, GRT_PF_IDLE + s->state);
	if (s->ctx || s->client != GRT_NONE)
		grt_pf_note_text(&e, GRT_PF_NOTE_BECAUSE, "%s",
				 grt_word_culprit(culprit, x->model, &charge));
	grt_pf_slice(&p->out, &e, grt_pf_ring_track(ring, &p->out, GRT_PF_IDLES, 0),
		     s->from_ns, s->to_ns);
	return p->out.err;
}

static int frame(struct grt_export *x, const struct grt_frame *f)
{
	struct grt_pf *p = x->state;
	uint64_t parent, track;
	struct grt_pf_event e;

	begin_item(p);
	parent = grt_pf_process_track(&p->out, p->names, f->tgid, f->process);
	track = grt_pf_track_id(GRT_PF_FRAMES, f->tgid, 0);
	grt_pf_track_describe(&p->out, track, &(struct grt_pf_track_info){
		.parent = parent, .name = "frames", .rank = -1 });
	grt_pf_event_init(&e, GRT_PF_CATEGORY_FRAME, 0);
	grt_pf_event_name(&e, f->verdict == GRT_FRAME_LATE ? "late frame" :
			  f->verdict == GRT_FRAME_PAUSE ? "pause" : "frame");
	grt_pf_note_u64(&e, GRT_PF_NOTE_NUMBER, f->number);
	grt_pf_note_text(&e, GRT_PF_NOTE_VERDICT, "%s", grt_frame_verdict_name(f->verdict));
	grt_pf_note_text(&e, GRT_PF_NOTE_SOURCE, "%s", grt_frame_source_text(f->source));
	if (f->refresh_ns)
		grt_pf_note_u64(&e, GRT_PF_NOTE_REFRESH, f->refresh_ns);
	if (grt_frame_is_judged(f)) {
		if (f->has_busy)
			grt_pf_note_u64(&e, GRT_PF_NOTE_BUSY, f->busy_ns);
		grt_pf_note_u64(&e, GRT_PF_NOTE_JOBS, f->jobs);
		if (f->has_job)
			grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%" PRIu64 ":%" PRIu64, f->ctx, f->seqno);
		if (f->cause.ns)
			grt_pf_note_text(&e, GRT_PF_NOTE_CAUSE, "%s",
					 grt_frame_part_name(f->cause.part));
	}
	grt_pf_slice(&p->out, &e, track, f->start_ns, f->end_ns);
	return p->out.err;
}

static int begin(struct grt_export *x)
{
	struct grt_pf *p = calloc(1, sizeof(*p));

	x->state = p;
	if (!p)
		return grt_fail_memory();
	p->x = x;
	p->names = grt_model_names(x->model);
	p->out.x = x;
	p->out.clock_id = GRT_PF_MONOTONIC;
	p->recent = calloc(GRT_PF_RECENT, sizeof(*p->recent));
	return p->recent ? 0 : grt_fail_memory();
}

/* Says which jobs are not drawn, where it would have been. */
static void say_hidden(struct grt_pf *p)
{
	for (size_t i = 0; i < grt_pf_ring_count(&p->rings) && !p->out.err; i++) {
		struct grt_pf_ring *ring = grt_pf_ring_at(&p->rings, i);
		char count[GRT_NUMBER_MAX];
		struct grt_pf_event e;

		if (!ring->hidden)
			continue;
		grt_pf_event_init(&e, GRT_PF_CATEGORY_JOB, 0);
		grt_pf_event_name(&e, "%s %s not drawn here: more than %d at once",
				  grt_format_count(count, ring->hidden),
				  grt_plural(ring->hidden, "job is", "jobs are"), GRT_PF_LANES);
		ring = grt_pf_ring(&p->rings, &p->out, p->names, ring->id);
		if (ring)
			grt_pf_instant(&p->out, &e, grt_pf_ring_track(ring, &p->out,
				       GRT_PF_JOBS, 0), p->x->to_ns);
	}
}

static int end(struct grt_export *x)
{
	struct grt_pf *p = x->state;

	begin_item(p);
	grt_pf_end_threads(p, true);
	say_hidden(p);
	return p->out.err;
}

static void free_state(struct grt_export *x)
{
	struct grt_pf *p = x->state;

	grt_pf_free(&p->out);
	grt_pf_rings_free(&p->rings);
	free(p->recent);
	grt_keymap_free(&p->recent_rows);
	grt_keymap_free(&p->in_flight);
	grt_keymap_free(&p->thread_rows);
	grt_vec_free(&p->threads);
	free(p);
	x->state = NULL;
}

const struct grt_export_format grt_export_perfetto = {
	.name = "perfetto", .text = "for ui.perfetto.dev", .suffix = ".pftrace",
	.needs = GRT_EXPORT_EVENTS | GRT_EXPORT_ROOTS | GRT_EXPORT_RINGS | GRT_EXPORT_FRAMES |
		 GRT_EXPORT_OUTSIDE,
	.begin = begin, .record = record, .job = job, .stretch = stretch, .frame = frame,
	.end = end, .free = free_state,
};
