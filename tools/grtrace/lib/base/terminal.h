/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_TERMINAL_H
#define GRT_TERMINAL_H

#include <stddef.h>

/*
 * How many cells a line at @fd may have: COLUMNS, or the width of the terminal.  0: any number,
 * because @fd is no terminal.
 */
size_t grt_terminal_width(int fd);

#endif /* GRT_TERMINAL_H */
