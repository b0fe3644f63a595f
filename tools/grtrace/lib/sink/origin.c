// SPDX-License-Identifier: LGPL-2.1
#include "origin.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *key, *words;
} origins[] = {
#define GRT_X(key, words) { #key, words },
	GRT_ORIGINS(GRT_X)
#undef GRT_X
};

/* The value of a line that begins with @key, or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	return !strncmp(line, key, len) && line[len] == '=' ? line + len + 1 : NULL;
}

bool grt_origin_next(const char **text, const char **words, char *value, size_t room)
{
	while (*text && **text) {
		const char *line = *text, *at;

		*text += strcspn(line, "\n");
		*text += **text == '\n';
		for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
			at = value_of(line, origins[i].key);
			if (!at)
				continue;
			snprintf(value, room, "%.*s", (int)strcspn(at, "\n"), at);
			*words = origins[i].words;
			return true;
		}
	}
	return false;
}

bool grt_origin_find(const char *text, const char *key, char *value, size_t room)
{
	for (; text && *text; text += *text == '\n') {
		const char *at = value_of(text, key);

		if (at) {
			snprintf(value, room, "%.*s", (int)strcspn(at, "\n"), at);
			return true;
		}
		text += strcspn(text, "\n");
	}
	return false;
}

bool grt_origin_source(const char *text, char *value, size_t room)
{
	if (grt_origin_find(text, "merge", value, room))
		return false;
	if (grt_origin_find(text, "source", value, room))
		return true;
	return grt_origin_find(text, "imported", value, room) && snprintf(value, room, "import");
}
