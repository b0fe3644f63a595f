/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Prints text that comes from a trace or from the user: names of processes, rings, devices and
 * files, policies and marks.  It may contain characters that control a terminal or a spreadsheet,
 * so these functions must print it.
 *
 * A character is printed as it is, except: control characters (C0, DEL, C1), characters that
 * change the direction of text, line ends, and bytes that are not valid UTF-8.
 */
#ifndef GRT_QUOTE_H
#define GRT_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Length of the first character if it may be printed as it is, else 0.  @bytes is not 0. */
size_t grt_shown_bytes(const char *text, size_t bytes);

/* For people: each character that may not be printed becomes '?'.  Cut at @bytes.  Returns @buf. */
const char *grt_quote_text(char *buf, size_t bytes, const char *text);

/* The same for text of any length, to a file. */
void grt_put_text(FILE *f, const char *text);

/* The same, for printf().  Valid for GRT_SHOWN_CALLS calls.  Long text is cut. */
#define GRT_SHOWN_CALLS	8
const char *grt_shown(const char *text);

/* For people, without loss: in quotes, with \n, \x1b and the like for what may not be printed. */
void grt_quote_string(FILE *f, const char *text, size_t bytes);

/* A JSON string with its quotes, in valid UTF-8. */
void grt_quote_json(FILE *f, const char *text, size_t bytes);

/*
 * One CSV cell, in quotes where CSV needs them.  No byte is lost, and a row is always one line: a
 * line end becomes \n, a backslash \\, any other character that may not be printed \x1b and the
 * like.
 */
void grt_quote_csv(FILE *f, const char *text, size_t bytes);

/*
 * Text of several lines as one, without loss: a line end becomes \n, a backslash \\, any other character that may not
 * be printed \x1b and the like.  Cut before a character for which there is no room.  Returns how many bytes of @text
 * found room.
 */
size_t grt_escape_text(char *to, size_t room, const char *text, size_t bytes);

/*
 * The text before that, in place.  Returns its length.  What grt_escape_text() does not write stays as it is, as
 * names of systemd's units have \x2d.
 */
size_t grt_unescape_text(char *text, size_t bytes);

/* Whether a cell that looks like a formula gets a ' in front. */
extern bool grt_csv_is_safe;

#endif /* GRT_QUOTE_H */
