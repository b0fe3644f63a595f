// SPDX-License-Identifier: LGPL-2.1
#include "line.h"

#include <string.h>

#include "scan.h"

#define MIN_FLAGS	4	/* "d.h2" until Linux 5.13 */
#define MAX_FLAGS	8	/* "dnh2.." in newer kernels */
#define MAX_CPU_DIGITS	5

/*
 * The stamp begins before this offset.  The limit bounds the time for lines with many
 * almost-stamps.
 */
#define MAX_HEAD	256

static const char *digits(const char *at, const char *end, uint64_t *value)
{
	const char *first = at;

	for (*value = 0; at < end && grt_is_digit(*at) && at - first < 19; at++)
		*value = *value * 10 + (*at - '0');
	return at;
}

/* Parses "904.058012:".  Returns its end, NULL if there is none. */
static const char *stamp(const char *at, const char *end, uint64_t *ts)
{
	uint64_t secs, frac;
	const char *dot = digits(at, end, &secs), *to;

	if (dot == at || dot == end || *dot != '.' || secs > UINT64_MAX / 1000000000 - 1)
		return NULL;
	to = digits(dot + 1, end, &frac);
	if (to == dot + 1 || to - dot > 10 || to == end || *to != ':')
		return NULL;
	for (int i = to - dot - 1; i < 9; i++)
		frac *= 10;
	*ts = secs * 1000000000 + frac;
	return to + 1;
}

/* Parses "904.058012:" or "10311000000000:", as the clock of the trace has it. */
static const char *stamp_or_ticks(const char *at, const char *end, struct grt_foreign *ev)
{
	const char *to = stamp(at, end, &ev->ts);

	ev->is_ticks = !to;
	if (to)
		return to;
	to = digits(at, end, &ev->ts);
	return to > at && to < end && *to == ':' ? to + 1 : NULL;
}

/* "[003] d..2. 904.058012:" */
static const char *cpu_and_stamp(const char *at, const char *end, struct grt_foreign *ev)
{
	uint64_t cpu;
	const char *to = digits(at + 1, end, &cpu), *flags;

	if (to == at + 1 || to - at > MAX_CPU_DIGITS + 1 || to == end || *to != ']')
		return NULL;
	at = grt_skip_blanks(to + 1, end);
	to = stamp_or_ticks(at, end, ev);
	if (!to) {
		for (flags = at; at < end && *at != ' ' && at - flags < MAX_FLAGS; at++)
			;
		to = stamp_or_ticks(grt_skip_blanks(at, end), end, ev);
	}
	ev->cpu = cpu;
	return to;
}

/* Parses "904058012us : " of the latency format, with a mark of the time to the next event, or "10311000000000: ". */
static const char *latency_stamp(const char *at, const char *end, struct grt_foreign *ev)
{
	static const char marks[] = " +!#*@$";
	const char *to = digits(at, end, &ev->ts);

	ev->is_ticks = true;
	if (to == at)
		return NULL;
	if (end - to > 3 && !memcmp(to, "us", 2)) {
		if (!memchr(marks, to[2], strlen(marks)) || ev->ts > UINT64_MAX / 1000)
			return NULL;
		ev->ts *= 1000;
		ev->is_ticks = false;
		to += 3;
	}
	return end - to > 1 && to[0] == ':' && to[1] == ' ' ? to + 1 : NULL;
}

/* "3d.h3. 904058012us : ": what the kernel prints to its log, and with the option latency-format. */
static const char *latency(const char *at, const char *end, struct grt_foreign *ev)
{
	static const char irqs_off[] = ".dDXb?";
	const char *flags, *to;
	uint64_t cpu;

	flags = digits(at, end, &cpu);
	if (flags == at || flags - at > MAX_CPU_DIGITS || flags == end || !memchr(irqs_off, *flags, strlen(irqs_off)))
		return NULL;
	for (to = flags; to < end && *to != ' ' && to - flags <= MAX_FLAGS; to++)
		;
	if (to == end || *to != ' ' || to - flags < MIN_FLAGS)
		return NULL;
	ev->cpu = cpu;
	return latency_stamp(grt_skip_blanks(to, end), end, ev);
}

static void set_comm(struct grt_foreign *ev, const char *at, const char *end)
{
	size_t len = end - at < (int)sizeof(ev->comm) ? end - at : (int)sizeof(ev->comm) - 1;

	/* ftrace prints this if it does not set_key the name. */
	if (len == 5 && !memcmp(at, "<...>", 5))
		len = 0;
	memset(ev->comm, 0, sizeof(ev->comm));
	memcpy(ev->comm, at, len);
}

