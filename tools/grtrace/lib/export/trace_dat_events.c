// SPDX-License-Identifier: LGPL-2.1
#include "trace_dat_events.h"

#include <string.h>

#include "quote.h"

/* Definitions and accounts that tell a user of trace-cmd nothing, and kinds of the kernel. */
static bool is_left_out(const struct grt_type *type)
{
	static const uint16_t types[] = {
		GRTRACE_METADATA, GRTRACE_SUBBUF, GRTRACE_STATS, GRTRACE_STREAM_END,
		GRTRACE_CPU_SWITCH, GRTRACE_CPU_WAKE, GRTRACE_MARK,
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
	for (unsigned int i = 0; i < type->nr_fields; i++)
		shape->has_names |= type->fields[i].kind == GRT_KIND_TEXT;
	return true;
}

size_t grt_dat_add_text(void *event, size_t bytes, size_t most, uint32_t *loc, const char *text)
{
	char *to = (char *)event + bytes;
	size_t len;

	/* Both sizes are multiples of 4, so there is room for NULs up to the next one. */
	grt_escape_text(to, most - bytes, text, strlen(text));
	len = strlen(to) + 1;
	*loc = bytes | (uint32_t)len << 16;
	for (; len % 4; len++)
		to[len] = '\0';
	return bytes + len;
}

/* A text field of a fixed size, in the event. */
static void quote_name(unsigned char *to, const struct grt_field *f)
{
	char raw[64], quoted[64];
	size_t bytes = f->bytes < sizeof(raw) ? f->bytes : sizeof(raw) - 1;

	memcpy(raw, to, bytes);
	raw[bytes] = '\0';
	grt_quote_text(quoted, sizeof(quoted), raw);
	memset(to, 0, f->bytes);
	memcpy(to, quoted, strlen(quoted));
}

/* Where a field of a record is in its event. */
static unsigned int offset_of(const struct grt_field *f)
{
	return sizeof(struct grt_dat_common) + f->offset - sizeof(struct grtrace_hdr);
}

size_t grt_dat_fill(void *event, const struct grt_dat_shape *shape, const struct grtrace_hdr *rec,
		    const char *ring_name, int32_t pid)
{
	const struct grt_type *type = shape->type;
	const struct grt_dat_common common = {
		.type = GRT_DAT_FIRST_RECORD + (type - grt_types), .pid = pid,
	};
	char text[GRT_DAT_MAX_EVENT];
	unsigned char *to = event;
	size_t bytes = shape->bytes, len, there = rec->size - sizeof(*rec);
	uint32_t flags = rec->flags, loc;

	memcpy(to, &common, sizeof(common));
	/* An older record ends before the members that were added later. */
	memset(to + sizeof(common), 0, shape->flags_at - sizeof(common));
	if (there > shape->flags_at - sizeof(common))
		there = shape->flags_at - sizeof(common);
	memcpy(to + sizeof(common), rec + 1, there);
	memcpy(to + shape->flags_at, &flags, sizeof(flags));
	for (unsigned int i = 0; shape->has_names && i < type->nr_fields; i++)
		if (type->fields[i].kind == GRT_KIND_TEXT)
			quote_name(to + offset_of(&type->fields[i]), &type->fields[i]);
	if (shape->ring_at) {
		bytes = grt_dat_add_text(event, bytes, GRT_DAT_MAX_EVENT, &loc, ring_name);
		memcpy(to + shape->ring_at, &loc, sizeof(loc));
	}
	if (shape->text_at) {
		const char *tail = grt_field_text(type, NULL, rec, &len);

		if (len >= sizeof(text))
			len = sizeof(text) - 1;
		memcpy(text, tail, len);
		text[len] = '\0';
		bytes = grt_dat_add_text(event, bytes, GRT_DAT_MAX_EVENT, &loc, text);
		memcpy(to + shape->text_at, &loc, sizeof(loc));
	}
	return bytes;
}
