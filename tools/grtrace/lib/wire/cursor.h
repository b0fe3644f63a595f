/* SPDX-License-Identifier: LGPL-2.1 */
/* Steps over untrusted bytes.  Only this file checks them. */
#ifndef GRT_CURSOR_H
#define GRT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "describe.h"

struct grt_cursor {
	const uint8_t *pos, *end;
	bool failed;	/* sticky: check once, after decoding */
};

/* @data may be NULL if @bytes is 0. */
static inline struct grt_cursor grt_cursor(const void *data, size_t bytes)
{
	return (struct grt_cursor){ data, bytes ? (const uint8_t *)data + bytes : data, false };
}

/* The smallest size that a record of this type may have. */
static inline size_t grt_least_bytes(unsigned int number)
{
	const struct grt_type *type = grt_type_by_number(number);

	return type ? type->least : sizeof(struct grtrace_hdr);
}

/*
 * The next whole record, of a valid size for its type.  NULL at the end.  NULL with failed set if
 * the bytes end within a record or are not a record: pos then stays at its start, and
 * grt_cursor_is_cut() tells the two cases apart.
 */
static inline const struct grtrace_hdr *grt_take_record(struct grt_cursor *c)
{
	const struct grtrace_hdr *hdr = (const void *)c->pos;
	size_t left = c->end - c->pos;

	if (!left)
		return NULL;
	/* A valid size is at least that of a header, so each step moves on. */
	if (!c->failed && left >= sizeof(*hdr) && hdr->size <= left && hdr->size % 8 == 0 &&
	    hdr->size >= grt_least_bytes(hdr->type)) {
		c->pos += hdr->size;
		return hdr;
	}
	c->failed = true;
	return NULL;
}

/* After a failure: whether the bytes end within a record. */
bool grt_cursor_is_cut(const struct grt_cursor *c);

/* Whether these bytes are the start of a stream: a STREAM_INFO with its magic. */
bool grt_is_stream(const void *data, size_t bytes);

/*
 * Moves on in steps of 8 bytes to the start of the next stream; false if there is none before the
 * end.
 */
bool grt_find_stream(struct grt_cursor *c);

#endif /* GRT_CURSOR_H */
