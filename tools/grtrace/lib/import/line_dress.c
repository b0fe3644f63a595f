// SPDX-License-Identifier: LGPL-2.1
#include "line_dress.h"

#include <string.h>

#include "scan.h"

#define MAX_QUOTES	16
#define MAX_PREFIXES	4	/* a log of a log has two times and a caller */
#define MAX_STAMP	48	/* "[  904.058012 <    0.000012>]" */
#define MAX_WALL	32	/* the time of a day begins before this */
#define MAX_WORDS	3	/* zone, host and program */

#define NBSP		"\xc2\xa0"
#define BOM		"\xef\xbb\xbf"

struct grt_piece grt_line_unquote(struct grt_piece line, struct grt_line_dress *dress)
{
	const char *at = line.at, *end = at + line.len, *mark;

	if (grt_begins(at, end, BOM))
		at += strlen(BOM);
	for (mark = grt_skip_blanks(at, end); dress->quotes < MAX_QUOTES && mark < end && *mark == '>';
	     mark = grt_skip_blanks(at, end)) {
		at = mark + 1;
		dress->quotes++;
	}
	return (struct grt_piece){ at, end - at };
}

/* --- prefixes of logs; each returns its end, or @at if there is none --- */

/* "[  904.058012]", "[    T123]", "[Tue Nov 12 10:00:00 2024]"; "[003]" is a CPU. */
static const char *stamp_in_brackets(const char *at, const char *end)
{
	static const char allowed[] = "0123456789.:,+-<> ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	const char *to = at + 1;
	bool has_digit = false, is_number = true;

	if (at == end || *at != '[')
		return at;
	for (; to < end && *to != ']' && to - at < MAX_STAMP; to++) {
		if (!*to || !strchr(allowed, *to))
			return at;
		has_digit |= grt_is_digit(*to);
		is_number &= grt_is_digit(*to) || *to == ' ';
	}
	if (to == end || *to != ']' || !has_digit || is_number)
		return at;
	to++;
	return to == end || *to == ' ' || *to == '[' ? to : at;
}

/* "<0>" in front of a stamp. */
static const char *level(const char *at, const char *end)
{
	const char *to = at < end && *at == '<' ? grt_skip_digits(at + 1, end) : at;

	return to > at + 1 && to - at <= 4 && to < end && *to == '>' ? to + 1 : at;
}

/* "0,1234,904058012,-;" of /dev/kmsg */
static const char *kmsg(const char *at, const char *end)
{
	const char *to = at;

	for (int i = 0; i < 3; i++) {
		const char *first = to;

		to = grt_skip_digits(first, end);
		if (to == first || to == end || *to++ != ',')
			return at;
	}
	to = memchr(to, ';', end - to);
	return to ? to + 1 : at;
}

/* "kern  :emerg : " of dmesg -x */
static const char *facility(const char *at, const char *end)
{
	const char *to = at;

	for (int i = 0; i < 2; i++) {
		const char *first = to;

		while (to < end && grt_is_letter(*to))
			to++;
		if (to == first)
			return at;
		to = grt_skip_blanks(to, end);
		if (to == end || *to++ != ':')
			return at;
	}
	return to;
}

static bool is_time_of_day(const char *at, const char *end)
{
	static const char form[] = "00:00:00";

	if (end - at < (int)strlen(form))
		return false;
	for (size_t i = 0; form[i]; i++)
		if (form[i] == ':' ? at[i] != ':' : !grt_is_digit(at[i]))
			return false;
	return true;
}

/* "Nov 12 10:00:00", "2024-11-12T10:00:00.123456+01:00", "Tue 2024-11-12 10:00:00" */
static const char *wall_clock(const char *at, const char *end)
{
	const char *to = at;

	if (at < end && !grt_is_letter(*at) && !grt_is_digit(*at))
		return at;
	while (!is_time_of_day(to, end)) {
		if (to == end || to - at > MAX_WALL || (!grt_is_letter(*to) && !grt_is_digit(*to) && *to != ' ' && *to != '-'))
			return at;
		to++;
	}
	to += strlen("00:00:00");
	if (to < end && (*to == '.' || *to == ','))
		to = grt_skip_digits(to + 1, end);
	if (to < end && *to == 'Z')
		return to + 1;
	if (to < end && (*to == '+' || *to == '-'))
		while (to < end && (*to == '+' || *to == '-' || *to == ':' || grt_is_digit(*to)))
			to++;
	return to;
}

