// SPDX-License-Identifier: LGPL-2.1
#include "template.h"

#include <string.h>

const struct grt_slot_desc grt_slots[GRT_NR_SLOTS] = {
#define GRT_X(NAME, name, kind) { #name, GRT_SLOT_##kind },
	GRT_SLOTS(GRT_X)
#undef GRT_X
};

/* Limits the number of ways to split a text that repeats parts of a template. */
#define MAX_TRIES	64

struct match {
	struct grt_foreign *ev;
	const char *end;	/* end of the text */
	unsigned int tries;
	bool is_cut;		/* the text ended within the template */
	bool is_in_tail;	/* within one of the ways in which the text may go on */
};

int grt_slot_named(const char *name, size_t len)
{
	for (int i = 0; i < GRT_NR_SLOTS; i++)
		if (strlen(grt_slots[i].name) == len && !memcmp(grt_slots[i].name, name, len))
			return i;
	return -1;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/*
 * A decimal number; hexadecimal with 0x or as a pointer.  Returns its end; NULL if there is none.
 */
static const char *number(const char *at, const char *end, bool is_pointer, uint64_t *value)
{
	bool is_negative = at < end && *at == '-' && !is_pointer;
	int base = is_pointer ? 16 : 10;
	const char *first;

	at += is_negative;
	if (end - at > 2 && at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
	}
	first = at;
	for (*value = 0; at < end && digit(*at) < base; at++)
		*value = *value * base + digit(*at);
	if (is_negative)
		*value = -*value;
	return at > first && at - first <= 20 ? at : NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

/* Steps over the template's literal text, up to its next brace or bar; NULL if the text differs. */
static const char *literal(struct match *m, const char **template, const char *at)
{
	const char *t = *template, *end = m->end;

	for (; *t && *t != '{' && *t != '|'; t++) {
		m->is_cut |= at == end;
		if (*t == ' ') {
			if (at == end || *at != ' ')
				return NULL;
			at = skip_blanks(at, end);
		} else if (at < end && *at == *t) {
			at++;
		} else {
			return NULL;
		}
	}
	*template = t;
	return at;
}

static bool match(struct match *m, const char *template, const char *at);

/* Matches the shortest text after which the rest of the template fits. */
static bool match_text(struct match *m, const char *rest, const char *at, int slot)
{
	const char *to = *rest ? memchr(at, *rest, m->end - at) : m->end;

	for (; to; to = to < m->end ? memchr(to + 1, *rest, m->end - to - 1) : NULL) {
		if (!m->tries--)
			break;
		if (!match(m, rest, to))
			continue;
		if (slot >= 0)
			grt_foreign_put(m->ev, slot, at, to - at);
		return true;
	}
	return false;
}

/* The text goes on as one of the parts between bars says, or in any other way. */
static bool match_tail(struct match *m, const char *tail, const char *at)
{
	m->is_in_tail = true;
	while (tail && !match(m, tail + 1, at))
		tail = strchr(tail + 1, '|');
	return true;
}

static bool match(struct match *m, const char *template, const char *at)
{
	const char *close, *rest, *to;
	uint64_t value = 0;
	int slot;

	at = literal(m, &template, at);
	if (!at || !*template || (*template == '|' && m->is_in_tail))
		return at;
	if (*template == '|')
		return match_tail(m, template, at);
	close = strchr(template, '}');
	rest = close + 1;
	slot = grt_slot_named(template + 1, close - template - 1);
	if (slot < 0 || grt_slots[slot].kind == GRT_SLOT_TEXT)
		return match_text(m, rest, at, slot);
	m->is_cut |= at == m->end;
	to = number(at, m->end, grt_slots[slot].kind == GRT_SLOT_POINTER, &value);
	if (!to || !match(m, rest, to))
		return false;
	grt_foreign_set(m->ev, slot, value);
	return true;
}

bool grt_template_match(const char *template, struct grt_piece text, struct grt_foreign *ev)
{
	struct match m = { .ev = ev, .end = text.at + text.len, .tries = MAX_TRIES };
	struct grt_slot_set had = ev->has;

	if (match(&m, template, text.at))
		return true;
	ev->has = had;
	return false;
}

bool grt_template_is_cut(const char *template, struct grt_piece text)
{
	struct grt_foreign ev = { .kind = NULL };
	struct match m = { .ev = &ev, .end = text.at + text.len, .tries = MAX_TRIES };

	return !match(&m, template, text.at) && m.is_cut;
}
