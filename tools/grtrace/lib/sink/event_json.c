// SPDX-License-Identifier: LGPL-2.1
/*
 * One object a line, with the names of the table of fields: the header without
 * its size, then the type's own.  Numbers are numbers, 64-bit ones in full;
 * enums and flags are names.
 */
#include <inttypes.h>
#include <string.h>

#include "event_inside.h"

/* How many bytes of valid UTF-8 begin here, 0 if none. */
static size_t utf8_length(const unsigned char *s, size_t bytes)
{
	static const struct { unsigned char mask, lead; } forms[] = {
		{ 0xe0, 0xc0 }, { 0xf0, 0xe0 }, { 0xf8, 0xf0 },
	};
	static const uint32_t least[] = { 0x80, 0x800, 0x10000 };
	uint32_t code;

	for (size_t n = 0; n < 3; n++) {
		if ((s[0] & forms[n].mask) != forms[n].lead || bytes < n + 2)
			continue;
		code = s[0] & ~forms[n].mask & 0xff;
		for (size_t i = 1; i <= n + 1; i++) {
			if ((s[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (s[i] & 0x3f);
		}
		if (code < least[n] || code > 0x10ffff || (code >> 11) == 0x1b)
			return 0;
		return n + 2;
	}
	return 0;
}

static void print_string(FILE *out, const char *text, size_t bytes)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len;

	putc('"', out);
	for (size_t i = 0; i < bytes; i += len) {
		len = 1;
		if (s[i] == '"' || s[i] == '\\') {
			fprintf(out, "\\%c", s[i]);
		} else if (s[i] < ' ' || s[i] == 0x7f) {
			fprintf(out, "\\u%04x", s[i]);
		} else if (s[i] < 0x80) {
			putc(s[i], out);
		} else if ((len = utf8_length(s + i, bytes - i))) {
			fwrite(s + i, 1, len, out);
		} else {
			/* Not text: its place is kept. */
			fputs("\\ufffd", out);
			len = 1;
		}
	}
	putc('"', out);
}

static void print_field(FILE *out, const struct grt_type *type, const struct grt_field *f,
			const struct grtrace_hdr *rec)
{
	const struct grt_table *values = grt_field_enum(f);
	uint64_t value = grt_field_u64(f, rec);
	size_t bytes;
	const char *text;

	fprintf(out, ",\"%s\":", f->name);
	if (f->kind == GRT_KIND_TEXT) {
		text = grt_field_text(type, f, rec, &bytes);
		print_string(out, text, bytes);
	} else if (values && grt_value_name(values, value)) {
		fprintf(out, "\"%s\"", grt_value_name(values, value));
	} else if (f->kind == GRT_KIND_SINT) {
		fprintf(out, "%" PRId64, (int64_t)value);
	} else {
		fprintf(out, "%" PRIu64, value);
	}
}

static void print(struct grt_event_sink *sink, const struct grt_type *type,
		  const struct grtrace_hdr *rec)
{
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
		print_string(out, text, bytes);
	}
	fputs("}\n", out);
}

const struct grt_event_format grt_event_json = {
	.name	= "json",
	.print	= print,
};
