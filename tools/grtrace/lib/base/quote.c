// SPDX-License-Identifier: LGPL-2.1
#include "quote.h"

#include <stdint.h>
#include <string.h>

bool grt_csv_is_safe;

struct range {
	uint32_t first, last;
};

/* Characters that control a terminal or reorder the text. */
static const struct range hidden[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f },
	{ 0x061c, 0x061c }, { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

static bool is_hidden(uint32_t code)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return false;
}

/* Length of the UTF-8 character at @p, its code in *code; 0: no valid UTF-8 begins there. */
static size_t decode_char(const unsigned char *p, size_t bytes, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;

	if (!len || len > bytes)
		return 0;
	*code = len == 1 ? *p : *p & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	/* Overlong, a surrogate of UTF-16, or beyond Unicode. */
	if (*code < least[len] || (*code >= 0xd800 && *code < 0xe000) || *code > 0x10ffff)
		return 0;
	return len;
}

size_t grt_shown_bytes(const char *p, size_t bytes)
{
	uint32_t code;
	size_t len = decode_char((const unsigned char *)p, bytes, &code);

	return len && !is_hidden(code) ? len : 0;
}

const char *grt_quote_text(char *buf, size_t bytes, const char *text)
{
	size_t left = strlen(text);
	char *to = buf;

	while (left) {
		size_t len = grt_shown_bytes(text, left), step = len ? len : 1;

		if (step > bytes - 1 - (to - buf))
			break;
		memcpy(to, len ? text : "?", step);
		to += step;
		text += step;
		left -= step;
	}
	*to = '\0';
	return buf;
}

void grt_put_text(FILE *f, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		size_t len = grt_shown_bytes(text, left), step = len ? len : 1;

		fwrite(len ? text : "?", 1, step, f);
		text += step;
		left -= step;
	}
}

const char *grt_shown(const char *text)
{
	static _Thread_local char bufs[GRT_SHOWN_CALLS][512];
	static _Thread_local unsigned int next;

	return grt_quote_text(bufs[next++ % GRT_SHOWN_CALLS], sizeof(bufs[0]), text);
}

/* Writes the first character of @text, *len bytes; returns how many bytes it has in @text. */
static size_t escape_one(char out[8], size_t *len, const char *text, size_t bytes)
{
	size_t shown = grt_shown_bytes(text, bytes);

	if (*text == '\n' || *text == '\\') {
		out[0] = '\\';
		out[1] = *text == '\n' ? 'n' : '\\';
		*len = 2;
		return 1;
	}
	if (shown) {
		memcpy(out, text, shown);
		*len = shown;
		return shown;
	}
	*len = snprintf(out, 8, "\\x%02x", (unsigned char)*text);
	return 1;
}

/* Writes the text without loss; @before escapes a quote. */
static void put_exact(FILE *f, const char *text, size_t bytes, char before)
{
	char one[8];
	size_t len;

	while (bytes) {
		size_t took = escape_one(one, &len, text, bytes);

		if (*text == '"')
			putc(before, f);
		fwrite(one, 1, len, f);
		text += took;
		bytes -= took;
	}
}

void grt_quote_string(FILE *f, const char *text, size_t bytes)
{
	putc('"', f);
	put_exact(f, text, bytes, '\\');
	putc('"', f);
}

void grt_quote_json(FILE *f, const char *text, size_t bytes)
{
	putc('"', f);
	while (bytes) {
		uint32_t code = 0;
		size_t len = decode_char((const unsigned char *)text, bytes, &code);

		/* A byte that is not UTF-8 is kept as its number. */
		if (!len)
			fputs("\\ufffd", f);
		else if (is_hidden(code))
			fprintf(f, "\\u%04x", code);
		else if (*text == '"' || *text == '\\')
			fprintf(f, "\\%c", *text);
		else
			fwrite(text, 1, len, f);
		len += !len;
		text += len;
		bytes -= len;
	}
	putc('"', f);
}

/* Fast path: nearly all cells have only these characters, and there are millions of cells. */
static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != ',' && c != '"' && c != '\\';
}

/* Whether a spreadsheet would take the text for a formula. */
static bool is_formula(const char *text, size_t bytes)
{
	return grt_csv_is_safe && bytes && strchr("=+-@", *text) && *text;
}

void grt_quote_csv(FILE *f, const char *text, size_t bytes)
{
	size_t plain = 0;
	bool is_quoted;

	while (plain < bytes && is_plain(text[plain]))
		plain++;
	is_quoted = plain < bytes && (memchr(text, ',', bytes) || memchr(text, '"', bytes));
	if (is_quoted)
		putc('"', f);
	if (is_formula(text, bytes))
		putc('\'', f);
	fwrite(text, 1, plain, f);
	put_exact(f, text + plain, bytes - plain, '"');
	if (is_quoted)
		putc('"', f);
}

size_t grt_escape_text(char *to, size_t room, const char *text, size_t bytes)
{
	size_t at = 0, i = 0, len;
	char one[8];

	while (i < bytes) {
		size_t took = escape_one(one, &len, text + i, bytes - i);

		if (len >= room - at)
			break;
		memcpy(to + at, one, len);
		at += len;
		i += took;
	}
	to[at] = '\0';
	return i;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that "\x1b" stands for; -1: it is no escape of grt_escape_text(). */
static int hex_byte(const char *text, size_t bytes)
{
	int value;

	if (bytes < 4 || text[1] != 'x' || hex_digit(text[2]) < 0 || hex_digit(text[3]) < 0)
		return -1;
	value = hex_digit(text[2]) << 4 | hex_digit(text[3]);
	return value && (value < 0x20 || value >= 0x7f) ? value : -1;
}

size_t grt_unescape_text(char *text, size_t bytes)
{
	size_t to = 0;

	for (size_t i = 0; i < bytes; i++) {
		int value = text[i] == '\\' ? hex_byte(text + i, bytes - i) : -1;

		if (value >= 0) {
			text[to++] = value;
			i += 3;
		} else if (text[i] == '\\' && i + 1 < bytes && (text[i + 1] == 'n' || text[i + 1] == '\\')) {
			text[to++] = text[++i] == 'n' ? '\n' : '\\';
		} else {
			text[to++] = text[i];
		}
	}
	return to;
}
