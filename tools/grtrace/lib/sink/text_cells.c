// SPDX-License-Identifier: LGPL-2.1
#include "text_cells.h"

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static bool is_ascii(const char *text)
{
	while (*text && !(*text & 0x80))
		text++;
	return !*text;
}

/* As many cells as characters: without a locale nothing tells how wide they are. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

/* How many cells a text takes on a terminal of this locale.  An invalid byte takes one cell. */
static size_t count_cells(const char *text)
{
	mbstate_t state = { 0 };
	size_t cells = 0, bytes;
	wchar_t c;

	for (; *text; text += bytes) {
		bytes = mbrtowc(&c, text, MB_LEN_MAX, &state);
		if (bytes > MB_LEN_MAX) {
			state = (mbstate_t){ 0 };
			bytes = 1;
			cells++;
		} else {
			cells += wcwidth(c) < 0 ? 1 : wcwidth(c);
		}
	}
	return cells;
}

size_t grt_text_cells(const char *text)
{
	static locale_t utf8;
	locale_t before;
	size_t cells;

	if (is_ascii(text))
		return strlen(text);
	/* Texts are UTF-8 whatever the user's locale is. */
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
	if (!utf8)
		return count_characters(text);
	before = uselocale(utf8);
	cells = count_cells(text);
	uselocale(before);
	return cells;
}

void grt_text_fold(FILE *f, const char *text, size_t width, unsigned int indent)
{
	size_t at = 0;

	while (*text) {
		size_t blanks = strspn(text, " "), bytes = blanks + strcspn(text + blanks, " \n");
		char *word = strndup(text, bytes);
		size_t cells = word ? grt_text_cells(word) : bytes;

		free(word);
		if (width && at && at + cells > width) {
			fprintf(f, "\n%*s", (int)indent, "");
			at = indent + cells - blanks;
			fwrite(text + blanks, 1, bytes - blanks, f);
		} else {
			at += cells;
			fwrite(text, 1, bytes, f);
		}
		text += bytes;
		if (*text == '\n') {
			putc(*text++, f);
			at = 0;
		}
	}
}
