/* SPDX-License-Identifier: LGPL-2.1 */
/* Builds and writes one event of a track. */
#ifndef GRT_PERFETTO_EVENT_H
#define GRT_PERFETTO_EVENT_H

#include "perfetto_packet.h"

#define GRT_PF_MAX_NOTES	16
#define GRT_PF_TEXT		4096

/* grt_pf_event_init() fills it in; it must not be moved. */
struct grt_pf_event {
	Grtpf__TrackEvent event;
	Grtpf__DebugAnnotation notes[GRT_PF_MAX_NOTES];
	Grtpf__DebugAnnotation *note_list[GRT_PF_MAX_NOTES];
	Grtpf__GpuCorrelation gpu;
	uint64_t category, flow, last_flow, gpu_event;
	size_t used;
	char text[GRT_PF_TEXT];
};

/* @name_iid: see enum grt_pf_name; 0: grt_pf_event_name() follows. */
void grt_pf_event_init(struct grt_pf_event *e, enum grt_pf_category category, uint64_t name_iid);

/* Texts may have any bytes.  What does not fit is cut, or left out. */
void grt_pf_event_name(struct grt_pf_event *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void grt_pf_note_text(struct grt_pf_event *e, enum grt_pf_note name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void grt_pf_note_u64(struct grt_pf_event *e, enum grt_pf_note name, uint64_t value);
/* What the stage or the idle cause with this number means. */
void grt_pf_note_meaning(struct grt_pf_event *e, uint64_t name_iid);

/* An arrow with this number begins at the event, or ends there. */
void grt_pf_event_flow(struct grt_pf_event *e, uint64_t flow);
void grt_pf_event_ends_flow(struct grt_pf_event *e, uint64_t flow);

/* The event submitted, or waited for, the work of this render stage event. */
void grt_pf_event_submitted(struct grt_pf_event *e, uint64_t event_id);
void grt_pf_event_awaited(struct grt_pf_event *e, uint64_t event_id);

/* Writes it as an instant, or as the begin of a slice that grt_pf_end() ends. */
void grt_pf_instant(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track, uint64_t ns);
void grt_pf_begin(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track, uint64_t ns);
void grt_pf_end(struct grt_pf_out *o, uint64_t track, uint64_t ns);

/* Both; an instant if it took no time. */
void grt_pf_slice(struct grt_pf_out *o, struct grt_pf_event *e, uint64_t track,
		  uint64_t from_ns, uint64_t to_ns);

void grt_pf_count(struct grt_pf_out *o, uint64_t track, uint64_t ns, int64_t value);

#endif /* GRT_PERFETTO_EVENT_H */
