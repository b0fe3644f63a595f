// SPDX-License-Identifier: LGPL-2.1
#include "native.h"

#include <string.h>

#include <event-parse.h>

#include "bind.h"
#include "describe.h"
#include "error.h"
#include "quote.h"

#define MAX_TAIL	4096
#define ROW_NOT		1u
#define ROW_MADE	2u
#define ROW_TYPE	3u	/* and the row of grt_types */

/* See lib/export/trace_dat_formats.c. */
static const char *const made[] = { "ring_runs", "ring_gap", "finished_job" };

/*
 * Events of probes have these names, too, but not all fields.  A file of an older version does not
 * have those that were added later.
 */
static bool has_all_fields(struct tep_event *event, const struct grt_type *type)
{
	const struct grt_tail *tail = grt_type_tail(type);
	const struct tep_format_field *flags = tep_find_field(event, "flags");

	if (!flags || flags->size != 4 || (tail && !tep_find_field(event, tail->name)))
		return false;
	for (unsigned int i = 0; i < type->nr_fields && type->fields[i].offset < type->least; i++) {
		const struct tep_format_field *f = tep_find_field(event, type->fields[i].name);

		if (!f || f->size != type->fields[i].bytes)
			return false;
	}
	return true;
}

/* Accounts of a stream would be those of another one. */
static bool is_exported(const struct grt_type *type)
{
	switch (type->number) {
	case GRTRACE_METADATA:
	case GRTRACE_SUBBUF:
	case GRTRACE_STATS:
	case GRTRACE_STREAM_END:
		return false;
	default:
		return true;
	}
}

static uint64_t row_of(struct tep_event *event)
{
	if (strcmp(event->system, "grtrace") != 0)
		return ROW_NOT;
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!strcmp(event->name, made[i]))
			return ROW_MADE;
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

	if (f->kind == GRT_KIND_TEXT) {
		if (grt_bind_text(b, record, from, &text) && text.len <= f->bytes)
			memcpy(to + f->offset, text.at, text.len);
	} else if (grt_bind_number(b, record, from, &number)) {
		memcpy(to + f->offset, &number, f->bytes);
	}
}

static void fill(struct grt_native *native, struct grt_binder *b, struct tep_event *event,
		 const struct tep_record *record, const struct grt_type *type, uint32_t cpu)
{
	const struct grt_tail *tail = grt_type_tail(type);
	struct grt_piece text = { "", 0 };
	struct grtrace_hdr *hdr;
	size_t bytes = type->bytes;
	uint64_t flags = 0;

	if (tail && grt_bind_text(b, record, tep_find_field(event, tail->name), &text))
		text.len = text.len < MAX_TAIL ? text.len : MAX_TAIL - 1;
	/* At least one NUL, and a multiple of 8. */
	if (tail)
		bytes += (text.len / 8 + 1) * 8;
	native->record.bytes = 0;
	hdr = grt_vec_grow(&native->record, bytes);
	if (!hdr) {
		grt_fail_memory();
		return;
	}
	memset(hdr, 0, bytes);
	grt_bind_number(b, record, tep_find_field(event, "flags"), &flags);
	*hdr = (struct grtrace_hdr){
		.type = type->number, .size = bytes, .cpu = cpu, .flags = flags, .ts = record->ts,
	};
	for (unsigned int i = 0; i < type->nr_fields; i++)
		fill_field(b, event, record, &type->fields[i], (char *)hdr);
	memcpy((char *)hdr + type->bytes, text.at, text.len);
	/* The record may be longer than its text now: NULs fill it. */
	if (tail) {
		size_t len = grt_unescape_text((char *)hdr + type->bytes, text.len);

		memset((char *)hdr + type->bytes + len, 0, bytes - type->bytes - len);
	}
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
	if (*row < ROW_TYPE)
		return *row == ROW_MADE ? GRT_NATIVE_MADE : GRT_NATIVE_NOT;
	fill(native, b, event, record, &grt_types[*row - ROW_TYPE], cpu);
	return native->record.bytes ? GRT_NATIVE_RECORD : GRT_NATIVE_MADE;
}

void grt_native_free(struct grt_native *native)
{
	grt_map_free(&native->rows);
	grt_vec_free(&native->record);
}
