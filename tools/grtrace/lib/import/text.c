// SPDX-License-Identifier: LGPL-2.1
/* Reads text of ftrace, trace-cmd, perf and QEMU, line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "import_private.h"
#include "io.h"
#include "line.h"
#include "line_dress.h"
#include "lines_read.h"
#include "reader.h"
#include "template.h"

#define FIRST_BYTES	(1u << 16)	/* of a file with other bytes than text, an event is sought only here */
#define HASH_SLOTS	256
#define SHOWN_BYTES	128		/* of a line that is shown to the user */

/*
 * Lines that do not look like events.  Between two events they are events that a terminal or an editor cut.
 * Elsewhere they are what people and programs write around a trace.
 */
struct pending {
	struct grt_bad_lines lines;
	char first[SHOWN_BYTES];
};

struct text {
	const struct grt_visitor *visitor;
	uint8_t kinds[HASH_SLOTS];	/* by hash of the name: number + 1 */
	bool is_over, is_qemu;		/* @is_qemu: a line of QEMU was there */
	bool is_escaped;		/* a line that is escaped for a page was there */
	uint64_t line;			/* number of the current one */
	uint64_t timed, ticks;		/* events whose time is in seconds, and in ticks of a clock */
	bool is_within;			/* the last line that was read was an event, with this dress: */
	struct grt_line_dress dress;
	struct pending pending;
	char buffer[GRT_DRESSED_BYTES];
};

_Static_assert(HASH_SLOTS > GRT_MAX_KINDS, "more than kinds, so that probes end");

static unsigned int hash(struct grt_piece name)
{
	unsigned int h = 2166136261u;

	for (size_t i = 0; i < name.len; i++)
		h = (h ^ (unsigned char)name.at[i]) * 16777619u;
	return (h ^ h >> 16) % HASH_SLOTS;
}

static void index_kinds(struct text *t)
{
	for (size_t i = 0; i < t->visitor->nr_kinds && i < GRT_MAX_KINDS; i++) {
		const char *text = t->visitor->kinds[i].name;
		struct grt_piece name = { text, strlen(text) };
		unsigned int at = hash(name);

		while (t->kinds[at])
			at = (at + 1) % HASH_SLOTS;
		t->kinds[at] = i + 1;
	}
}

static bool is_of_system(const struct grt_foreign *ev, const char *system)
{
	return !ev->system.len ||
	       (strlen(system) == ev->system.len && !memcmp(system, ev->system.at, ev->system.len));
}

static bool fill_slots(const struct grt_event_kind *kind, struct grt_foreign *ev)
{
	for (int i = 0; i < GRT_MAX_TEMPLATES && kind->templates[i]; i++)
		if (grt_template_match(kind->templates[i], ev->text, ev))
			return true;
	return false;
}

static bool is_cut(const struct grt_event_kind *kind, const struct grt_foreign *ev)
{
	for (int i = 0; i < GRT_MAX_TEMPLATES && kind->templates[i]; i++)
		if (grt_template_is_cut(kind->templates[i], ev->text))
			return true;
	return false;
}

/*
 * Sets the kind, and fills the slots.  If the event has a known name, but another text, returns the kind of that
 * name: then only the event itself is known.  Else NULL.
 */
static const struct grt_event_kind *find_kind(const struct text *t, struct grt_foreign *ev)
{
	const struct grt_event_kind *unfit = NULL;

	for (unsigned int at = hash(ev->name); t->kinds[at]; at = (at + 1) % HASH_SLOTS) {
		const struct grt_event_kind *kind = &t->visitor->kinds[t->kinds[at] - 1];

		if (!grt_event_kind_is(kind, ev->name) ||
		    (grt_is_module_kind(kind) && !is_of_system(ev, "grtrace")))
			continue;
		if (fill_slots(kind, ev)) {
			ev->kind = kind;
			return NULL;
		}
		/* The module's events have names that others may have, too. */
		if (!unfit && (!grt_is_module_kind(kind) || ev->system.len))
			unfit = kind;
	}
	return unfit;
}

/* QEMU's log is the only text that tells its clock. */
static void note_clock(struct text *t, const struct grt_foreign *ev)
{
	if (t->is_qemu || !ev->system.len || !is_of_system(ev, GRT_QEMU_SYSTEM))
		return;
	t->is_qemu = true;
	t->visitor->clock(t->visitor->arg, "realtime");
}

/* --- lines that are no events --- */

