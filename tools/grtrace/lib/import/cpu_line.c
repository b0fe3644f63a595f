// SPDX-License-Identifier: LGPL-2.1
#include "cpu_line.h"

#include <stdbool.h>
#include <string.h>

#include "scan.h"

#define MAX_COMM	((int)sizeof(((struct grt_cpu_event *)0)->comm) - 1)
#define MAX_NAME	64	/* longer than a kernel stores; bounds the time for hostile lines */
#define MAX_SECONDS	(UINT64_MAX / 1000000000 - 1)

enum value { PID, TID, CMD, ARG, RET, DURATION, NR_VALUES };

/* The values of each type, after the name of its event. */
static const struct key {
	const char *name;
	unsigned int types;	/* bit per type of event that has it */
	bool is_signed;
	uint64_t most;
} keys[NR_VALUES] = {
	[PID] = { "pid", 1 << GRT_IOCTL_ENTER | 1 << GRT_IOCTL_EXIT, false, UINT32_MAX },
	[TID] = { "tid", 1 << GRT_IOCTL_ENTER | 1 << GRT_IOCTL_EXIT, false, UINT32_MAX },
	[CMD] = { "cmd", 1 << GRT_IOCTL_ENTER, false, UINT32_MAX },
	[ARG] = { "arg", 1 << GRT_IOCTL_ENTER, false, UINT64_MAX },
	[RET] = { "ret", 1 << GRT_IOCTL_EXIT, true, UINT64_MAX },
	[DURATION] = { "duration_ns", 1 << GRT_IOCTL_EXIT, false, UINT64_MAX },
};

struct values {
	unsigned int has;	/* bit per value */
	uint64_t number[NR_VALUES];
};

/* Parses "[1234567.123456]".  Returns its end, NULL if there is none. */
static const char *stamp(const char *at, const char *end, struct grt_cpu_event *ev)
{
	uint64_t secs = 0, ns = 0, unit = 1000000000;
	const char *first;

	if (at == end || *at != '[')
		return NULL;
	first = at = grt_skip_blanks(at + 1, end);
	for (; at < end && grt_is_digit(*at) && secs <= MAX_SECONDS; at++)
		secs = secs * 10 + (*at - '0');
	if (at == first || at == end || *at != '.' || secs > MAX_SECONDS)
		return NULL;
	first = ++at;
	for (; at < end && grt_is_digit(*at) && unit > 1; at++) {
		unit /= 10;
		ns += unit * (*at - '0');
	}
	if (at == first || at == end || *at != ']')
		return NULL;
	ev->ts = secs * 1000000000 + ns;
	ev->res_ns = unit < 1000 ? unit : 1000;
	return at + 1;
}

static const char *event_name(const char *at, const char *end, struct grt_cpu_event *ev)
{
	static const char *const names[] = {
		[GRT_IOCTL_ENTER] = "IOCTL_ENTER", [GRT_IOCTL_EXIT] = "IOCTL_EXIT",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);

		if ((size_t)(end - at) <= len || memcmp(at, names[i], len) || at[len] != ' ')
			continue;
		ev->type = i;
		return at + len;
	}
	return NULL;
}

static int digit(char c)
{
	if (grt_is_digit(c))
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return 16;
}

/* A decimal number, or a hexadecimal one with 0x.  Returns its end; NULL: none, or too large. */
static const char *number(const char *at, const char *end, const struct key *key, uint64_t *value)
{
	bool is_negative = key->is_signed && at < end && *at == '-';
	uint64_t most = is_negative ? (uint64_t)INT64_MAX + 1 : key->most, n = 0;
	const char *first;
	int base = 10;

	at += is_negative;
	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
		base = 16;
		at += 2;
	} else if (key->is_signed && !is_negative) {
		most = INT64_MAX;	/* 0xffffffffffffffea means -22, but 18446744073709551594 is wrong */
	}
	for (first = at; at < end && digit(*at) < base; at++) {
		if (n > (most - digit(*at)) / base)
			return NULL;
		n = n * base + digit(*at);
	}
	*value = is_negative ? -n : n;
	return at > first && (at == end || *at == ' ') ? at : NULL;
}

