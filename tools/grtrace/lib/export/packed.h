/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Bytes for the HTML view: small numbers take few bytes, and a block of them is compressed and
 * written as base64, so that no text of a trace stands in the page as it is.
 */
#ifndef GRT_EXPORT_PACKED_H
#define GRT_EXPORT_PACKED_H

#include <stdint.h>
#include <stdio.h>

#include "vec.h"

/* Zeroed memory is empty. */
struct grt_packed {
	struct grt_vec bytes;
	int failed;		/* -ENOMEM, sticky */
};

void grt_pack_u64(struct grt_packed *p, uint64_t value);	/* 7 bits a byte, low ones first */
void grt_pack_s64(struct grt_packed *p, int64_t value);		/* the sign in the lowest bit */
void grt_pack_byte(struct grt_packed *p, uint8_t value);
void grt_pack_bytes(struct grt_packed *p, const void *data, size_t bytes);

/* A length, then the bytes of @from, which becomes empty. */
void grt_pack_column(struct grt_packed *p, struct grt_packed *from);

/*
 * Writes the bytes as an element of the page that scripts find by the id @name followed by
 * @number, and empties @p.  0, or -ENOMEM with a cause.
 */
int grt_packed_write(struct grt_packed *p, FILE *f, const char *name, uint64_t number);

/*
 * The same for a text of any length, which is written to the stream that is returned; nothing else is
 * written to @page until that is closed.  NULL without memory, with a cause.
 */
FILE *grt_packed_open(FILE *page, const char *name, uint64_t number);
void grt_packed_free(struct grt_packed *p);

#endif /* GRT_EXPORT_PACKED_H */
