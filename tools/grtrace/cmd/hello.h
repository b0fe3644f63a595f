/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines with which two grtraces begin to talk.  One that connects says what it wants:
 *	grtrace 1 stream host=NAME boot_id=UUID		the bytes of record --live follow
 *	grtrace 1 time host=NAME boot_id=UUID		lines "time" follow; the answer to each is CLOCK_MONOTONIC of
 *							the other end in ns, a blank, and its CLOCK_REALTIME then
 * and the one that listens answers
 *	grtrace 1 host=NAME boot_id=UUID
 * or, before it closes the connection,
 *	grtrace 1 refused WHY
 * At the end of a stream it says whether its file has all of the stream, and closes the connection: with the line
 * above if something is missing, else with
 *	grtrace 1 kept
 */
#ifndef GRT_HELLO_H
#define GRT_HELLO_H

#include <stddef.h>

#define GRT_HELLO_MAX	256	/* bytes of a line */
#define GRT_HELLO_TIME_LINE	"time"

enum grt_hello_kind { GRT_HELLO_STREAM, GRT_HELLO_TIME, GRT_HELLO_ANSWER, GRT_HELLO_REFUSED, GRT_HELLO_KEPT };

struct grt_hello {
	enum grt_hello_kind kind;
	char host[65], boot_id[37];	/* "" : not known */
	char why[GRT_HELLO_MAX];	/* of REFUSED */
};

/* That of this machine. */
struct grt_hello grt_hello_own(enum grt_hello_kind kind);

/* Writes the line, with its end, to @to.  Returns its length. */
size_t grt_hello_line(char to[GRT_HELLO_MAX], const struct grt_hello *hello);

/* Parses a line without its end.  0, or -EPROTO with a cause. */
int grt_hello_parse(struct grt_hello *hello, const char *line);

/*
 * Says what @kind we want on the new connection @fd, and reads the answer, in @wait_ms at most.  @name is for
 * messages.  0, or -errno with a cause.
 */
int grt_hello_exchange(int fd, const char *name, enum grt_hello_kind kind, struct grt_hello *answer, int wait_ms);

/* Reads a line without its end into @line, in @wait_ms at most.  0 or -errno, also if it is too long. */
int grt_hello_read(int fd, char line[GRT_HELLO_MAX], int wait_ms);

#endif /* GRT_HELLO_H */
