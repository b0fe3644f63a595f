// SPDX-License-Identifier: GPL-2.0
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"

#define SECOND_NS	1234567000000000ull

/* The fields of an event get different values that say which one they are. */
static void add_type(struct synth *s, const struct grt_type *type, uint64_t ns)
{
	char *rec;

	if (type->number == GRTRACE_TRACE_EVENT)
		synth_trace_event(s, "irq:softirq_raise vec=1 [action=TIMER]", ns);
	else if (grt_type_tail(type))
		synth_mark(s, "frame 7", ns);
	if (grt_type_tail(type))
		return;
	rec = synth_event(s, type->number, ns);
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		uint64_t value = 10 + i;

		if (f->kind == GRT_KIND_RSVD)
			continue;
		if (!strcmp(f->name, "ctx"))
			value = 0x1234;
		else if (!strcmp(f->name, "ring"))
			value = 1;
		else if (grt_field_enum(f))
			value = 1;
		memcpy(rec + f->offset, &value, f->bytes);
	}
}

void timeline_scene(struct synth *s, bool has_all)
{
	static const struct {
		uint16_t type;
		uint64_t ns;
	} life[] = {
		{ GRTRACE_SUBMIT, 124012000 }, { GRTRACE_COMMIT, 124106000 },
		{ GRTRACE_START, 124156000 }, { GRTRACE_END, 125789000 },
		{ GRTRACE_COMPLETE, 125890000 },
	};
	struct grtrace_submit *rec;
	struct grtrace_ring *ring;

	synth_begin(s, 0);
	synth_ring(s, 1, "gfx", SYNTH_START);
	ring = synth_find(s, GRTRACE_RING, 0);
	ring->engine = GRTRACE_ENGINE_GRAPHICS;
	synth_process(s, 5678, "glxgears", SYNTH_START);
	synth_subbuf(s, SYNTH_START);
	for (size_t i = 0; i < sizeof(life) / sizeof(life[0]); i++) {
		rec = synth_event(s, life[i].type, SECOND_NS + life[i].ns);
		rec->ctx = 0x1234;
		rec->seqno = 42;
		rec->ring = 1;
		if (life[i].type != GRTRACE_SUBMIT)
			continue;
		rec->tgid = 5678;
		rec->tid = 5679;
	}
	for (size_t i = 0; has_all && i < grt_nr_types; i++)
		if (grt_types[i].number < GRTRACE_NR_EVENTS)
			add_type(s, &grt_types[i], SECOND_NS + 1000000000 + i * 1000);
	synth_end(s, SECOND_NS + 2000000000);
}
