// SPDX-License-Identifier: LGPL-2.1
#include "event_types.h"

#include <stdio.h>

#include "describe.h"

#define FIELDS_MAX	512	/* bytes for the names of all fields of a type */

void grt_event_types_add(struct grt_event_types *t, const struct grtrace_hdr *rec)
{
	if (rec->type >= GRTRACE_NR_EVENTS)
		return;
	if (!t->has_begun) {
		t->has_begun = true;
		t->begin_ns = rec->ts;
	}
	if (!t->of[rec->type].count++)
		t->of[rec->type].first_ns = rec->ts;
	t->of[rec->type].last_ns = rec->ts;
}

static const struct grt_report_column columns[] = {
	{ "type", "EVENTS", GRT_REPORT_TEXT },
	{ "count", "count", GRT_REPORT_COUNT },
	{ "first_ns", "first", GRT_REPORT_NS },
	{ "last_ns", "last", GRT_REPORT_NS },
	{ "fields", " fields", GRT_REPORT_TEXT },
};

/* "ctx seqno ring": without the fields of the header, which every type has. */
static void put_fields(struct grt_report_table *s, const struct grt_type *type)
{
	const struct grt_tail *tail = grt_type_tail(type);
	char names[FIELDS_MAX];
	size_t at = 0;

	*names = '\0';
	for (unsigned int i = 0; i < type->nr_fields && at < sizeof(names); i++)
		if (type->fields[i].kind != GRT_KIND_RSVD)
			at += snprintf(names + at, sizeof(names) - at, "%s%s", at ? " " : "",
				       type->fields[i].name);
	if (tail && at < sizeof(names))
		snprintf(names + at, sizeof(names) - at, "%s%s", at ? " " : "", tail->name);
	grt_report_text(s, names);
}

void grt_report_event_types(struct grt_report_table *s, const struct grt_event_types *t)
{
	grt_report_init(s, "events", columns);
	for (unsigned int i = 0; i < GRTRACE_NR_EVENTS; i++) {
		const struct grt_type *type = grt_type_by_number(i);

		if (!type || !t->of[i].count)
			continue;
		grt_report_text(s, type->name);
		grt_report_u64(s, t->of[i].count);
		grt_report_u64(s, t->of[i].first_ns - t->begin_ns);
		grt_report_u64(s, t->of[i].last_ns - t->begin_ns);
		put_fields(s, type);
	}
}
