/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_DISTANCE_H
#define GRT_DISTANCE_H

#include <stddef.h>

/*
 * The number of letters to change, add or remove to get from @a to @b, to find the name that
 * somebody meant.  If @b has 64 letters or more: their number.
 */
size_t grt_distance(const char *a, const char *b);

#endif /* GRT_DISTANCE_H */