static void give_unreadable(struct text *t, const struct grt_bad_lines *lines)
{
	t->is_over = t->is_over || !t->visitor->unreadable(t->visitor->arg, lines);
}

static void give_unreadable_line(struct text *t, struct grt_piece line)
{
	give_unreadable(t, &(struct grt_bad_lines){ 1, t->line, line });
}

static void give_no_events(struct text *t, const struct grt_bad_lines *lines)
{
	if (t->visitor->no_events)
		t->visitor->no_events(t->visitor->arg, lines);
}

static bool is_same_dress(const struct grt_line_dress *a, const struct grt_line_dress *b)
{
	return a->quotes == b->quotes && a->is_logged == b->is_logged;
}

/* A line of which nothing is known yet.  Logs have other messages between the lines of a trace, and mails answers. */
static void keep_line(struct text *t, struct grt_piece line, const struct grt_line_dress *dress)
{
	struct pending *p = &t->pending;

	if (!t->is_within || dress->is_logged || !is_same_dress(dress, &t->dress)) {
		give_no_events(t, &(struct grt_bad_lines){ 1, t->line, line });
		return;
	}
	if (p->lines.count++)
		return;
	p->lines.number = t->line;
	p->lines.first = (struct grt_piece){ p->first, line.len < SHOWN_BYTES ? line.len : SHOWN_BYTES };
	memcpy(p->first, line.at, p->lines.first.len);
}

/* The trace ends here, or is interrupted. */
static void end_trace(struct text *t)
{
	if (t->pending.lines.count)
		give_no_events(t, &t->pending.lines);
	t->pending.lines.count = 0;
	t->is_within = false;
}

static void begin_event(struct text *t, const struct grt_line_dress *dress)
{
	if (t->pending.lines.count && !is_same_dress(dress, &t->dress))
		end_trace(t);
	if (t->pending.lines.count)
		give_unreadable(t, &t->pending.lines);
	t->pending.lines.count = 0;
	t->is_within = true;
	t->dress = *dress;
}

/* --- events --- */

/* Makes nanoseconds of the time.  False if the file, or most of it, has another clock. */
static bool set_time(struct text *t, struct grt_foreign *ev)
{
	uint64_t hz = t->visitor->tick_hz;
	__uint128_t ns;

	t->ticks += ev->is_ticks;
	t->timed += !ev->is_ticks;
	if (!ev->is_ticks)
		return !hz;
	if (!hz)
		return false;
	ns = (__uint128_t)ev->ts * 1000000000 / hz;
	ev->ts = ns;
	return ns <= UINT64_MAX;
}

static void handle_event(struct text *t, struct grt_piece line, struct grt_foreign *ev)
{
	const struct grt_event_kind *unfit;

	note_clock(t, ev);
	if (!set_time(t, ev)) {
		give_unreadable_line(t, line);
		return;
	}
	unfit = find_kind(t, ev);
	if (unfit && (is_cut(unfit, ev) || !t->visitor->unfit || !t->visitor->unfit(t->visitor->arg, unfit)))
		give_unreadable_line(t, line);
	t->is_over = t->is_over || !t->visitor->event(t->visitor->arg, ev);
}

static struct grt_piece undress(struct text *t, struct grt_piece line, struct grt_line_dress *dress)
{
	t->is_escaped = t->is_escaped || grt_line_is_escaped(line);
	if (t->is_escaped)
		line = grt_line_unescape(line, t->buffer);
	return grt_line_unquote(line, dress);
}

static void parse_line(struct text *t, struct grt_piece line)
{
	struct grt_line_dress dress = { 0 };
	struct grt_foreign ev = { .kind = NULL };
	struct grt_missing missing;

	line = undress(t, line, &dress);
	if (t->visitor->reads_merged && grt_merged_event(line.at, line.len, &ev)) {
		begin_event(t, &dress);
		t->is_over = t->is_over || !t->visitor->event(t->visitor->arg, &ev);
		return;
	}
	line = grt_line_unlog(line, &dress);
	switch (grt_line_parse(line.at, line.len, &ev, &missing)) {
	case GRT_LINE_EVENT:
		begin_event(t, &dress);
		handle_event(t, line, &ev);
		break;
	case GRT_LINE_MISSING:
		t->is_over = !t->visitor->missing(t->visitor->arg, &missing);
		break;
	case GRT_LINE_DROPPED:
		if (t->is_within)
			give_unreadable(t, &(struct grt_bad_lines){ missing.count, t->line, line });
		break;
	case GRT_LINE_WRAPPED:
		t->visitor->overwritten(t->visitor->arg, -1, 0);
		break;
	case GRT_LINE_OTHER:
		break;
	case GRT_LINE_BORDER:
		end_trace(t);
		break;
	case GRT_LINE_DAMAGED:
		begin_event(t, &dress);
		give_unreadable_line(t, line);
		break;
	case GRT_LINE_UNKNOWN:
		keep_line(t, line, &dress);
		break;
	}
}

