// SPDX-License-Identifier: LGPL-2.1
#include "merged_line.h"

#include <string.h>

#include "scan.h"

#define MAX_SECONDS	(UINT64_MAX / 1000000000 - 1)

/* "[1234567.123456] ".  Returns its end, NULL if there is none. */
static const char *stamp(const char *at, const char *end, uint64_t *ts)
{
	uint64_t secs = 0, ns = 0, unit = 1000000000;
	const char *first;

	if (at == end || *at++ != '[')
		return NULL;
	for (first = at; at < end && grt_is_digit(*at) && secs <= MAX_SECONDS; at++)
		secs = secs * 10 + (*at - '0');
	if (at == first || at == end || *at++ != '.' || secs > MAX_SECONDS)
		return NULL;
	for (first = at; at < end && grt_is_digit(*at) && unit > 1; at++) {
		unit /= 10;
		ns += unit * (*at - '0');
	}
	if (at == first || end - at < 2 || at[0] != ']' || at[1] != ' ')
		return NULL;
	*ts = secs * 1000000000 + ns;
	return at + 2;
}

bool grt_merged_line_parse(const char *at, size_t len, struct grt_merged_line *line)
{
	const char *end = at + len, *arrow;

	at = stamp(at, end, &line->ts);
	if (!at || end - at < 6)
		return false;
	line->is_gpu = !memcmp(at, "GPU ", 4);
	if (!line->is_gpu && memcmp(at, "CPU ", 4) != 0)
		return false;
	at += 4;
	line->type.at = at;
	while (at < end && ((*at >= 'A' && *at <= 'Z') || *at == '_'))
		at++;
	line->type.len = at - line->type.at;
	if (!line->type.len || (at < end && *at != ' '))
		return false;
	at += at < end;
	/* A text in quotes may have an arrow, but comes last. */
	arrow = memmem(at, end - at, " <- ", 4);
	if (arrow && memchr(at, '"', arrow - at))
		arrow = NULL;
	if (!arrow && end - at > 2 && !memcmp(at, "<- ", 3))
		arrow = at - 1;
	line->values = (struct grt_piece){ at, (arrow && arrow >= at ? arrow : arrow ? at : end) - at };
	line->delta = arrow ? (struct grt_piece){ arrow + 4, end - arrow - 4 } : (struct grt_piece){ end, 0 };
	return true;
}

static const char *end_of_quotes(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : NULL;
}

bool grt_merged_line_value(struct grt_piece *values, struct grt_piece *key, struct grt_piece *value)
{
	const char *at = values->at, *end = at + values->len, *equals = memchr(at, '=', values->len), *to;

	if (!equals)
		return false;
	*key = (struct grt_piece){ at, equals - at };
	at = equals + 1;
	if (at < end && *at == '"') {
		to = end_of_quotes(at, end);
		if (!to)
			return false;
	} else {
		to = memchr(at, ',', end - at);
		if (!to)
			to = end;
	}
	*value = (struct grt_piece){ at, to - at };
	while (to < end && (*to == ',' || *to == ' '))
		to++;
	*values = (struct grt_piece){ to, end - to };
	return true;
}

bool grt_merged_number(struct grt_piece piece, uint64_t *number)
{
	const char *at = piece.at, *end = at + piece.len;
	bool is_negative = at < end && *at == '-';
	unsigned int base = 10;
	const char *first;

	at += is_negative;
	if (end - at > 2 && at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
	}
	*number = 0;
	for (first = at; at < end && at - first < 20; at++) {
		unsigned int digit = grt_is_digit(*at) ? (unsigned int)(*at - '0') :
				     *at >= 'a' && *at <= 'f' ? (unsigned int)(*at - 'a' + 10) : 16;

		if (digit >= base || *number > (UINT64_MAX - digit) / base)
			return false;
		*number = *number * base + digit;
	}
	if (is_negative)
		*number = -*number;
	return at > first && at == end;
}
