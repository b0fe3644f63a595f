// SPDX-License-Identifier: LGPL-2.1
#include "stack_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

void grt_stack_names_free(struct grt_stack_names *n)
{
	for (size_t i = 0; i < grt_vec_count(&n->rows, char *); i++)
		free(*grt_vec_at(&n->rows, char *, i));
	grt_vec_free(&n->rows);
	grt_keymap_free(&n->row_of);
}

uint32_t grt_stack_names_row(struct grt_stack_names *n, uint64_t number)
{
	uint32_t row = grt_keymap_get(&n->row_of, number, 0);
	static char *const none;

	if (row != GRT_NONE)
		return row;
	row = grt_vec_count(&n->rows, char *);
	if (row == GRT_NONE || grt_vec_append(&n->rows, &none, sizeof(none)))
		return GRT_NONE;
	if (!grt_keymap_put(&n->row_of, number, 0, row))
		return row;
	n->rows.bytes -= sizeof(none);
	return GRT_NONE;
}

int grt_stack_names_define(struct grt_stack_names *n, const struct grtrace_stack_text *rec)
{
	uint32_t row = grt_stack_names_row(n, rec->stack);
	const char *text = (const char *)(rec + 1);
	size_t len = strnlen(text, rec->hdr.size - sizeof(*rec));
	const char *line_end = memchr(text, '\n', len);
	char **to;

	if (line_end)
		len = line_end - text;
	if (row == GRT_NONE)
		return grt_fail_memory();
	to = grt_vec_at(&n->rows, char *, row);
	if (*to || !len)
		return 0;
	*to = strndup(text, len);
	return *to ? 0 : grt_fail_memory();
}

const char *grt_stack_names_top(char *to, size_t room, const char *text)
{
	const char *end = text + strlen(text), *begin;
	size_t at = 0;

	*to = '\0';
	while (end > text) {
		bool is_last;

		for (begin = end; begin > text && begin[-1] != ';'; begin--)
			;
		is_last = begin == text;
		/* Room for " < ..." behind it, unless it is the last one. */
		if (at + (at ? 3 : 0) + (end - begin) + (is_last ? 1 : 7) > room) {
			snprintf(to + at, room - at, "%s...", at ? " < " : "");
			break;
		}
		at += snprintf(to + at, room - at, "%s%.*s", at ? " < " : "", (int)(end - begin), begin);
		end = is_last ? text : begin - 1;
	}
	return to;
}