/* Parses "pid=5678 tid=5679", each value at most once, up to @end.  False: there is other text. */
static bool take_values(const char *at, const char *end, unsigned int type, struct values *v)
{
	for (at = grt_skip_blanks(at, end); at < end; at = grt_skip_blanks(at, end)) {
		const char *equals = memchr(at, '=', end - at < 16 ? end - at : 16);
		int i = 0;

		while (equals && i < NR_VALUES &&
		       (!(keys[i].types >> type & 1) || strlen(keys[i].name) != (size_t)(equals - at) ||
			memcmp(keys[i].name, at, equals - at)))
			i++;
		if (!equals || i == NR_VALUES || v->has >> i & 1)
			return false;
		at = number(equals + 1, end, &keys[i], &v->number[i]);
		if (!at)
			return false;
		v->has |= 1u << i;
	}
	return true;
}

/*
 * The name of the thread goes up to the first blank after which there are only values.  False: no
 * such blank is near.
 */
static bool take_name(const char *at, const char *end, struct grt_cpu_event *ev, struct values *v)
{
	const char *near = end - at < MAX_NAME ? end : at + MAX_NAME, *to = at;
	struct values all;

	for (;; to++) {
		to = memchr(to, ' ', near - to);
		if (!to && near < end)
			return false;
		all = *v;
		if (!to || take_values(to, end, ev->type, &all))
			break;
	}
	if (!to)
		to = end;
	else
		*v = all;
	memcpy(ev->comm, at, to - at < MAX_COMM ? to - at : MAX_COMM);
	return true;
}

static void fill(struct grt_cpu_event *ev, const struct values *v)
{
	static const uint8_t bits[NR_VALUES] = {
		[CMD] = GRT_CPU_HAS_CMD, [ARG] = GRT_CPU_HAS_ARG, [RET] = GRT_CPU_HAS_RET,
		[DURATION] = GRT_CPU_HAS_DURATION,
	};

	for (int i = 0; i < NR_VALUES; i++)
		if (v->has >> i & 1)
			ev->has |= bits[i];
	ev->pid = v->number[PID];
	ev->tid = v->has >> TID & 1 ? v->number[TID] : v->number[PID];
	ev->cmd = v->number[CMD];
	ev->arg = v->number[ARG];
	ev->ret = v->number[RET];
	ev->duration_ns = v->number[DURATION];
}

static const char *trim(const char *at, const char *end)
{
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

/* Cuts the last word off if it is the name of the ioctl: "name=AMDGPU_CS". */
static const char *without_ioctl_name(const char *at, const char *end)
{
	static const char key[] = " name=";
	const size_t len = sizeof(key) - 1;
	const char *first = end;

	while (first > at && end - first < MAX_NAME &&
	       (grt_is_digit(first[-1]) || first[-1] == '_' || (first[-1] >= 'A' && first[-1] <= 'Z')))
		first--;
	if (first == end || (size_t)(first - at) < len || memcmp(first - len, key, len))
		return end;
	return trim(at, first - len);
}

enum grt_cpu_line grt_cpu_line_parse(const char *at, size_t len, struct grt_cpu_event *ev)
{
	static const char comm[] = " comm=";
	const char *end = at + len, *name;
	struct values v = { 0 };

	end = trim(at, end);
	at = grt_skip_blanks(at, end);
	if (at == end || *at == '#')
		return GRT_CPU_LINE_OTHER;
	*ev = (struct grt_cpu_event){ 0 };
	at = stamp(at, end, ev);
	at = at ? event_name(grt_skip_blanks(at, end), end, ev) : NULL;
	if (!at)
		return GRT_CPU_LINE_UNREADABLE;
	if (ev->type == GRT_IOCTL_ENTER)
		end = without_ioctl_name(at, end);
	name = memmem(at, end - at, comm, sizeof(comm) - 1);
	if (!take_values(at, name ? name : end, ev->type, &v) ||
	    (name && !take_name(name + sizeof(comm) - 1, end, ev, &v)) ||
	    !(v.has & (1 << PID | 1 << TID)))
		return GRT_CPU_LINE_UNREADABLE;
	fill(ev, &v);
	return GRT_CPU_LINE_EVENT;
}

bool grt_cpu_line_lost(const char *at, size_t len, uint64_t *count)
{
	static const char text[] = " lost on CPU ";
	const char *end = at + len, *first;

	if (len < 2 || at[0] != '#' || at[1] != ' ')
		return false;
	*count = 0;
	first = at += 2;
	for (; at < end && grt_is_digit(*at) && *count < UINT64_MAX / 10 - 1; at++)
		*count = *count * 10 + (*at - '0');
	if (at == first)
		return false;
	at = memmem(at, end - at, text, sizeof(text) - 1);
	return at && at + sizeof(text) - 1 < end && grt_is_digit(at[sizeof(text) - 1]);
}
