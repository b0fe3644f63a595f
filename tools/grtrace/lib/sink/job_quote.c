// SPDX-License-Identifier: LGPL-2.1
#include "job_quote.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the well-formed character at @p that is no control; 0 if there is none. */
static size_t char_bytes(const unsigned char *p)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
	uint32_t code;

	if (bytes == 1)
		return *p >= 0x20 && *p != 0x7f;
	if (!bytes)
		return 0;
	code = *p & (0x7f >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	/* Over-long forms, surrogates, beyond Unicode, and the C1 controls. */
	if (code < least[bytes] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
	    (code >= 0x80 && code < 0xa0))
		return 0;
	return bytes;
}

void grt_quote_csv(FILE *f, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, f);
		return;
	}
	putc('"', f);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', f);
		putc(*text, f);
	}
	putc('"', f);
}

void grt_quote_json(FILE *f, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	putc('"', f);
	while (*p) {
		size_t bytes = char_bytes(p);

		if (!bytes) {
			fprintf(f, "\\u%04x", *p < 0x80 ? *p : 0xfffd);
			p++;
			continue;
		}
		if (*p == '"' || *p == '\\')
			putc('\\', f);
		fwrite(p, 1, bytes, f);
		p += bytes;
	}
	putc('"', f);
}

const char *grt_quote_text(char *buf, size_t bytes, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	char *to = buf;

	while (*p) {
		size_t len = char_bytes(p), step = len ? len : 1;

		if (step > bytes - 1 - (to - buf))
			break;
		memcpy(to, len ? (const char *)p : "?", step);
		to += step;
		p += step;
	}
	*to = '\0';
	return buf;
}
