/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Parses a line of a timeline of CPUs and GPUs, as "grtrace merge --cpu --gpu" writes it:
 *
 *	[1234567.123456] CPU IOCTL_ENTER cmd=0xc0106444, arg=0x7ffc <- glxgears(1234)
 *	[1234567.124012] GPU SUBMIT ctx_id=0x1234, engine=GRAPHICS, ring=1, seqno=42 <- 121us after ioctl
 */
#ifndef GRT_MERGED_LINE_H
#define GRT_MERGED_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foreign.h"

struct grt_merged_line {
	uint64_t ts;
	bool is_gpu;
	struct grt_piece type;		/* "SUBMIT" */
	struct grt_piece values;	/* "ctx_id=0x1234, engine=GRAPHICS" */
	struct grt_piece delta;		/* behind "<- ", without it; empty if there is none */
};

/* False: it is no such line.  The pieces point into it. */
bool grt_merged_line_parse(const char *at, size_t len, struct grt_merged_line *line);

/*
 * Takes the next "key=value" off @values.  A text in quotes is a value with its quotes.  False:
 * there is none, or @values cannot be read.
 */
bool grt_merged_line_value(struct grt_piece *values, struct grt_piece *key, struct grt_piece *value);

/* A decimal number, or a hexadecimal one with 0x; false: the piece is none. */
bool grt_merged_number(struct grt_piece piece, uint64_t *number);

static inline bool grt_piece_is(struct grt_piece piece, const char *text)
{
	return __builtin_strlen(text) == piece.len && !__builtin_memcmp(text, piece.at, piece.len);
}

#endif /* GRT_MERGED_LINE_H */
