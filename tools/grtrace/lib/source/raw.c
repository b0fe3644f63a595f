// SPDX-License-Identifier: LGPL-2.1
/* Raw streams as read from eventsN, one or several behind each other. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "extent.h"
#include "file.h"
#include "io.h"
#include "run.h"

#define WINDOW_BYTES	(1u << 20)

struct scan {
	struct grt_collection *to;
	const char *name;
	uint32_t file, cpu;
	uint64_t offset;	/* of the window in the file */
	const uint8_t *window;
	bool is_lost;		/* looking for the next stream */
	bool is_other;		/* of a session that was not asked for */
};

static int add_run(struct scan *s, const struct grt_run *run)
{
	const struct grtrace_hdr *first = run->data;
	struct grt_extent extent = {
		.offset = s->offset + ((const uint8_t *)run->data - s->window),
		.bytes = run->bytes,
		.first_ts = run->first_ts,
		.file = s->file,
		.nth = grt_vec_count(&s->to->extents, struct grt_extent),
	};
	int err;

	if (first->type == GRTRACE_STREAM_INFO) {
		s->cpu = first->cpu;
		s->is_other = s->to->session && s->to->session !=
			((const struct grtrace_stream_info *)first)->session_id;
	}
	if (s->is_other)
		return 0;
	extent.cpu = s->cpu;
	if (run->is_defs) {
		err = grt_vec_append(&s->to->defs, run->data, run->bytes);
		/* Without an event it is a stream nevertheless, and may lack its end. */
		if (err || first->type != GRTRACE_STREAM_INFO)
			return err;
		extent.bytes = 0;
	}
	return grt_vec_append(&s->to->extents, &extent, sizeof(extent));
}

/* Steps to the next STREAM_INFO in this window; true if one begins there. */
static bool find_stream(struct grt_cursor *c)
{
	while (c->end - c->pos >= (ptrdiff_t)sizeof(struct grtrace_stream_info)) {
		if (grt_is_stream(c->pos, c->end - c->pos))
			return true;
		c->pos += 8;
	}
	return false;
}

static void say_corrupt(struct scan *s, const struct grt_cursor *c)
{
	s->to->has_warned = true;
	grt_warn("the events before it are good; record again if you can",
		 "'%s' is corrupt at byte %" PRIu64 ": left out up to the next stream",
		 s->name, s->offset + (c->pos - s->window));
}

/* One window; returns how many of its bytes are done with, or -errno. */
static ssize_t scan_window(struct scan *s, size_t bytes, bool is_last)
{
	struct grt_cursor c = grt_cursor(s->window, bytes);
	struct grt_run run;
	int err;

	for (;;) {
		if (s->is_lost && !find_stream(&c))
			break;
		s->is_lost = false;
		while (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run)) {
			err = add_run(s, &run);
			if (err)
				return err;
		}
		if (!c.failed)
			break;
		if (grt_cursor_is_cut(&c)) {
			if (is_last) {
				s->to->has_warned = true;
				grt_warn(NULL, "'%s' ends within a record: read up to byte %" PRIu64,
					 s->name, s->offset + (c.pos - s->window));
			}
			break;
		}
		say_corrupt(s, &c);
		s->is_lost = true;
		c.failed = false;
		c.pos += 8;
	}
	return c.pos - s->window;
}

int grt_collect_raw(struct grt_collection *to, uint32_t file, int fd, const char *name)
{
	struct scan s = { .to = to, .name = name, .file = file };
	uint8_t *window = malloc(WINDOW_BYTES);
	ssize_t bytes, done;
	int err = 0;

	if (!window)
		return grt_fail_memory();
	s.window = window;
	for (;;) {
		bytes = grt_pread(fd, window, WINDOW_BYTES, s.offset);
		if (bytes < 0) {
			err = grt_fail_errno(NULL, "cannot read '%s'", name);
			break;
		}
		done = scan_window(&s, bytes, bytes < WINDOW_BYTES);
		if (done < 0) {
			err = done;
			break;
		}
		s.offset += done;
		if (bytes < WINDOW_BYTES)
			break;
	}
	free(window);
	return err;
}