/* Parses "comm-123 ( 120)" or "comm 120/123", in front of the CPU or stamp. */
static bool head(const char *at, const char *end, struct grt_foreign *ev)
{
	uint64_t tgid = 0, tid;
	const char *open, *first;

	at = grt_skip_blanks(at, end);
	while (end > at && end[-1] == ' ')
		end--;
	if (end > at && end[-1] == ')') {
		open = memrchr(at, '(', end - at);
		if (!open)
			return false;
		/* "(-----)" means not known. */
		digits(grt_skip_blanks(open + 1, end), end, &tgid);
		end = open;
		while (end > at && end[-1] == ' ')
			end--;
	}
	for (first = end; first > at && grt_is_digit(first[-1]); first--)
		;
	if (first == end || end - first > 10 || first == at)
		return false;
	digits(first, end, &tid);
	if (first[-1] == '/') {
		end = first - 1;
		for (first = end; first > at && grt_is_digit(first[-1]); first--)
			;
		digits(first, end, &tgid);
	}
	if (first - 1 <= at || (first[-1] != '-' && first[-1] != ' '))
		return false;
	end = first - 1;
	while (end > at && *end == ' ' && end[-1] == ' ')
		end--;
	ev->tid = tid;
	ev->tgid = tgid;
	set_comm(ev, at, end);
	return true;
}

/*
 * Parses "sys_ioctl -> 0x0" and "sys_getpid()": the kernel prints system calls without the names of
 * their events.  "sys_ioctl(fd: 3, cmd: 0x6444)" looks like an event "sys_ioctl(fd".
 */
static bool system_call(const char *at, const char *end, struct grt_foreign *ev)
{
	const char *name = at;

	if (end - at < 4 || memcmp(at, "sys_", 4))
		return false;
	while (at < end && *at != '(' && *at != ' ' && *at != ':')
		at++;
	if (end - at >= 4 && !memcmp(at, " -> ", 4))
		ev->text = (struct grt_piece){ at + 1, end - at - 1 };
	else if (end - at == 2 && !memcmp(at, "()", 2))
		ev->text = (struct grt_piece){ at, 2 };
	else
		return false;
	ev->name = (struct grt_piece){ name, at - name };
	return true;
}

/* Parses "system:event: text" after the stamp; perf may have a period in front. */
static bool tail(const char *at, const char *end, struct grt_foreign *ev)
{
	const char *colon, *name;
	uint64_t period;

	at = grt_skip_blanks(at, end);
	name = digits(at, end, &period);
	if (name > at && name < end && *name == ' ')
		at = grt_skip_blanks(name, end);
	if (system_call(at, end, ev))
		return true;
	for (colon = at; colon < end && *colon != ' '; colon++)
		if (*colon == ':' && (colon + 1 == end || colon[1] == ' ' || colon[1] == '\t'))
			break;
	if (colon == end || *colon != ':' || colon == at)
		return false;
	name = memrchr(at, ':', colon - at);
	ev->system = (struct grt_piece){ at, name ? (size_t)(name - at) : 0 };
	name = name ? name + 1 : at;
	ev->name = (struct grt_piece){ name, colon - name };
	at = grt_skip_blanks(colon + 1, end);
	ev->text = (struct grt_piece){ at, end - at };
	return ev->name.len;
}

/*
 * Parses "CPU:2 [LOST 33 EVENTS]" of the kernel, "CPU:2 [33 EVENTS DROPPED]" and "CPU:2 [EVENTS
 * DROPPED]" of trace-cmd, "LOST 33 events!" of perf.
 */
static bool missing_line(const char *at, const char *end, struct grt_missing *missing)
{
	const char *lost = memmem(at, end - at, "LOST ", 5);
	const char *dropped = lost ? NULL : memmem(at, end - at, "EVENTS DROPPED]", 15);
	const char *open = dropped ? memrchr(at, '[', dropped - at) : NULL;
	uint64_t cpu = 0;

	if (!lost && !open)
		return false;
	if (end - at > 4 && !memcmp(at, "CPU:", 4))
		digits(at + 4, end, &cpu);
	else if (!lost || !memmem(lost, end - lost, "events!", 7))
		return false;
	missing->cpu = cpu;
	digits(lost ? lost + 5 : open + 1, end, &missing->count);
	return true;
}

/* "** 123 printk messages dropped **" on the console of the kernel, "Missed 123 kernel messages" in the journal */
static bool dropped_line(const char *at, const char *end, struct grt_missing *missing)
{
	static const struct {
		const char *before, *behind;
	} forms[] = { { "** ", " printk messages dropped" }, { "Missed ", " kernel messages" } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!grt_begins(at, end, forms[i].before))
			continue;
		at = digits(at + strlen(forms[i].before), end, &missing->count);
		return grt_begins(at, end, forms[i].behind);
	}
	return false;
}

/* "# entries-in-buffer/entries-written: 205/9821   #P:4", "# latency: 0 us, #205/9821, CPU#0 | (M:..." */
static bool is_wrapped(const char *at, const char *end)
{
	static const char words[] = "# entries-in-buffer/entries-written: ", latency[] = "# latency: ";
	uint64_t have, written;

	if (grt_begins(at, end, words))
		at += strlen(words);
	else if (grt_begins(at, end, latency) && memchr(at + strlen(latency), '#', end - at - strlen(latency)))
		at = memchr(at + strlen(latency), '#', end - at - strlen(latency));
	else
		return false;
	at = digits(at + (at < end && *at == '#'), end, &have);
	if (at == end || *at != '/')
		return false;
	digits(at + 1, end, &written);
	return written > have;
}

