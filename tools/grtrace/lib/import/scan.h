/* SPDX-License-Identifier: LGPL-2.1 */
/* Steps through a line of text, which is not terminated. */
#ifndef GRT_IMPORT_SCAN_H
#define GRT_IMPORT_SCAN_H

#include <stdbool.h>
#include <string.h>

static inline bool grt_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool grt_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Behind the blanks and tabs at @at. */
static inline const char *grt_skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* Behind the digits at @at. */
static inline const char *grt_skip_digits(const char *at, const char *end)
{
	while (at < end && grt_is_digit(*at))
		at++;
	return at;
}

static inline bool grt_begins(const char *at, const char *end, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(end - at) >= len && !memcmp(at, with, len);
}

#endif /* GRT_IMPORT_SCAN_H */
