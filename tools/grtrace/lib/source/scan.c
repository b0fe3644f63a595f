// SPDX-License-Identifier: LGPL-2.1
#include "scan.h"

#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "file.h"
#include "io.h"

#define WINDOW_BYTES	(1u << 20)

/* The offset of the cursor in the file. */
static uint64_t here(const struct grt_scan *s, const struct grt_cursor *c)
{
	return s->offset + (c->pos - s->window);
}

static int take_runs(struct grt_scan *s, struct grt_cursor *c)
{
	const struct grtrace_hdr *first;
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(c, GRT_CHUNK_GOAL_BYTES, &run)) {
		first = run.data;
		if (first->type == GRTRACE_STREAM_INFO)
			s->cpu = first->cpu;
		err = s->ops->run(s, s->offset + ((const uint8_t *)run.data - s->window), &run);
	}
	return err;
}

/* Scans one window.  Returns how many of its bytes are finished, or -errno. */
static ssize_t scan_window(struct grt_scan *s, size_t bytes)
{
	struct grt_cursor c = grt_cursor(s->window, bytes);
	int err;

	for (;;) {
		if (s->is_lost && !grt_find_stream(&c))
			break;
		if (s->is_lost && here(s, &c) > s->gap_from)
			s->ops->gap(s, s->gap_from, here(s, &c) - s->gap_from, false);
		s->is_lost = false;
		err = take_runs(s, &c);
		if (err)
			return err;
		if (!c.failed || grt_cursor_is_cut(&c))
			break;
		s->gap_from = here(s, &c);
		s->is_lost = true;
		c.failed = false;
		c.pos += 8;
	}
	return c.pos - s->window;
}

static void end_of_file(struct grt_scan *s, uint64_t end)
{
	uint64_t from = s->is_lost ? s->gap_from : s->offset;

	if (from < end)
		s->ops->gap(s, from, end - from, !s->is_lost);
}

int grt_scan_file(struct grt_scan *s)
{
	uint8_t *window = malloc(WINDOW_BYTES);
	ssize_t bytes, done = 0;

	if (!window)
		return grt_fail_memory();
	s->window = window;
	do {
		bytes = grt_pread(s->fd, window, WINDOW_BYTES, s->offset);
		if (bytes < 0) {
			done = grt_fail_errno(NULL, "cannot read '%s'", s->name);
			break;
		}
		done = scan_window(s, bytes);
		if (done < 0)
			break;
		s->offset += done;
	} while (bytes == WINDOW_BYTES);
	if (done >= 0)
		end_of_file(s, s->offset + bytes - done);
	free(window);
	return done < 0 ? done : 0;
}