/* What stands at the begin or end of a trace, in front of which and behind which anything else may stand. */
static bool is_border(const char *at, const char *end)
{
	static const char *const heads[] = {
		"# tracer: ", "```", "~~~", "-- Logs begin", "-- Journal begins", "-- Boot ", "Dumping ftrace ",
		"---------------------------------", "cpus=",
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (grt_begins(at, end, heads[i]))
			return true;
	return false;
}

/* Lines that these tools print beside events: headers, stack traces, empty lines. */
static bool is_no_event(const char *at, const char *end)
{
	static const char *const heads[] = { "version = ", "=> ", "CPU " };
	const char *first = at, *hex;

	at = grt_skip_blanks(at, end);
	if (at == end)
		return true;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (grt_begins(at, end, heads[i]))
			return true;
	if (memmem(at, end - at, "stack trace>", 12))
		return true;
	/* perf: "	ffffffff81098d22 schedule+0x22 ([kernel.kallsyms])" */
	for (hex = at; hex < end && (grt_is_digit(*hex) || (*hex >= 'a' && *hex <= 'f')); hex++)
		;
	return at > first && hex - at >= 5 && hex < end && *hex == ' ';
}

/*
 * "14150@1795716337.670412:virtio_gpu_fence_ctrl fence 0x27, type 0x207": QEMU's log with -msg
 * timestamp=on (QEMU 5.2 to 10.0: scripts/tracetool/backend/log.py).
 */
static bool qemu_line(const char *at, const char *end, struct grt_foreign *ev)
{
	static const char system[] = GRT_QEMU_SYSTEM;
	const char *name;
	uint64_t tid;

	name = digits(at, end, &tid);
	if (name == at || name == end || *name != '@')
		return false;
	name = stamp(name + 1, end, &ev->ts);
	if (!name || name == end || grt_is_digit(*name) || *name == ' ')
		return false;
	for (at = name; at < end && *at != ' '; at++)
		;
	ev->cpu = 0;
	ev->tid = ev->tgid = tid;
	set_comm(ev, system, system + strlen(system));
	ev->system = (struct grt_piece){ system, strlen(system) };
	ev->name = (struct grt_piece){ name, at - name };
	at = grt_skip_blanks(at, end);
	ev->text = (struct grt_piece){ at, end - at };
	return true;
}

/* Parses a line in which a place with CPU and time follows each @before. */
static bool find_place(const char *at, size_t len, char before, struct grt_foreign *ev, bool *has_stamp)
{
	const char *end = at + len, *near = at + (len < MAX_HEAD ? len : MAX_HEAD), *open, *to;

	for (open = memchr(at, before, near - at); open; open = memchr(open + 1, before, near - open - 1)) {
		to = before == '[' ? cpu_and_stamp(open, end, ev) : latency(open + 1, end, ev);
		*has_stamp = *has_stamp || to;
		if (to && head(at, open, ev) && tail(to, end, ev))
			return true;
	}
	return false;
}

/* The same without a CPU: a stamp after a blank. */
static bool find_stamp(const char *at, size_t len, struct grt_foreign *ev, bool *has_stamp)
{
	const char *end = at + len, *near = at + (len < MAX_HEAD ? len : MAX_HEAD), *open, *to;

	ev->cpu = 0;
	ev->is_ticks = false;
	for (open = memchr(at, ' ', near - at); open; open = memchr(open + 1, ' ', near - open - 1)) {
		to = stamp(open + 1, end, &ev->ts);
		*has_stamp = *has_stamp || to;
		if (to && head(at, open, ev) && tail(to, end, ev))
			return true;
	}
	return false;
}

enum grt_line grt_line_parse(const char *at, size_t len, struct grt_foreign *ev,
			     struct grt_missing *missing)
{
	const char *end = at + len, *first = grt_skip_blanks(at, end);
	bool has_stamp = false;

	if (qemu_line(at, end, ev) || find_place(at, len, '[', ev, &has_stamp))
		return GRT_LINE_EVENT;
	if (missing_line(first, end, missing))
		return GRT_LINE_MISSING;
	if (dropped_line(first, end, missing))
		return GRT_LINE_DROPPED;
	if (is_border(first, end))
		return GRT_LINE_BORDER;
	if (first < end && *first == '#')
		return is_wrapped(first, end) ? GRT_LINE_WRAPPED : GRT_LINE_OTHER;
	if (find_place(at, len, ' ', ev, &has_stamp) || find_stamp(at, len, ev, &has_stamp))
		return GRT_LINE_EVENT;
	if (is_no_event(at, end))
		return GRT_LINE_OTHER;
	return has_stamp ? GRT_LINE_DAMAGED : GRT_LINE_UNKNOWN;
}
