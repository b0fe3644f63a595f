// SPDX-License-Identifier: LGPL-2.1
/*
 * One line per record for people:
 *
 *	   12.000345678 [003] SUBMIT           ctx=7 seqno=42 ring=1(gfx) ...
 *
 * Seconds of the trace's clock, optionally the time since the previous line, the CPU, the type,
 * the fields.
 */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "event_private.h"
#include "quote.h"

static void print_text(struct grt_event_sink *sink, const struct grt_type *type,
		       const struct grt_field *f, const struct grtrace_hdr *rec)
{
	size_t bytes;
	const char *text = grt_field_text(type, f, rec, &bytes);

	grt_quote_string(sink->out, text, bytes);
}

/* The name of a ring, process or command after its number: "(gfx)", "(game)", "(SUBMIT_3D)". */
static void print_name(struct grt_event_sink *sink, const struct grt_field *f,
		       const struct grt_event_view *view)
{
	const char *name = "";
	char quoted[64];

	if (!strcmp(f->name, "ring") && view->ring && grt_field_u64(f, view->rec))
		name = view->ring->name;
	else if (!strcmp(f->name, "tgid") && view->process)
		name = view->process->comm;
	else if (!strcmp(f->name, "command") && view->ring)
		name = grt_command_name(view->ring->driver, grt_field_u64(f, view->rec)) ?: "";
	if (*name)
		fprintf(sink->out, "(%s)", grt_quote_text(quoted, sizeof(quoted), name));
}

/* The time since the previous line: "(+0.000012345)". */
static void print_diff(struct grt_event_sink *sink, uint64_t ts)
{
	bool is_back = sink->has_before && ts < sink->before_ns;
	uint64_t ns = is_back ? sink->before_ns - ts : ts - sink->before_ns;

	if (sink->has_before)
		fprintf(sink->out, " (%c%" PRIu64 ".%09" PRIu64 ")", is_back ? '-' : '+',
			ns / 1000000000, ns % 1000000000);
	else
		fprintf(sink->out, "%15s", "");
}

static void print(struct grt_event_sink *sink, const struct grt_event_view *view)
{
	const struct grtrace_hdr *rec = view->rec;
	const struct grt_type *type = view->type;
	const struct grt_tail *tail = grt_type_tail(type);

	fprintf(sink->out, "%6" PRIu64 ".%09" PRIu64, (uint64_t)rec->ts / 1000000000,
		(uint64_t)rec->ts % 1000000000);
	if (sink->has_diff)
		print_diff(sink, rec->ts);
	fprintf(sink->out, " [%03u] %-15s", rec->cpu, type->name);
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];

		if (f->kind == GRT_KIND_RSVD)
			continue;
		fprintf(sink->out, " %s=", f->name);
		if (f->kind == GRT_KIND_TEXT) {
			print_text(sink, type, f, rec);
			continue;
		}
		if (!grt_event_knows(f, rec)) {
			putc('-', sink->out);
			continue;
		}
		grt_event_value(sink->out, f, rec);
		/* Definitions do not need their own name. */
		if (rec->type < GRTRACE_STREAM_BASE)
			print_name(sink, f, view);
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