/* "1731402000.123456 ", a time in seconds, is in front of a host only. */
static const char *seconds(const char *at, const char *end)
{
	const char *dot = grt_skip_digits(at, end), *to = dot < end && *dot == '.' ? grt_skip_digits(dot + 1, end) : at;

	return to > dot + 1 && dot > at && to < end && *to == ' ' ? to : at;
}

/* "host kernel: ", "host logger[123]: ", "UTC host kernel: " behind a time. */
static const char *host_and_program(const char *at, const char *end)
{
	const char *to = at, *first;

	for (int i = 0; i < MAX_WORDS; i++) {
		first = grt_skip_blanks(to, end);
		if (first == to || first == end || (!grt_is_letter(*first) && !grt_is_digit(*first)))
			return at;
		for (to = first; to < end && *to != ' ' && *to != '\t'; to++)
			;
		/* The stamp of an event ends in a colon, too, but begins with a digit. */
		if ((i || grt_begins(first, end, "kernel: ")) && to[-1] == ':' && grt_is_letter(*first) &&
		    !memchr(first, ':', to - 1 - first))
			return to;
	}
	return at;
}

static const char *one_prefix(const char *at, const char *end)
{
	const char *to;

	to = wall_clock(at, end);
	if (to == at)
		to = stamp_in_brackets(at, end);
	if (to > at)
		return host_and_program(to, end);
	to = seconds(at, end);
	if (to > at && host_and_program(to, end) > to)
		return host_and_program(to, end);
	to = level(at, end);
	if (to == at)
		to = kmsg(at, end);
	return to > at ? to : facility(at, end);
}

struct grt_piece grt_line_unlog(struct grt_piece line, struct grt_line_dress *dress)
{
	const char *at = line.at, *end = at + line.len;

	for (int i = 0; i < MAX_PREFIXES; i++) {
		const char *first = grt_skip_blanks(at, end), *to = one_prefix(first, end);

		if (to == first)
			break;
		at = to;
		dress->is_logged = true;
	}
	return (struct grt_piece){ at, end - at };
}

/* --- escapes --- */

static const struct escape {
	const char *text, *plain;
} escapes[] = {
	{ "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" }, { "&quot;", "\"" }, { "&#39;", "'" }, { "&#x27;", "'" },
	{ "&#34;", "\"" }, { "&apos;", "'" }, { "&nbsp;", " " }, { "&#160;", " " }, { NBSP, " " },
};

#define NR_ESCAPES	(sizeof(escapes) / sizeof(escapes[0]))

bool grt_line_is_escaped(struct grt_piece line)
{
	static const char *const words[] = { "&lt;idle&gt;", "&lt;...&gt;", "=&gt; " };

	const char *end = line.at + line.len;

	if (memmem(line.at, line.len, NBSP, strlen(NBSP)) || grt_begins(grt_skip_blanks(line.at, end), end, "&gt; "))
		return true;
	if (!memchr(line.at, '&', line.len))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(line.at, line.len, words[i], strlen(words[i])))
			return true;
	return false;
}

static const struct escape *escape_at(const char *at, const char *end)
{
	if (*at != '&' && *at != NBSP[0])
		return NULL;
	for (size_t i = 0; i < NR_ESCAPES; i++)
		if (grt_begins(at, end, escapes[i].text))
			return &escapes[i];
	return NULL;
}

struct grt_piece grt_line_unescape(struct grt_piece line, char buffer[GRT_DRESSED_BYTES])
{
	const char *at = line.at, *end = at + line.len;
	char *to = buffer;

	if (line.len > GRT_DRESSED_BYTES)
		return line;
	while (at < end) {
		const struct escape *e = escape_at(at, end);

		*to++ = e ? *e->plain : *at;
		at += e ? strlen(e->text) : 1;
	}
	return (struct grt_piece){ buffer, to - buffer };
}
