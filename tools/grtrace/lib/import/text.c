// SPDX-License-Identifier: LGPL-2.1
/* Reads text of ftrace, trace-cmd and perf, line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "import_private.h"
#include "io.h"
#include "line.h"
#include "reader.h"
#include "template.h"

#define BUFFER_BYTES	(1u << 20)	/* a longer line is not an event */
#define PROBE_BYTES	65536
#define HASH_SLOTS	256

struct text {
	const struct grt_visitor *visitor;
	uint8_t kinds[HASH_SLOTS];	/* by hash of the name: number + 1 */
	bool is_over;
};

_Static_assert(HASH_SLOTS > 128, "twice as many as kinds, so that probes end");

static unsigned int hash(struct grt_piece name)
{
	unsigned int h = 2166136261u;

	for (size_t i = 0; i < name.len; i++)
		h = (h ^ (unsigned char)name.at[i]) * 16777619u;
	return (h ^ h >> 16) % HASH_SLOTS;
}

static void index_kinds(struct text *t)
{
	for (size_t i = 0; i < grt_nr_event_kinds && i < 128; i++) {
		struct grt_piece name = { grt_event_kinds[i].name, strlen(grt_event_kinds[i].name) };
		unsigned int at = hash(name);

		while (t->kinds[at])
			at = (at + 1) % HASH_SLOTS;
		t->kinds[at] = i + 1;
	}
}

static const struct grt_event_kind *find_kind(const struct text *t, struct grt_piece name)
{
	for (unsigned int at = hash(name); t->kinds[at]; at = (at + 1) % HASH_SLOTS) {
		const struct grt_event_kind *kind = &grt_event_kinds[t->kinds[at] - 1];

		if (grt_event_kind_is(kind, name))
			return kind;
	}
	return NULL;
}

/* False if the text does not match: then only the event itself is known. */
static bool fill_slots(struct grt_foreign *ev)
{
	for (int i = 0; i < GRT_MAX_TEMPLATES && ev->kind->templates[i]; i++)
		if (grt_template_match(ev->kind->templates[i], ev->text, ev))
			return true;
	ev->kind = NULL;
	return false;
}

static void parse_line(struct text *t, const char *at, size_t len)
{
	struct grt_foreign ev = { .kind = NULL };
	struct grt_missing missing;

	switch (grt_line_parse(at, len, &ev, &missing)) {
	case GRT_LINE_EVENT:
		ev.kind = find_kind(t, ev.name);
		if (ev.kind && !fill_slots(&ev))
			t->is_over = !t->visitor->unreadable(t->visitor->arg);
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
		t->is_over = !t->visitor->unreadable(t->visitor->arg);
		break;
	}
}

/* Handles the whole lines of a buffer.  Returns their size in bytes. */
static size_t parse_lines(struct text *t, const char *buffer, size_t bytes, bool is_last)
{
	const char *at = buffer, *end = buffer + bytes, *newline;

	while (at < end && !t->is_over) {
		newline = memchr(at, '\n', end - at);
		if (!newline && !is_last)
			break;
		if (!newline)
			newline = end;
		parse_line(t, at, newline - at - (newline > at && newline[-1] == '\r'));
		at = newline < end ? newline + 1 : end;
	}
	return at - buffer;
}

/* Skips to the end of a line that began before the buffer; 0 if it ends after the buffer. */
static size_t skip_line(const char *buffer, size_t bytes)
{
	const char *newline = memchr(buffer, '\n', bytes);

	return newline ? newline + 1 - buffer : 0;
}

int grt_text_read(int fd, const char *name, const struct grt_visitor *visitor)
{
	struct text t = { .visitor = visitor };
	char *buffer = malloc(BUFFER_BYTES);
	uint64_t offset = 0;
	bool is_within = false;		/* within a line that is too long */
	bool is_new;
	struct stat st;
	size_t done;
	ssize_t got;
	int err = 0;

	if (!buffer)
		return grt_fail_memory();
	if (fstat(fd, &st))
		st.st_size = 0;
	index_kinds(&t);
	do {
		got = grt_pread(fd, buffer, BUFFER_BYTES, offset);
		if (got < 0) {
			err = grt_fail_errno(NULL, "cannot read '%s'", name);
			break;
		}
		is_new = !is_within;
		done = is_within ? skip_line(buffer, got) :
		       parse_lines(&t, buffer, got, got < (ssize_t)BUFFER_BYTES);
		is_within = !done;
		if (is_within && is_new && got)
			t.is_over = !visitor->unreadable(visitor->arg);
		offset += done ? done : (size_t)got;
		visitor->progress(visitor->arg, offset, st.st_size);
	} while (got > 0 && !t.is_over);
	free(buffer);
	return err;
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
			is_header(at, newline - at);
		at = newline + 1;
	}
	free(buffer);
	return found;
}
