// SPDX-License-Identifier: LGPL-2.1
/* Verifies raw streams as read from eventsN; a file may hold several, one after another. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cursor.h"
#include "error.h"
#include "io.h"
#include "verify_private.h"

#define WINDOW_BYTES	(1u << 20)

struct scan {
	uint64_t offset;	/* offset of the window in the file */
	uint8_t *window;	/* owned */
	struct cpu_state *state;	/* NULL: looking for the next stream */
};

static int add_piece(struct grt_verify *v, struct cpu_state *state, uint64_t offset, uint64_t bytes)
{
	struct piece piece = { .offset = offset, .bytes = bytes, .file = v->file };

	return bytes ? grt_vec_append(&state->pieces, &piece, sizeof(piece)) : 0;
}

/* Skips bytes that are no record, up to where the next record may begin. */
static void skip_damage(struct grt_verify *v, struct scan *s, struct grt_cursor *c)
{
	const struct grtrace_hdr *hdr = (const void *)c->pos;

	v->offset = s->offset + (c->pos - s->window);
	grt_problem(v, GRT_CHECK_RECORDS, "type %u cannot have %u bytes", hdr->type, hdr->size);
	s->state = NULL;
	c->failed = false;
	c->pos += 8;
}

static int scan_window(struct grt_verify *v, struct scan *s, struct grt_cursor *c)
{
	const uint8_t *begin = c->pos;
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (s->state || grt_find_stream(c))) {
		begin = s->state ? begin : c->pos;
		hdr = grt_take_record(c);
		if (!hdr)
			break;
		v->offset = s->offset + ((const uint8_t *)hdr - s->window);
		if (hdr->type == GRTRACE_STREAM_INFO) {
			if (s->state)
				err = add_piece(v, s->state, s->offset + (begin - s->window),
						(const uint8_t *)hdr - begin);
			begin = (const uint8_t *)hdr;
			s->state = grt_verify_cpu(v, hdr->cpu);
			if (!s->state)
				return grt_fail_memory();
		}
		if (!err)
			err = grt_verify_record(v, s->state, hdr);
	}
	if (!err && s->state)
		err = add_piece(v, s->state, s->offset + (begin - s->window), c->pos - begin);
	return err;
}

/* Checks the records of the window, except one that the window cuts. */
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
