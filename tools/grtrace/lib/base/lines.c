// SPDX-License-Identifier: LGPL-2.1
#include "lines.h"

#include <stdio.h>
#include <string.h>

const char *grt_line_value(const char *text, size_t bytes, const char *name, size_t *len)
{
	size_t name_len = strlen(name);
	const char *end = text + bytes;

	for (const char *line = text; line < end; line++) {
		const char *stop = memchr(line, '\n', end - line);

		if (!stop)
			stop = end;
		if ((size_t)(stop - line) > name_len && !memcmp(line, name, name_len) &&
		    line[name_len] == '=') {
			*len = stop - line - name_len - 1;
			return line + name_len + 1;
		}
		line = stop;
	}
	return NULL;
}

bool grt_line_copy(char *to, size_t room, const char *text, size_t bytes, const char *name)
{
	size_t len;
	const char *value = grt_line_value(text, strnlen(text, bytes), name, &len);

	if (value)
		snprintf(to, room, "%.*s", (int)len, value);
	return value;
}
