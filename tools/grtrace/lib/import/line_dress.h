/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What other programs put around the lines of a trace: mails and chats quote them ("> "), pages escape
 * them ("&lt;idle&gt;"), editors put a mark in front of the first, and what the kernel printed to its
 * log has the log's prefix:
 *
 *	[  904.058012] [  904.058012][T123] [Tue Nov 12 10:00:00 2024] <0>[  904.058012]
 *	Nov 12 10:00:00 host kernel:  2024-11-12T10:00:00.123456+01:00 host kernel:
 *	kern  :emerg : [  904.058012]  0,1234,904058012,-;
 */
#ifndef GRT_LINE_DRESS_H
#define GRT_LINE_DRESS_H

#include "foreign.h"

#define GRT_DRESSED_BYTES	4096	/* a longer line is not taken out of its escapes */

struct grt_line_dress {
	unsigned int quotes;	/* marks in front of the line */
	bool is_logged;		/* it has the prefix of a log */
};

/* The line without marks of editors and quotes. */
struct grt_piece grt_line_unquote(struct grt_piece line, struct grt_line_dress *dress);

/* The line without prefixes of logs. */
struct grt_piece grt_line_unlog(struct grt_piece line, struct grt_line_dress *dress);

/* Whether the line is of a trace that is escaped for a page: no raw trace has such a word. */
bool grt_line_is_escaped(struct grt_piece line);

/* The line without escapes, in @buffer; itself if there are none. */
struct grt_piece grt_line_unescape(struct grt_piece line, char buffer[GRT_DRESSED_BYTES]);

#endif /* GRT_LINE_DRESS_H */
