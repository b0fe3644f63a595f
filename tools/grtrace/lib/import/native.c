// SPDX-License-Identifier: LGPL-2.1
#include "native.h"

#include <stdio.h>
#include <string.h>

#include <event-parse.h>

#include "bind.h"
#include "describe.h"
#include "error.h"
#include "quote.h"

#define MAX_RECORD	65528	/* bytes: the largest multiple of 8 that fits into 16 bits */
#define MAX_NAMES	1024	/* bytes of the names of a record */
#define GOES_ON		(1u << 16)	/* see lib/export/trace_dat_events.h */
#define ROW_NOT		1u
#define ROW_MADE	2u
#define ROW_RECORDING	3u
#define ROW_TYPE	4u	/* and the row of grt_types */

/* See lib/export/trace_dat_formats.c. */
static const char *const made[] = { "ring_runs", "ring_gap", "finished_job" };

/* Records that have the names of the kernel's events; @tail: the name of their text there. */
static const struct {
	const char *system, *name, *tail;
	unsigned int type;
} kernels[] = {
	{ "ftrace", "print", "buf", GRTRACE_MARK },
	{ "sched", "sched_switch", NULL, GRTRACE_CPU_SWITCH },
	{ "sched", "sched_wakeup", NULL, GRTRACE_CPU_WAKE },
};

#define NR_KERNELS	(sizeof(kernels) / sizeof(kernels[0]))

/* The field that has the text behind a record of @type; NULL: there is none. */
static const struct tep_format_field *tail_field(struct tep_event *event, const struct grt_type *type)
{
	const struct grt_tail *tail = grt_type_tail(type);

	if (!tail)
		return NULL;
	return tep_find_field(event, type->number == GRTRACE_MARK ? kernels[0].tail : tail->name);
}

/*
 * Events of probes have these names, too, but not all fields.  A file of an older version does not
 * have those that were added later.
 */
static bool has_all_fields(struct tep_event *event, const struct grt_type *type)
{
	const struct tep_format_field *flags = tep_find_field(event, "flags");

	if (!flags || flags->size != 4 || (grt_type_tail(type) && !tail_field(event, type)))
		return false;
	for (unsigned int i = 0; i < type->nr_fields && type->fields[i].offset < type->least; i++) {
		const struct tep_format_field *f = tep_find_field(event, type->fields[i].name);

		/* Reserved ones only fill a record; the kernel's state of a thread is longer. */
		if (type->fields[i].kind != GRT_KIND_RSVD && (!f || f->size < type->fields[i].bytes))
			return false;
	}
	return true;
}

/* Accounts of a stream would be those of another one. */
static bool is_exported(const struct grt_type *type)
{
	switch (type->number) {
	case GRTRACE_SUBBUF:
	case GRTRACE_STREAM_END:
		return false;
	default:
		return true;
	}
}

static uint64_t row_of(struct tep_event *event)
{
	for (size_t i = 0; i < NR_KERNELS; i++) {
		const struct grt_type *type = grt_type_by_number(kernels[i].type);

		if (!strcmp(event->system, kernels[i].system) && !strcmp(event->name, kernels[i].name))
			return has_all_fields(event, type) ? ROW_TYPE + (type - grt_types) : ROW_NOT;
	}
	if (strcmp(event->system, "grtrace") != 0)
		return ROW_NOT;
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!strcmp(event->name, made[i]))
			return ROW_MADE;
	if (!strcmp(event->name, "recording"))
		return ROW_RECORDING;
	for (size_t i = 0; i < grt_nr_types; i++)
		if (is_exported(&grt_types[i]) && !strcmp(event->name, grt_types[i].st) &&
		    has_all_fields(event, &grt_types[i]))
			return ROW_TYPE + i;
	return ROW_NOT;
}

static void fill_field(struct grt_binder *b, struct tep_event *event,
		       const struct tep_record *record, const struct grt_field *f, char *to)
{
	const struct tep_format_field *from = tep_find_field(event, f->name);
	struct grt_piece text;
	uint64_t number;

	if (!from)
		return;
	if (f->kind == GRT_KIND_TEXT) {
		if (grt_bind_text(b, record, from, &text) && text.len <= f->bytes)
			memcpy(to + f->offset, text.at, text.len);
	} else if (grt_bind_number(b, record, from, &number)) {
		memcpy(to + f->offset, &number, f->bytes);
	}
}

/* Names that may not be printed, a line for each text field, are not in the fields themselves. */
static void fill_names(struct grt_binder *b, const struct tep_record *record, const struct tep_format_field *names,
		       const struct grt_type *type, char *to)
{
	char text[MAX_NAMES], *at = text;
	struct grt_piece piece;

	if (!grt_bind_text(b, record, names, &piece) || !piece.len)
		return;
	snprintf(text, sizeof(text), "%.*s", (int)piece.len, piece.at);
	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		size_t line = strcspn(at, "\n"), len;

		if (f->kind != GRT_KIND_TEXT)
			continue;
		len = grt_unescape_text(at, line);
		memset(to + f->offset, 0, f->bytes);
		memcpy(to + f->offset, at, len < f->bytes ? len : f->bytes);
		at += line + (at[line] == '\n');
	}
}

