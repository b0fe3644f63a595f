// SPDX-License-Identifier: LGPL-2.1
#include "perfetto_event.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "quote.h"

enum { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4 };

void grt_pf_event_init(struct grt_pf_event *e, enum grt_pf_category category, uint64_t name_iid)
{
	grtpf__track_event__init(&e->event);
	e->event.debug_annotations = e->note_list;
	e->category = category;
	e->event.category_iids = &e->category;
	e->event.n_category_iids = category != GRT_PF_NO_CATEGORY;
	e->event.has_name_iid = name_iid != 0;
	e->event.name_iid = name_iid;
	e->used = 0;
}

/* Keeps a text until the event is written; one that has no room ends with "...". */
static char *keep_text(struct grt_pf_event *e, const char *format, va_list args)
{
	static const char cut[] = "...";
	size_t room = sizeof(e->text) - e->used;
	char raw[GRT_PF_TEXT / 2], *text = e->text + e->used;

	if (room < 2)
		return NULL;
	if (vsnprintf(raw, sizeof(raw), format, args) >= (int)sizeof(raw))
		memcpy(raw + sizeof(raw) - sizeof(cut), cut, sizeof(cut));
	grt_quote_text(text, room, raw);
	e->used += strlen(text) + 1;
	return text;
}

void grt_pf_event_name(struct grt_pf_event *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	e->event.name = keep_text(e, format, args);
	va_end(args);
}

static Grtpf__DebugAnnotation *add_note(struct grt_pf_event *e, enum grt_pf_note name)
{
	size_t i = e->event.n_debug_annotations;
	Grtpf__DebugAnnotation *note = &e->notes[i];

	if (i == GRT_PF_MAX_NOTES)
		return NULL;
	e->note_list[i] = note;
	e->event.n_debug_annotations++;
	grtpf__debug_annotation__init(note);
	note->has_name_iid = 1;
	note->name_iid = name;
	return note;
}

void grt_pf_note_text(struct grt_pf_event *e, enum grt_pf_note name, const char *format, ...)
{
	Grtpf__DebugAnnotation *note = add_note(e, name);
	va_list args;

	if (!note)
		return;
	va_start(args, format);
	note->string_value = keep_text(e, format, args);
	va_end(args);
}

void grt_pf_note_u64(struct grt_pf_event *e, enum grt_pf_note name, uint64_t value)
{
	Grtpf__DebugAnnotation *note = add_note(e, name);

	if (!note)
		return;
	note->has_uint_value = 1;
	note->uint_value = value;
}

void grt_pf_note_meaning(struct grt_pf_event *e, uint64_t name_iid)
{
	Grtpf__DebugAnnotation *note = add_note(e, GRT_PF_NOTE_MEANING);

	if (!note)
		return;
	note->has_string_value_iid = 1;
	note->string_value_iid = name_iid;
}

void grt_pf_event_flow(struct grt_pf_event *e, uint64_t flow)
{
	e->flow = flow;
	e->event.flow_ids = &e->flow;
	e->event.n_flow_ids = 1;
}

void grt_pf_event_ends_flow(struct grt_pf_event *e, uint64_t flow)
{
	e->last_flow = flow;
	e->event.terminating_flow_ids = &e->last_flow;
	e->event.n_terminating_flow_ids = 1;
}

void grt_pf_event_submitted(struct grt_pf_event *e, uint64_t event_id)
{
	grtpf__gpu_correlation__init(&e->gpu);
	e->gpu_event = event_id;
	e->gpu.render_stage_submission_event_ids = &e->gpu_event;
	e->gpu.n_render_stage_submission_event_ids = 1;
	e->event.gpu_correlation = &e->gpu;
}

void grt_pf_event_awaited(struct grt_pf_event *e, uint64_t event_id)
{
	grtpf__gpu_correlation__init(&e->gpu);
	e->gpu_event = event_id;
	e->gpu.render_stage_wait_event_ids = &e->gpu_event;
	e->gpu.n_render_stage_wait_event_ids = 1;
	e->event.gpu_correlation = &e->gpu;
}

static void put(struct grt_pf_out *o, Grtpf__TrackEvent *event, uint32_t type, uint64_t track,
		uint64_t ns)
{
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;

	event->has_type = 1;
	event->type = type;
	event->has_track_uuid = 1;
	event->track_uuid = track;
	packet.has_timestamp = 1;
	packet.timestamp = grt_pf_ns(ns);
	packet.track_event = event;
	grt_pf_put(o, &packet);
}

void grt_pf_instant(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track, uint64_t ns)
{
	put(o, &e->event, INSTANT, track, ns);
}

void grt_pf_begin(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track, uint64_t ns)
{
	put(o, &e->event, BEGIN, track, ns);
}

void grt_pf_end(struct grt_pf_out *o, uint64_t track, uint64_t ns)
{
	Grtpf__TrackEvent event = GRTPF__TRACK_EVENT__INIT;

	put(o, &event, END, track, ns);
}

void grt_pf_slice(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track,
		  uint64_t from_ns, uint64_t to_ns)
{
	if (grt_pf_ns(to_ns) <= grt_pf_ns(from_ns)) {
		grt_pf_instant(o, e, track, from_ns);
		return;
	}
	grt_pf_begin(o, e, track, from_ns);
	grt_pf_end(o, track, to_ns);
}

void grt_pf_count(struct grt_pf_out *o, uint64_t track, uint64_t ns, int64_t value)
{
	Grtpf__TrackEvent event = GRTPF__TRACK_EVENT__INIT;

	event.has_counter_value = 1;
	event.counter_value = value;
	put(o, &event, COUNTER, track, ns);
}
