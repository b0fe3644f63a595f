// SPDX-License-Identifier: LGPL-2.1
#include "trace_dat_events.h"

#include <string.h>

#include "quote.h"

/* Accounts of a stream, which would be wrong in another one, and kinds of the kernel. */
static bool is_left_out(const struct grt_type *type)
{
	static const uint16_t types[] = {
		GRTRACE_SUBBUF, GRTRACE_STREAM_END, GRTRACE_CPU_SWITCH, GRTRACE_CPU_WAKE, GRTRACE_MARK,
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i] == type->number)
			return true;
	return false;
}

/* The tid of a JOB is that of its SUBMIT, not of the thread at the time of the record. */
static uint16_t tid_of(const struct grt_type *type)
{
	const struct grt_field *f = grt_field_by_name(type, "tid");

	return f && type->number != GRTRACE_JOB ? f->offset : 0;
}

bool grt_dat_shape(struct grt_dat_shape *shape, const struct grt_type *type)
{
	const struct grt_field *ring = grt_field_by_name(type, "ring");

	*shape = (struct grt_dat_shape){ .type = type };
	if (is_left_out(type))
		return false;
	shape->tid = tid_of(type);
	shape->flags_at = sizeof(struct grt_dat_common) + type->bytes - sizeof(struct grtrace_hdr);
	shape->bytes = shape->flags_at + sizeof(uint32_t);
	if (type->class == GRT_CLASS_STREAM && type->number != GRTRACE_LOSS) {
		shape->ts_at = shape->bytes;
		shape->bytes += sizeof(uint64_t);
	}
	/* Definitions do not need their own name. */
	if (ring && type->class != GRT_CLASS_STREAM) {
		shape->ring = ring->offset;
		shape->ring_at = shape->bytes;
		shape->bytes += sizeof(uint32_t);
	}
	if (grt_type_tail(type)) {
		shape->text_at = shape->bytes;
		shape->bytes += sizeof(uint32_t);
	}
	for (unsigned int i = 0; i < type->nr_fields && !shape->names_at; i++)
		if (type->fields[i].kind == GRT_KIND_TEXT) {
			shape->names_at = shape->bytes;
			shape->bytes += sizeof(uint32_t);
		}
	return true;
}

struct grt_dat_text grt_dat_text_of(const struct grtrace_hdr *rec)
{
	const struct grt_type *type = grt_type_by_number(rec->type);
	struct grt_dat_text text = { NULL, 0 };

	if (grt_type_tail(type))
		text.at = grt_field_text(type, NULL, rec, &text.left);
	return text;
}

/* Adds what there is room for, and takes it from @text. */
static size_t add_piece(void *event, size_t bytes, size_t most, uint32_t *loc, struct grt_dat_text *text)
{
	char *to = (char *)event + bytes;
	/* Both sizes are multiples of 4, so there is room for NULs up to the next one. */
	size_t took = grt_escape_text(to, most - bytes, text->at, text->left);
	size_t len = strlen(to) + 1;

	text->at += took;
	text->left -= took;
	*loc = bytes | (uint32_t)len << 16;
	for (; len % 4; len++)
		to[len] = '\0';
	return bytes + len;
}

size_t grt_dat_add_text(void *event, size_t bytes, size_t most, uint32_t *loc, const char *text)
{
	struct grt_dat_text whole = { text, strlen(text) };

	return add_piece(event, bytes, most, loc, &whole);
}

/* Where a field of a record is in its event. */
static unsigned int offset_of(const struct grt_field *f)
{
	return sizeof(struct grt_dat_common) + f->offset - sizeof(struct grtrace_hdr);
}

/* Names have the room that they need without escapes: "?" stands for what may not be printed.  True if there is one. */
static bool quote_names(unsigned char *event, const struct grt_type *type)
{
	char raw[64], quoted[64];
	bool is_changed = false;

	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		unsigned char *to = event + offset_of(f);

		if (f->kind != GRT_KIND_TEXT)
			continue;
		snprintf(raw, sizeof(raw), "%.*s", (int)f->bytes, (char *)to);
		grt_quote_text(quoted, sizeof(quoted), raw);
		is_changed |= strcmp(raw, quoted) != 0;
		memset(to, 0, f->bytes);
		memcpy(to, quoted, strlen(quoted));
	}
	return is_changed;
}

/* Adds all names of a record as they are, with their escapes, a line for each.  Returns the new size. */
static size_t add_names(void *event, size_t bytes, uint32_t *loc, const struct grt_type *type,
			const struct grtrace_hdr *rec)
{
	char *to = (char *)event + bytes;
	size_t len = 0, size;

	for (unsigned int i = 0; i < type->nr_fields; i++) {
		const struct grt_field *f = &type->fields[i];
		const char *name;

		if (f->kind != GRT_KIND_TEXT)
			continue;
		name = grt_field_text(type, f, rec, &size);
		if (len)
			to[len - 1] = '\n';
		grt_escape_text(to + len, 4 * size + 1, name, size);
		len += strlen(to + len) + 1;
	}
	*loc = bytes | (uint32_t)len << 16;
	for (; len % 4; len++)
		to[len] = '\0';
	return bytes + len;
}

size_t grt_dat_fill_mark(void *event, const struct grtrace_mark *mark, int32_t pid, struct grt_dat_text *text)
{
	struct grt_dat_print ev = {
		.common = { .type = GRT_DAT_PRINT, .pid = pid },
		.tgid = mark->tgid, .tid = mark->tid, .flags = mark->hdr.flags,
	};
	uint32_t loc;
	size_t bytes = add_piece(event, offsetof(struct grt_dat_print, buf), GRT_DAT_MAX_EVENT, &loc, text);

	ev.flags |= text->left ? GRT_DAT_GOES_ON : 0;
	memcpy(event, &ev, offsetof(struct grt_dat_print, buf));
	return bytes;
}

size_t grt_dat_fill(void *event, const struct grt_dat_shape *shape, const struct grtrace_hdr *rec,
		    const char *ring_name, int32_t pid, struct grt_dat_text *text)
{
	const struct grt_type *type = shape->type;
	const struct grt_dat_common common = {
		.type = GRT_DAT_FIRST_RECORD + (type - grt_types), .pid = pid,
	};
	unsigned char *to = event;
	size_t bytes = shape->bytes, there = rec->size - sizeof(*rec);
	uint32_t flags = rec->flags, loc = 0;

	memcpy(to, &common, sizeof(common));
	/* An older record ends before the members that were added later. */
	memset(to + sizeof(common), 0, shape->flags_at - sizeof(common));
	if (there > shape->flags_at - sizeof(common))
		there = shape->flags_at - sizeof(common);
	memcpy(to + sizeof(common), rec + 1, there);
	if (shape->ts_at)
		memcpy(to + shape->ts_at, &rec->ts, sizeof(rec->ts));
	if (shape->names_at) {
		if (quote_names(to, type))
			bytes = add_names(event, bytes, &loc, type, rec);
		memcpy(to + shape->names_at, &loc, sizeof(loc));
	}
	if (shape->ring_at) {
		bytes = grt_dat_add_text(event, bytes, GRT_DAT_MAX_EVENT, &loc, ring_name);
		memcpy(to + shape->ring_at, &loc, sizeof(loc));
	}
	if (shape->text_at) {
		bytes = add_piece(event, bytes, GRT_DAT_MAX_EVENT, &loc, text);
		memcpy(to + shape->text_at, &loc, sizeof(loc));
		flags |= text->left ? GRT_DAT_GOES_ON : 0;
	}
	memcpy(to + shape->flags_at, &flags, sizeof(flags));
	return bytes;
}
