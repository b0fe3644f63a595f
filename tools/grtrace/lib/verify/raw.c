// SPDX-License-Identifier: LGPL-2.1
/* Streams as read from eventsN, one or several behind each other. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "inside.h"
#include "io.h"

#define WINDOW_BYTES	(1u << 20)

struct scan {
	uint64_t offset;	/* of the window in the file */
	uint8_t *window;	/* owned */
	struct lane *lane;	/* NULL: looking for a stream */
};

static int add_piece(struct grt_verify *v, struct lane *lane, uint64_t offset, uint64_t bytes)
{
	struct piece piece = { .offset = offset, .bytes = bytes, .file = v->file };

	return bytes ? grt_vec_append(&lane->pieces, &piece, sizeof(piece)) : 0;
}

/* What is no record: steps to where one can be again. */
static void skip_damage(struct grt_verify *v, struct scan *s, struct grt_cursor *c)
{
	const struct grtrace_hdr *hdr = (const void *)c->pos;

	v->offset = s->offset + (c->pos - s->window);
	grt_problem(v, GRT_CHECK_RECORDS, "type %u cannot have %u bytes", hdr->type, hdr->size);
	s->lane = NULL;
	c->failed = false;
	c->pos += 8;
}

static int scan_window(struct grt_verify *v, struct scan *s, struct grt_cursor *c)
{
	const uint8_t *begin = c->pos;
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (s->lane || grt_find_stream(c))) {
		begin = s->lane ? begin : c->pos;
		hdr = grt_take_record(c);
		if (!hdr)
			break;
		v->offset = s->offset + ((const uint8_t *)hdr - s->window);
		if (hdr->type == GRTRACE_STREAM_INFO) {
			if (s->lane)
				err = add_piece(v, s->lane, s->offset + (begin - s->window),
						(const uint8_t *)hdr - begin);
			begin = (const uint8_t *)hdr;
			s->lane = grt_verify_lane(v, hdr->cpu);
			if (!s->lane)
				return grt_fail_memory();
		}
		if (!err)
			err = grt_verify_record(v, s->lane, hdr);
	}
	if (!err && s->lane)
		err = add_piece(v, s->lane, s->offset + (begin - s->window), c->pos - begin);
	return err;
}

/* All of the window but a record that it cuts. */
static int scan_all(struct grt_verify *v, struct scan *s, struct grt_cursor *c)
{
	int err;

	for (;;) {
		err = scan_window(v, s, c);
		if (err || !c->failed || grt_cursor_is_cut(c))
			return err;
		skip_damage(v, s, c);
	}
}

int grt_verify_raw(struct grt_verify *v)
{
	const struct verify_file *f = &v->files[v->file];
	struct scan s = { .window = malloc(WINDOW_BYTES) };
	struct grt_cursor c;
	ssize_t bytes;
	int err = 0;

	if (!s.window)
		return grt_fail_memory();
	do {
		bytes = grt_pread(f->fd, s.window, WINDOW_BYTES, s.offset);
		if (bytes < 0) {
			err = grt_fail_errno(NULL, "cannot read '%s'", f->name);
			break;
		}
		c = grt_cursor(s.window, bytes);
		err = scan_all(v, &s, &c);
		s.offset += c.pos - s.window;
	} while (!err && bytes == WINDOW_BYTES);
	if (!err && s.offset < f->size) {
		v->offset = s.offset;
		grt_problem(v, GRT_CHECK_RECORDS, "the file ends within a record");
	}
	free(s.window);
	return err;
}
