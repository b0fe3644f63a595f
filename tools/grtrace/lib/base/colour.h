/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_COLOUR_H
#define GRT_COLOUR_H

#include <stdbool.h>

/* Whether @fd is a terminal and colours are not switched off (NO_COLOR, TERM=dumb). */
bool grt_may_colour(int fd);

#endif /* GRT_COLOUR_H */
