/* SPDX-License-Identifier: LGPL-2.1 */
/* How wide a text is on a terminal. */
#ifndef GRT_TEXT_CELLS_H
#define GRT_TEXT_CELLS_H

#include <stddef.h>
#include <stdio.h>

/* How many terminal cells @text needs. */
size_t grt_text_cells(const char *text);

/*
 * Prints @text, one line or several, with line ends where words would not fit @width cells; 0: any
 * number.  Such lines begin with @indent blanks.
 */
void grt_text_fold(FILE *f, const char *text, size_t width, unsigned int indent);

#endif /* GRT_TEXT_CELLS_H */
