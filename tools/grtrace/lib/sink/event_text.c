// SPDX-License-Identifier: LGPL-2.1
/*
 * One line per record for people:
 *
 *	   12.000345678 [003] SUBMIT           ctx=7 seqno=42 ring=1(gfx) ...
 *
 * Seconds of the trace's clock, the CPU, the type, the fields.
 */
#include <inttypes.h>
#include <string.h>

#include "event_inside.h"

/* Quoted, on one line, whatever it holds. */
static void print_quoted(FILE *out, const char *text, size_t bytes)
{
	putc('"', out);
	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c < ' ' || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void print_text(struct grt_event_sink *sink, const struct grt_type *type,
		       const struct grt_field *f, const struct grtrace_hdr *rec)
{
	size_t bytes;
	const char *text = grt_field_text(type, f, rec, &bytes);

	print_quoted(sink->out, text, bytes);
}

/* "(gfx)" behind a ring's number, "(game)" behind a process's. */
static void print_name(struct grt_event_sink *sink, const struct grt_field *f,
		       const struct grtrace_hdr *rec)
{
	const struct grt_map *map = NULL;
	const char *name;

	if (!strcmp(f->name, "ring"))
		map = &sink->rings;
	else if (!strcmp(f->name, "tgid"))
		map = &sink->processes;
	name = map ? grt_event_name(sink, map, grt_field_u64(f, rec)) : NULL;
	if (name)
		fprintf(sink->out, "(%s)", name);
}

static void print(struct grt_event_sink *sink, const struct grt_type *type,
		  const struct grtrace_hdr *rec)
{
	const struct grt_tail *tail = grt_type_tail(type);

	fprintf(sink->out, "%6" PRIu64 ".%09" PRIu64 " [%03u] %-15s",
		(uint64_t)rec->ts / 1000000000, (uint64_t)rec->ts % 1000000000,
		rec->cpu, type->name);
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];

		if (f->kind == GRT_KIND_RSVD)
			continue;
		fprintf(sink->out, " %s=", f->name);
		if (f->kind == GRT_KIND_TEXT) {
			print_text(sink, type, f, rec);
			continue;
		}
		grt_event_value(sink->out, f, rec);
		/* A definition's own number needs no name behind it. */
		if (rec->type < GRTRACE_STREAM_BASE)
			print_name(sink, f, rec);
	}
	if (tail) {
		fprintf(sink->out, " %s=", tail->name);
		print_text(sink, type, NULL, rec);
	}
	grt_event_flags(sink->out, rec, " flags=", "|", "");
	putc('\n', sink->out);
}

const struct grt_event_format grt_event_text = {
	.name	= "text",
	.print	= print,
};
