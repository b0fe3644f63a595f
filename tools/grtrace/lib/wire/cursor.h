/* SPDX-License-Identifier: LGPL-2.1 */
/* Steps over untrusted bytes; the only place that checks them. */
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

/* @data may be NULL when there are no bytes. */
static inline struct grt_cursor grt_cursor(const void *data, size_t bytes)
{
	return (struct grt_cursor){ data, bytes ? (const uint8_t *)data + bytes : data, false };
}

/* The least size a record of this type may have. */
static inline size_t grt_least_bytes(unsigned int number)
{
	const struct grt_type *type = grt_type_by_number(number);

	return type ? type->least : sizeof(struct grtrace_hdr);
}

/*
 * The next record whole, of a size that its type may have.  NULL at the end and,
 * with failed set and pos left at the record's start, when the bytes end within
 * it or cannot be one: grt_cursor_is_cut() tells the two apart.
 */
static inline const struct grtrace_hdr *grt_take_record(struct grt_cursor *c)
{
	const struct grtrace_hdr *hdr = (const void *)c->pos;
	size_t left = c->end - c->pos;

	if (!left)
		return NULL;
	/* No size below a header fits a type, so that each step leads on. */
	if (!c->failed && left >= sizeof(*hdr) && hdr->size <= left && hdr->size % 8 == 0 &&
	    hdr->size >= grt_least_bytes(hdr->type)) {
		c->pos += hdr->size;
		return hdr;
	}
	c->failed = true;
	return NULL;
}

/* After a failure: whether more bytes could have made it a record. */
bool grt_cursor_is_cut(const struct grt_cursor *c);

/* Whether these bytes begin with a stream: a STREAM_INFO with its magic. */
bool grt_is_stream(const void *data, size_t bytes);

/* Steps on to where a stream begins, by 8 bytes; false, near the end, where none does. */
bool grt_find_stream(struct grt_cursor *c);

#endif /* GRT_CURSOR_H */