/* Begins a record: all of it but its text. */
static bool begin(struct grt_native *native, struct grt_binder *b, struct tep_event *event,
		  const struct tep_record *record, const struct grt_type *type, uint32_t cpu)
{
	const struct tep_format_field *names = tep_find_field(event, "exact_names");
	const struct tep_format_field *own_ns = tep_find_field(event, "recorded_ns");
	struct grtrace_hdr *hdr;
	uint64_t ns = record->ts;

	native->record.bytes = native->text_bytes = 0;
	hdr = grt_vec_grow(&native->record, type->bytes);
	if (!hdr)
		return false;
	if (own_ns)
		grt_bind_number(b, record, own_ns, &ns);
	memset(hdr, 0, type->bytes);
	*hdr = (struct grtrace_hdr){
		.type = type->number, .size = type->bytes, .cpu = cpu, .ts = ns,
	};
	native->event_ns = record->ts;
	for (unsigned int i = 0; i < type->nr_fields; i++)
		fill_field(b, event, record, &type->fields[i], (char *)hdr);
	if (names)
		fill_names(b, record, names, type, (char *)hdr);
	return true;
}

/* Adds to the text of the record, and NULs: at least one, and up to a multiple of 8. */
static bool add_text(struct grt_native *native, struct grt_piece text, const struct grt_type *type)
{
	size_t used = type->bytes + native->text_bytes, bytes;
	char *to;

	if (text.len > MAX_RECORD - 8 - used)
		text.len = MAX_RECORD - 8 - used;
	native->record.bytes = used;
	to = grt_vec_grow(&native->record, text.len + 8);
	if (!to)
		return false;
	memcpy(to, text.at, text.len);
	text.len = grt_unescape_text(to, text.len);
	native->text_bytes += text.len;
	bytes = ((used + text.len) / 8 + 1) * 8;
	memset(to + text.len, 0, bytes - used - text.len);
	native->record.bytes = bytes;
	((struct grtrace_hdr *)native->record.data)->size = bytes;
	return true;
}

/* Recorders leave out members that were added to the format later, if they know none of them. */
static void trim(struct grt_native *native, const struct grt_type *type)
{
	struct grtrace_hdr *hdr = native->record.data;
	const char *data = native->record.data;

	for (size_t i = type->least; i < type->bytes; i++)
		if (data[i])
			return;
	hdr->size = native->record.bytes = type->least;
}

/* Whether the event before had a part of the same record. */
static bool is_more(const struct grt_native *native, const struct grt_type *type, uint32_t cpu, uint64_t ts)
{
	const struct grtrace_hdr *hdr = native->record.data;

	return native->goes_on && hdr->type == type->number && hdr->cpu == cpu && native->event_ns == ts;
}

static enum grt_native_answer fill(struct grt_native *native, struct grt_binder *b, struct tep_event *event,
				   const struct tep_record *record, const struct grt_type *type, uint32_t cpu)
{
	const struct tep_format_field *tail = tail_field(event, type);
	struct grt_piece text = { "", 0 };
	uint64_t flags = 0;
	bool is_filled = is_more(native, type, cpu, record->ts) || begin(native, b, event, record, type, cpu);

	native->goes_on = false;
	if (is_filled && tail) {
		grt_bind_text(b, record, tail, &text);
		is_filled = add_text(native, text, type);
	}
	if (!is_filled) {
		grt_fail_memory();
		return GRT_NATIVE_MADE;
	}
	grt_bind_number(b, record, tep_find_field(event, "flags"), &flags);
	((struct grtrace_hdr *)native->record.data)->flags = flags;
	native->goes_on = tail && flags & GOES_ON;
	if (!tail)
		trim(native, type);
	return native->goes_on ? GRT_NATIVE_MADE : GRT_NATIVE_RECORD;
}

/* Its text, terminated. */
static enum grt_native_answer read_recording(struct grt_native *native, struct grt_binder *b, struct tep_event *event,
					     const struct tep_record *record)
{
	const struct tep_format_field *field = tep_find_field(event, "text");
	struct grt_piece piece;

	native->text.bytes = 0;
	if (!field || !grt_bind_text(b, record, field, &piece))
		return GRT_NATIVE_MADE;
	if (grt_vec_append(&native->text, piece.at, piece.len)) {
		grt_fail_memory();
		return GRT_NATIVE_MADE;
	}
	native->text.bytes = grt_unescape_text(native->text.data, piece.len);
	if (grt_vec_append(&native->text, "", 1)) {
		grt_fail_memory();
		return GRT_NATIVE_MADE;
	}
	return GRT_NATIVE_RECORDING;
}

enum grt_native_answer grt_native_read(struct grt_native *native, struct grt_binder *b,
				       struct tep_event *event, const struct tep_record *record,
				       uint32_t cpu)
{
	uint64_t *row = grt_map_put(&native->rows, event->id);

	if (!row) {
		grt_fail_memory();
		return GRT_NATIVE_NOT;
	}
	if (!*row)
		*row = row_of(event);
	if (*row == ROW_RECORDING)
		return read_recording(native, b, event, record);
	if (*row < ROW_TYPE)
		return *row == ROW_MADE ? GRT_NATIVE_MADE : GRT_NATIVE_NOT;
	return fill(native, b, event, record, &grt_types[*row - ROW_TYPE], cpu);
}

void grt_native_free(struct grt_native *native)
{
	grt_map_free(&native->rows);
	grt_vec_free(&native->record);
	grt_vec_free(&native->text);
}
