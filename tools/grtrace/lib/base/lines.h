/* SPDX-License-Identifier: LGPL-2.1 */
/* Texts of name=value lines, as in control files and METADATA. */
#ifndef GRT_LINES_H
#define GRT_LINES_H

#include <stddef.h>

/*
 * Finds the first line with this name in @text, @bytes long.  Returns its value, not terminated,
 * and the length in *@len; NULL if there is no such line.
 */
const char *grt_line_value(const char *text, size_t bytes, const char *name, size_t *len);

#endif /* GRT_LINES_H */
