// SPDX-License-Identifier: LGPL-2.1
#include "merged.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "io.h"
#include "merged_line.h"
#include "once.h"

#define PROBE_BYTES	65536

/* "glxgears(1234)" */
static void read_thread(struct grt_piece text, struct grt_merged_ioctl *ioctl)
{
	const char *open = text.len ? memrchr(text.at, '(', text.len) : NULL;
	uint64_t tid;

	*ioctl = (struct grt_merged_ioctl){ .depth = 1 };
	if (!open || text.at[text.len - 1] != ')' ||
	    !grt_merged_number((struct grt_piece){ open + 1, text.at + text.len - open - 2 }, &tid) ||
	    !tid || tid > INT32_MAX)
		return;
	ioctl->tid = tid;
	if (open - text.at != 1 || *text.at != '-')
		memcpy(ioctl->comm, text.at, open - text.at < 15 ? open - text.at : 15);
}

enum grt_merged_cpu grt_merged_cpu(struct grt_merged *m, struct grt_piece type, uint64_t ts,
				   struct grt_piece delta, struct grt_merged_ioctl *ioctl)
{
	unsigned int i = 0;

	read_thread(delta, ioctl);
	ioctl->enter_ns = ts;
	while (i < m->count && m->ioctls[i].tid != ioctl->tid)
		i++;
	if (grt_piece_is(type, "IOCTL_EXIT")) {
		if (i < m->count && !--m->ioctls[i].depth)
			m->ioctls[i] = m->ioctls[--m->count];
		return GRT_MERGED_EXIT;
	}
	if (!grt_piece_is(type, "IOCTL_ENTER"))
		return GRT_MERGED_OTHER;
	/* A thread is in one ioctl at a time; threads without a name look like one. */
	if (i < m->count && !ioctl->tid)
		ioctl->depth = m->ioctls[i].depth + 1;
	if (i < GRT_MERGED_IOCTLS) {
		m->ioctls[i] = *ioctl;
		m->count += i == m->count;
	} else {
		grt_warn_once("more than %d threads are within an ioctl: who submits further jobs is not known",
			      GRT_MERGED_IOCTLS);
		m->had_more = true;
	}
	return GRT_MERGED_ENTER;
}

/* "121us after ioctl": how long before the event it was, and how exact that is. */
static bool read_delta(struct grt_piece text, uint64_t *ns, uint64_t *error_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns ", 1 }, { "us ", 1000 }, { "ms ", 1000000 }, { "s ", 1000000000 } };
	uint64_t whole = 0, part = 0, scale = 1;
	const char *at = text.at, *end = at + text.len, *first = at;

	for (; at < end && *at >= '0' && *at <= '9' && at - first < 12; at++)
		whole = whole * 10 + (*at - '0');
	if (at < end && *at == '.')
		for (first = ++at; at < end && *at >= '0' && *at <= '9' && at - first < 2; at++) {
			part = part * 10 + (*at - '0');
			scale *= 10;
		}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && at > text.at; i++) {
		size_t len = strlen(units[i].name);

		if ((size_t)(end - at) < len || memcmp(at, units[i].name, len) != 0 ||
		    !memmem(at, end - at, "after ioctl", 11))
			continue;
		*ns = whole * units[i].ns + part * units[i].ns / scale;
		*error_ns = units[i].ns / scale + 2000;		/* stamps are cut to microseconds */
		return true;
	}
	return false;
}

const struct grt_merged_ioctl *grt_merged_submitter(const struct grt_merged *m, uint64_t ts,
						     struct grt_piece delta)
{
	const struct grt_merged_ioctl *found = NULL;
	uint64_t ns, error_ns;

	if (m->had_more)
		return NULL;
	if (!read_delta(delta, &ns, &error_ns))
		return m->count == 1 && m->ioctls->depth == 1 ? m->ioctls : NULL;
	for (unsigned int i = 0; i < m->count; i++) {
		uint64_t ago = ts - m->ioctls[i].enter_ns;

		if (ts < m->ioctls[i].enter_ns || ago > ns + error_ns || ago + error_ns < ns)
			continue;
		if (found)
			return NULL;
		found = &m->ioctls[i];
	}
	return found;
}

bool grt_is_merged(int fd)
{
	char *buffer = malloc(PROBE_BYTES);
	ssize_t bytes = buffer ? grt_pread(fd, buffer, PROBE_BYTES, 0) : 0;
	const char *at = buffer, *end = buffer + (bytes > 0 ? bytes : 0), *newline;
	struct grt_merged_line line;
	bool found = false;

	if (!buffer)
		grt_fail_memory();
	for (; at < end && !found; at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		if (!newline)
			newline = end;
		found = grt_merged_line_parse(at, newline - at, &line);
	}
	free(buffer);
	return found;
}