static bool on_line(void *arg, const char *at, size_t len)
{
	struct text *t = arg;

	t->line++;
	parse_line(t, (struct grt_piece){ at, len });
	return !t->is_over;
}

static bool on_long_line(void *arg, const char *at, size_t len)
{
	struct text *t = arg;
	const struct grt_line_dress plain = { 0 };

	t->line++;
	keep_line(t, (struct grt_piece){ at, len }, &plain);
	return !t->is_over;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct text *t = arg;

	t->visitor->progress(t->visitor->arg, done, all);
}

static int fail_ticks(const char *name)
{
	return grt_fail(EBADMSG, "record again after: echo mono | sudo tee /sys/kernel/tracing/trace_clock; with x86-tsc "
			"'grtrace import --tick-hz HZ' knows what a tick is",
			"'%s' has the times of a clock that counts ticks, like x86-tsc: how long a tick takes is not known", name);
}

/* Without the length of a tick nothing has a duration. */
static int check_clock(const struct text *t, const char *name)
{
	if (!t->visitor->tick_hz && t->ticks && !t->timed)
		return fail_ticks(name);
	if (t->visitor->tick_hz && t->timed && !t->ticks)
		return grt_fail(EBADMSG, "omit --tick-hz", "the times in '%s' are seconds, not ticks of a clock", name);
	return 0;
}

int grt_text_read(int fd, const char *name, const struct grt_visitor *visitor)
{
	struct text *t = calloc(1, sizeof(*t));
	const struct grt_line_visitor lines = { t, on_line, on_long_line, on_progress };
	int err;

	if (!t)
		return grt_fail_memory();
	t->visitor = visitor;
	index_kinds(t);
	err = grt_lines_read(fd, name, &lines);
	if (!err) {
		end_trace(t);
		err = check_clock(t, name);
	}
	free(t);
	return err;
}

static bool is_header(struct grt_piece line)
{
	static const char words[] = "# tracer: ";

	return line.len >= sizeof(words) - 1 && !memcmp(line.at, words, sizeof(words) - 1);
}

/* Whether the line is of a trace: an event, a loss, or the first of its header. */
static bool is_of_trace(struct text *t, struct grt_piece line)
{
	struct grt_line_dress dress = { 0 };
	struct grt_missing missing;
	struct grt_foreign ev;

	line = undress(t, line, &dress);
	if (is_header(line) || grt_merged_event(line.at, line.len, &ev))
		return true;
	line = grt_line_unlog(line, &dress);
	return grt_line_parse(line.at, line.len, &ev, &missing) < GRT_LINE_OTHER;
}

static bool has_line_of_trace(struct text *t, const char *at, const char *end)
{
	const char *newline;

	for (; at < end; at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		if (!newline)
			newline = end;
		if (is_of_trace(t, (struct grt_piece){ at, newline - at }))
			return true;
	}
	return false;
}

/* Looks at the first bytes of a file.  Sets *@goes_on if it is text and has more. */
static bool probe(struct text *t, int fd, size_t most, bool *goes_on)
{
	char *buffer = malloc(most);
	ssize_t bytes = buffer ? grt_pread(fd, buffer, most, 0) : 0;
	bool found = bytes > 0 && has_line_of_trace(t, buffer, buffer + bytes);

	if (!buffer)
		grt_fail_memory();
	*goes_on = bytes == (ssize_t)most && !memchr(buffer, 0, bytes);
	free(buffer);
	return found;
}

bool grt_is_event_text(int fd)
{
	struct text *t = calloc(1, sizeof(*t));
	bool goes_on = true, found;

	if (!t) {
		grt_fail_memory();
		return false;
	}
	/* The kernel's log may have much in front of a trace. */
	found = probe(t, fd, FIRST_BYTES, &goes_on) || (goes_on && probe(t, fd, GRT_TEXT_PROBE_BYTES, &goes_on));
	free(t);
	return found;
}
