// SPDX-License-Identifier: GPL-2.0
#include "every.h"

#include <string.h>

#include "describe.h"
#include "synth.h"
#include "timeline.h"

/* Adds a record whose members all differ.  Only the session and the times are those of the stream. */
static void add(struct synth *s, const struct grt_type *type)
{
	static const char text[16] = "made=by hand\n";
	char *rec = synth_record(s, type->number, type->bytes + (grt_type_tail(type) ? sizeof(text) : 0),
				 s->last_ns);

	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		uint64_t value = grt_field_enum(f) ? 1 : 10 + i;

		if (f->kind == GRT_KIND_RSVD)
			continue;
		if (!strcmp(f->name, "session_id"))
			value = s->session_id;
		else if (f->unit == GRT_UNIT_NS)
			value = s->last_ns + i;
		memcpy(rec + f->offset, &value, f->bytes);
	}
	if (grt_type_tail(type))
		memcpy(rec + type->bytes, text, sizeof(text));
}

void every_type(struct synth *s)
{
	timeline_scene(s, true);
	synth_policy(s, "rate_limit=1000", s->last_ns);
	for (size_t i = 0; i < grt_nr_types; i++)
		switch (grt_types[i].number) {
		case GRTRACE_LOSS:
		case GRTRACE_CLOCK:
		case GRTRACE_STATS:
		case GRTRACE_STACK_TEXT:
		case GRTRACE_SNAPSHOT:
		case GRTRACE_NOTE:
		case GRTRACE_MACHINE:
		case GRTRACE_CGROUP:
		case GRTRACE_PEER:
			add(s, &grt_types[i]);
		}
}
