// SPDX-License-Identifier: LGPL-2.1
/* Reads text of ftrace, trace-cmd, perf and QEMU, line by line. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "import_private.h"
#include "io.h"
#include "line.h"
#include "lines_read.h"
#include "reader.h"
#include "template.h"

#define PROBE_BYTES	65536
#define HASH_SLOTS	256

struct text {
	const struct grt_visitor *visitor;
	uint8_t kinds[HASH_SLOTS];	/* by hash of the name: number + 1 */
	bool is_over, is_qemu;		/* @is_qemu: a line of QEMU was there */
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

static void parse_line(struct text *t, const char *at, size_t len)
{
	const struct grt_piece line = { at, len };
	struct grt_foreign ev = { .kind = NULL };
	const struct grt_event_kind *unfit;
	struct grt_missing missing;

	if (t->visitor->reads_merged && grt_merged_event(at, len, &ev)) {
		t->is_over = !t->visitor->event(t->visitor->arg, &ev);
		return;
	}
	switch (grt_line_parse(at, len, &ev, &missing)) {
	case GRT_LINE_EVENT:
		note_clock(t, &ev);
		unfit = find_kind(t, &ev);
		if (unfit && (is_cut(unfit, &ev) || !t->visitor->unfit || !t->visitor->unfit(t->visitor->arg, unfit)))
			t->is_over = !t->visitor->unreadable(t->visitor->arg, line);
		t->is_over = !t->visitor->event(t->visitor->arg, &ev);
		break;
	case GRT_LINE_MISSING:
		t->is_over = !t->visitor->missing(t->visitor->arg, &missing);
		break;
	case GRT_LINE_WRAPPED:
		t->visitor->overwritten(t->visitor->arg, -1, 0);
		break;
	case GRT_LINE_OTHER:
		break;
	case GRT_LINE_UNREADABLE:
		t->is_over = !t->visitor->unreadable(t->visitor->arg, line);
		break;
	}
}

static bool on_line(void *arg, const char *at, size_t len)
{
	struct text *t = arg;

	parse_line(t, at, len);
	return !t->is_over;
}

static bool on_long_line(void *arg, const char *at, size_t len)
{
	struct text *t = arg;

	return t->visitor->unreadable(t->visitor->arg, (struct grt_piece){ at, len });
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct text *t = arg;

	t->visitor->progress(t->visitor->arg, done, all);
}

int grt_text_read(int fd, const char *name, const struct grt_visitor *visitor)
{
	struct text t = { .visitor = visitor };
	const struct grt_line_visitor lines = { &t, on_line, on_long_line, on_progress };

	index_kinds(&t);
	return grt_lines_read(fd, name, &lines);
}

static bool is_header(const char *at, size_t len)
{
	static const char words[] = "# tracer: ";

	return len >= sizeof(words) - 1 && !memcmp(at, words, sizeof(words) - 1);
}

bool grt_is_event_text(int fd)
{
	char *buffer = malloc(PROBE_BYTES);
	ssize_t bytes = buffer ? grt_pread(fd, buffer, PROBE_BYTES, 0) : 0;
	const char *at = buffer, *end = buffer + (bytes > 0 ? bytes : 0), *newline;
	struct grt_missing missing;
	struct grt_foreign ev;
	bool found = false;

	if (!buffer)
		grt_fail_memory();
	while (at < end && !found) {
		newline = memchr(at, '\n', end - at);
		if (!newline)
			newline = end;
		found = grt_line_parse(at, newline - at, &ev, &missing) < GRT_LINE_OTHER ||
			is_header(at, newline - at) || grt_merged_event(at, newline - at, &ev);
		at = newline + 1;
	}
	free(buffer);
	return found;
}
