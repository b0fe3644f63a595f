/* SPDX-License-Identifier: LGPL-2.1 */
/* Texts of name=value lines, as in control files and METADATA. */
#ifndef GRT_LINES_H
#define GRT_LINES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the first line with this name in @text, @bytes long.  Returns its value, not terminated,
 * and the length in *@len; NULL if there is no such line.
 */
const char *grt_line_value(const char *text, size_t bytes, const char *name, size_t *len);

/*
 * Copies that value to @to, cut to @room bytes with its NUL.  @text ends at a NUL or after @bytes.  False: there is
 * no such line, and @to stays as it was.
 */
bool grt_line_copy(char *to, size_t room, const char *text, size_t bytes, const char *name);

#endif /* GRT_LINES_H */
