// SPDX-License-Identifier: LGPL-2.1
/*
 * One JSON object per line: the header without its size, then the fields of the type, with the
 * names of the table of fields.  All numbers are JSON numbers, also 64-bit ones; enums and flags
 * are names.
 */
#include <inttypes.h>
#include <string.h>

#include "event_private.h"
#include "quote.h"

static void print_field(FILE *out, const struct grt_type *type, const struct grt_field *f,
			const struct grtrace_hdr *rec)
{
	const struct grt_table *values = grt_field_enum(f);
	uint64_t value = grt_field_u64(f, rec);
	size_t bytes;
	const char *text;

	fprintf(out, ",\"%s\":", f->name);
	if (!grt_event_knows(f, rec)) {
		fputs("null", out);
	} else if (f->kind == GRT_KIND_TEXT) {
		text = grt_field_text(type, f, rec, &bytes);
		grt_quote_json(out, text, bytes);
	} else if (values && grt_value_name(values, value)) {
		fprintf(out, "\"%s\"", grt_value_name(values, value));
	} else if (f->kind == GRT_KIND_SINT) {
		fprintf(out, "%" PRId64, (int64_t)value);
	} else {
		fprintf(out, "%" PRIu64, value);
	}
}

static void print_name(FILE *out, const char *member, const char *name)
{
	fprintf(out, ",\"%s\":", member);
	if (name && *name)
		grt_quote_json(out, name, strlen(name));
	else
		fputs("null", out);
}

static void print(struct grt_event_sink *sink, const struct grt_event_view *view)
{
	const struct grtrace_hdr *rec = view->rec;
	const struct grt_type *type = view->type;
	const struct grt_tail *tail = grt_type_tail(type);
	FILE *out = sink->out;
	size_t bytes;
	const char *text;

	fprintf(out, "{\"type\":\"%s\",\"cpu\":%u,\"flags\":[", type->name, rec->cpu);
	grt_event_flags(out, rec, "\"", "\",\"", "\"");
	fprintf(out, "],\"ts\":%" PRIu64 ",\"gseq\":%" PRIu64 ",\"cseq\":%" PRIu64,
		(uint64_t)rec->ts, (uint64_t)rec->gseq, (uint64_t)rec->cseq);
	for (unsigned int i = 0; i < type->nr_fields; i++)
		if (type->fields[i].kind != GRT_KIND_RSVD)
			print_field(out, type, &type->fields[i], rec);
	if (tail) {
		text = grt_field_text(type, NULL, rec, &bytes);
		fprintf(out, ",\"%s\":", tail->name);
		grt_quote_json(out, text, bytes);
	}
	print_name(out, "ring_name", view->ring ? view->ring->name : NULL);
	print_name(out, "process_name", view->process ? view->process->comm : NULL);
	if (sink->has_diff && sink->has_before)
		fprintf(out, ",\"ts_diff_ns\":%" PRId64, (int64_t)(rec->ts - sink->before_ns));
	else if (sink->has_diff)
		fputs(",\"ts_diff_ns\":null", out);
	fputs("}\n", out);
}

const struct grt_event_format grt_event_json = {
	.name	= "json",
	.print	= print,
};
